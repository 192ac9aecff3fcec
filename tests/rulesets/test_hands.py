"""What fills hands, what a way has to be wide for, and what a tool in hand may be used for."""

from typing import Any

import pytest

from earsim import Engine
from earsim.actions.outcome import Reason
from earsim.episode import Episode
from earsim.schema import SceneFile
from earsim.world.hands import rolled_by, widest_in_hand
from tests.world.small import content, done, episode, thing

ADA = {"id": "ada", "max_mass_kg": 40.0}
BO = {"id": "bo", "max_mass_kg": 40.0}
SOFA = thing("sofa", kind="furniture", mass_kg=70.0, size_m=[2.0, 0.9, 0.8])


def carrying(hands: int, *objects: Any) -> Episode:
    """Two agents who carry a sofa together."""
    played = episode(SOFA, *objects, agents=[ADA | {"hands": hands}, BO | {"hands": hands}])
    done(played, "EXPLORE", "GOTO sofa")
    done(played, "GOTO sofa", agent="bo")
    outcomes = played.step(dict.fromkeys(("ada", "bo"), "CORP_GRAB sofa")).outcomes
    assert outcomes["ada"].reason is None
    return played


def test_a_load_carried_together_takes_one_hand():
    lamp = thing("lamp", on="sofa", states={"is_on": False})
    done(carrying(2, lamp), "TURN_ON lamp")
    refused = carrying(1, lamp).step({"ada": "TURN_ON lamp"}).outcomes["ada"]
    assert refused.reason is Reason.HANDS_FULL
    assert refused.facts == {"agent": "ada", "held": 1, "hands": 1}


def test_a_decision_tells_what_each_gave_and_what_came_of_it():
    played = carrying(1, thing("cup", on="sofa"))
    given = {"ada": "GRAB cup", "bo": "CORP_GOTO nowhere"}
    decision = played.step(given)
    assert sorted(decision.executed) == sorted(given.items())
    refused = decision.outcomes["ada"]
    assert refused.to_json() == {
        "agent": "ada",
        "command": "GRAB cup",
        "verb": "GRAB",
        "status": refused.status.value,
        "reason": "coop_lock",
        "facts": dict(refused.facts),
    }
    released = played.step({"ada": "LOOK"}).outcomes["ada"]
    assert (released.to_json()["status"], released.to_json()["reason"]) == ("SUCCESS", None)


def test_who_carries_with_others_takes_nothing_else():
    refused = carrying(2, thing("cup", on="sofa")).step({"ada": "GRAB cup"}).outcomes["ada"]
    assert refused.reason is Reason.COOP_LOCK


@pytest.mark.parametrize(("looks", "comes_to"), [("ada", "attic"), ("bo", "shed")])
def test_who_carry_together_take_the_way_that_the_first_of_them_thinks_free(looks, comes_to):
    """Up a closed hatch or the long way round; one of them has seen that it is closed."""
    ways = {"hall": ["stairs", "shed"], "stairs": ["loft"], "loft": ["attic"], "shed": []}
    file = content(
        SOFA,
        agents=[ADA, BO],
        rooms=[{"id": room, "connects": ends} for room, ends in (ways | {"attic": []}).items()],
        doors=[{"id": "hatch", "between": ["shed", "attic"], "states": {"is_open": False}}],
    )
    file["tasks"][0]["knowledge"] = "own"
    (scenario,) = SceneFile.model_validate(file).scenarios()
    played = Episode(Engine(scenario), budget=10**6)
    done(played, "GOTO shed", "EXPLORE", "GOTO hall", agent=looks)
    both = ("EXPLORE", "GOTO sofa", "CORP_GRAB sofa", "CORP_GOTO attic")
    for command in both:
        outcomes = played.step(dict.fromkeys(("ada", "bo"), command)).outcomes
        assert {each.reason for each in outcomes.values()} == {None}
    assert {agent.room for agent in played.world.agents.values()} == {comes_to}


def test_hands_hold_as_many_things_as_there_are():
    played = episode(thing("cup"), thing("pen"), agents=[ADA | {"hands": 1}])
    done(played, "EXPLORE", "GOTO cup", "GRAB cup", "GOTO pen")
    refused = played.step({"ada": "GRAB pen"}).outcomes["ada"]
    assert refused.reason is Reason.HANDS_FULL
    assert refused.facts == {"agent": "ada", "held": 1, "hands": 1}


def test_the_widest_of_what_is_carried_decides():
    rods = [thing("rod", size_m=[0.5, 0.3, 0.1]), thing("board", size_m=[0.6, 0.2, 0.2])]
    played = episode(*rods, thing("note"), agents=[ADA | {"hands": 3}])
    done(played, "EXPLORE", "GOTO board", "GRAB board", "GOTO note", "GRAB note")
    assert widest_in_hand(played.world, "ada") == ("board", 0.2)
    done(played, "GOTO rod", "GRAB rod")
    assert widest_in_hand(played.world, "ada") == ("rod", 0.3)
    assert widest_in_hand(played.world, "ada", {"board", "note"}) == ("board", 0.2)
    assert widest_in_hand(played.world, "ada", {"note"}) == ("", 0.0)


def test_what_is_in_hand_beside_what_is_carried_together_counts_as_well():
    world = carrying(2, thing("board", size_m=[2.0, 1.5, 1.2])).world
    assert widest_in_hand(world, "bo") == ("sofa", 0.9)
    world.agents["ada"].inventory = ("board",)
    assert widest_in_hand(world, "bo") == ("board", 1.5)


def test_what_is_rolled():
    carts = [thing(id, wheels={}) for id in ("cart", "trolley")]
    played = episode(*carts, thing("cup"), agents=[ADA | {"hands": 3}])
    done(played, "EXPLORE", "GOTO cup", "GRAB cup")
    assert rolled_by(played.world, "ada") is None
    done(played, "GOTO cart", "GRAB cart")
    assert rolled_by(played.world, "ada") == "cart"
    assert rolled_by(played.world, "ada", {"cart"}) == "cart"
    assert rolled_by(played.world, "ada", {"trolley"}) is None
    assert rolled_by(episode(thing("cup")).world, "ada") is None


def test_a_state_is_changed_with_a_free_hand_or_with_the_tool_in_it():
    states = {"is_dirty": True, "is_on": False}
    played = episode(
        thing("pan", states=states),
        thing("rag", provides=["clean"]),
        thing("cup"),
        agents=[ADA | {"hands": 1}],
    )
    done(played, "EXPLORE", "GOTO cup", "GRAB cup", "GOTO pan")
    refused = played.step({"ada": "TURN_ON pan"}).outcomes["ada"]
    assert refused.reason is Reason.HANDS_FULL
    assert refused.facts == {"agent": "ada", "held": 1, "hands": 1}
    assert "TURN_ON pan" not in played.admissible("ada")
    done(played, "RELEASE cup", "TURN_ON pan", "GOTO rag", "GRAB rag", "GOTO pan", "CLEAN pan")
    assert "TURN_OFF pan" not in played.admissible("ada")


def test_with_full_hands_a_lock_is_listed_for_what_may_be_its_key():
    box = thing("box", container={}, states={"is_open": False, "is_locked": True}, key="pin")
    lamp = thing("lamp", states={"is_on": False})
    objects = [box, thing("pin"), thing("cup"), lamp]
    played = episode(*objects, agents=[ADA | {"hands": 1}])
    done(played, "EXPLORE", "GOTO cup", "GRAB cup", "GOTO lamp")
    assert "TURN_ON lamp" not in played.admissible("ada")
    done(played, "RELEASE cup", "GOTO pin", "GRAB pin", "GOTO box", "UNLOCK box")


def test_a_lock_near_is_listed_while_anything_is_in_hand():
    box = thing("box", on="table", container={}, states={"is_open": False, "is_locked": True})
    table = thing("table", kind="furniture")
    played = episode(table, box, thing("pin", on="table"))
    done(played, "EXPLORE", "GOTO box")
    assert "UNLOCK box" not in played.admissible("ada")
    done(played, "GRAB pin")
    assert "UNLOCK box" in played.admissible("ada")
    done(played, "PLACE pin on table")
    assert "UNLOCK box" not in played.admissible("ada")
