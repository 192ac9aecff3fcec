"""Where things are for an agent that is alone, and which door is in the way."""

import pytest

from earsim import Engine, Episode
from earsim.render.outline.locations import Locations
from earsim.schema import parse

SCENE = """\
schema: earsim.scene/1
id: house
rooms:
  - {id: hall, name: Hall, connects: [study]}
  - {id: study, name: Study}
  - {id: attic, name: Attic}
  - {id: vault, name: Vault}
  - {id: yard, name: Yard, connects: [attic]}
doors:
  - {id: a_door, between: [hall, yard], states: {is_open: false}}
  - {id: b_door, between: [study, attic], states: {is_open: false}}
  - {id: c_door, between: [attic, vault], states: {is_open: false}}
objects:
  - {id: shelf, name: Shelf, kind: furniture, in: study, mass_kg: 9}
  - {id: box, name: Box, kind: item, on: shelf, mass_kg: 1}
tasks:
  - id: it
    category: direct_command
    agents: [{id: ada, max_mass_kg: 40}]
    goal: {all: [{at: {object: box, in: vault}}]}
    instruction: "Bring the box to the vault."
"""


def played(*commands, ruleset="physical"):
    """The episode after these, and the words for where things are."""
    episode = Episode(Engine(parse(SCENE).scenarios()[0], ruleset=ruleset))
    for command in commands:
        decision = episode.step({"ada": command})
        assert decision.outcomes["ada"].accepted, command
    return episode, Locations(episode.world, "ada")


def test_rooms_with_a_free_way_come_first_then_the_nearest():
    _, where = played()
    assert where.rooms == ["hall", "study", "attic", "vault", "yard"], "b_door may be open"
    _, where = played("GOTO study")
    assert where.rooms == ["study", "hall", "attic", "vault", "yard"]


def test_the_door_is_the_one_that_a_walk_stops_at():
    for before in ((), ("GOTO study",)):
        for room in ("attic", "vault", "yard"):
            episode, where = played(*before)
            seen = episode.world.known["ada"]
            outcome = episode.step({"ada": f"GOTO {room}"}).outcomes["ada"]
            door = outcome.facts["stopped_at"]
            assert (
                where.behind(room) == ""
                if door not in seen
                else f" behind {door} " in where.behind(room)
            )


def test_of_several_doors_the_first_is_told_with_the_room_before_it():
    _, where = played("EXPLORE", "GOTO study", "EXPLORE")
    assert where.behind("vault") == where.behind("attic") == " behind b_door here"
    assert where.behind("yard") == " behind a_door in hall"
    assert where.behind("hall") == ""


def test_things_are_where_they_are_and_in_hand_nothing_is_in_the_way():
    _, where = played("GOTO study", "EXPLORE", "GOTO hall")
    assert where.of("box") == "on shelf in study"
    assert where.place_by_name("shelf") == "in study"
    _, where = played("GOTO study", "EXPLORE", "GOTO shelf", "GRAB box")
    assert where.of("box") == "held by ada"
    assert where.of("shelf") == "here"


@pytest.mark.parametrize("commands", [(), ("GOTO vault",), ("EXPLORE",)])
def test_where_doors_stop_nobody_nothing_is_behind_them(commands):
    _, where = played(*commands, ruleset="ear-bench")
    assert {where.behind(room) for room in where.rooms} == {""}


def test_under_ear_bench_a_thing_in_hand_is_behind_nothing():
    _, where = played("GOTO study", "EXPLORE", "GOTO box", "GRAB box", "GOTO vault",
                      ruleset="ear-bench")  # fmt: skip
    assert where.of("box") == "held by ada"
