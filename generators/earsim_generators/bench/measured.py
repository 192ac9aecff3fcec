"""Difficulty of a scenario as it was measured: who wins it, and how long it takes `expert`.

What is counted before anything is played, see `earsim_generators.difficulty`, spreads tasks over
bands while they are made. Whoever understands nothing may still win some of those of the upper one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.parallel import map_ordered
from earsim.schema import Scenario
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim_generators.difficulty import Band
from earsim_generators.families import ABOUT_TIME

BASELINES = ("regex",)
"""Policies that play. Tricks win by chance alone, which tells nothing of a task."""

MOST_DECISIONS: Mapping[Band, int] = {Band.EASY: 18, Band.MEDIUM: 32}
"""Of `expert`, which knows what is meant; what takes more is hard."""


class MeasuredDifficulty(NamedTuple):
    """What is known from playing a scenario.

    Attributes:
        expert: Decisions of `expert`, from which the budget was drawn; None where it was not.
        won_by: Baselines; None where none played.
    """

    expert: int | None
    won_by: tuple[str, ...] | None

    @property
    def band(self) -> Band | None:
        """Easy is what a baseline wins; the others are parted by what `expert` needs, if known."""
        if self.won_by:
            return Band.EASY
        if self.expert is None:
            return None
        short_enough = (band for band, most in MOST_DECISIONS.items() if self.expert <= most)
        return next(short_enough, Band.HARD)


def measured_difficulty(scenario: Scenario) -> MeasuredDifficulty:
    """Have baselines play a scenario. What `expert` needs is known from the making of it.

    They do not play tasks about time: a search over time takes `regex` up to minutes for one.
    """
    made = scenario.provenance
    expert = made.get("condition", made).get("expert")
    if made.get("family") in ABOUT_TIME:
        return MeasuredDifficulty(expert, None)
    results = ((name, play(scenario, make_policy(name), name=name).result) for name in BASELINES)
    won_by = tuple(name for name, result in results if result and result.success_final)
    return MeasuredDifficulty(expert, won_by)


def measured(lines: Iterable[str], *, jobs: int | None = None) -> Iterator[Scenario]:
    """Scenarios of lines, with what was measured in their provenance, which is in no hash."""
    return map_ordered(_measured, lines, jobs=jobs)


def _measured(line: str) -> Scenario:
    scenario = validated(parse_json(line, "a line of the benchmark"), Scenario)
    found = measured_difficulty(scenario)
    counted: dict[str, Any] = scenario.provenance["difficulty"]
    told = {**counted, **found._asdict()}
    if found.band is not None:
        told["band"] = found.band.value
    return scenario.model_copy(update={"provenance": {**scenario.provenance, "difficulty": told}})
