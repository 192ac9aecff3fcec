"""The keyword arguments that all faces of the environment share."""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, get_args
from weakref import WeakValueDictionary

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.errors import UnknownName, UsageError
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.choices import EndOn, Observability
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.suites import Suite, open_suite
from earsim.suites.kept import KeptSuite
from earsim.suites.opening import files_of, suite_path

Observation = Literal["full", "delta", "graph"]
Reward = Literal["sparse", "progress"]

DEFAULT_SUITE = "starter"

_SMALL_SUITE = 128
"""Scenarios of a suite whose engines are all kept."""
_ENGINES_KEPT = 8
"""Of a larger suite: more would be dropped unused, and cost the garbage collector until then."""

_SHOWN_CHARS = 80


class _Kept:
    """An engine that a source keeps. A compiled engine can have no weak reference itself."""

    __slots__ = ("__weakref__", "engine")

    def __init__(self, engine: Engine) -> None:
        self.engine = engine


_ENGINES: WeakValueDictionary[tuple[str, str, str], _Kept] = WeakValueDictionary()
"""Engines kept anywhere in this process, by id and hash of the scenario and ruleset."""


_SUITES: WeakValueDictionary[tuple[object, ...], KeptSuite] = WeakValueDictionary()
"""Suites that an environment of this process plays, by their files as they were when opened."""


def _open_suite(name_or_path: str | Path) -> KeptSuite:
    """The suite; the same one for as long as its files stay as they are."""
    path = suite_path(name_or_path)
    files = None if path is None else files_of(path)
    if files is None:
        return KeptSuite(open_suite(name_or_path))
    key = (str(name_or_path), *files)
    found = _SUITES.get(key)
    if found is None:
        found = _SUITES[key] = KeptSuite(open_suite(name_or_path))
    return found


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
        names: dict[str, object] = {"suite": suite, "ruleset": ruleset}
        for name, value in names.items():
            if value is not None and (not isinstance(value, str | Path) or value == ""):
                raise UsageError(f"{name}={shown(value)}: expected a name")
        if ruleset is not None:
            _ = RULESETS[str(ruleset)]  # an unknown one is refused before an episode begins
        self._ruleset = ruleset
        self._engines: OrderedDict[str, _Kept] = OrderedDict()
        self.ids: tuple[str, ...] = ()
        self._given: Scenario | None = None
        self._suite: KeptSuite | None = None
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
            self._suite = _open_suite(scenario)
            scenario = None
        else:
            self._suite = _open_suite(DEFAULT_SUITE if suite is None else suite)
        self.ids = self._ids(scenario if isinstance(scenario, str) else None)

    def _ids(self, wanted: str | None) -> tuple[str, ...]:
        if self._given is not None:
            return (self._given.id,)
        assert self._suite is not None
        if wanted is not None:
            self.engine(wanted)
            return (wanted,)
        suite = self._suite.suite
        ids = tuple(id_ for id_ in suite.ids if self._fits(suite, id_))
        if not ids:
            raise UsageError(f"suite {suite.name!r} has no scenario for this environment")
        return ids

    def _fits(self, suite: Suite, scenario_id: str) -> bool:
        if self._team_size is None:
            return True
        is_team = suite.category(scenario_id).endswith("collaboration")
        return is_team == (self._team_size > 1)

    def engine(self, scenario_id: str) -> Engine:
        """The engine of a scenario, compiled when first asked for.

        Those of a small suite are all kept, of a larger one the last few; and the data of every
        scenario that was read, up to 64 MiB. What another environment of this process uses is
        shared.

        Raises:
            UnknownName: There is no such scenario.
            UsageError: It is no text.
        """
        if not isinstance(scenario_id, str):
            raise UsageError(f"scenario={shown(scenario_id)}: expected an id")
        kept = self._engines.get(scenario_id)
        if kept is None:
            with _collector_paused():
                kept = _shared(self._load(scenario_id), self._ruleset)
                self._engines[scenario_id] = kept
                if len(self._engines) > self._most_kept:
                    self._engines.popitem(last=False)
        return kept.engine

    @property
    def _most_kept(self) -> int:
        """How many engines are kept."""
        return _SMALL_SUITE if len(self.ids) <= _SMALL_SUITE else _ENGINES_KEPT

    def __getstate__(self) -> dict[str, Any]:
        """Without what can be made again."""
        return {**self.__dict__, "_engines": OrderedDict()}

    def _load(self, scenario_id: str) -> Scenario:
        if self._given is not None and scenario_id == self._given.id:
            return self._given
        if self._suite is None:
            raise UnknownName("scenario", scenario_id, self.ids)
        return self._suite.load(scenario_id)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """No garbage is looked for while a scenario is read: nearly all that is made is kept."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _shared(scenario: Scenario, ruleset: str | None) -> _Kept:
    """The engine of an equal scenario that some source keeps, or a new one."""
    key = (scenario.id, scenario.hash, ruleset or scenario.ruleset)
    kept = _ENGINES.get(key)
    if kept is None or kept.engine.scenario != scenario:
        kept = _ENGINES[key] = _Kept(Engine(scenario, ruleset))
    return kept


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


def wanted_scenario(options: object) -> str | None:
    """The scenario that the options of `reset` pin; None where they pin none.

    Raises:
        UsageError: They are no dictionary, or hold something unknown.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise UsageError(
            f'options={shown(options)}: expected a dictionary such as {{"scenario": id}}'
        )
    unknown = [key for key in options if key != "scenario"]
    if unknown:
        raise UsageError(f"options: {shown(unknown[0])} is unknown; there is 'scenario'")
    scenario: str | None = options.get("scenario")
    return scenario


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
