"""`EarApparatus-v0`: one apparatus without a world around it, for optimisation and control."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from earsim.apparatus.design import Requirement, margin
from earsim.apparatus.model import Advanced
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings, Value, checked, defaults
from earsim.apparatus.registry import MODELS
from earsim.errors import UsageError, near_misses

Action = Mapping[str, Any]
"""A value for every tunable parameter; of one with choices, the position of the choice."""

_MET = 0.0


class CompletedRun(NamedTuple):
    """What came of one run.

    Attributes:
        results: by name; None for one that does not exist.
        spent: cost units.
        events: names of what was raised.
        failed: why it did not come to its end.
    """

    results: Mapping[str, Value | None]
    spent: float
    events: tuple[str, ...]
    failed: str | None


class EarApparatusEnv(gym.Env[dict[str, Any], Any]):
    """One apparatus: a step configures it, runs it to its end and reads the results.

    ## Description
    The simulations that stand behind objects of a laboratory scene, without rooms, agents and
    clock: a black box with typed, bounded settings and a cost.

    ## Action space
    `Dict` with one entry per tunable setting: a `Box` of one number, or a `Discrete` with the
    position of a word among its choices. Whole numbers are rounded to the nearest that is allowed.

    ## Observation space
    `Dict`: `results`, the numeric results in the order of `result_names` (truth values are 0 and 1,
    what does not exist is 0); `known`, which of them exist; `cost`, cost units of the run.

    ## Rewards
    With `requirements`, 1 for a run that meets all of them and else 0. Otherwise the result
    `objective`, negated with `direction="min"`; `missing` where it does not exist.

    ## Starting state
    Nothing has run: all results are unknown.

    ## End of an episode
    Terminated: `requirements` are met. Truncated: `runs` runs were made.

    ## Info
    `results` (by name, words included), `settings`, `cost`, `events`, `failed`, `runs`.

    ## Arguments
    `model` (such as "maglev/1"), `settings` (those that stay as they are), `tunable` (names of the
    others; all that are not in `settings` when None), `objective`, `direction`, `requirements` (a
    list of `{"result", "low", "high", "equals"}`), `runs`, `most_cost` (cost units after which a
    run has failed), `missing`.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        model: str = "maglev/1",
        *,
        settings: Mapping[str, Value] | None = None,
        tunable: Sequence[str] | None = None,
        objective: str | None = None,
        direction: Literal["min", "max"] = "min",
        requirements: Sequence[Mapping[str, Any]] = (),
        runs: int = 25,
        most_cost: float = math.inf,
        missing: float = 0.0,
    ) -> None:
        """Choose a model and what is asked of it.

        Raises:
            UnknownName: There is no such model.
            UsageError: There is no such setting or result, or a value is not allowed.
        """
        self.model = MODELS[model]
        given = dict(settings or {})
        fixed = checked(self.model.parameters, given, among=defaults(self.model.parameters))
        if isinstance(fixed, SettingProblem):
            raise UsageError(f"{model}: {fixed.reason}: {dict(fixed.facts)}")
        self._fixed: Settings = fixed
        names = [p.name for p in self.model.parameters]
        wanted = [n for n in names if n not in given] if tunable is None else list(tunable)
        if not wanted:
            raise UsageError(f"{model}: nothing to configure; name a setting in 'tunable'")
        self._tunable = [self._parameter(name, names) for name in wanted]
        self.result_names = tuple([quantity.name for quantity in self.model.quantities])
        self._requirements = [Requirement(**requirement) for requirement in requirements]
        for name in [*(r.result for r in self._requirements), *([objective] if objective else [])]:
            if name not in self.result_names:
                near = near_misses(name, self.result_names)
                raise UsageError(
                    f"{model} has no result {name!r}; near: {', '.join(near) or 'none'}"
                )
        self._objective = objective or self.result_names[0]
        self._sign = -1.0 if direction == "min" else 1.0
        self._most_runs = runs
        self._most_cost = most_cost
        self._missing = missing
        self._runs = 0
        self.action_space = spaces.Dict({p.name: _space(p) for p in self._tunable})
        many = len(self.result_names)
        self.observation_space = spaces.Dict(
            {
                "results": spaces.Box(-np.inf, np.inf, (many,), np.float64),
                "known": spaces.MultiBinary(many),
                "cost": spaces.Box(0.0, np.inf, (1,), np.float64),
            }
        )

    def _parameter(self, name: str, names: Sequence[str]) -> Parameter:
        for parameter in self.model.parameters:
            if parameter.name == name:
                return parameter
        near = near_misses(name, names)
        raise UsageError(
            f"{self.model.id} has no setting {name!r}; near: {', '.join(near) or 'none'}"
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin again: nothing has run."""
        super().reset(seed=seed, options=options)
        self._runs = 0
        nothing = CompletedRun(dict.fromkeys(self.result_names), 0.0, (), None)
        return self._observation(nothing), self._info(nothing, self._fixed)

    def step(self, action: Action) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Configure, run to the end, read."""
        settings = {**self._fixed, **{p.name: _value(p, action[p.name]) for p in self._tunable}}
        run = self.run(settings)
        self._runs += 1
        met = bool(self._requirements) and margin(run.results, self._requirements) >= _MET
        return (
            self._observation(run),
            self._reward(run, met=met),
            met,
            not met and self._runs >= self._most_runs,
            self._info(run, settings),
        )

    def run(self, settings: Settings) -> CompletedRun:
        """One run with complete settings, to its end or to the most that it may cost."""
        model = self.model
        endless = self._most_cost if model.rate is not None else math.inf
        progress: Advanced = model.advance(model.start(settings), endless)
        events = tuple([event.name for event in progress.events])
        failed = progress.failed
        if failed is None and not progress.done:
            failed = "budget"
        results = model.results(progress.state)
        return CompletedRun(results, float(progress.spent), events, failed)

    def _reward(self, run: CompletedRun, *, met: bool) -> float:
        if self._requirements:
            return float(met)
        value = run.results.get(self._objective)
        if value is None or isinstance(value, str):
            return self._missing
        return self._sign * float(value)

    def _observation(self, run: CompletedRun) -> dict[str, Any]:
        values = [run.results.get(name) for name in self.result_names]
        known = [value is not None and not isinstance(value, str) for value in values]
        numbers = [
            float(value) if value is not None and not isinstance(value, str) else 0.0
            for value in values
        ]
        return {
            "results": np.array(numbers, np.float64),
            "known": np.array(known, np.int8),
            "cost": np.array([run.spent], np.float64),
        }

    def _info(self, run: CompletedRun, settings: Settings) -> dict[str, Any]:
        return {
            "results": dict(run.results),
            "settings": dict(settings),
            "cost": run.spent,
            "events": run.events,
            "failed": run.failed,
            "runs": self._runs,
        }


def _space(parameter: Parameter) -> spaces.Space[Any]:
    if parameter.choices:
        return spaces.Discrete(len(parameter.choices))
    return spaces.Box(parameter.low, parameter.high, (1,), np.float64)


def _value(parameter: Parameter, given: Any) -> Value:
    """The setting that an entry of an action stands for, within its bounds."""
    if parameter.choices:
        return parameter.choices[int(given)]
    number = float(
        np.clip(np.asarray(given, np.float64).reshape(-1)[0], parameter.low, parameter.high)
    )
    if parameter.integer:
        step = parameter.multiple_of
        least = math.ceil(parameter.low / step) * step
        most = math.floor(parameter.high / step) * step
        return int(min(max(round(number / step) * step, least), most))
    if parameter.above_low and number == parameter.low:
        return math.nextafter(parameter.low, parameter.high)
    return number
