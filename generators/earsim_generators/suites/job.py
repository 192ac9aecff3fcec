"""What a run asks for, scene by scene, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from random import Random
from typing import NamedTuple

from earsim.planner.proofs.certificate import PUBLISHED
from earsim.schema import Category, Scenario
from earsim.schema.certificate import Certificate, ClaimShown, LabelProof
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.task import RightClaim
from earsim_generators.difficulty import Band, Measures, band_of, score
from earsim_generators.suites.settings import ORDINARY, GenerationSettings
from earsim_generators.suites.splits import Split

NODES_ALONE = 100
NODES_TOGETHER = 30
"""States that a search may reach. More prove more plans to be shortest, and take longer; none are
needed to find a plan, for every task comes with one."""

NODES_PUBLISHED = 2_000
"""The limit under `ear-bench`, where that plan is not always valid."""


_MOST_OF_BUDGET = 0.6
"""The part of a budget that a plan may take; the rest is for those who must look for things."""


class RejectionReason(StrEnum):
    """Reason to reject a proposed task.

    NOTHING_TO_ASK: the scene has nothing for a task of the category.
    NOT_AS_WISHED: the estimate of difficulty is far from the band; nothing was proved.
    NAMED: the instruction leaks the answer.
    ALREADY_SO: the goal holds at the start.
    NO_PLAN: no plan was found.
    NOT_PROVED: the ability that the category claims was not proved to be necessary, or the claim
        that is right not proved to be so.
    TOO_SHORT: the plan has fewer decisions than the preset demands.
    TOO_LONG: the plan takes most of the budget.
    OUT_OF_BAND: it is certified, but easier or harder than was asked for.
    DUPLICATE: an earlier task differs in names and places only.
    UNSOUND: `earsim validate` finds something wrong in it.
    IDLE: agents who only wait reach the goal.
    ANY_WAIT: a plan does so with 60, 600 or 3,600 seconds in place of each of its waits.
    SHORTCUT: who does not heed the condition, or is not told it, wins as well, or a plan that is to
        show that fails.
    NOT_PLAYED: `expert` does not reach the goal, or not within the budget.
    """

    NOTHING_TO_ASK = "nothing_to_ask"
    NOT_AS_WISHED = "not_as_wished"
    NAMED = "named"
    ALREADY_SO = "already_so"
    NO_PLAN = "no_plan"
    NOT_PROVED = "not_proved"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    OUT_OF_BAND = "out_of_band"
    DUPLICATE = "duplicate"
    UNSOUND = "unsound"
    IDLE = "idle"
    ANY_WAIT = "any_wait"
    SHORTCUT = "shortcut"
    NOT_PLAYED = "not_played"


CLAIMS: tuple[RightClaim, ...] = ("impossible", "unclear")
"""What is right to report of tasks that are to be declined."""


class TaskQuota(NamedTuple):
    """One kind of task that is wanted.

    Attributes:
        category: None where a family or a kind of condition decides.
        family: Empty for ordinary tasks.
        condition: Kind of condition, or why a task of a family is to be declined; else empty.
    """

    category: Category | None
    band: Band | None
    family: str = ""
    condition: str = ""

    @property
    def source(self) -> str:
        """What decides about it: `family`, `condition` or `category`."""
        return "family" if self.family else "condition" if self.condition else "category"

    @property
    def label(self) -> str:
        """The family, the kind of condition, or the category."""
        return (
            self.family or self.condition or ("" if self.category is None else self.category.value)
        )


class SceneJob(NamedTuple):
    """A scene to be made, by its number in its split."""

    settings: GenerationSettings
    split: Split | None
    number: int

    @property
    def family(self) -> str:
        """Name of its family; empty for an ordinary scene. Families take turns."""
        sources = self.settings.sources_of(self.split)
        return sources[self.number % len(sources)]

    @property
    def level(self) -> Band:
        """What its family is told to draw: the bands that are asked for, or all, in turn."""
        bands = [band for band in self.settings.wanted_bands if band is not None] or list(Band)
        return bands[self.turn % len(bands)]

    @property
    def turn(self) -> int:
        """How often its family, or ordinary scenes, had a turn before."""
        sources = self.settings.sources_of(self.split)
        rounds, place = divmod(self.number, len(sources))
        return rounds * sources.count(self.family) + sources[:place].count(self.family)

    @property
    def claim(self) -> str:
        """Why its family's tasks are to be declined, in turn; empty where they are not."""
        is_declined = bool(self.family) and self.settings.preset_values.declined
        return CLAIMS[self.turn % len(CLAIMS)] if is_declined else ""

    @property
    def domain(self) -> str:
        """Name or path of its domain; domains take turns."""
        domains = self.settings.domains_of(self.split)
        return domains[self.turn % len(domains)]

    def rng(self, purpose: str) -> Random:
        """A generator of its own for every purpose, the same for every version of ours.

        So a scene that a version does not change stays as it is.
        """
        split = "" if self.split is None else self.split.value
        words = (1, self.settings.seed, split, self.number, purpose)
        return Random("/".join(map(str, words)))  # text is hashed the same way everywhere

    def nodes(self, scenario: Scenario) -> int:
        """Limit of states of each search for a proof."""
        of_family = self.settings.preset_values.nodes if self.family else None
        limit = self.settings.nodes or of_family
        if limit is not None:
            return limit
        if scenario.ruleset == PUBLISHED:
            return NODES_PUBLISHED
        return NODES_ALONE if len(scenario.agents) == 1 else NODES_TOGETHER

    def provenance(self, measures: Measures, **more: object) -> dict[str, object]:
        """Provenance of a scenario."""
        return {
            "generator": f"earsim_generators/{self.settings.generator}",
            "seed": self.settings.seed_shown,
            "preset": self.settings.preset,
            "scene": self.number,
            **({"family": self.family, "level": self.level.value} if self.family else {}),
            **({} if self.split is None else {"split": self.split.value}),
            "difficulty": {
                "band": band_of(measures).value,
                "score": score(measures),
                **measures._asdict(),
            },
            **more,
        }


@dataclass(frozen=True)
class Generated:
    """A certified scenario.

    Attributes:
        split: None in a suite without splits.
        line, certificate_line: JSON on one line.
        structure: Digest that it shares with scenarios that differ in names and places only.
    """

    id: str
    split: Split | None
    quota: TaskQuota
    line: str
    certificate_line: str
    structure: str
    measures: Measures

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario."""
        return validated(parse_json(self.line, self.id), Scenario)

    @cached_property
    def certificate(self) -> Certificate:
        """Its certificate."""
        return validated(parse_json(self.certificate_line, self.id), Certificate)


class SceneBatch(NamedTuple):
    """Results of one scene.

    Attributes:
        source: The domain or the family, in words.
        rejected: Quota and reason of every proposal that was rejected.
        no_scene: Why there is no scene; empty if there is one.
        shortfalls: What the scene has less of than was asked for, such as `2 doors of 9`.
    """

    source: str
    made: tuple[Generated, ...]
    rejected: tuple[tuple[TaskQuota, RejectionReason], ...]
    no_scene: str = ""
    shortfalls: tuple[str, ...] = ()


def quotas_of(settings: GenerationSettings, split: Split | None = None) -> tuple[TaskQuota, ...]:
    """Every kind of task that is wanted, as often as it has a turn."""
    sources = settings.sources_of(split)
    claims = CLAIMS if settings.preset_values.declined else ("",)
    families = (TaskQuota(None, None, s, claim) for s in sources if s for claim in claims)
    ordinary = _of_ordinary_scenes(settings) if ORDINARY in sources else ()
    return (*families, *ordinary)


def _of_ordinary_scenes(settings: GenerationSettings) -> Iterator[TaskQuota]:
    preset, bands = settings.preset_values, settings.wanted_bands
    if preset.conditions:
        yield from (TaskQuota(None, None, "", kind) for kind in preset.conditions)
        yield from (TaskQuota(category, None) for category in preset.categories)
    else:
        yield from (TaskQuota(c, band) for band in bands for c in settings.wanted_categories)


def quotas_of_scene(settings: GenerationSettings, turn: int) -> Iterator[TaskQuota]:
    """The kinds of tasks for an ordinary scene: over many scenes, each as often as the others."""
    categories, bands = settings.wanted_categories, settings.wanted_bands
    kinds = [*_of_ordinary_scenes(settings)] if settings.preset_values.conditions else []
    asked = settings.wanted_tasks_per_scene
    for slot in range(asked):
        place = turn * asked + slot
        if kinds:
            yield kinds[place % len(kinds)]
            continue
        round_ = place // len(categories)
        yield TaskQuota(categories[place % len(categories)], bands[(place + round_) % len(bands)])


def rejection_of(certificate: Certificate, *, is_tight: bool = False) -> RejectionReason | None:
    """The reason to reject a scenario that its certificate gives.

    Args:
        certificate: of the scenario.
        is_tight: its budget leaves half as much again as `expert` needs, looking for things
            included, however close that comes to the plan.
    """
    if certificate.goal_at_start:
        return RejectionReason.ALREADY_SO
    if certificate.claim is not None:
        is_proved = certificate.claim.shown is ClaimShown.PROVED
        return None if is_proved else RejectionReason.NOT_PROVED
    if certificate.solution.found != "plan":
        return RejectionReason.NO_PLAN
    if certificate.label is LabelProof.NOT_PROVED:
        return RejectionReason.NOT_PROVED
    if not is_tight and len(certificate.solution.plan) > _MOST_OF_BUDGET * certificate.budget:
        return RejectionReason.TOO_LONG
    return None
