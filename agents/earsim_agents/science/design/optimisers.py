"""Optimisers of the libraries as design searches: Bayesian optimisation, and optuna's sampler.

They begin with runs of the same profile that cost them nothing, as CAED-Agent gives BO the samples
its surrogate had: the ladder of doublings, made beside the world. With one run to make they suggest
once; with several they learn from each.

Two objectives. `ratio` is that of CAED-Agent, closeness over relative cost: it rises with
coarseness, so what fails a little scores best. `feasible_first` is the cost alone, under the
constraint that the error is within the tolerance.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Literal

from earsim.planner.laboratory.design_problem import DesignProblem, DesignRun
from earsim.registry import Lazy
from earsim_agents.science.design.search import STEPS, Search, trying

Objective = Literal["ratio", "feasible_first"]
Turns = Literal["single", "multi"]

KAPPA = 2.576
"""Of the upper confidence bound (bayesian-optimization's own)."""

EXPLORATION = 0.01
"""Of the expected improvement: xi."""

_BROKEN = 2.0
"""Decades above the tolerance, for the error of a run that broke off."""

_BAYES = Lazy("bayes_opt:BayesianOptimization", extra="science")
_OPTUNA = Lazy("optuna:create_study", extra="science")


def ladder(problem: DesignProblem) -> list[DesignRun]:
    """The runs that an optimiser is given: doublings from the least grid to the greatest."""
    cells, runs = problem.low, []
    while cells <= problem.high:
        runs.append(problem.run(problem.allowed(cells)))
        cells *= 2
    return runs


def value(problem: DesignProblem, run: DesignRun, objective: Objective, scale: float) -> float:
    """What is to be made large.

    Args:
        problem: has the tolerance.
        run: of a design.
        objective: which of the two.
        scale: cost that counts as 1.
    """
    if objective == "ratio":
        return run.accuracy(problem.tolerance) * scale / run.cost
    return -math.log10(run.cost / scale)


def excess(problem: DesignProblem, run: DesignRun) -> float:
    """Decades by which an error is above the tolerance; at most 0 where it converged."""
    if not run.sound or not math.isfinite(run.error):
        return _BROKEN
    return math.log10(max(run.error, 1e-300) / problem.tolerance)


def bayes(problem: DesignProblem, *, objective: Objective, turns: Turns, seed: int) -> Search:
    """Bayesian optimisation over log2 of the cells.

    Upper confidence bound of the ratio, or expected improvement under the constraint.

    Raises:
        MissingExtra: bayesian-optimization is not installed.
    """
    return _search(problem, _Bayes(problem, objective, seed), turns)


def tree_parzen(problem: DesignProblem, *, objective: Objective, turns: Turns, seed: int) -> Search:
    """Optuna's tree-structured Parzen estimator over the cells, even in their logarithm.

    Raises:
        MissingExtra: optuna is not installed.
    """
    return _search(problem, _Parzen(problem, objective, seed), turns)


def _search(problem: DesignProblem, optimiser: _Bayes | _Parzen, turns: Turns) -> Search:
    answer: DesignRun | None = None
    optimiser.learn(ladder(problem))
    for _ in range(1 if turns == "single" else STEPS):
        run = yield from trying(problem, optimiser.suggest())
        optimiser.learn([run])
        answer = run if answer is None or _better(problem, run, answer) else answer
    return None if answer is None else answer.cells


def _better(problem: DesignProblem, new: DesignRun, old: DesignRun) -> bool:
    """Converged first, then cheaper."""
    now, before = new.converged(problem.tolerance), old.converged(problem.tolerance)
    return now > before or (now == before and new.cost < old.cost)


class _Bayes:
    """A Gaussian process of bayesian-optimization."""

    def __init__(self, problem: DesignProblem, objective: Objective, seed: int) -> None:
        from typing import cast

        made = cast(Any, _BAYES.load())
        from bayes_opt import acquisition
        from scipy.optimize import NonlinearConstraint

        self._problem, self._objective = problem, objective
        self._scale = 0.0
        self._constrained = objective == "feasible_first"
        rule = (
            acquisition.ExpectedImprovement(xi=EXPLORATION)
            if self._constrained
            else acquisition.UpperConfidenceBound(kappa=KAPPA)
        )
        self._made = made(
            f=None,
            pbounds={"x": (math.log2(problem.low), math.log2(problem.high))},
            acquisition_function=rule,
            constraint=NonlinearConstraint(lambda x: x, -math.inf, 0.0)
            if self._constrained
            else None,
            random_state=seed,
            verbose=0,
        )
        self._finest, self._any = problem.low, False
        self._known: set[int] = set()

    def learn(self, runs: Sequence[DesignRun]) -> None:
        """Take note of runs."""
        self._scale = self._scale or max(run.cost for run in runs)
        for run in runs:
            over = excess(self._problem, run)
            self._any |= over <= 0
            self._finest = max(self._finest, run.cells)
            if run.cells in self._known:  # the same again says nothing new
                continue
            self._known.add(run.cells)
            self._made.register(
                params={"x": math.log2(run.cells)},
                target=value(self._problem, run, self._objective, self._scale),
                constraint_value=over if self._constrained else None,
            )

    def suggest(self) -> float:
        """Cells of the next design; twice the finest where no run has met the constraint."""
        if self._constrained and not self._any:
            return min(2 * self._finest, self._problem.high)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a Gaussian process whose scale is at a bound
            return float(2.0 ** self._made.suggest()["x"])


class _Parzen:
    """A study of optuna."""

    def __init__(self, problem: DesignProblem, objective: Objective, seed: int) -> None:
        from typing import cast

        create = cast(Any, _OPTUNA.load())
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._problem, self._objective = problem, objective
        self._scale = 0.0
        self._asked: Any = None
        range_ = (math.log2(problem.low), math.log2(problem.high))
        self._where: dict[str, Any] = {"x": optuna.distributions.FloatDistribution(*range_)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # constraints are called experimental
            sampler = optuna.samplers.TPESampler(
                seed=seed, n_startup_trials=1, constraints_func=self._excess
            )
        self._study = create(direction="maximize", sampler=sampler)

    def _excess(self, trial: Any) -> tuple[float, ...]:
        return (trial.user_attrs["excess"],) if self._objective == "feasible_first" else (0.0,)

    def learn(self, runs: Sequence[DesignRun]) -> None:
        """Take note of runs: what was suggested, or what is known already."""
        import optuna

        self._scale = self._scale or max(run.cost for run in runs)
        for run in runs:
            worth = value(self._problem, run, self._objective, self._scale)
            over = excess(self._problem, run)
            if self._asked is not None:
                self._asked.set_user_attr("excess", over)
                self._study.tell(self._asked, worth)
                self._asked = None
                continue
            known = optuna.trial.create_trial(
                params={"x": math.log2(run.cells)},
                distributions=self._where,
                value=worth,
                user_attrs={"excess": over},
                system_attrs={"constraints": (over,)}
                if self._objective == "feasible_first"
                else None,
            )
            self._study.add_trial(known)

    def suggest(self) -> float:
        """Cells of the next design."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._asked = self._study.ask(self._where)
        return float(2.0 ** self._asked.params["x"])
