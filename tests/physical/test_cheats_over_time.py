"""Attempts to cheat time, liquids and energy, as design note 009 wrote them down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from earsim import Episode
from earsim.engine import Engine
from earsim.processes.flow import spilled_g
from earsim.render.graph import observed_graph
from earsim.schema import Scenario
from earsim.schema.files.load import load_scene
from earsim.world import digest
from earsim.world.numbers import number_of

GALLEY = Path(__file__).parents[1] / "golden" / "scenes" / "galley.yaml"
MARKED = {"flask": {"marks": [{"name": "half", "of": "content_l", "at": 0.2}]}}
"""A closed vessel with a mark on it, for who would wait for what it does not see."""

EXPLORED = ["EXPLORE", "GOTO counter"]
IN_HAND = [*EXPLORED, "GRAB jug"]
BOILING = [
    *EXPLORED,
    "GRAB kettle",
    "GOTO tap",
    "FILL kettle FROM tap",
    "GOTO socket",
    "CONNECT kettle socket",
    "TURN_ON kettle",
]

ATTEMPTS: dict[str, tuple[list[str], str, str]] = {
    "wait for what is next door": (
        [*EXPLORED, "GOTO deck"],
        "WAIT UNTIL cup line",
        "not_perceived",
    ),
    "wait for what boils next door": (
        [*BOILING, "RELEASE kettle", "GOTO deck"],
        "WAIT UNTIL kettle is_boiling",
        "not_perceived",
    ),
    "wait for what is in a closed flask": (EXPLORED, "WAIT UNTIL flask half", "not_perceived"),
    "wait for a number without its instrument": (
        EXPLORED,
        "WAIT UNTIL towel dry",
        "not_perceived",
    ),
    "wait for a mark of another thing": (EXPLORED, "WAIT UNTIL cup warm", "no_such_mark"),
    "wait for a number by its name": (
        EXPLORED,
        "WAIT UNTIL kettle temperature_c",
        "no_such_mark",
    ),
    "wait for no time": (EXPLORED, "WAIT 0", "too_long_a_wait"),
    "wait backwards": (EXPLORED, "WAIT -60", "bad_format"),
    "wait for a year": (EXPLORED, "WAIT 31536000", "too_long_a_wait"),
    "pour out of a closed flask": (
        [*EXPLORED, "GRAB flask"],
        "POUR flask INTO cup",
        "closed_container",
    ),
    "pour into a closed flask": (IN_HAND, "POUR jug INTO flask", "closed_container"),
    "pour into itself": (IN_HAND, "POUR jug INTO jug", "inside_itself"),
    "pour what is not in hand": (EXPLORED, "POUR jug INTO cup", "not_holding"),
    "pour more than the cup takes": (
        [*IN_HAND, "POUR jug INTO cup"],
        "POUR jug INTO cup",
        "vessel_full",
    ),
    "pour more than up to the mark": (
        [*IN_HAND, "POUR jug INTO cup TO line"],
        "POUR jug INTO cup TO line",
        "vessel_full",
    ),
    "fill twice what takes a fraction of a gram more": (
        [*EXPLORED, "GRAB measure", "GOTO tap", "FILL measure FROM tap"],
        "FILL measure FROM tap",
        "vessel_full",
    ),
    "fill from what is no source": (EXPLORED, "FILL cup FROM jug", "no_source"),
    "empty on the floor what stands there": (EXPLORED, "EMPTY jug", "not_holding"),
    "fill in hand what one could not lift": (
        [*EXPLORED, "GRAB drill", "GOTO tub", "GRAB tub", "GOTO tap"],
        "FILL tub FROM tap",
        "overweight",
    ),
    "fill a pan on a weak shelf": (
        [*IN_HAND, "GOTO shelf"],
        "POUR jug INTO pan",
        "overloaded",
    ),
    "fill a tub on a weak cart": (
        ["EXPLORE", "GOTO cart", "GRAB cart", "GOTO tap"],
        "FILL tub FROM tap",
        "overloaded",
    ),
    "two plugs in one socket": (
        [*EXPLORED, "GRAB kettle", "GRAB lead", "GOTO socket", "CONNECT kettle socket"],
        "CONNECT lead socket",
        "not_connectable",
    ),
    "a lead in its own socket": (EXPLORED, "CONNECT lead lead", "not_connectable"),
    "say that it is plugged in": (EXPLORED, "PLUG_IN kettle", "derived"),
    "connect from afar": (EXPLORED, "CONNECT kettle socket", "not_near"),
    "pull a plug from afar": (
        [*BOILING, "RELEASE kettle", "GOTO counter"],
        "DISCONNECT kettle socket",
        "not_near",
    ),
    "take along what is connected": (
        [*EXPLORED, "CONNECT kettle lead"],
        "GRAB kettle",
        "connected",
    ),
    "walk off with a cable in hand": (BOILING, "GOTO deck", "connected"),
    "drill with an empty battery": (
        [*EXPLORED, "GRAB drill", "TURN_ON drill", "WAIT 60"],
        "DRILL plate",
        "no_ability",
    ),
    "switch on what has run down": (
        [*EXPLORED, "GRAB drill", "TURN_ON drill", "WAIT 60", "TURN_ON drill"],
        "DRILL plate",
        "no_ability",
    ),
    "take again what is used up": (
        [*EXPLORED, "GRAB sponge", "CLEAN plate", "CLEAN board"],
        "GRAB sponge",
        "not_near",
    ),
    "clean with what is used up": (
        [*EXPLORED, "GRAB sponge", "CLEAN plate", "CLEAN board"],
        "CLEAN tray",
        "no_ability",
    ),
}


def episode(
    knowledge: str = "shared", goal: Any = None, changes: Any = MARKED, **limits: float
) -> Episode:
    """Two agents in the galley; `changes` are of its objects, by id."""
    scene = load_scene(GALLEY).model_dump(by_alias=True, exclude_defaults=True)
    scene["objects"] = [{**o, **changes.get(o["id"], {})} for o in scene["objects"]]
    agents = [{"id": a, "max_mass_kg": limits.get(a, 20), "hands": 3} for a in ("ada", "bo")]
    task = {"id": "cheat", "category": "direct_command", "instruction": "-"}
    data = {
        "id": "galley/cheat",
        "scene": scene,
        "knowledge": knowledge,
        "agents": agents,
        "task": {**task, "goal": goal or {"any": []}},
    }
    return Episode(Engine(Scenario.model_validate(data)), budget=1000)


def done(played: Episode, *commands: str, agent: str = "ada") -> Episode:
    """The episode after an agent's commands, all of which were accepted."""
    for command in commands:
        outcome = played.step({agent: command}).outcomes[agent]
        assert outcome.accepted, outcome
    return played


@pytest.mark.parametrize("name", ATTEMPTS)
def test_attempt(name: str):
    before, attempt, reason = ATTEMPTS[name]
    played = done(episode(), *before)
    world = digest(played.world)
    outcome = played.step({"ada": attempt}).outcomes["ada"]
    assert str(outcome.reason) == reason
    assert digest(played.world) == world, "a refusal changes nothing and takes no time"


def told(played: Episode, agent: str) -> str:
    outcome = played.outcome(agent)
    graph = json.dumps(observed_graph(played.world, agent))
    facts = "" if outcome is None else str(dict(outcome.facts))
    return "\n".join((played.full(agent), played.feedback(agent), facts, graph))


def water_kg(played: Episode) -> float:
    """All water there is, on the floor too; that of the tap and of drains apart."""
    timeline = played.world.timeline
    assert timeline is not None
    vessels = sum(timeline.grams(vessel, "water") for vessel in timeline.contents)
    return (vessels + spilled_g(timeline, "water")) / 1000


def test_what_is_emptied_on_the_floor_is_booked_there():
    played = done(episode(), *IN_HAND)
    before = water_kg(played)
    done(played, "POUR jug INTO cup TO line", "EMPTY jug", "GRAB cup", "EMPTY cup")
    assert spilled_g(played.world.timeline, "water") == pytest.approx(1500)
    assert water_kg(played) == pytest.approx(before, abs=1e-12)


def test_water_is_neither_made_nor_lost_by_running_over_and_running_dry():
    played = done(episode(), "GOTO deck", "EXPLORE", "GOTO hose", "GRAB hose", "GOTO tank")
    before = water_kg(played)
    done(played, "CONNECT hose tank", "GOTO barrel", "CONNECT hose barrel", "RELEASE hose")
    done(played, "GOTO valve", "OPEN valve", "WAIT 600")
    assert number_of(played.world, "barrel", "content_l") == 3.0
    assert number_of(played.world, "tank", "content_l") == 0.0
    assert water_kg(played) == pytest.approx(before, abs=1e-9)


def test_leads_that_are_plugged_into_each_other_give_nothing():
    played = done(episode(), *BOILING[:-3], "GOTO counter", "CONNECT kettle lead")
    done(played, "CONNECT lead strip", "TURN_ON kettle", "WAIT 600")
    degrees = number_of(played.world, "kettle", "temperature_c")
    assert degrees is not None
    assert degrees < 21


def test_pouring_to_and_fro_makes_no_heat():
    played = done(episode(), *BOILING, "WAIT UNTIL kettle is_boiling", "DISCONNECT kettle socket")
    done(played, "GOTO counter", "GRAB jug", "GRAB cup", "EMPTY jug")
    for _ in range(5):
        done(played, "POUR kettle INTO cup", "POUR cup INTO kettle")
        degrees = [number_of(played.world, node, "temperature_c") for node in ("kettle", "cup")]
        assert all(20 <= each <= 100 for each in degrees if each is not None)


def test_who_is_away_learns_nothing_of_what_happens_to_a_number():
    played = done(episode("own"), *BOILING[:-1], "RELEASE kettle", "GOTO kettle", "TURN_ON kettle")
    done(played, "GOTO deck", agent="bo")
    seen = played.full("bo")
    done(played, "WAIT 60")
    degrees = number_of(played.world, "kettle", "temperature_c")
    for command in ("LOOK", "LOOK kettle", "MEASURE kettle", "WAIT UNTIL kettle warm", "WAIT 1"):
        played.step({"bo": command})
        assert f"{degrees:.1f}" not in told(played, "bo")
    line = next(line for line in seen.splitlines() if "(kettle, item)" in line)
    assert line in played.full("bo")


def test_a_state_that_turns_out_of_sight_is_told_as_it_was():
    played = done(done(episode(), "GOTO deck", agent="bo"), *BOILING, "RELEASE kettle")
    done(played, "GOTO deck", "WAIT 600")
    assert played.world.states["kettle"]["is_on"] is False
    (line,) = [line for line in played.full("ada").splitlines() if "(kettle, item)" in line]
    assert "is_on true" in line
    done(played, "GOTO galley")
    (line,) = [line for line in played.full("ada").splitlines() if "(kettle, item)" in line]
    assert "is_on false" in line


def test_what_a_colleague_carries_off_is_waited_for_in_vain():
    """The kettle comes to 21 degrees on the way; who waits for it has lost sight of it."""
    marks = [{"name": "mild", "of": "temperature_c", "at": 19.999}]
    played = episode(changes={"kettle": {"marks": marks}})
    done(played, *EXPLORED)
    done(played, "GOTO counter", "GRAB kettle", agent="bo")
    decision = played.step({"ada": "WAIT UNTIL kettle mild", "bo": "GOTO deck"})
    waited = decision.outcomes["ada"]
    degrees = number_of(played.world, "kettle", "temperature_c")
    assert degrees is not None
    assert degrees < 19.999
    assert waited.facts["came"] is False
    assert decision.elapsed_s == 10


def test_who_acts_later_in_a_decision_has_lost_sight_of_what_is_gone():
    played = done(episode(changes={}), "EXPLORE", "GOTO counter")
    done(played, "GOTO counter", agent="bo")
    done(played, "GRAB kettle")
    decision = played.step({"ada": "GOTO deck", "bo": "WAIT UNTIL kettle warm"})
    assert str(decision.outcomes["bo"].reason) == "not_perceived"


def test_a_wait_beside_work_makes_nobody_wait():
    played = done(episode(), "EXPLORE")
    decision = played.step({"ada": "GOTO counter", "bo": "WAIT 3600"})
    assert decision.elapsed_s == 10
    decision = played.step({"ada": "WAIT 3600", "bo": "WAIT 7"})
    assert decision.elapsed_s == 7


def test_a_closed_flask_that_was_filled_again_is_not_weighed_by_failing_to_lift_it():
    played = episode("own", ada=1.0)
    done(played, "EXPLORE", "GOTO counter", "GRAB flask", "PLACE flask on counter", "GOTO deck")
    done(played, "GOTO counter", "GRAB jug", "OPEN flask", "POUR jug INTO flask", agent="bo")
    done(played, "CLOSE flask", agent="bo")
    done(played, "GOTO galley", "GOTO counter")
    assert "GRAB flask" in played.admissible("ada")
    outcome = played.step({"ada": "GRAB flask"}).outcomes["ada"]
    assert str(outcome.reason) == "overweight"
    assert "mass_kg" not in outcome.facts
    assert "1.36" not in told(played, "ada")


def test_a_team_does_not_carry_off_a_hose_that_is_connected():
    heavy = {"barrel": {"mass_kg": 30}}
    played = done(episode(changes=heavy), "GOTO deck", "EXPLORE", "GOTO hose", "GRAB hose")
    done(played, "GOTO tank", "CONNECT hose tank", "GOTO barrel")
    done(played, "GOTO deck", "GOTO barrel", agent="bo")
    both = played.step(dict.fromkeys(("ada", "bo"), "CORP_GRAB barrel")).outcomes
    assert all(outcome.accepted for outcome in both.values())
    decision = played.step(dict.fromkeys(("ada", "bo"), "CORP_GOTO galley"))
    assert str(decision.outcomes["ada"].reason) == "connected"
    assert played.world.agents["ada"].room == "deck"


def test_looking_ahead_in_a_fork_or_a_snapshot_changes_nothing_here():
    played = done(episode(), *BOILING)
    before, text, moment = digest(played.world), told(played, "ada"), played.snapshot()
    done(played.fork(), "WAIT 3600")
    assert (digest(played.world), told(played, "ada")) == (before, text)
    done(played, "WAIT UNTIL kettle is_boiling")
    ahead = digest(played.world)
    played.restore(moment)
    assert (digest(played.world), told(played, "ada")) == (before, text)
    done(played, "WAIT UNTIL kettle is_boiling")
    assert digest(played.world) == ahead


def test_cutting_a_wait_moves_no_number():
    one, many = done(episode(), *BOILING), done(episode(), *BOILING)
    done(one, "WAIT 120")
    done(many, *["WAIT 10"] * 12)
    assert digest(one.world) == digest(many.world)


NEVER_HOT = {"never": {"quantity": {"object": "kettle", "of": "temperature_c", "at_least": 99}}}


def test_what_never_may_be_is_seen_within_one_long_wait():
    """It boils and has cooled below 99 degrees again when the wait ends."""
    played = done(episode(goal=NEVER_HOT), *BOILING)
    assert played.verdict.now
    done(played, "WAIT 3600")
    degrees = number_of(played.world, "kettle", "temperature_c")
    assert degrees is not None
    assert degrees < 99
    assert not played.verdict.now


def test_what_has_to_last_is_not_made_of_pieces():
    goal = {
        "held_for": {
            "goal": {"has_state": {"object": "jug", "state": "is_open", "equals": False}},
            "seconds": 60,
        }
    }
    played = done(episode(goal=goal), *EXPLORED, "CLOSE jug", "WAIT 40", "OPEN jug", "CLOSE jug")
    done(played, "WAIT 40")
    assert not played.verdict.now
    done(played, "WAIT 10")
    assert not played.verdict.now
    done(played, "WAIT 10")
    assert played.verdict.now
