"""The design policies: `caed`, and `bo`, `optuna`, `brute` and `scan` that it is held against."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, get_args

from earsim.envs.policy import PolicyContext
from earsim.errors import UsageError
from earsim_agents.science.design import baselines, optimisers
from earsim_agents.science.design.caed import ITERATIONS, PROPOSALS, CaedSettings, caed
from earsim_agents.science.design.optimisers import Objective, Turns
from earsim_agents.science.design.playing import Begin, DesignState, designed
from earsim_agents.science.design.pool import AnswerRule
from earsim_agents.science.design.search import STEPS
from earsim_agents.science.design.signals import SignalName
from earsim_agents.science.design.surrogate import WEIGHTS
from earsim_agents.science.play import Observations, Play
from earsim_agents.science.play_policy import AskingPolicy, ScriptPolicy


class CaedPolicy(AskingPolicy):
    """CAED-Agent: a model designs grids against a surrogate, and runs what looks best.

    ``signal=truth`` with ``turns=multi`` is OPRO: every design is run. ``signal=none`` is the model
    alone, the direct baseline.
    """

    def __init__(
        self,
        *,
        signal: SignalName = "surrogate-soft",
        turns: Turns = "single",
        physics_prior: bool = True,
        answer: AnswerRule = "utility",
        iterations: int = ITERATIONS,
        proposals: int = PROPOSALS,
        steps: int = STEPS,
        surrogates: str = "",
        **options: Any,
    ) -> None:
        """Make a policy.

        Args:
            signal: what the model is told of designs that nobody has run.
            turns: ``single`` makes one run, ``multi`` up to `steps`.
            physics_prior: tell equations and conditions.
            answer: which design of the pool is run.
            iterations: how often the model proposes.
            proposals: how many designs at a time.
            steps: runs at most.
            surrogates: folder written by `earsim train surrogate`; those that come along if empty.
            options: those of `ModelSettings`, and the client.

        Raises:
            UsageError: An option makes no sense.
        """
        self.design = CaedSettings(
            signal, turns, physics_prior, answer, iterations, proposals, steps,
            Path(surrogates) if surrogates else WEIGHTS,
        )  # fmt: skip
        super().__init__(**options)

    def play(self, context: PolicyContext, observations: Observations) -> Play[None]:
        """Design, run, answer."""
        self.state = state = DesignState()
        return designed(context, observations, state, partial(caed, settings=self.design))


class _Plain(ScriptPolicy):
    """A design policy that asks no model."""

    def begin(self, context: PolicyContext) -> Begin:
        """The search for a problem."""
        raise NotImplementedError

    def play(self, context: PolicyContext, observations: Observations) -> Play[None]:
        """Design, run, answer."""
        self.state = state = DesignState()
        return designed(context, observations, state, self.begin(context))


class BrutePolicy(_Plain):
    """Doubles the grid until it converges: the usual practice, R0 = Rm = 1 by definition."""

    def begin(self, context: PolicyContext) -> Begin:
        """The search for a problem."""
        return baselines.brute


class ScanPolicy(_Plain):
    """Runs the least grid that converges, found beside the world, as an oracle finds its plan."""

    def begin(self, context: PolicyContext) -> Begin:
        """The search for a problem."""
        return baselines.scan


class _Optimiser(_Plain):
    """An optimiser, given a ladder of runs of the same profile that are made beside the world."""

    search: Any

    def __init__(self, *, objective: Objective = "feasible_first", turns: Turns = "single") -> None:
        """Make a policy.

        Args:
            objective: ``ratio`` as in CAED-Agent, or the cost under the tolerance as constraint.
            turns: ``single`` makes one run, ``multi`` five.

        Raises:
            UsageError: An option makes no sense.
        """
        choices = (("objective", objective, Objective), ("turns", turns, Turns))
        for name, value, known in choices:
            if value not in get_args(known):
                raise UsageError(f"{name}={value!r}: take {', '.join(get_args(known))}")
        self.objective, self.turns = objective, turns

    def begin(self, context: PolicyContext) -> Begin:
        """The search for a problem."""
        return partial(
            type(self).search, objective=self.objective, turns=self.turns, seed=context.seed % 2**32
        )


class BayesPolicy(_Optimiser):
    """Bayesian optimisation with the library bayesian-optimization."""

    search = staticmethod(optimisers.bayes)


class OptunaPolicy(_Optimiser):
    """Optuna's tree-structured Parzen estimator."""

    search = staticmethod(optimisers.tree_parzen)
