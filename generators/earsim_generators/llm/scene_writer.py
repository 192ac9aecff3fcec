"""One scene from text seed to certified scenarios, or to the reasons why there are none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from earsim.schema import AttributeVerb, Category, Scene, to_data, to_yaml, verb_table
from earsim.schema.files.document import Document
from earsim.units import UNITS
from earsim.world import Blueprint
from earsim_generators.llm.answers.forms import Concept, Draft
from earsim_generators.llm.certifier_pool import CertifierPool
from earsim_generators.llm.checks.acceptance import judged
from earsim_generators.llm.checks.scene import concept_of, scene_of
from earsim_generators.llm.checks.task import draft_of, scenario_of
from earsim_generators.llm.rejection import RejectedAnswer
from earsim_generators.llm.repair_loop import AnswerRecord, NoUsableAnswer, RepairLoop, StageAnswer
from earsim_generators.llm.scene_request import SceneRequest
from earsim_generators.llm.stage import Stage
from earsim_generators.suites.folder import CertifiedScenario

GENERATOR = "earsim_generators.llm/1"
"""What scenarios name as their maker; changes when the same answers would make other scenarios."""

_CATEGORY_SPECS: Mapping[Category, str] = {
    Category.DIRECT_COMMAND: (
        "Things are named outright; what it takes is finding them, getting there, and doing "
        "several things in the right order."
    ),
    Category.ATTRIBUTE_REASONING: (
        "Which thing is meant follows from what can be measured or seen: the heaviest of those, "
        "the second coldest, the only one that is not locked. Its name alone must not tell."
    ),
    Category.TOOL_USE: (
        "It cannot be done without a tool that has to be found first. The instruction does not "
        "name the tool."
    ),
    Category.COMPOUND_REASONING: (
        "It takes both: a thing that is told apart by what can be measured, and a tool without "
        "which it cannot be done."
    ),
    Category.EXPLICIT_COLLABORATION: (
        "It cannot be done by any one of them, and the instruction says that they do it together."
    ),
    Category.IMPLICIT_COLLABORATION: (
        "It cannot be done by any one of them, because of what a thing itself weighs, and the "
        "instruction does not say that help is needed."
    ),
    Category.COMPOUND_COLLABORATION: (
        "It cannot be done by any one of them, and it also takes a tool, or a thing that is told "
        "apart by what can be measured."
    ),
}
"""Properties that the planner proves of each category, in words for a model."""


class SceneResult(NamedTuple):
    """What became of one scene.

    Attributes:
        scenarios: in the order of its tasks.
        rejected: tasks that came to nothing, or the scene itself.
    """

    brief: SceneRequest
    scenarios: tuple[CertifiedScenario, ...]
    rejected: tuple[RejectedAnswer, ...]


class SceneWriter:
    """Takes scenes through the four stages."""

    def __init__(
        self, writer: RepairLoop, prover: CertifierPool, common: Mapping[str, Any]
    ) -> None:
        """Prepare to write.

        Args:
            writer: asks the models.
            prover: asks the planner.
            common: what the provenance of every scenario says.
        """
        self._writer = writer
        self._prover = prover
        self._common = common

    async def write(self, brief: SceneRequest) -> SceneResult:
        """One scene with its tasks.

        Raises:
            ServerFault: A server gave no answer; nothing is decided about the scene.
        """
        try:
            concept = await self._concept(brief)
            scene = await self._scene(brief, concept.value)
        except NoUsableAnswer as refused:
            rejection = RejectedAnswer.of(refused, brief, unit=brief.scene_id)
            return SceneResult(brief, (), (rejection,))
        told = {"scene": to_yaml(scene.value).strip(), "verbs": _verbs_of(scene.value)}
        records = (concept.record, scene.record)
        slots = range(len(brief.categories))
        written = [self._task(brief, slot, scene.value, told, records) for slot in slots]
        found = await asyncio.gather(*written, return_exceptions=True)
        for each in found:  # only now: what the others were answered is in the file by then
            if isinstance(each, BaseException):
                raise each
        return SceneResult(
            brief,
            tuple(each for each in found if isinstance(each, CertifiedScenario)),
            tuple(each for each in found if isinstance(each, RejectedAnswer)),
        )

    async def _concept(self, brief: SceneRequest) -> StageAnswer[Concept]:
        async def check(answer: Document) -> Concept:
            return concept_of(answer, brief)

        inputs = concept_inputs(brief)
        return await self._writer.obtain(Stage.CONCEPT, brief.scene_id, inputs, check)

    async def _scene(self, brief: SceneRequest, concept: Concept) -> StageAnswer[Scene]:
        async def check(answer: Document) -> Scene:
            return scene_of(answer, brief, concept)

        skills = [_verb_line(verb) for verb in brief.skills if verb.name in concept.skills]
        inputs = {
            "concept": _json(to_data(concept)),
            "rooms": brief.rooms,
            "objects": brief.objects,
            "skills": skills or ["(none)"],
            "units": ", ".join(UNITS),
        }
        return await self._writer.obtain(Stage.SCENE, brief.scene_id, inputs, check)

    async def _task(
        self,
        brief: SceneRequest,
        slot: int,
        scene: Scene,
        told: Mapping[str, Any],
        before: tuple[AnswerRecord, ...],
    ) -> CertifiedScenario | RejectedAnswer:
        unit = f"{brief.scene_id}/{brief.task_id(slot)}"
        category = brief.categories[slot]
        promised = {"category": category.value, "promise": _CATEGORY_SPECS[category]}
        try:
            draft = await self._draft(brief, slot, scene, unit, {**told, **promised})
            inputs = {**told, **promised, "draft": _json(to_data(draft.value))}
            provenance = self._provenance(brief, draft.value, (*before, draft.record))
            goals = await self._goals(brief, slot, scene, unit, inputs, provenance)
        except NoUsableAnswer as refused:
            return RejectedAnswer.of(refused, brief, unit=unit, category=category)
        return _with_record(goals.value, goals.record)

    async def _draft(
        self, brief: SceneRequest, slot: int, scene: Scene, unit: str, told: Mapping[str, Any]
    ) -> StageAnswer[Draft]:
        category = brief.categories[slot]

        async def check(answer: Document) -> Draft:
            return draft_of(answer, scene, category)

        place = {"number": slot + 1, "of": len(brief.categories), "team": _team_of(category)}
        return await self._writer.obtain(Stage.TASKS, unit, {**told, **place}, check)

    async def _goals(
        self,
        brief: SceneRequest,
        slot: int,
        scene: Scene,
        unit: str,
        inputs: Mapping[str, Any],
        provenance: Mapping[str, Any],
    ) -> StageAnswer[CertifiedScenario]:
        category, task_id = brief.categories[slot], brief.task_id(slot)

        async def check(answer: Document) -> CertifiedScenario:
            scenario = scenario_of(answer, scene, category, task_id, provenance)
            return judged(scenario, await self._prover.prove(scenario))

        return await self._writer.obtain(Stage.GOALS, unit, inputs, check)

    def _provenance(
        self, brief: SceneRequest, draft: Draft, records: tuple[AnswerRecord, ...]
    ) -> dict[str, Any]:
        return {
            **self._common,
            "item": brief.item,
            "text": {"name": brief.text.name, "sha256": brief.text.sha256},
            "drafted": draft.instruction,
            "stages": {record.stage.value: record.as_data() for record in records},
        }


def concept_inputs(brief: SceneRequest) -> dict[str, Any]:
    """What the prompt of the first stage may use."""
    return {
        "text": brief.text.text,
        "rooms": brief.rooms,
        "objects": brief.objects,
        "skills": [_verb_line(verb) for verb in brief.skills],
        "categories": [f"{each.value}: {_CATEGORY_SPECS[each]}" for each in brief.categories],
    }


def _team_of(category: Category) -> str:
    """The number of agents of a task of this category, in words."""
    return "two or three agents" if category.is_collaboration else "one agent"


def _with_record(certified: CertifiedScenario, record: AnswerRecord) -> CertifiedScenario:
    """The scenario with the last stage in its provenance; that is no part of its hash."""
    scenario = certified.scenario
    stages = {**scenario.provenance["stages"], record.stage.value: record.as_data()}
    provenance = {**scenario.provenance, "stages": stages}
    return certified._replace(scenario=scenario.model_copy(update={"provenance": provenance}))


def _verbs_of(scene: Scene) -> list[str]:
    """The attribute verbs that exist in a scene, as the ruleset has it."""
    names = Blueprint.compile(scene, ()).abilities
    return [_verb_line(verb_table()[name]) for name in names] or ["(none)"]


def _verb_line(verb: AttributeVerb) -> str:
    before, after = str(verb.value).lower(), str(not verb.value).lower()
    tool = "takes a tool that provides it" if verb.requires_tool else "by hand"
    return f"{verb.name}: {verb.attribute} from {before} to {after}, {tool}"


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)
