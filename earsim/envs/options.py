"""The keyword arguments that all faces of the environment share."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, get_args
from weakref import WeakValueDictionary

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.errors import UnknownName, UsageError
from earsim.schema import Scenario
from earsim.schema.choices import EndOn, Observability
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.suites import Suite, open_suite

Observation = Literal["full", "delta", "graph"]
Reward = Literal["sparse", "progress"]

DEFAULT_SUITE = "starter"

_ENGINES_KEPT = 64
_PACKED_BYTES = 64 * 1024 * 1024
"""Of scenarios that were read before, as pickles: about 5,000 of the size of EAR-Bench's."""

_ENGINES: WeakValueDictionary[tuple[str, str, str], Engine] = WeakValueDictionary()
"""Engines in use anywhere in this process, by id and hash of the scenario and ruleset."""
_SHOWN_CHARS = 80


class ScenarioSource:
    """Which scenarios an environment plays, and their engines; each is loaded when first needed."""

    def __init__(
        self,
        scenario: str | dict[str, Any] | Scenario | None,
        suite: str | None,
        ruleset: str | None,
        *,
        team_size: int | None = None,
    ) -> None:
        """Resolve what the caller asked for.

        Args:
            scenario: an id in the suite, the path of a scenario file, a scenario as a dictionary,
                or a `Scenario`; None plays all of the suite.
            suite: name or path of a suite; `starter` when neither is given.
            ruleset: overrules the scenario's own.
            team_size: play only scenarios with this many agents, where the whole suite is played.
        """
        for name, value in (("suite", suite), ("ruleset", ruleset)):
            if value is not None and (value == "" or not isinstance(value, str | Path)):
                raise UsageError(f"{name}={shown(value)}: expected a name")
        self._ruleset = ruleset
        self._engines: OrderedDict[str, Engine] = OrderedDict()
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._packed_bytes = 0
        self._given: Scenario | None = None
        self._suite: Suite | None = None
        self._team_size = team_size
        if isinstance(scenario, Scenario):
            self._given = scenario
        elif isinstance(scenario, dict):
            self._given = validated(Document("scenario={...}", scenario), Scenario)
        elif scenario is not None and not isinstance(scenario, str | Path):
            raise UsageError(
                f"scenario={shown(scenario)}: expected an id, a path, a dictionary or a Scenario"
            )
        elif scenario is not None and suite is None and _is_file(scenario):
            self._suite = open_suite(scenario)
            scenario = None
        else:
            self._suite = open_suite(DEFAULT_SUITE if suite is None else suite)
        self.ids = self._ids(scenario if isinstance(scenario, str) else None)

    def _ids(self, wanted: str | None) -> tuple[str, ...]:
        if self._given is not None:
            return (self._given.id,)
        assert self._suite is not None
        if wanted is not None:
            self.engine(wanted)
            return (wanted,)
        ids = tuple(id_ for id_ in self._suite.ids if self._fits(id_))
        if not ids:
            raise UsageError(f"suite {self._suite.name!r} has no scenario for this environment")
        return ids

    def _fits(self, scenario_id: str) -> bool:
        if self._team_size is None:
            return True
        assert self._suite is not None
        is_team = self._suite.category(scenario_id).endswith("collaboration")
        return is_team == (self._team_size > 1)

    def engine(self, scenario_id: str) -> Engine:
        """The engine of a scenario, compiled when first asked for.

        The last 64 are kept, and so is every scenario that was read, packed, up to 64 MiB. An
        engine that another environment of this process uses is shared.

        Raises:
            UnknownName: There is no such scenario.
            UsageError: It is no text.
        """
        if not isinstance(scenario_id, str):
            raise UsageError(f"scenario={shown(scenario_id)}: expected an id")
        engine = self._engines.get(scenario_id)
        if engine is None:
            engine = _shared_engine(self._load(scenario_id), self._ruleset)
            self._engines[scenario_id] = engine
            if len(self._engines) > _ENGINES_KEPT:
                self._engines.popitem(last=False)
        return engine

    def __getstate__(self) -> dict[str, Any]:
        """Without what can be read again."""
        return {
            **self.__dict__,
            "_engines": OrderedDict(),
            "_packed": OrderedDict(),
            "_packed_bytes": 0,
        }

    def _load(self, scenario_id: str) -> Scenario:
        if self._given is not None and scenario_id == self._given.id:
            return self._given
        if self._suite is None:
            raise UnknownName("scenario", scenario_id, self.ids)
        packed = self._packed.get(scenario_id)
        if packed is not None:
            scenario: Scenario = pickle.loads(packed)  # our own bytes, of this process
            return scenario
        scenario = self._suite.load(scenario_id)
        self._pack(scenario_id, scenario)
        return scenario

    def _pack(self, scenario_id: str, scenario: Scenario) -> None:
        _ = scenario.hash  # it is packed as well
        self._packed[scenario_id] = packed = pickle.dumps(scenario, pickle.HIGHEST_PROTOCOL)
        self._packed_bytes += len(packed)
        while self._packed_bytes > _PACKED_BYTES:
            self._packed_bytes -= len(self._packed.popitem(last=False)[1])


def _shared_engine(scenario: Scenario, ruleset: str | None) -> Engine:
    """The engine of an equal scenario that is in use, or a new one."""
    key = (scenario.id, scenario.hash, ruleset or scenario.ruleset)
    engine = _ENGINES.get(key)
    if engine is None or engine.scenario != scenario:
        engine = _ENGINES[key] = Engine(scenario, ruleset)
    return engine


def _is_file(name: str | Path) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a zero byte: no path at all
        return False


class EpisodeOptions:
    """How episodes are played and told; checked when the environment is made."""

    def __init__(
        self,
        *,
        observability: Observability,
        observation: Observation,
        reward: Reward,
        end_on: EndOn,
        admissible_commands: bool,
        budget: int | None,
    ) -> None:
        _choose("observability", observability, get_args(Observability))
        _choose("observation", observation, get_args(Observation))
        _choose("reward", reward, get_args(Reward))
        _choose("end_on", end_on, get_args(EndOn))
        _choose("admissible_commands", admissible_commands, (False, True))
        if budget is not None and (not _is_whole(budget) or budget < 1):
            raise UsageError(
                f"budget={shown(budget)}: expected a whole number of decisions, at least 1, or None"
            )
        self.observability = observability
        self.observation = observation
        self.reward = reward
        self.end_on: EndOn = end_on
        self.admissible_commands = admissible_commands
        self.budget = budget

    def episode(self, engine: Engine) -> Episode:
        """A fresh episode under these options."""
        return Episode(
            engine,
            end_on=self.end_on,
            budget=self.budget,
            discovered=self.observability == "full",
        )


def team_commands(action: object, agents: Sequence[str]) -> Mapping[str, Any]:
    """The action of a team, if it has the form of one.

    Raises:
        UsageError: It is no dictionary of commands by agent.
    """
    if not isinstance(action, Mapping):
        example = {agents[0]: "EXPLORE"}
        raise UsageError(
            f"{shown(action)} is no action of a team: give one command per agent, such as {example}"
        )
    return action


def shown(value: object) -> str:
    """A value of a caller in an error message."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _choose(name: str, value: object, choices: tuple[object, ...]) -> None:
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise UsageError(f"{name}={shown(value)}: choose one of {', '.join(map(repr, choices))}")
