"""What passes for a concept, a scene, a draft and a scenario, and what is said of the rest."""

import copy
import json
import re

import jsonschema
import pytest

from earsim import open_suite
from earsim.errors import Finding
from earsim.schema import Category, parse, to_data
from earsim.schema.certificate import LabelProof
from earsim.schema.files.document import Document
from earsim_agents.prompts import PromptFile
from earsim_generators.llm import certification
from earsim_generators.llm.answers.schemas import GOAL_KEYS, SCENE_KEYS, schema_of
from earsim_generators.llm.certification import PlannerVerdict, judged, prove
from earsim_generators.llm.checks.answer_error import ANSWER, ErrorKind, UnusableAnswer
from earsim_generators.llm.checks.scene import concept_of, scene_of
from earsim_generators.llm.checks.task import draft_of, scenario_of
from earsim_generators.llm.checks.wording import disagreements
from earsim_generators.llm.prompts import prompt_of
from earsim_generators.llm.scene_request import read_texts, scene_request_of
from earsim_generators.llm.settings import Stage
from tests.generators.llm.rig import SHED, settings

BRIEF = scene_request_of(settings(skills=50), read_texts(), 0)
CONCEPT = {
    "title": "The shed",
    "domain": "garden",
    "description": "It leans.",
    "rooms": [{"name": "Shed", "purpose": "storage"}],
    "things": ["Bench"],
    "skills": [BRIEF.skills[0].name],
}
FILE = parse(SHED)
SCENE = {key: to_data(FILE)[key] for key in ("rooms", "objects")}


def answer(value):
    return Document(ANSWER, copy.deepcopy(value))


def concept():
    return concept_of(answer(CONCEPT), BRIEF)


def scene(value=SCENE):
    return scene_of(answer(value), BRIEF, concept())


def goals(task_id, **changes):
    task = next(task for task in to_data(FILE)["tasks"] if task["id"] == task_id)
    said = {key: task[key] for key in ("instruction", "agents", "select", "goal") if key in task}
    category = Category(task["category"])
    return scenario_of(answer({**said, **changes}), scene(), category, "it", {"by": "test"})


def flaw(make, *arguments, **changes):
    with pytest.raises(UnusableAnswer) as caught:
        make(*arguments, **changes)
    return caught.value.flaw, " ".join(caught.value.findings)


def test_the_id_of_a_scene_is_ours():
    made = scene()
    assert (made.id, made.title, made.domain) == ("llm0_00000", "The shed", "garden")
    assert flaw(scene, {**SCENE, "id": "../up"})[0] is ErrorKind.FORM
    assert flaw(scene, {**SCENE, "schema": "earsim.scene/1"})[0] is ErrorKind.FORM


def test_skills_are_those_on_offer():
    kind, told = flaw(concept_of, answer({**CONCEPT, "skills": ["levitate"]}), BRIEF)
    assert kind is ErrorKind.SENSE
    assert "'levitate' was not offered" in told


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        (
            lambda s: s["objects"][0].update(mas_kg=1),
            ErrorKind.FORM,
            "objects[0].mas_kg: unknown key",
        ),
        (lambda s: s["objects"][0].update({"in": "moon"}), ErrorKind.FORM, "'moon'"),
        (lambda s: s["objects"][0].update({"id": "a b"}), ErrorKind.FORM, "expected an id"),
        (lambda s: s["rooms"][0].pop("connects"), ErrorKind.SENSE, "'shed' cannot be reached"),
        (
            lambda s: s["rooms"].append({"id": "attic"}),
            ErrorKind.SENSE,
            "'attic' cannot be reached",
        ),
        (lambda s: s.update(objects=s["objects"][:2]), ErrorKind.SENSE, "there are 2"),
        (
            lambda s: s["objects"][1].update(mass_kg=17),
            ErrorKind.SENSE,
            "0 groups of three or more objects have one name and differ in a number (at least 1)",
        ),
        (
            lambda s: s["objects"][1].update(temperature_c=-300),
            ErrorKind.SENSE,
            "objects[1].temperature_c",
        ),
        (
            lambda s: s["objects"][1].update(states={"is_cosy": True}),
            ErrorKind.SENSE,
            "no verb changes",
        ),
        (
            lambda s: s["objects"][1].update(states={"is_dirty": "half"}),
            ErrorKind.SENSE,
            "true or false",
        ),
    ],
)
def test_a_scene_hangs_together(change, kind, told):
    value = copy.deepcopy(SCENE)
    change(value)
    found, said = flaw(scene, value)
    assert (found, told in said) == (kind, True), said


PIANO = {
    "id": "piano",
    "name": "Grand piano",
    "kind": "item",
    "in": "yard",
    "mass_kg": 330,
    "size_m": [2.7, 1.5, 1.0],
    "attributes": {"material": "cast iron"},
}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"mass_kg": 0.01},
            "objects[7].mass_kg: 'Grand piano' weighs 0.01 kg and takes up 4,050 L (of that size",
        ),
        ({"mass_kg": 0.0001}, "(items from 0.0005 to 250 kg)"),
        ({"mass_kg": 330}, "(items from 0.0005 to 250 kg)"),
        ({"kind": "furniture", "mass_kg": 1e5}, "(furniture from 0.1 to 5000 kg)"),
        (
            {"mass_kg": 39, "size_m": [0.01, 0.01, 0.01], "attributes": {}},
            "'Grand piano' weighs 39 kg and takes up 0.001 L",
        ),
        (
            {"mass_kg": 20, "size_m": [0.1, 0.1, 0.1], "attributes": {"material": "cork"}},
            "of that size made of cork from",
        ),
        (
            {"mass_kg": 9, "container": {"capacity_l": 9000}},
            "objects[7].container.capacity_l: 'Grand piano' holds 9000 L and takes up 4,050 L",
        ),
        ({"mass_kg": 40, "in": "tin"}, "is in 'Tin', which is 0.3 x 0.3 x 0.3 m"),
        (
            {"mass_kg": 1, "size_m": None, "volume_l": 40, "in": "tin"},
            "'Grand piano' is in 'Tin', takes up 40 L and finds 20 L there",
        ),
    ],
)
def test_numbers_of_a_scene_make_sense(change, told):
    tin = {"id": "tin", "name": "Tin", "kind": "item", "in": "yard", "mass_kg": 2}
    tin |= {"size_m": [0.3, 0.3, 0.3], "container": {"capacity_l": 20}}
    piano = {key: value for key, value in {**PIANO, **change}.items() if value is not None}
    kind, said = flaw(scene, {**SCENE, "objects": [*SCENE["objects"], piano, tin]})
    assert (kind, told in said) == (ErrorKind.SENSE, True), said


def test_sensible_numbers_pass():
    piano = {**PIANO, "kind": "furniture"}
    assert scene({**SCENE, "objects": [*SCENE["objects"], piano]}).find("piano") is not None


def test_a_scene_has_about_the_size_asked_for():
    many = {
        **SCENE,
        "rooms": [*SCENE["rooms"], *({"id": f"r{n}", "connects": ["yard"]} for n in range(20))],
    }
    assert flaw(scene, many) == (ErrorKind.SENSE, "rooms: there are 22 (about 2, from 2 to 20)")


def test_a_draft_is_for_the_right_people():
    told = {"instruction": "Do it.", "idea": "So.", "agents": [{"id": "noor", "max_mass_kg": 9}]}
    assert draft_of(answer(told), scene(), Category.TOOL_USE).instruction == "Do it."
    kind, said = flaw(draft_of, answer(told), scene(), Category.EXPLICIT_COLLABORATION)
    assert (kind, "2 to 4" in said) == (ErrorKind.SENSE, True)
    taken = {**told, "agents": [{"id": "bench", "in": "moon", "max_mass_kg": 9}]}
    kind, said = flaw(draft_of, answer(taken), scene(), Category.TOOL_USE)
    assert kind is ErrorKind.SENSE
    assert "agents[0].id: the id 'bench' is taken" in said
    assert "agents[0].in" in said


SAND = {"name": "Sack of sand"}
HELD = {"held_by": {"object": "pane"}}
DIRTY = {"has_state": {"object": "pane", "state": "is_dirty"}}
INSIDE = {"inside_room": {"object": "tub", "room": "shed"}}


def test_goal_and_sentence_make_a_scenario():
    made = goals("sand")
    assert made.id == "llm0_00000/it"
    assert made.task.answer == {"target": "sack_b"}
    assert made.provenance == {"by": "test"}


@pytest.mark.parametrize(
    ("task", "changes", "kind", "told"),
    [
        (
            "sand",
            {"instruction": "Bring the heaviest sack of sand."},
            ErrorKind.SENSE,
            "does not speak",
        ),
        ("sand", {"instruction": "Bring the {target} to {mars}."}, ErrorKind.FORM, "'mars'"),
        ("sand", {"select": {}}, ErrorKind.FORM, "unknown selector 'target'"),
        ("sand", {"select": {"target": {"only": SAND}}}, ErrorKind.SENSE, "3 objects fit"),
        ("sand", {"id": "x"}, ErrorKind.FORM, "unknown key"),
        ("sand", {"agents": []}, ErrorKind.FORM, "agents"),
        ("pane", {"goal": {"at": {"object": "pane", "on": "moon"}}}, ErrorKind.FORM, "goal.at.on"),
        ("pane", {"goal": {"all": [HELD] * 99}}, ErrorKind.SENSE, "at most 40"),
        ("pane", {"goal": DIRTY}, ErrorKind.SENSE, "differ in the state"),
    ],
)
def test_what_makes_no_scenario_is_told_at_its_place(task, changes, kind, told):
    found, said = flaw(goals, task, **changes)
    assert (found, told in said) == (kind, True), said


WIPED = {"has_state": {"object": "pane", "state": "is_dirty", "equals": False}}


@pytest.mark.parametrize(
    ("instruction", "goal", "told"),
    [
        ("Clean the sponge.", WIPED, "does not name pane ({pane} in the instruction, or a"),
        ("Clean the pane and turn it on.", WIPED, "says clean, turn, checks is_dirty False"),
        ("Repair the pane.", WIPED, "says repair, checks is_dirty False"),
        ("Bring the lemon tree into the yard.", INSIDE, "does not name shed"),
    ],
)
def test_sentence_and_goal_speak_of_the_same(instruction, goal, told):
    kind, said = flaw(goals, "pane", instruction=instruction, goal=goal)
    assert (kind, told in said) == (ErrorKind.SENSE, True), said


@pytest.mark.parametrize(
    ("instruction", "goal"),
    [
        ("The pane is a disgrace: clean it.", WIPED),
        ("Let nobody find the {pane} dirty.", WIPED),
        ("See to the windows.", WIPED),
        ("Load the lemon tree off to the shed.", INSIDE),
        ("Mind the label on the bench, and bring the lemon tree into the shed.", INSIDE),
    ],
)
def test_what_cannot_be_told_apart_is_left_alone(instruction, goal):
    assert goals("pane", instruction=instruction, goal=goal).task.instruction == instruction


def test_hand_written_sentences_are_not_objected_to():
    assert [f for scenario in open_suite("starter") for f in disagreements(scenario)] == []


def proved(task, **changes):
    scenario = goals(task, **changes)
    return judged(scenario, prove(scenario, 2_000))


@pytest.mark.parametrize("task", ["sand", "pane", "frost"])
def test_what_is_proved_is_kept_with_room_to_explore(task):
    kept = proved(task)
    length = len(kept.certificate.solution.plan)
    assert kept.scenario.task.budget == kept.certificate.budget == max(15, 3 * length)
    assert kept.certificate.scenario_hash == kept.scenario.hash
    assert kept.certificate.label is LabelProof.PROVED


STRONG = [{"id": "noor", "max_mass_kg": 90}, {"id": "piet", "max_mass_kg": 90}]
WEAK = [{"id": "noor", "max_mass_kg": 5}, {"id": "piet", "max_mass_kg": 5}]


@pytest.mark.parametrize(
    ("task", "changes", "kind", "told"),
    [
        ("frost", {"agents": STRONG}, ErrorKind.LABEL, "noor does it alone"),
        ("frost", {"agents": WEAK}, ErrorKind.UNSOLVED, "weighs 52 kg"),
        (
            "pane",
            {"instruction": "Leave it.", "goal": DIRTY},
            ErrorKind.UNSOLVED,
            "true at the start",
        ),
    ],
)
def test_what_the_planner_objects_to_is_told(task, changes, kind, told):
    found, said = flaw(proved, task, **changes)
    assert (found, told in said) == (kind, True), said


def test_a_task_takes_as_many_decisions_as_were_asked_for():
    scenario = goals("pane")
    verdict = prove(scenario, 2_000)
    length = len(verdict.certificate.solution.plan)
    judged(scenario, verdict, horizon=length)
    found = flaw(judged, scenario, verdict, horizon=length + 1)
    said = f"goal: it can be done in {length} decisions (at least {length + 1})"
    assert found == (ErrorKind.SHORT, said)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("check_scenario", "no sense"),
        ("leaked_answer", "only the answer is called"),
        ("wins_by_waiting", "it comes about while agents only wait"),
    ],
)
def test_what_is_not_let_pass_in_our_own_scenarios_is_told(monkeypatch, broken, told):
    found = {
        "check_scenario": [Finding("", "", "no sense")],
        "leaked_answer": "sack_b",
        "wins_by_waiting": True,
    }
    monkeypatch.setattr(certification, broken, lambda *arguments: found[broken])
    kind, said = flaw(proved, "sand")
    assert (kind, told in said) == (ErrorKind.SENSE, True), said


def test_a_planner_that_fails_is_told():
    kind, said = flaw(judged, goals("pane"), PlannerVerdict(None, "KeyError: 'x'"))
    assert (kind, said) == (ErrorKind.UNSOLVED, "goal: KeyError: 'x'")


@pytest.mark.parametrize("stage", Stage)
def test_the_prompt_of_a_stage_has_the_form_of_a_policys_prompt(stage):
    assert isinstance(prompt_of(stage), PromptFile)


@pytest.mark.slow
def test_the_examples_in_the_prompts_would_be_accepted():
    """A model that copies the form of an example gets the form right."""
    alone = BRIEF._replace(distractors=0)
    for stage in Stage:
        text = prompt_of(stage).render("system", {"units": "kg"})
        example, _ = json.JSONDecoder().raw_decode(text[text.index("\n{\n") :].lstrip())
        jsonschema.validate(example, schema_of(stage))
        if stage is Stage.SCENE:
            assert len(scene_of(Document(ANSWER, example), alone, concept()).objects) == 5


@pytest.mark.slow
def test_whatever_can_be_written_fits_the_schema_that_decoders_get():
    for scenario in open_suite("starter").select(limit=6):
        data = to_data(scenario)
        place = {key: data["scene"][key] for key in SCENE_KEYS if key in data["scene"]}
        task = {"select": {}, **data["task"], "agents": data["agents"]}
        jsonschema.validate(place, schema_of(Stage.SCENE))
        jsonschema.validate({key: task[key] for key in GOAL_KEYS}, schema_of(Stage.GOALS))


def test_schemas_hold_nothing_that_decoders_refuse():
    for stage in Stage:
        text = json.dumps(schema_of(stage))
        for word in ("oneOf", "propertyNames", "exclusiveMinimum", "default", "\\\\u"):
            assert f'"{word}' not in text, (stage, word)
        assert "$defs" not in text or set(re.findall(r"#/\$defs/(\w+)", text)) == set(
            schema_of(stage)["$defs"]
        )
