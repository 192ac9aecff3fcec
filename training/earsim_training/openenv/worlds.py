"""Which scenarios a server plays and how: read once, shared by all sessions."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Literal

import numpy as np

from earsim import Scenario, open_suite
from earsim.envs import OmniEAREnv
from earsim.envs.options import Reward
from earsim.errors import UnknownName, UsageError
from earsim.schema import Category
from earsim.schema.choices import EndOn, Observability


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSettings:
    """Settings of a world, as in `gym.make("OmniEAR-v0", ...)`.

    Attributes:
        suite: name or path.
        category: only tasks of this category; None for all that one agent solves.
        ruleset: overrules the scenarios' own.
        observability: ``full`` means that everything is known from the start.
        observation: ``full`` tells all that is known every time, ``delta`` what is new.
        reward: ``sparse`` or ``progress``.
        end_on: ``goal`` ends an episode as soon as the goal holds, too.
        admissible_commands: list with every observation what would be accepted now.
        budget: decisions until an episode is cut off; the scenario's own when None.
    """

    suite: str = "starter"
    category: str | None = None
    ruleset: str | None = None
    observability: Observability = "partial"
    observation: Literal["full", "delta"] = "full"
    reward: Reward = "sparse"
    end_on: EndOn = "done"
    admissible_commands: bool = False
    budget: int | None = None


class Worlds:
    """Makes an environment for any of the scenarios; sessions on several threads may ask.

    Attributes:
        settings: how they are played.
        ids: the scenarios for one agent, in the order of the suite.
    """

    def __init__(self, settings: WorldSettings) -> None:
        """See that everything can be played that way.

        Raises:
            UnknownName: There is no such suite, category or ruleset.
            FileError: The suite cannot be read.
            UsageError: A setting has none of its allowed values, or nothing is left to play.
        """
        if settings.observation not in ("full", "delta"):
            raise UsageError(f"observation={settings.observation!r}: choose 'full' or 'delta'")
        self.settings = settings
        self._suite = open_suite(settings.suite)
        self._reading = threading.Lock()
        self.ids = self._chosen(self._made(None).source.ids)
        self.env(self.ids[0]).reset()  # a ruleset that does not exist shows here

    def _chosen(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        category = self.settings.category
        if category is None:
            return ids
        wanted = set(self._suite.select(category=category).ids)
        chosen = tuple(id for id in ids if id in wanted)
        if not chosen:
            kind = Category(category)
            raise UsageError(f"{self.settings.suite} has no task of {kind} for one agent")
        return chosen

    def draw(self, chance: np.random.Generator) -> str:
        """One of the ids: with the same seed the one that `OmniEAR-v0` draws."""
        return self.ids[0] if len(self.ids) == 1 else self.ids[int(chance.integers(len(self.ids)))]

    def scenario(self, id: str) -> Scenario:
        """A scenario by its id, which is never taken for a path.

        Raises:
            UnknownName: There is no such scenario, or it is for a team.
        """
        if id not in self.ids:
            raise UnknownName(f"scenario for one agent in {self.settings.suite}", id, self.ids)
        with self._reading:
            return self._suite.load(id)

    def env(self, id: str) -> OmniEAREnv:
        """An environment of its own for a scenario; raises as `scenario` does."""
        return self._made(self.scenario(id))

    def _made(self, scenario: Scenario | None) -> OmniEAREnv:
        how = self.settings
        return OmniEAREnv(
            scenario,
            suite=how.suite if scenario is None else None,
            ruleset=how.ruleset,
            observability=how.observability,
            observation=how.observation,
            reward=how.reward,
            end_on=how.end_on,
            admissible_commands=how.admissible_commands,
            budget=how.budget,
        )
