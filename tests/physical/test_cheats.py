"""Attempts to cheat `physical`, as design note 009 wrote them down before they were tried."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from earsim import Episode
from earsim.engine import Engine
from earsim.envs.graph_rows import GraphLayout, GraphRows
from earsim.render.graph import observed_graph
from earsim.schema import Scenario
from earsim.schema.files.load import load_scene
from earsim.world import digest

SCENE = load_scene(Path(__file__).with_name("den.yaml")).model_dump(by_alias=True)

Attempt = tuple[list[dict[str, str]], dict[str, str], str]
"""What comes before (all of it is accepted), the attempt, and why it fails."""


def both(command: str) -> dict[str, str]:
    return {"ada": command, "bo": command}


LOOK_ROUND = [{"ada": "EXPLORE"}]
AT_TABLE = [*LOOK_ROUND, {"ada": "GOTO table"}]
SAW_IN_HAND = [*AT_TABLE, {"ada": "GRAB saw"}]
AT_CRATE = [*LOOK_ROUND, both("GOTO crate")]
CARRYING = [*AT_CRATE, both("CORP_GRAB crate")]

ATTEMPTS: dict[str, Attempt] = {
    "name a partner who says nothing": (AT_CRATE, {"ada": "CORP_GRAB ada,bo crate"}, "bad_format"),
    "be two by saying it twice": (AT_CRATE, {"ada": "corp_grab  crate"}, "partner_missing"),
    "a partner who has said DONE": (
        [*AT_CRATE, {"bo": "DONE"}],
        {"ada": "CORP_GRAB crate"},
        "partner_missing",
    ),
    "a partner who only waits": (
        AT_CRATE,
        {"ada": "CORP_GRAB crate", "bo": "WAIT"},
        "partner_missing",
    ),
    "drag a partner along": (CARRYING, {"ada": "CORP_GOTO shed"}, "partner_missing"),
    "leave a shared load by saying DONE": (CARRYING, {"ada": "DONE"}, "coop_lock"),
    "walk off alone with a shared load": (CARRYING, {"ada": "GOTO shed"}, "coop_lock"),
    "two levers' worth by one": (
        [*LOOK_ROUND, both("GOTO lever")],
        {"ada": "TURN_ON lever", "bo": "LOOK"},
        "partner_missing",
    ),
    "lift the tray that the heavy thing is on": (
        [
            *AT_TABLE,
            {"ada": "GRAB tray"},
            {"ada": "PLACE tray in hall"},
            both("GOTO anvil"),
            both("CORP_GRAB anvil"),
            both("CORP_GOTO tray"),
            both("CORP_PLACE anvil on tray"),
        ],
        {"ada": "GRAB tray"},
        "overweight",
    ),
    "carry a chair on a pencil": (
        [
            *AT_TABLE,
            {"ada": "GRAB pencil"},
            {"ada": "GOTO chair"},
            {"ada": "GRAB chair"},
        ],
        {"ada": "PLACE chair on pencil"},
        "no_space",
    ),
    "pack a chair into a bag": (
        [
            *AT_TABLE,
            {"ada": "GRAB bag"},
            {"ada": "GOTO chair"},
            {"ada": "GRAB chair"},
        ],
        {"ada": "PLACE chair in bag"},
        "too_large",
    ),
    "put a bag into itself": (
        [*AT_TABLE, {"ada": "GRAB bag"}],
        {"ada": "PLACE bag in bag"},
        "inside_itself",
    ),
    "overload a shelf": (
        [
            *LOOK_ROUND,
            {"ada": "GOTO sealed"},
            {"ada": "GRAB sealed"},
            {"ada": "GOTO shelf"},
        ],
        {"ada": "PLACE sealed on shelf"},
        "overloaded",
    ),
    "saw from inside the bag": (
        [
            *AT_TABLE,
            {"ada": "GRAB bag"},
            {"ada": "GRAB saw"},
            {"ada": "PLACE saw in bag"},
            {"ada": "GOTO log"},
        ],
        {"ada": "CUT log"},
        "no_ability",
    ),
    "clean with what is broken": (
        [*AT_TABLE, {"ada": "GRAB iron"}, {"ada": "GOTO rug"}],
        {"ada": "CLEAN rug"},
        "no_ability",
    ),
    "walk off with what is plugged in": (AT_TABLE, {"ada": "GRAB lamp"}, "plugged_in"),
    "guess the id of what is shut in": (LOOK_ROUND, {"ada": "GRAB gem"}, "undiscovered"),
    "guess an id that does not exist": (LOOK_ROUND, {"ada": "GRAB gem_2"}, "undiscovered"),
    "try the lock from afar": (LOOK_ROUND, {"ada": "UNLOCK safe"}, "not_near"),
    "ask for what a colleague holds elsewhere": (
        [
            *AT_TABLE,
            {"bo": "GOTO table"},
            {"bo": "GRAB saw"},
            {"bo": "GOTO shed"},
        ],
        {"ada": "GRAB saw"},
        "not_near",
    ),
    "give to who does not take it": (SAW_IN_HAND, {"ada": "GIVE saw bo"}, "partner_missing"),
    "give to who has said DONE": (
        [*SAW_IN_HAND, {"bo": "DONE"}],
        {"ada": "GIVE saw bo", "bo": "GRAB saw"},
        "partner_missing",
    ),
    "give into full hands": (
        [*SAW_IN_HAND, {"bo": "GOTO table"}, {"bo": "GRAB tray"}, {"bo": "GRAB bag"}],
        {"ada": "GIVE saw bo", "bo": "GRAB saw"},
        "partner_missing",
    ),
    "give from another room": (
        [*SAW_IN_HAND, {"ada": "GOTO shed"}],
        {"ada": "GIVE saw bo", "bo": "GRAB saw"},
        "not_in_sight",
    ),
    "grab from who does not give": (
        [*AT_TABLE, {"bo": "GOTO table"}, {"bo": "GRAB saw"}],
        {"ada": "GRAB saw", "bo": "RELEASE tray"},
        "held_by_other",
    ),
    "give what is plugged in": (
        AT_TABLE,
        {"ada": "GIVE lamp bo", "bo": "GRAB lamp"},
        "not_holding",
    ),
    "give to oneself": (
        SAW_IN_HAND,
        {"ada": "GIVE saw ada"},
        "already_holding",
    ),
    "measure with what lies on the table": (AT_TABLE, {"ada": "MEASURE jar"}, "no_instrument"),
    "measure from afar": (
        [*AT_TABLE, {"ada": "GRAB thermometer"}, {"ada": "GOTO chair"}],
        {"ada": "MEASURE jar"},
        "not_near",
    ),
}


def episode(
    knowledge: str = "shared", scene: Any = SCENE, senses: dict[str, int] | None = None
) -> Episode:
    return Episode(
        Engine(
            Scenario.model_validate(
                {
                    "schema": "earsim.scenario/1",
                    "id": "den/cheat",
                    "scene": scene,
                    "knowledge": knowledge,
                    "agents": [
                        {
                            "id": "ada",
                            "max_mass_kg": 20,
                            "max_size_m": [1, 1, 1],
                            "senses": senses or {},
                        },
                        {"id": "bo", "max_mass_kg": 20},
                    ],
                    "task": {
                        "id": "cheat",
                        "category": "direct_command",
                        "instruction": "-",
                        "goal": {"any": []},
                    },
                }
            )
        ),
        budget=100,
    )


@pytest.mark.parametrize("name", ATTEMPTS)
def test_attempt(name):
    before, attempt, reason = ATTEMPTS[name]
    played = episode()
    for commands in before:
        for outcome in played.step(commands).outcomes.values():
            assert outcome.accepted, outcome
    world = digest(played.world)
    outcome = played.step(attempt).outcomes["ada"]
    assert str(outcome.reason) == reason
    if "WAIT" not in attempt.values() and "LOOK" not in attempt.values():
        assert digest(played.world) == world, "a refusal changes nothing and takes no time"


def told(played: Episode, agent: str) -> str:
    outcome: Any = played.outcome(agent)
    return "\n".join((played.full(agent), played.feedback(agent), str(outcome and outcome.facts)))


def test_nothing_but_lifting_tells_what_a_thing_weighs():
    played = episode()
    played.step({"ada": "EXPLORE"})
    for verb in ("GOTO", "LOOK", "MEASURE", "SAY", "CORP_GRAB"):
        played.step({"ada": f"{verb} sealed"})
        assert "7.25" not in told(played, "ada") + told(played, "bo")
    played.step({"ada": "GRAB sealed"})
    assert "7.25" in told(played, "ada")


def test_a_walk_tells_of_the_first_closed_door_alone():
    played = episode()
    played.step({"ada": "EXPLORE"})
    outcome = played.step({"ada": "GOTO attic"}).outcomes["ada"]
    assert outcome.facts["stopped_at"] == "hatch"
    assert played.world.agents["ada"].room == "hall"


def test_names_of_things_that_the_speaker_does_not_know_teach_nobody():
    played = episode("own")
    played.step({"ada": "EXPLORE", "bo": "GOTO shed"})
    played.step({"ada": "SAY gem brass table", "bo": "GOTO hall"})
    played.step({"ada": "SAY gem brass table"})
    assert "table" in played.world.known["bo"]
    assert "gem" not in played.world.known["bo"]
    assert "brass" not in played.world.known["bo"]


def test_nobody_sees_what_a_colleagues_load_weighs():
    played = episode("own")
    for command in ("EXPLORE", "GOTO sealed", "GRAB sealed"):
        played.step({"ada": command})
    assert "7.25" in played.full("ada")
    given = played.full("bo") + json.dumps(observed_graph(played.world, "bo"))
    assert "7.25" not in given
    assert "holds" in given


def test_a_full_container_does_not_tell_how_much_is_in_it_that_nobody_saw():
    scene = {
        "schema": "earsim.scene/1",
        "id": "den",
        "rooms": [{"id": "hall"}],
        "objects": [
            {"id": "chest", "kind": "furniture", "in": "hall", "mass_kg": 30, "container": {},
             "states": {"is_open": False}},
            {"id": "bin", "kind": "item", "in": "chest", "mass_kg": 1,
             "container": {"capacity_l": 10}},
            {"id": "sack", "kind": "item", "in": "bin", "mass_kg": 1, "volume_l": 6.125},
            {"id": "cup", "kind": "item", "in": "hall", "mass_kg": 1, "volume_l": 5},
        ],
    }  # fmt: skip
    played = episode(scene=scene)
    before = ("EXPLORE", "GOTO chest", "OPEN chest", "GOTO cup", "GRAB cup", "GOTO chest")
    for command in before:
        assert played.step({"ada": command}).outcomes["ada"].accepted
    outcome = played.step({"ada": "PLACE cup in bin"}).outcomes["ada"]
    assert str(outcome.reason) == "no_space"
    assert "3.875" not in told(played, "ada")


def test_a_load_does_not_tell_that_what_nobody_lifted_weighs_nothing():
    brick = {"kind": "item", "mass_kg": 5, "perceived_by": {"mass_kg": "seen"}}
    paper = {"kind": "item", "mass_kg": 0}
    scene = {
        "schema": "earsim.scene/1",
        "id": "den",
        "rooms": [{"id": "hall"}],
        "objects": [
            {"id": "cart", "kind": "item", "in": "hall", "mass_kg": 9,
             "wheels": {"max_load_kg": 2}, "max_load_kg": 6},
            {"id": "on_it", "on": "cart", **brick},
            {"id": "sheet", "on": "cart", **paper},
            {"id": "spare", "in": "hall", **brick},
        ],
    }  # fmt: skip
    played = episode(scene=scene)
    for command in ("EXPLORE", "GOTO spare", "GRAB spare", "GOTO cart"):
        assert played.step({"ada": command}).outcomes["ada"].accepted
    for command in ("GRAB cart", "PLACE spare on cart"):
        outcome = played.step({"ada": command}).outcomes["ada"]
        assert str(outcome.reason) == "overloaded"
        assert "load_kg" not in outcome.facts


def test_the_name_of_a_number_is_no_thing():
    jar = {"id": "jar", "kind": "item", "in": "hall", "mass_kg": 1, "temperature_c": 5}
    odd = {"id": "temperature_c", "name": "Odd", "kind": "item", "in": "hall", "mass_kg": 1}
    scene = {
        "schema": "earsim.scene/1", "id": "den", "rooms": [{"id": "hall"}], "objects": [jar, odd]
    }  # fmt: skip
    played = episode(scene=scene, senses={"temperature_c": 1})
    played.world.discover("ada", ("jar",))
    played.step({"ada": "GOTO jar"})
    assert played.step({"ada": "MEASURE jar temperature_c"}).outcomes["ada"].accepted
    assert "temperature_c" not in played.world.known["ada"]


def test_a_message_that_is_too_long_is_refused_as_such():
    played = episode()
    for length in (300, 5000):
        decision = played.step({"ada": f"WAIT\nSAY {'x' * length}"})
        assert str(decision.messages["ada"].reason) == "too_long"
        assert decision.outcomes["ada"].accepted


def test_arrays_hold_what_was_read_in_this_world_alone():
    layout = {"max_nodes": 60, "numbers": ("mass_kg",), "states": ()}
    one = episode()
    other = Episode(one.engine, budget=100)
    rows = [GraphRows.empty(GraphLayout(**layout)) for _ in range(2)]
    for played in (one, other):
        played.step({"ada": "EXPLORE"})
    columns = []
    for command in ("GOTO sealed", "GRAB sealed"):
        one.step({"ada": command})
        for row, played in zip(rows, (one, other), strict=True):
            row.write(played.world, "ada")
        place = one.engine.blueprint.rank["sealed"]
        columns.append([row.arrays["nodes"][place].tolist() for row in rows])
    (before, unread), (after, still_unread) = columns
    assert before == unread
    assert after != before
    assert still_unread == unread
