"""CAED-Agent: a model proposes designs against a cheap signal before anything is run and paid for.

Single: designs spread over the range are rated by the signal; in several iterations the model sees
the pool and proposes new ones; the best of the pool is run. Multi: that is the first run, and the
model sees what runs truly told and asks for further ones until it stops. The signal ``truth`` has
no rating beforehand: every design is run, which is optimisation by prompting (OPRO). With ``none``
the model guesses its first design from what it knows; that is the direct baseline.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from earsim.errors import UsageError
from earsim.planner.laboratory.design_problem import DesignProblem, DesignRun
from earsim_agents.science.design import prompts, replies
from earsim_agents.science.design.optimisers import Turns
from earsim_agents.science.design.pool import AnswerRule, DesignPool, Rated
from earsim_agents.science.design.replies import DesignReply
from earsim_agents.science.design.search import STEPS, Search, trying
from earsim_agents.science.design.signals import Signal, SignalName, rated, signal
from earsim_agents.science.design.surrogate import WEIGHTS
from earsim_agents.science.play import Ask, Parsed, question

STARTS = 5
"""Designs spread over the range that a pool begins with (CAED-Agent: m)."""

ITERATIONS, PROPOSALS = 4, 2
"""How often a model proposes, and how many designs at a time (N and k; ours, none is printed)."""


@dataclass(frozen=True, slots=True)
class CaedSettings:
    """How CAED-Agent is played.

    Attributes:
        signal: what is told of designs that nobody has run.
        turns: ``single`` answers with one run, ``multi`` with several.
        physics_prior: tell equations and conditions; else the problem is a nameless number.
        answer: which design of the pool is run.
        iterations: how often the model proposes.
        proposals: how many designs at a time.
        steps: runs at most of ``multi`` (T).
        surrogates: folder of the surrogates.
    """

    signal: SignalName = "surrogate-soft"
    turns: Turns = "single"
    physics_prior: bool = True
    answer: AnswerRule = "utility"
    iterations: int = ITERATIONS
    proposals: int = PROPOSALS
    steps: int = STEPS
    surrogates: Path = WEIGHTS

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            UsageError: Naming what may be chosen.
        """
        for name, value, choices in (
            ("signal", self.signal, get_args(SignalName)),
            ("turns", self.turns, get_args(Turns)),
            ("answer", self.answer, get_args(AnswerRule)),
        ):
            if value not in choices:
                raise UsageError(f"{name}={value!r}: take {', '.join(choices)}")
        if self.signal == "truth" and self.turns == "single":
            raise UsageError("signal=truth learns from runs: take turns=multi")
        if not isinstance(self.physics_prior, bool):
            raise UsageError(f"physics_prior={self.physics_prior!r}: take true or false")
        counts = (self.iterations, self.proposals, self.steps)
        if not all(isinstance(each, int) for each in counts) or min(counts) < 1:
            raise UsageError("iterations, proposals and steps are whole numbers, 1 or more each")


def caed(problem: DesignProblem, settings: CaedSettings) -> Search:
    """The search of CAED-Agent.

    Raises:
        UsageError: There is no surrogate for the problem's settings.
    """
    told = signal(settings.signal, problem, settings.surrogates)
    system = prompts.system(problem, physics_prior=settings.physics_prior)
    pool, first = yield from _single(problem, settings, told, system)
    if first is None:
        return None
    run = yield from trying(problem, first)
    if settings.turns == "single":
        return run.cells
    return (yield from _multi(problem, settings, system, pool, run))


def _single(problem: DesignProblem, settings: CaedSettings, told: Signal, system: str) -> Any:
    """The pool, and the design to run first; None where no reply could be read."""
    if told.examples:
        reply = yield from _asked(prompts.PROPOSE, system, prompts.examples(told.examples))
        values = reply.values
        return DesignPool(), values[0] if values else None
    if settings.signal == "none":
        reply = yield from _asked(prompts.GUESS, system, prompts.GUESS_NOW)
        values = reply.values
        return DesignPool(), values[0] if values else None
    if told.rate is None:  # OPRO: nothing is known before the first run; begin as practice does
        return DesignPool(), problem.start
    pool = DesignPool(told.rate(cells) for cells in spread(problem))
    for _ in range(settings.iterations):
        text = prompts.propose(pool.ascending(), settings.proposals)
        reply = yield from _asked(prompts.PROPOSE, system, text)
        for value in reply.values[: settings.proposals]:
            cells = problem.allowed(value)
            if cells not in pool.seen:
                pool.add(told.rate(cells))
    chosen = pool.answer(settings.answer)
    return pool, None if chosen is None else chosen.cells


def _multi(
    problem: DesignProblem, settings: CaedSettings, system: str, pool: DesignPool, first: DesignRun
) -> Search:
    """One true run at a time, until the model stops or all steps are taken."""
    runs = [first]
    while len(runs) < settings.steps:
        true = DesignPool(rated(problem, runs)).ascending()
        text = prompts.refine(true, _unseen(pool, runs))
        reply = yield from _asked(prompts.REFINE, system, text)
        if reply.should_stop or not reply.values:
            break
        cells = problem.allowed(reply.values[0])
        if cells in {run.cells for run in runs}:
            break  # nothing new would come of it
        runs.append((yield from trying(problem, cells)))
    converged = [run for run in runs if run.converged(problem.tolerance)]
    best = min(converged, key=lambda run: run.cost) if converged else runs[-1]
    return best.cells


def _unseen(pool: DesignPool, runs: list[DesignRun]) -> tuple[Rated, ...]:
    made = {run.cells for run in runs}
    return tuple(each for each in pool.ascending() if each.cells not in made)


def spread(problem: DesignProblem, count: int = STARTS) -> list[int]:
    """Designs at equal distances over the range, its ends among them."""
    width = problem.high - problem.low
    found = [problem.allowed(problem.low + width * at / (count - 1)) for at in range(count)]
    return list(dict.fromkeys(found))


def _asked(role: str, system: str, text: str) -> Generator[Ask | Parsed, Any, DesignReply]:
    """Ask the model, and note what could be read; a part of a search as well as of a play."""
    reply: str | None = yield question(role, system, text)
    found = replies.read(reply)
    yield Parsed(None if found == DesignReply() else found.as_json())
    return found
