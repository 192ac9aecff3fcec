"""Generation of one scene and its certified tasks, in any process.

The result depends on the settings and the number of the scene alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.errors import FileError, UsageError
from earsim.planner.proofs.answer_leak import leaked_answer
from earsim.planner.proofs.certificate import certify_posed
from earsim.schema import Scenario, Scene
from earsim.schema.certificate import Certificate
from earsim.schema.files.dump import to_json
from earsim.schema.files.load import parse
from earsim_generators.conditions import (
    CONDITIONS,
    ConditionDraft,
    is_missed_by,
    is_won_without,
    within_budget,
)
from earsim_generators.difficulty import Measures, band_of, measure
from earsim_generators.scenes import MadeScene, SceneParameters, make_scene
from earsim_generators.scenes.living import with_processes
from earsim_generators.suites.deduplication import structure_of
from earsim_generators.suites.family_worker import work_family
from earsim_generators.suites.job import (
    Generated,
    RejectionReason,
    SceneBatch,
    SceneJob,
    TaskQuota,
    quotas_of_scene,
    rejection_of,
)
from earsim_generators.suites.settings import domain_named, laid_on
from earsim_generators.tasks import SceneIndex, TaskRequest, for_several, propose

TRIES = 4
"""Proposals per task that is wanted; when all are rejected, the scene does without it."""

_LOOKING = 2
"""How many times the least length of a plan it takes whoever has to look for things as well.

So the budget of a task that is declined is as great as those of others.
"""

_FAR_OFF = 2
"""Points of difficulty by which an estimate may miss a band and still be worth a proof."""


def work(job: SceneJob) -> SceneBatch:
    """Make a scene and its tasks."""
    if job.family:
        return work_family(job)
    settings, split, number = job
    domain, parameters = domain_named(job.domain), settings.parameters_of(split)
    source = f"domain {job.domain}"
    part = "" if split is None else f"_{split}"
    scene_id = f"{domain.id}{part}_{settings.seed_shown}_{number:05d}"
    try:
        made = make_scene(domain, parameters, job.rng("scene"), id=scene_id)
        if settings.preset_values.processes:
            made = with_processes(made)
        parse(to_json(made.scene), source=scene_id, is_json=True)  # what is written can be read
    except (UsageError, FileError) as error:
        return SceneBatch(source, (), (), no_scene=str(error))
    worker = _SceneWorker(job, made)
    for slot, quota in enumerate(quotas_of_scene(settings, job.turn)):
        worker.fill(slot, quota)
    shortfalls = tuple(_shortfalls(made.scene, parameters))
    return SceneBatch(source, tuple(worker.made), tuple(worker.rejected), "", shortfalls)


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
            task_id = f"{quota.label}_{self._job.number}_{slot + 1}"
            attempted = self._attempt_condition if quota.condition else self._attempt
            outcome = attempted(quota, self._job.rng(f"{slot}.{attempt}"), task_id)
            if isinstance(outcome, Generated):
                self.made.append(outcome)
                return
            self.rejected.append((quota, outcome))

    def _attempt(self, quota: TaskQuota, rng: Random, task_id: str) -> Generated | RejectionReason:
        settings, scene = self._job.settings, self._index.scene
        assert quota.category is not None, "the task is of no family"
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
        if any(leaked_answer(engine, answer) for answer in engine.task.answer.values()):
            return RejectionReason.NAMED
        if settings.preset_values.processes and any(check_scenario(scenario)):
            return RejectionReason.UNSOUND
        budgeted = within_budget(scenario) if settings.preset_values.is_tight else None
        if budgeted is not None:
            scenario = budgeted.scenario
            engine = Engine(scenario)
        elif settings.preset_values.is_tight:
            return RejectionReason.NOT_PLAYED
        certificate = certify_posed(engine, nodes=self._job.nodes(scenario))
        reason = rejection_of(certificate, is_tight=budgeted is not None)
        if reason is not None:
            return reason
        measures = measure(engine, certificate.solution.plan)
        if measures.length < request.least_length:
            return RejectionReason.TOO_SHORT
        if quota.band is not None and band_of(measures) is not quota.band:
            return RejectionReason.OUT_OF_BAND
        told = {} if budgeted is None else budgeted.told
        return self._generated(scenario, certificate, quota, measures, **told)

    def _attempt_condition(
        self, quota: TaskQuota, rng: Random, task_id: str
    ) -> Generated | RejectionReason:
        """A task with a condition, missed by shortcuts and reached by `expert`."""
        ruleset, scene = self._job.settings.ruleset, self._index.scene
        task = CONDITIONS[quota.condition](ConditionDraft(self._index, rng, ruleset))
        if task is None:
            return RejectionReason.NOTHING_TO_ASK
        ample = task.scenario(scene, ruleset, task_id)
        engine = Engine(ample)
        if any(leaked_answer(engine, answer) for answer in engine.task.answer.values()):
            return RejectionReason.NAMED
        if not all(is_missed_by(ample, shortcut) for shortcut in task.shortcuts):
            return RejectionReason.SHORTCUT
        budgeted = within_budget(ample)
        if budgeted is None:
            return RejectionReason.NOT_PLAYED
        scenario = budgeted.scenario
        if is_won_without(scenario, task.shortcuts):
            return RejectionReason.SHORTCUT
        if any(check_scenario(scenario)):
            return RejectionReason.UNSOUND
        engine = Engine(scenario)
        certificate = certify_posed(engine, nodes=self._job.nodes(scenario))
        reason = rejection_of(certificate, is_tight=True)
        if reason is not None:
            return reason
        declined = certificate.claim is not None
        shown = budgeted.played.commands if declined else certificate.solution.plan
        measures = measure(engine, shown)
        least = self._job.settings.preset_values.least_length
        if measures.length < (_LOOKING * least if declined else least):
            return RejectionReason.TOO_SHORT
        told = {
            "kind": task.kind,
            "missed_by": [shortcut.name for shortcut in task.shortcuts],
            **budgeted.told,
        }
        return self._generated(scenario, certificate, quota, measures, condition=told)

    def _generated(
        self,
        scenario: Scenario,
        certificate: Certificate,
        quota: TaskQuota,
        measures: Measures,
        **provenance: object,
    ) -> Generated:
        task = scenario.task
        if certificate.solution.method != "walkthrough":  # the certificate has the better plan
            task = task.model_copy(update={"walkthrough": ()})
        update = {"task": task, "provenance": self._job.provenance(measures, **provenance)}
        return Generated(
            id=scenario.id,
            split=self._job.split,
            quota=quota,
            line=to_json(scenario.model_copy(update=update)),
            certificate_line=to_json(certificate),
            structure=structure_of(scenario, self._kinds, self._index),
            measures=measures,
        )


def _shortfalls(scene: Scene, parameters: SceneParameters) -> Iterator[str]:
    """Numbers of doors that are met only as far as the layout has places for them."""
    locked = sum(door.states["is_locked"] for door in scene.doors)
    if len(scene.doors) < parameters.doors:
        yield f"{len(scene.doors)} doors of {parameters.doors}"
    if locked < parameters.locked_doors:
        yield f"{locked} locked doors of {parameters.locked_doors}"
