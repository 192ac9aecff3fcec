"""One scene from text seed to certified scenarios, or to the reasons why there are none."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from earsim.schema import AttributeVerb, Category, Scene, to_data, to_yaml, verb_table
from earsim.schema.files.document import Document
from earsim.units import UNITS
from earsim.world import Blueprint
from earsim_generators.llm.answers.schemas import Concept, Draft
from earsim_generators.llm.certification import CertifierPool, judged
from earsim_generators.llm.checks.scene import concept_of, scene_of
from earsim_generators.llm.checks.task import draft_of, scenario_of
from earsim_generators.llm.memory import PlaceMemory
from earsim_generators.llm.repair_loop import (
    AnswerRecord,
    NoUsableAnswer,
    RejectedAnswer,
    RepairLoop,
    StageAnswer,
)
from earsim_generators.llm.scene_request import SceneRequest
from earsim_generators.llm.settings import Stage
from earsim_generators.suites.folder import CertifiedScenario

T = TypeVar("T")

GENERATOR = "earsim_generators.llm/2"
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
    """The scenarios of one scene in the order of its tasks, and the rejected tasks or scene."""

    request: SceneRequest
    scenarios: tuple[CertifiedScenario, ...]
    rejected: tuple[RejectedAnswer, ...]


class SceneWriter:
    """Takes scenes through the four stages."""

    def __init__(
        self,
        loop: RepairLoop,
        certifiers: CertifierPool,
        memory: PlaceMemory,
        common: Mapping[str, Any],
    ) -> None:
        self._loop = loop
        self._certifiers = certifiers
        self._memory = memory
        self._common = common

    async def write(self, request: SceneRequest, places: Sequence[str] = ()) -> SceneResult:
        """One scene with its tasks, one after another: each is told of those before it.

        Args:
            request: What to write.
            places: Of earlier scenes, not to be repeated.

        Raises:
            ServerFault: A server gave no answer; nothing is decided about the scene.
        """
        try:
            scene, records = await self._scene(request, places)
        except NoUsableAnswer as refused:
            rejected = refused.rejected._replace(text=request.text.name)
            return SceneResult(request, (), (rejected,))
        found: list[CertifiedScenario | RejectedAnswer] = []
        for slot in range(len(request.categories)):
            found.append(await self._task(request, slot, scene, records, _drafted(found)))
        return SceneResult(
            request,
            tuple(each for each in found if isinstance(each, CertifiedScenario)),
            tuple(each for each in found if isinstance(each, RejectedAnswer)),
        )

    async def _scene(
        self, request: SceneRequest, places: Sequence[str]
    ) -> tuple[Scene, tuple[AnswerRecord, ...]]:
        concept = await self._concept(request, places)
        skills = [_verb_line(verb) for verb in request.skills if verb.name in concept.value.skills]
        inputs = {
            "concept": _json(to_data(concept.value)),
            "rooms": request.rooms,
            "objects": request.objects,
            "distractors": request.distractors,
            "skills": skills or ["(none)"],
            "units": ", ".join(UNITS),
        }
        scene = await self._obtain(
            Stage.SCENE,
            request.scene_id,
            inputs,
            lambda answer: scene_of(answer, request, concept.value),
        )
        return scene.value, (concept.record, scene.record)

    async def _concept(self, request: SceneRequest, places: Sequence[str]) -> StageAnswer[Concept]:
        try:
            concept = await self._obtain(
                Stage.CONCEPT,
                request.scene_id,
                concept_inputs(request, places),
                lambda answer: concept_of(answer, request),
            )
        except NoUsableAnswer:
            self._memory.decide(request.item, None)
            raise
        self._memory.decide(request.item, concept.value)
        return concept

    async def _task(
        self,
        request: SceneRequest,
        slot: int,
        scene: Scene,
        records: tuple[AnswerRecord, ...],
        before: Sequence[str],
    ) -> CertifiedScenario | RejectedAnswer:
        category, task_id = request.categories[slot], request.task_id(slot)
        unit = f"{request.scene_id}/{task_id}"
        inputs = {
            "scene": to_yaml(scene).strip(),
            "verbs": _verbs_of(scene),
            "category": category.value,
            "promise": _CATEGORY_SPECS[category],
        }
        team = "two or three agents" if category.is_collaboration else "one agent"
        place = {
            "number": slot + 1,
            "of": len(request.categories),
            "team": team,
            "horizon": request.horizon,
            "before": before,
        }
        try:
            draft = await self._obtain(
                Stage.TASKS,
                unit,
                {**inputs, **place},
                lambda answer: draft_of(answer, scene, category),
            )
            provenance = self._provenance(request, draft.value, (*records, draft.record))

            async def check(answer: Document) -> CertifiedScenario:
                scenario = scenario_of(answer, scene, category, task_id, provenance)
                proved = await self._certifiers.prove(scenario)
                return judged(scenario, proved, horizon=request.horizon)

            inputs["draft"] = _json(to_data(draft.value))
            goals = await self._loop.obtain(Stage.GOALS, unit, inputs, check)
        except NoUsableAnswer as refused:
            return refused.rejected._replace(category=category, text=request.text.name)
        return _with_record(goals.value, goals.record)

    async def _obtain(
        self, stage: Stage, unit: str, inputs: Mapping[str, Any], check: Callable[[Document], T]
    ) -> StageAnswer[T]:
        """An answer with a check that waits for nothing."""

        async def checked(answer: Document) -> T:
            return check(answer)

        return await self._loop.obtain(stage, unit, inputs, checked)

    def _provenance(
        self, request: SceneRequest, draft: Draft, records: tuple[AnswerRecord, ...]
    ) -> dict[str, Any]:
        return {
            **self._common,
            "item": request.item,
            "text": {"name": request.text.name, "sha256": request.text.sha256},
            "drafted": draft.instruction,
            "stages": {record.stage.value: record.as_data() for record in records},
        }


def concept_inputs(request: SceneRequest, places: Sequence[str] = ()) -> dict[str, Any]:
    """Variables of the prompt of the first stage."""
    return {
        "text": request.text.text,
        "rooms": request.rooms,
        "objects": request.objects,
        "distractors": request.distractors,
        "places": places,
        "skills": [_verb_line(verb) for verb in request.skills],
        "categories": [f"{each.value}: {_CATEGORY_SPECS[each]}" for each in request.categories],
    }


def _drafted(found: Sequence[CertifiedScenario | RejectedAnswer]) -> list[str]:
    """The tasks that were kept, as they were told at first."""
    kept = (each for each in found if isinstance(each, CertifiedScenario))
    return [each.scenario.provenance["drafted"] for each in kept]


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
