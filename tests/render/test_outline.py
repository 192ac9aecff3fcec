"""The compact text: few words, what the task speaks of last, and a memory of how it was."""

import pytest

from earsim import Engine, Episode
from earsim.envs.policy import observations_of
from earsim.render.outline.memory import OutlineMemory
from earsim.schema import parse

SCENE = """\
schema: earsim.scene/1
id: flat
perceived_by: {mass_kg: seen}
rooms:
  - {id: kitchen, name: Kitchen, connects: [hall]}
  - {id: hall, name: Entrance hall}
  - {id: cellar, name: Cellar}
doors: [{id: hatch, between: [kitchen, cellar], states: {is_open: false}}]
objects:
  - {id: table, name: Table, kind: furniture, in: kitchen, mass_kg: 20}
  - {id: chest, name: Chest, kind: furniture, in: hall, mass_kg: 30, container: {},
     states: {is_open: false}}
  - {id: rag_3, name: Rag, kind: item, on: table, mass_kg: 0.1, provides: [clean]}
  - {id: cup_1, name: Tea cup, kind: item, on: table, mass_kg: 0.3, size_m: [0.1, 0.1, 0.1],
     states: {is_dirty: true}}
  - {id: cup_2, name: Tea cup, kind: item, in: hall, mass_kg: 0.4, size_m: [0.2, 0.1, 0.1]}
  - {id: saw, name: Saw, kind: item, in: hall, mass_kg: 1}
  - {id: anvil, name: Anvil, kind: item, in: hall, mass_kg: 90}
abilities: [open, close, clean]
tasks:
  - id: it
    category: direct_command
    agents: [{id: ada, max_mass_kg: 40, hands: 2}]
    goal: {all: [{at: {object: cup_1, in: chest}}]}
    instruction: "TASK"
"""


class Reader:
    def __init__(self, task: str, *, partner: bool = False, scene: str = SCENE) -> None:
        team = "hands: 2}, {id: ben, max_mass_kg: 40}]" if partner else "hands: 2}]"
        text = scene.replace("TASK", task).replace("hands: 2}]", team)
        loaded = parse(text)
        self.episode = Episode(Engine(loaded.scenarios()[0]))
        self.memory = OutlineMemory()

    def after(self, *commands: str):
        """The outline after these commands, each of which is told of."""
        self.now()
        for command in commands:
            self.episode.step({"ada": command})
            outline = self.now()
        return outline if commands else self.now()

    def now(self):
        return observations_of(self.episode)["ada"].outline(self.memory)


def test_at_first_there_are_rooms_and_doors_and_oneself():
    found = Reader("Do it.").after()
    assert found.plan == (
        "Not searched: kitchen, hall, cellar behind hatch here\n"
        "Doors: hatch between here and cellar, not open, not locked"
    )
    assert found.rooms == found.closed == found.matters == found.others == ""
    assert found.own == "Here: kitchen\nAgent ada: hands 0/2"


def test_rooms_that_were_searched_are_remembered():
    reader = Reader("Do it.")
    assert reader.after("EXPLORE").plan.startswith("Searched: kitchen\nNot searched: hall, cellar")
    assert reader.after("GOTO hall", "GRAB moon").plan.startswith("Searched: kitchen\nNot")
    assert reader.memory.as_json()["searched"] == ["kitchen"]


def test_what_lies_beyond_a_door_is_behind_it():
    reader = Reader("Put the saw from the hall in the cellar.")
    assert "- cellar: room behind hatch here, not searched" in reader.after("EXPLORE").matters
    found = reader.after("GOTO hall")
    assert "- cellar: room behind hatch in kitchen, not searched" in found.matters
    assert "Not searched: hall, cellar behind hatch in kitchen\n" in found.plan
    opened = reader.after(
        "EXPLORE", "GOTO saw", "GRAB saw", "GOTO kitchen", "GOTO hatch", "OPEN hatch"
    )
    assert "- cellar: room, not searched" in opened.matters
    reader.after("GOTO cellar", "PLACE saw in cellar", "GOTO kitchen")
    closed = reader.after("GOTO hatch", "CLOSE hatch")
    assert "- saw in cellar behind hatch here: at first in hall" in closed.matters
    assert "behind hatch in kitchen" in reader.after("GOTO hall").matters.split("\n")[0]


def test_what_is_behind_an_open_door_is_behind_none():
    reader = Reader("Do it.", scene=SCENE.replace("is_open: false}}]", "is_open: true}}]", 1))
    assert reader.after().plan.startswith("Not searched: kitchen, hall, cellar")
    assert reader.after("EXPLORE").plan == "Searched: kitchen\nNot searched: hall, cellar"


def test_rooms_come_in_the_order_of_the_way_to_them():
    reader = Reader("Do it.")
    assert "Not searched: hall, kitchen, cellar behind" in reader.after("GOTO hall").plan


def test_teams_are_told_the_names_of_rooms_alone():
    found = Reader("Bring the cup to the cellar.", partner=True).after("EXPLORE")
    assert "here" not in found.matters + found.plan
    assert "behind" not in found.matters + found.plan


def test_things_are_told_by_their_ids_the_own_room_last():
    found = Reader("Do it.").after("EXPLORE", "GOTO hall", "EXPLORE")
    assert found.rooms == (
        "In kitchen: table ( rag_3 can clean, cup_1 )\nIn hall: chest closed, cup_2, saw, anvil"
    )
    assert found.closed == "Closed: chest here"


def test_what_the_task_names_is_told_in_the_order_of_its_words():
    reader = Reader("Put the saw in the chest or on the table.")
    found = reader.after("EXPLORE", "GOTO hall", "EXPLORE")
    assert found.matters.split("\n") == [
        "- saw here", "- chest here: not open", "- table in kitchen"
    ]  # fmt: skip


def test_a_name_that_is_not_spelled_like_the_id_is_told():
    found = Reader("Bring a cup to the entrance hall.").after("EXPLORE")
    assert found.matters.split("\n") == [
        "- cup_1 (Tea cup) on table here: dirty",
        "- hall (Entrance hall): room, not searched",
    ]


def test_things_alike_are_told_apart_by_their_numbers():
    reader = Reader("Put the tea cup in the chest.")
    assert " kg" not in reader.after("EXPLORE").matters
    found = reader.after("GOTO hall", "EXPLORE").matters.split("\n")
    assert found[0] == "- cup_1 (Tea cup) on table in kitchen: dirty, 0.3 kg"
    assert found[1] == "- cup_2 (Tea cup) here: 0.4 kg"


@pytest.mark.parametrize(("task", "told"), [("the largest cups", True), ("the cups", False)])
def test_sizes_are_told_where_the_task_speaks_of_size(task, told):
    found = Reader(f"Take {task}.").after("EXPLORE", "GOTO hall", "EXPLORE")
    assert ("0.1 x 0.1 x 0.1 m" in found.matters) is told


def test_tools_are_told_by_their_use():
    assert Reader("Clean it.").after("EXPLORE").matters == "- rag_3 on table here"


def test_what_is_too_heavy_says_so():
    reader = Reader("Take the saw and the anvil.")
    found = reader.after("GOTO hall", "EXPLORE").matters.split("\n")
    assert found == ["- saw here", "- anvil here: 90 kg"]


def test_how_it_was_at_first_is_remembered():
    reader = Reader("Take the saw.")
    reader.after("GOTO hall", "EXPLORE", "GOTO saw")
    found = reader.after("GRAB saw")
    assert found.matters == "- saw held by ada: at first in hall"
    assert found.own == "Here: hall\nAgent ada: hands 1/2, load 1/40 kg, holding saw"
    reader = Reader("Open the chest.")
    found = reader.after("GOTO hall", "EXPLORE", "GOTO chest", "OPEN chest")
    assert found.matters == "- chest here: open, at first not open"


def test_here_is_where_an_agent_that_is_alone_is():
    reader = Reader("Put the saw in the entrance hall.")
    assert reader.after("GOTO hall").matters == "- hall (Entrance hall): here, not searched"
    assert "\n- saw here" in f"\n{reader.after('EXPLORE').matters}"
    assert "\n- saw in hall" in f"\n{reader.after('GOTO kitchen').matters}"


def test_a_team_is_told_the_names_of_rooms():
    found = Reader("Put the saw in the chest.", partner=True).after("GOTO hall", "EXPLORE")
    assert found.matters.split("\n") == ["- saw in hall", "- chest in hall: not open"]
    assert "hatch between kitchen and cellar" in found.plan
    assert found.closed == "Closed: chest in hall"


def test_doors_that_stand_open_are_not_told():
    reader = Reader("Do it.")
    assert "hatch between here and cellar, not open" in reader.after("EXPLORE").plan
    assert "hatch" not in reader.after("GOTO hatch", "OPEN hatch").plan
