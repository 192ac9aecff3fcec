"""What a scene is told of others, what counts as made before, and verbs that fit a place."""

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from earsim.errors import ServerFault
from earsim.goals.selectors import answered
from earsim.schema import Scenario, parse, verb_table
from earsim_generators.llm import Stage
from earsim_generators.llm.answers.parsing import read_answer
from earsim_generators.llm.answers.schemas import constraint
from earsim_generators.llm.memory import BLOCK, PlaceMemory, StructureMemory
from earsim_generators.llm.scene_request import read_texts, scene_request_of
from earsim_generators.llm.scene_writer import SceneWriter
from earsim_generators.llm.scripted_author import Author
from earsim_generators.llm.skills import fitting_verbs
from tests.generators.llm.rig import (
    BOAT_HOUSE,
    SHED,
    author,
    book,
    contents,
    settings,
    written,
)
from tests.generators.llm.test_killed import many_sheds

MANY = settings(n=BLOCK + 4, tasks=1)


@dataclass(frozen=True, kw_only=True)
class Witness(Author):
    """Remembers the first prompt of each stage of each scene."""

    prompts: list[str] = field(default_factory=list)

    def reply(self, request: str, body: Any, asked: Any) -> str:
        messages = body["messages"]
        if len(messages) == 2:
            self.prompts.append(messages[0]["content"][:20] + messages[1]["content"])
        return super().reply(request, body, asked)

    def at(self, stage: Stage) -> list[str]:
        return [each for each in self.prompts if each.startswith(f"# Stage: {stage.value}")]


def scenarios(*files: str) -> list[Scenario]:
    return [answered(each) for text in files for each in parse(text).scenarios()]


@pytest.mark.slow
def test_scenes_are_told_of_places_of_earlier_blocks_alone(tmp_path):
    witness = Witness(fixtures=book(*many_sheds(40)))
    written(tmp_path / "run", witness, MANY)
    told = [prompt for prompt in witness.at(Stage.CONCEPT) if "are there already" in prompt]
    assert len(witness.at(Stage.CONCEPT)) == MANY.n
    assert len(told) == 4
    assert all("- Shed 0" in prompt and "(garden)" in prompt for prompt in told)
    assert len({prompt.split("there already")[1].split("Skills")[0] for prompt in told}) == 1


@pytest.mark.slow
def test_what_is_told_does_not_depend_on_how_many_are_asked_at_once(tmp_path):
    script = {"fixtures": book(*many_sheds(40)), "repairable": 0.3, "hopeless": 0.1}
    one = written(tmp_path / "one", author(**script), MANY, concurrency=1)
    many = written(tmp_path / "many", author(**script), MANY, concurrency=40)
    assert contents(one.folder.path) == contents(many.folder.path)


def test_scenes_after_an_undecided_one_wait_for_the_next_run():
    async def run() -> tuple[Any, ...]:
        memory = PlaceMemory()
        for item in range(BLOCK):
            memory.decide(item, None) if item != 3 else memory.leave_open(item)
        return await memory.before(BLOCK - 1), await memory.before(BLOCK)

    assert asyncio.run(run()) == ((), None)


@pytest.mark.slow
def test_a_fault_in_one_block_leaves_the_later_ones_undecided(tmp_path, monkeypatch):
    write = SceneWriter.write

    async def faulty(self, request, places=()):
        if request.item == 3:
            raise ServerFault("no answer")
        return await write(self, request, places)

    script = author(fixtures=book(*many_sheds(40)))
    with monkeypatch.context() as patch:
        patch.setattr(SceneWriter, "write", faulty)
        run = written(tmp_path / "torn", script, MANY)
    assert sorted(run.pipeline.unfinished) == [3, *range(BLOCK, MANY.n)]
    written(tmp_path / "torn", script, MANY)
    written(tmp_path / "whole", script, MANY)
    assert contents(tmp_path / "torn") == contents(tmp_path / "whole")


def test_a_task_is_told_of_those_before_it_in_its_scene(tmp_path):
    witness = Witness(fixtures=book(SHED))
    written(tmp_path / "run", witness, settings(n=1))
    first, second, third = witness.at(Stage.TASKS)
    assert "are set here already" not in first
    assert second.count("\n- ") < third.count("\n- ")
    assert "takes at least 3 steps" in first


def test_names_and_small_numbers_do_not_make_another_scene():
    memory = StructureMemory()
    copy = SHED.replace("id: shed\n", "id: hut\n").replace("Sack of sand", "Bag of flour")
    copy = copy.replace("mass_kg: 52", "mass_kg: 52.3").replace(
        "max_mass_kg: 25", "max_mass_kg: 26"
    )
    assert [memory.repeated_by(each) for each in scenarios(SHED)] == [None] * 3
    assert [memory.repeated_by(each) for each in scenarios(copy)] == ["shed"] * 3


def test_a_task_of_another_scene_is_the_same_without_its_words():
    memory = StructureMemory()
    other = BOAT_HOUSE.replace("id: shed\n", "id: boats\n").replace("mass_kg: 6,", "mass_kg: 4,")
    other = other.replace("mass_kg: 160", "mass_kg: 210").replace("mass_kg: 0.1,", "mass_kg: 0.2,")
    other = other.replace("Clean the pane on the potting bench", "The pane must be clean")
    assert [memory.repeated_by(each) for each in scenarios(SHED)] == [None] * 3
    assert [memory.repeated_by(each) for each in scenarios(other)] == [None, "shed/pane", None]


def test_verbs_fit_the_place_and_are_the_same_for_the_same_seed():
    told = "The dough must be kneaded, the oven heated; loaves are sliced in the bakery kitchen."
    names = [verb.name for verb in fitting_verbs(told, Random(0), 12)]
    assert names == [verb.name for verb in fitting_verbs(told, Random(0), 12)]
    assert len(set(names)) == 12
    kitchen = {"bake", "cook", "heat_up", "knead", "slice", "cut", "stir", "peel", "grate"}
    engine = "The engine of the ferry leaks oil; bolts have to be tightened with a wrench."
    others = {verb.name for verb in fitting_verbs(engine, Random(0), 12)}
    assert len(kitchen & set(names)) > len(kitchen & others)
    assert "tighten" in others


@pytest.mark.slow
def test_every_verb_is_offered_some_time():
    texts = read_texts()
    requests = [scene_request_of(settings(n=400), texts, item) for item in range(400)]
    offered = {verb.name for request in requests for verb in request.skills}
    assert offered == set(verb_table())


@pytest.mark.parametrize("structured", ["json_schema", "vllm"])
@pytest.mark.parametrize("stage", Stage)
def test_an_answer_begins_with_room_to_think(stage, structured):
    body = constraint(stage, settings(structured=structured))
    schema = (
        body.get("structured_outputs", {}).get("json")
        or (body["response_format"]["json_schema"]["schema"])
    )
    assert next(iter(schema["properties"])) == "thoughts"
    assert schema["required"][0] == "thoughts"
    without = constraint(stage, settings(structured=structured, thoughts=False))
    assert "thoughts" not in json.dumps(without)


def test_prompts_ask_for_thoughts_only_where_there_is_room(tmp_path):
    for thoughts in (True, False):
        witness = Witness(fixtures=book(SHED))
        written(tmp_path / f"{thoughts}", witness, settings(n=1, thoughts=thoughts))
        assert {("Think before" in prompt) for prompt in witness.prompts} == {thoughts}


def test_thoughts_are_dropped_whatever_stands_in_them():
    said = {"thoughts": "<b>{x}</b> `rm` \\ " + "so " * 2_000, "title": "Shed"}
    assert read_answer(json.dumps(said)).value == {"title": "Shed"}
