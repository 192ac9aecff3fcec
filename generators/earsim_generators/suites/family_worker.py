"""Generation of one scene of a family and its certified tasks, in any process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.errors import FileError, Finding
from earsim.planner.proofs.answer_leak import leaked_answer
from earsim.planner.proofs.certificate import certify_posed, recheck
from earsim.schema import Scenario, SceneFile
from earsim.schema.certificate import Certificate
from earsim.schema.files.document import Document, show_path
from earsim.schema.files.dump import to_json
from earsim.schema.files.load import validated
from earsim.world.plausibility import implausible_in
from earsim_generators.catalogue import implausible_things
from earsim_generators.conditions import Budgeted, expert_play, within_budget
from earsim_generators.difficulty import measure
from earsim_generators.families import FAMILIES
from earsim_generators.families.compared_errand import ComparedErrand, ErrandRequest
from earsim_generators.families.draft import Fields
from earsim_generators.families.failed_reference import with_failed_reference, with_harmless_tie
from earsim_generators.suites.job import (
    Generated,
    RejectionReason,
    SceneBatch,
    SceneJob,
    TaskQuota,
    rejection_of,
)

_TIES = 0.35
"""Chance that two things of a task with errands are given a number in common that decides nothing.

Where no two can be, none are.
"""

_IDLE = ("WAIT 10", "WAIT 60", "WAIT 600")
"""What agents say who only wait."""

_ROUND = ("WAIT 60", "WAIT 600", "WAIT 3600")
"""What agents say who do not think about when."""


def work_family(job: SceneJob) -> SceneBatch:
    """Make a scene of a family, with its tasks."""
    quota = TaskQuota(None, None, job.family, job.claim)
    source = f"family {job.family}"
    try:
        outcomes = [*_outcomes(job, quota)]
    except FileError as error:
        return SceneBatch(source, (), (), no_scene=str(error))
    made = tuple(each for each in outcomes if isinstance(each, Generated))
    rejected = tuple((quota, each) for each in outcomes if isinstance(each, RejectionReason))
    return SceneBatch(source, made, rejected)


def _outcomes(job: SceneJob, quota: TaskQuota) -> Iterator[Generated | RejectionReason]:
    """What becomes of each task of one scene.

    Raises:
        FileError: The family made a document with findings.
    """
    document, errands = _drawn(job)
    scenarios = _scenarios(job, document)
    if not job.claim:
        yield from (_attempt(job, quota, scenario) for scenario in scenarios)
        return
    changed = with_failed_reference(document, errands, job.claim, job.rng("reference"))
    if changed is None:
        yield RejectionReason.NOTHING_TO_ASK
        return
    for former, scenario in zip(scenarios, _scenarios(job, changed), strict=True):
        yield _attempt_declined(job, quota, scenario, former)


def _drawn(job: SceneJob) -> tuple[Fields, tuple[ComparedErrand, ...]]:
    """The document of one scene, and the errands of its task."""
    preset = job.settings.preset_values
    errands = ErrandRequest(preset.errands, needed=preset.needed)
    more = (errands,) if errands.count or errands.needed else ()  # other families know of none
    document = FAMILIES[job.family](job.rng("family"), job.level.value, *more)
    chance = job.rng("tie")
    # Of what is unclear, there is a tie already: two would tell it.
    if errands.each and job.claim != "unclear" and chance.random() < _TIES:
        document = with_harmless_tie(document, errands.each, chance)
    part = "" if job.split is None else f"_{job.split}"
    scene_id = f"{job.family}{part}_{job.settings.seed_shown}_{job.number:05d}"
    claim = {"right_claim": "done"} if preset.reports else {}
    tasks = [{**_numbered(task, job.number), **claim} for task in document["tasks"]]
    return {**document, "id": scene_id, "tasks": tasks}, errands.each


def _scenarios(job: SceneJob, document: Fields) -> tuple[Scenario, ...]:
    scene_id = document["id"]
    loaded = validated(Document(scene_id, document), SceneFile)
    problems = [*implausible_in(loaded.scene), *implausible_things(loaded.scene)]
    if problems:
        found = [Finding(scene_id, show_path(p.loc), p.reason, p.expected) for p in problems]
        raise FileError(scene_id, found)
    return loaded.scenarios(job.settings.ruleset)


def _numbered(task: dict[str, Any], number: int) -> dict[str, Any]:
    """Unique in the suite, so that `earsim show SUITE/TASK` finds it."""
    return {**task, "id": f"{task['id']}_{number}"}


def _attempt(job: SceneJob, quota: TaskQuota, scenario: Scenario) -> Generated | RejectionReason:
    if scenario.task.category not in job.settings.wanted_categories:
        return RejectionReason.NOT_AS_WISHED
    budgeted = None
    preset = job.settings.preset_values
    if preset.is_tight:
        budgeted = within_budget(scenario)
        if budgeted is None:
            return RejectionReason.NOT_PLAYED
        scenario = budgeted.scenario
    engine = Engine(scenario)
    reason = next(_faults(engine), None)
    return reason or _certified(job, quota, engine, budgeted)


def _attempt_declined(
    job: SceneJob, quota: TaskQuota, scenario: Scenario, former: Scenario
) -> Generated | RejectionReason:
    """A task to be declined, with the budget of the one that it was made from, which can be won."""
    if scenario.task.category not in job.settings.wanted_categories:
        return RejectionReason.NOT_AS_WISHED
    budgeted = within_budget(former)
    if budgeted is None:
        return RejectionReason.NOT_PLAYED
    reason = next(_faults(Engine(budgeted.scenario)), None)
    if reason is not None:
        return reason
    task = scenario.task.model_copy(update={"budget": budgeted.scenario.task.budget})
    posed = scenario.model_copy(update={"task": task})
    engine = Engine(posed)
    reason = next(_faults(engine), None)
    if reason is not None:
        return reason
    if not expert_play(posed).won:
        return RejectionReason.NOT_PLAYED
    return _certified(job, quota, engine, budgeted, shown=budgeted.played.commands)


def _certified(
    job: SceneJob,
    quota: TaskQuota,
    engine: Engine,
    budgeted: Budgeted | None,
    *,
    shown: Sequence[Mapping[str, str]] | None = None,
) -> Generated | RejectionReason:
    """A task without faults, if its certificate holds.

    Args:
        job: What is made.
        quota: What it is made for.
        engine: Of the task.
        budgeted: How its budget was found.
        shown: What its difficulty is measured by; the certificate's plan if nothing is given.
    """
    scenario = engine.scenario
    certificate = certify_posed(engine, nodes=job.nodes(scenario))
    reason = rejection_of(certificate, is_tight=budgeted is not None)
    if reason is None and any(recheck(certificate, scenario)):
        reason = RejectionReason.UNSOUND
    if reason is None and certificate.claim is None and len(scenario.agents) == 1:
        plan = [said for decision in certificate.solution.plan for said in decision.values()]
        if any(wins_by_any_wait(engine, plan, command) for command in _ROUND):
            reason = RejectionReason.ANY_WAIT
    told = {} if budgeted is None else budgeted.told
    shown = certificate.solution.plan if shown is None else shown
    return reason or _generated(job, quota, engine, certificate, told, shown)


def _faults(engine: Engine) -> Iterator[RejectionReason]:
    """What is wrong with a task, cheapest first."""
    if any(leaked_answer(engine, answer) for answer in engine.task.answer.values()):
        yield RejectionReason.NAMED
    if any(check_scenario(engine.scenario)):
        yield RejectionReason.UNSOUND
    if any(wins_by_waiting(engine, command) for command in _IDLE):
        yield RejectionReason.IDLE
    said = [each for each in engine.scenario.task.walkthrough if isinstance(each, str)]
    if any(wins_by_any_wait(engine, said, command) for command in _ROUND):
        yield RejectionReason.ANY_WAIT


def wins_by_waiting(engine: Engine, command: str) -> bool:
    """Whether agents who say nothing but one `WAIT` ever reach the goal within the budget."""
    episode = Episode(engine, end_on="goal")
    while not (episode.over or episode.truncated):
        episode.step(dict.fromkeys(episode.agents, command))
    return episode.verdict.ever


def wins_by_any_wait(engine: Engine, said: Sequence[str], command: str) -> bool:
    """Whether a plan of one agent reaches the goal with a command for each of its waits.

    Not asked of apparatus, whose runs end when they end.
    """
    scenario = engine.scenario
    if any(thing.apparatus is not None for thing in scenario.scene.objects):
        return False
    agent = scenario.agents[0].id
    if not any(each.startswith("WAIT ") for each in said):
        return False
    episode = Episode(engine, end_on="goal")
    for each in said:
        if not (episode.over or episode.truncated):
            episode.step({agent: command if each.startswith("WAIT ") else each})
    return episode.verdict.ever


def _generated(
    job: SceneJob,
    quota: TaskQuota,
    engine: Engine,
    certificate: Certificate,
    told: Mapping[str, object],
    shown: Sequence[Mapping[str, str]],
) -> Generated:
    scenario = engine.scenario
    task = scenario.task
    # The certificate has the better plan; of what is unclear, one for each reading follows from it.
    if certificate.solution.method != "walkthrough" and task.right_claim != "unclear":
        task = task.model_copy(update={"walkthrough": ()})
    measures = measure(engine, shown)
    update = {"task": task, "provenance": job.provenance(measures, **told)}
    return Generated(
        id=scenario.id,
        split=job.split,
        quota=quota,
        line=to_json(scenario.model_copy(update=update)),
        certificate_line=to_json(certificate),
        structure=_structure_of(scenario),
        measures=measures,
    )


def _structure_of(scenario: Scenario) -> str:
    """A digest of everything but the ids: numbers are what tells tasks of a family apart."""
    scene = scenario.scene.model_copy(update={"id": "scene"})
    task = scenario.task.model_copy(update={"id": "task"})
    return scenario.model_copy(update={"id": "scene/task", "scene": scene, "task": task}).hash
