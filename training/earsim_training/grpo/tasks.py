"""What is played: scenarios of a suite, each as a row that a group of episodes begins from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earsim.errors import UsageError
from earsim.schema import Scenario
from earsim.suites import open_suite
from earsim_agents.client.request import draw
from earsim_training.export.settings import PromptSettings
from earsim_training.grpo.recipe import RolloutSettings
from earsim_training.rewarded_episode import RewardedEpisode

_BETWEEN = "#"


class TaskRow(NamedTuple):
    """The beginning of an episode; all episodes of a group have the same.

    Attributes:
        scenario: its id.
        seed: of whoever draws on the way. Nothing in the world is drawn.
    """

    scenario: str
    seed: int

    def __str__(self) -> str:
        """As the one string that a trainer hands on."""
        return f"{self.scenario}{_BETWEEN}{self.seed}"

    @classmethod
    def read(cls, text: str) -> TaskRow:
        """The row of such a string."""
        scenario, _, seed = text.rpartition(_BETWEEN)
        return cls(scenario, int(seed))


class Tasks:
    """The scenarios of a recipe."""

    def __init__(self, playing: RolloutSettings, telling: PromptSettings, seed: int) -> None:
        """Load them.

        Args:
            playing: which, and how they are played.
            telling: how much is known from the start.
            seed: of the rows.

        Raises:
            UnknownName: There is no such suite.
            FileError: A scenario cannot be used.
            UsageError: No scenario matches, or one is for several agents and the hook for one.
        """
        chosen = open_suite(playing.suite).select(category=playing.category, limit=playing.limit)
        self._scenarios: dict[str, Scenario] = {each.id: each for each in chosen}
        self._turns = playing.turns
        self._settings = playing.episode(telling)
        self._seed = seed
        if not self._scenarios:
            wanted = "" if playing.category is None else f" of the category {playing.category}"
            raise UsageError(f"{playing.suite} has no scenario{wanted}: nothing can be played")
        if playing.hook == "tools":
            self._check_alone()

    def __len__(self) -> int:
        return len(self._scenarios)

    def rows(self, groups: int = 1) -> list[TaskRow]:
        """One for each scenario, in the order of the suite, and some once more.

        A trainer takes so many groups for an update and leaves out what is left of them at the end;
        with fewer rows than that it would do nothing at all, and not say so. So there are as many
        rows as whole updates take.

        Args:
            groups: of one update.
        """
        ids = list(self._scenarios)
        count = -(-len(ids) // groups) * groups
        return [
            TaskRow(ids[at % len(ids)], draw(self._seed, ids[at % len(ids)], at // len(ids)))
            for at in range(count)
        ]

    def begin(self, row: TaskRow) -> RewardedEpisode:
        """A fresh episode; as often as this is asked, the same."""
        return RewardedEpisode(self._scenarios[row.scenario], self._settings, self._turns)

    def hashes(self) -> Iterator[str]:
        """What was played, so that a model can say what it was made from."""
        return (f"{each.id} {each.hash}" for each in self._scenarios.values())

    def _check_alone(self) -> None:
        teams = [id for id, each in self._scenarios.items() if len(each.agents) > 1]
        if teams:
            raise UsageError(
                f"{len(teams):,} of {len(self):,} scenarios are for several agents, such as "
                f"{teams[0]}: playing.hook: tools plays with one; set playing.category"
            )
