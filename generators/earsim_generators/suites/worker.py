"""Generation of one scene and its certified tasks, in any process.

The result depends on the settings and the number of the scene alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from random import Random
from typing import NamedTuple

from earsim.engine import Engine
from earsim.errors import FileError, UsageError
from earsim.planner.proofs.answer_leak import leaked_answer
from earsim.planner.proofs.certificate import PUBLISHED, certify_posed
from earsim.schema import Category, Scenario, Scene
from earsim.schema.certificate import Certificate, LabelProof
from earsim.schema.files.dump import to_json
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import parse, validated
from earsim_generators.difficulty import Band, Measures, band_of, measure, score
from earsim_generators.scenes import MadeScene, SceneParameters, make_scene
from earsim_generators.suites.deduplication import structure_of
from earsim_generators.suites.settings import GenerationSettings, domain_named, laid_on
from earsim_generators.suites.splits import Split
from earsim_generators.tasks import SceneIndex, TaskRequest, for_several, propose
from earsim_generators.version import GENERATOR_VERSION

TRIES = 4
"""Proposals per task that is wanted; when all are rejected, the scene does without it."""

NODES_ALONE = 100
NODES_TOGETHER = 30
"""States that a search may reach. More prove more plans to be shortest, and take longer; none are
needed to find a plan, for every task comes with one."""

NODES_PUBLISHED = 2_000
"""The limit under `ear-bench`, where that plan is not always valid."""

_FAR_OFF = 2
"""Points of difficulty by which an estimate may miss a band and still be worth a proof."""

_MOST_OF_BUDGET = 0.6
"""The part of a budget that a plan may take; the rest is for those who must look for things."""


class RejectionReason(StrEnum):
    """Reason to reject a proposed task.

    NOTHING_TO_ASK: the scene has nothing for a task of the category.
    NOT_AS_WISHED: the estimate of difficulty is far from the band; nothing was proved.
    NAMED: the instruction leaks the answer.
    ALREADY_SO: the goal holds at the start.
    NO_PLAN: no plan was found.
    NOT_PROVED: the ability that the category claims was not proved to be necessary.
    TOO_SHORT: the plan has fewer decisions than the preset demands.
    TOO_LONG: the plan takes most of the budget.
    OUT_OF_BAND: it is certified, but easier or harder than was asked for.
    DUPLICATE: an earlier task differs in names and places only.
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


class TaskQuota(NamedTuple):
    """One kind of task that is wanted."""

    category: Category
    band: Band | None


class SceneJob(NamedTuple):
    """A scene to be made, by its number in its split."""

    settings: GenerationSettings
    split: Split | None
    number: int

    @property
    def domain(self) -> str:
        """Name or path of its domain; domains take turns."""
        domains = self.settings.domains_of(self.split)
        return domains[self.number % len(domains)]

    def rng(self, purpose: str) -> Random:
        """A generator of its own for every purpose."""
        split = "" if self.split is None else self.split.value
        words = (GENERATOR_VERSION, self.settings.seed, split, self.number, purpose)
        return Random("/".join(map(str, words)))  # text is hashed the same way everywhere

    def nodes(self, scenario: Scenario) -> int:
        """Limit of states of each search for a proof."""
        if self.settings.nodes is not None:
            return self.settings.nodes
        if scenario.ruleset == PUBLISHED:
            return NODES_PUBLISHED
        return NODES_ALONE if len(scenario.agents) == 1 else NODES_TOGETHER

    def provenance(self, measures: Measures) -> dict[str, object]:
        """Provenance of a scenario."""
        return {
            "generator": f"earsim_generators/{GENERATOR_VERSION}",
            "seed": self.settings.seed,
            "preset": self.settings.preset,
            "scene": self.number,
            **({} if self.split is None else {"split": self.split.value}),
            "difficulty": {
                "band": band_of(measures).value,
                "score": score(measures),
                **measures._asdict(),
            },
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
        rejected: Quota and reason of every proposal that was rejected.
        no_scene: Why there is no scene; empty if there is one.
        shortfalls: What the scene has less of than was asked for, such as `2 doors of 9`.
    """

    domain: str
    made: tuple[Generated, ...]
    rejected: tuple[tuple[TaskQuota, RejectionReason], ...]
    no_scene: str = ""
    shortfalls: tuple[str, ...] = ()


def quotas_of(settings: GenerationSettings) -> tuple[TaskQuota, ...]:
    """Every kind of task that is wanted."""
    bands = settings.wanted_bands
    return tuple(TaskQuota(c, band) for band in bands for c in settings.wanted_categories)


def quotas_of_scene(settings: GenerationSettings, number: int) -> Iterator[TaskQuota]:
    """The kinds of tasks for one scene: over many scenes, each as often as the others."""
    categories, bands = settings.wanted_categories, settings.wanted_bands
    for slot in range(settings.tasks_per_scene):
        place = number * settings.tasks_per_scene + slot
        turn = place // len(categories)
        yield TaskQuota(categories[place % len(categories)], bands[(place + turn) % len(bands)])


def work(job: SceneJob) -> SceneBatch:
    """Make a scene and its tasks."""
    settings, split, number = job
    domain, parameters = domain_named(job.domain), settings.parameters_of(split)
    part = "" if split is None else f"_{split}"
    scene_id = f"{domain.id}{part}_{settings.seed}_{number:05d}"
    try:
        made = make_scene(domain, parameters, job.rng("scene"), id=scene_id)
        parse(to_json(made.scene), source=scene_id, is_json=True)  # what is written can be read
    except (UsageError, FileError) as error:
        return SceneBatch(job.domain, (), (), no_scene=str(error))
    worker = _SceneWorker(job, made)
    for slot, quota in enumerate(quotas_of_scene(settings, number)):
        worker.fill(slot, quota)
    shortfalls = tuple(_shortfalls(made.scene, parameters))
    return SceneBatch(job.domain, tuple(worker.made), tuple(worker.rejected), "", shortfalls)


class _SceneWorker:
    """Fills the quotas of one scene."""

    def __init__(self, job: SceneJob, made: MadeScene) -> None:
        self.made: list[Generated] = []
        self.rejected: list[tuple[TaskQuota, RejectionReason]] = []
        self._job = job
        self._kinds = made.kinds
        surfaces = [node for node, kind in made.kinds.items() if kind in laid_on(job.domain)]
        self._index = SceneIndex(made.scene, made.start_rooms, surfaces)

    def fill(self, slot: int, quota: TaskQuota) -> None:
        """Propose until a task is certified, a limited number of times."""
        for attempt in range(TRIES):
            # Unique in the suite, so that `earsim show SUITE/TASK` finds it.
            task_id = f"{quota.category}_{self._job.number}_{slot + 1}"
            outcome = self._attempt(quota, self._job.rng(f"{slot}.{attempt}"), task_id)
            if isinstance(outcome, Generated):
                self.made.append(outcome)
                return
            self.rejected.append((quota, outcome))

    def _attempt(self, quota: TaskQuota, rng: Random, task_id: str) -> Generated | RejectionReason:
        settings, scene = self._job.settings, self._index.scene
        request = TaskRequest(quota.band, settings.preset_values.least_length, settings.team)
        named = settings.ruleset == "ear-bench"
        proposal = propose(self._index, quota.category, request, rng, id=task_id, named=named)
        if proposal is None:
            return RejectionReason.NOTHING_TO_ASK
        if request.distance(proposal.estimate) > _FAR_OFF:
            return RejectionReason.NOT_AS_WISHED
        scenario = Scenario(
            id=f"{scene.id}/{task_id}",
            ruleset=settings.ruleset,
            scene=scene if named else for_several(scene, proposal.people),
            agents=proposal.agents,
            task=proposal.task,
            channel=proposal.channel,
        )
        engine = Engine(scenario)
        if any(leaked_answer(engine, answer) for answer in engine.answer.values()):
            return RejectionReason.NAMED
        certificate = certify_posed(engine, nodes=self._job.nodes(scenario))
        reason = _rejection_of(certificate)
        if reason is not None:
            return reason
        measures = measure(engine, certificate.solution.plan)
        if measures.length < request.least_length:
            return RejectionReason.TOO_SHORT
        if quota.band is not None and band_of(measures) is not quota.band:
            return RejectionReason.OUT_OF_BAND
        return self._generated(scenario, certificate, quota, measures)

    def _generated(
        self, scenario: Scenario, certificate: Certificate, quota: TaskQuota, measures: Measures
    ) -> Generated:
        task = scenario.task
        if certificate.solution.method != "walkthrough":  # the certificate has the better plan
            task = task.model_copy(update={"walkthrough": ()})
        update = {"task": task, "provenance": self._job.provenance(measures)}
        return Generated(
            id=scenario.id,
            split=self._job.split,
            quota=quota,
            line=to_json(scenario.model_copy(update=update)),
            certificate_line=to_json(certificate),
            structure=structure_of(scenario, self._kinds, self._index),
            measures=measures,
        )


def _rejection_of(certificate: Certificate) -> RejectionReason | None:
    """The reason to reject a scenario that its certificate gives."""
    if certificate.goal_at_start:
        return RejectionReason.ALREADY_SO
    if certificate.solution.found != "plan":
        return RejectionReason.NO_PLAN
    if certificate.label is LabelProof.NOT_PROVED:
        return RejectionReason.NOT_PROVED
    if len(certificate.solution.plan) > _MOST_OF_BUDGET * certificate.budget:
        return RejectionReason.TOO_LONG
    return None


def _shortfalls(scene: Scene, parameters: SceneParameters) -> Iterator[str]:
    """Numbers of doors that are met only as far as the layout has places for them."""
    locked = sum(door.states["is_locked"] for door in scene.doors)
    if len(scene.doors) < parameters.doors:
        yield f"{len(scene.doors)} doors of {parameters.doors}"
    if locked < parameters.locked_doors:
        yield f"{locked} locked doors of {parameters.locked_doors}"
