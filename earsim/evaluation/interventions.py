"""What an episode did at apparatus that metrics of verification count: stops, and answers given.

Noted by the runner at the end of an episode, since only the world has it: the record holds commands
and outcomes, and neither tells what a stopped run would have cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from earsim.actions.run import STOPPED
from earsim.apparatus.operation import Failure
from earsim.engine import Engine
from earsim.evaluation.scorers.verification import ErrorCause, error_cause
from earsim.schema.goal import SubmittedFact
from earsim.schema.goal_tree import leaves
from earsim.world import World
from earsim.world.lab import LabRun, Rig, expected_price, expected_seconds, price_of

SECONDS = "s"
"""The account of time on the world's clock."""


class StoppedRun(NamedTuple):
    """A run that an agent stopped.

    Attributes:
        apparatus: whose it was.
        saved: what it would still have cost, by account and in ``s``, as far as that was known.
    """

    apparatus: str
    saved: Mapping[str, float]


class NumericAnswer(NamedTuple):
    """The last answer to a question whose right answer is a number.

    Attributes:
        question: its name.
        cause: why it is wrong; None where it is within 5 %.
    """

    question: str
    cause: ErrorCause | None


class VerificationRecord(NamedTuple):
    """What the runner notes of an episode.

    Attributes:
        stopped: runs that were stopped, in their order.
        answers: numeric answers, by the order of the goal.
    """

    stopped: tuple[StoppedRun, ...] = ()
    answers: tuple[NumericAnswer, ...] = ()

    def record(self) -> dict[str, Any]:
        """As a JSON value."""
        return {
            "stopped": [
                {"apparatus": each.apparatus, "saved": each.saved} for each in self.stopped
            ],
            "answers": [each._asdict() for each in self.answers],
        }

    @classmethod
    def of_record(cls, noted: Mapping[str, Any]) -> VerificationRecord:
        """What was noted; nothing where another version did or none was."""
        try:
            stopped = [StoppedRun(**each) for each in noted["stopped"]]
            answers = [
                NumericAnswer(each["question"], each["cause"] and ErrorCause(each["cause"]))
                for each in noted["answers"]
            ]
        except (KeyError, TypeError, ValueError):
            return cls()
        return cls(tuple(stopped), tuple(answers))


def verification_record(engine: Engine, world: World) -> VerificationRecord | None:
    """What an episode did at apparatus; None in a scene without."""
    live, timeline = world.blueprint.live, world.timeline
    lab = None if timeline is None else timeline.lab
    if lab is None or live is None:
        return None
    stopped = [run for run in lab.runs.values() if run.message == STOPPED]
    return VerificationRecord(
        tuple(
            StoppedRun(run.apparatus, saved(run, live.rigs[run.apparatus]))
            for run in stopped
            if run.operation.failure is Failure.HALTED
        ),
        tuple(_answers(engine, lab.answers)),
    )


def saved(run: LabRun, rig: Rig) -> dict[str, float]:
    """What a run was expected to cost less what it did, by account; nothing where that is unknown.

    Without what is paid at the start of a run, which a stop does not save.
    """
    if run.ended_ms is None or run.expected.allowance is None:
        return {}
    gone_s = max(run.ended_ms - run.started_ms, 0) / 1000
    paid = price_of(rig, gone_s, run.spent)
    left = {
        account: price - paid.get(account, 0.0)
        for account, price in expected_price(rig, run.expected).items()
    }
    return {**left, SECONDS: expected_seconds(rig, run.expected) - gone_s}


def _answers(engine: Engine, given: Mapping[str, Any]) -> Iterator[NumericAnswer]:
    for _, fact in leaves(engine.task.goal_tree, denied=False):
        if isinstance(fact, SubmittedFact) and fact.name in given:
            right, answer = fact.equals, given[fact.name]
            if isinstance(right, int | float) and not isinstance(right, bool):
                is_number = isinstance(answer, int | float) and not isinstance(answer, bool)
                cause = error_cause(answer, right) if is_number else ErrorCause.REASONING
                yield NumericAnswer(fact.name, cause)
