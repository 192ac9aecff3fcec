"""Liquids run through hoses and not through cables; what lies on a used up tool stays."""

from typing import Any

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.schema import SceneFile


def episode(*objects: Any, **more: Any) -> Episode:
    task = {
        "id": "t",
        "category": "direct_command",
        "instruction": "Wait.",
        "agents": [{"id": "ada", "max_mass_kg": 20.0}],
        "goal": {"clock": {"at_most": 1e6}},
    }
    rooms = [{"id": "hall", "temperature_c": 21.0}]
    scene = {"id": "s", "rooms": rooms, "objects": objects, "tasks": [task], **more}
    return Episode(Engine(SceneFile.model_validate(scene).scenarios()[0]))


def thing(id: str, **more: Any) -> dict[str, Any]:
    place = {} if "on" in more else {"in": "hall"}
    return {"id": id, "kind": "item", "mass_kg": 1.0, **place, **more}


def done(played: Episode, *commands: str) -> Episode:
    for command in commands:
        outcome = played.step({"ada": command}).outcomes["ada"]
        assert outcome.reason is None, outcome
    return played


def content_l(played: Episode, vessel: str) -> float:
    assert played.world.timeline is not None
    return played.world.timeline.value(vessel, "content_l")


def test_a_pump_in_a_socket_fills_nothing_else_that_is_plugged_in() -> None:
    tank = {"container": {"capacity_l": 30.0}, "kind": "furniture"}
    played = episode(
        thing("tank", liquids={"water": 20.0}, **tank),
        thing("tub", liquids={}, fittings={"mains": 1, "hose": 1}, **tank),
        thing("strip", fittings={"mains": 3}, supplies=["mains"]),
        thing(
            "pump",
            kind="furniture",
            fittings={"mains": 1, "hose": 1},
            processes=[{"flow": {"from": "tank", "lpm": 6.0}}],
        ),
        thing("hose", fittings={"hose": 2}),
    )
    done(played, "EXPLORE", "GOTO strip", "GRAB strip", "GOTO pump", "CONNECT pump strip")
    done(played, "GOTO tub", "CONNECT tub strip", "RELEASE strip", "WAIT 60")
    assert content_l(played, "tub") == 0.0
    done(played, "GOTO hose", "GRAB hose", "GOTO pump", "CONNECT hose pump", "GOTO tub")
    done(played, "CONNECT hose tub", "WAIT 30")
    assert content_l(played, "tub") == 3.5, "5 s pass while it is connected"


def test_what_lies_on_a_tool_that_is_used_up_lies_in_the_room() -> None:
    played = episode(
        thing("rag", provides=["clean"], uses_count=1.0),
        thing("cup", on="rag"),
        thing("pan", states={"is_dirty": True}),
        uses_up={"clean": 1},
    )
    done(played, "EXPLORE", "GOTO rag", "GRAB rag", "GOTO pan", "CLEAN pan", "GOTO cup", "GRAB cup")
    assert played.world.room_of("cup") == "hall"


def test_a_hose_leads_on_through_what_holds_nothing_to_the_first_that_does() -> None:
    """Of a coupling with several ends, the hose that was connected first."""
    tank = {"container": {"capacity_l": 30.0}, "kind": "furniture"}
    played = episode(
        thing("tank", liquids={"water": 20.0}, **tank),
        thing("tub", liquids={}, fittings={"hose": 1}, **tank),
        thing(
            "pump",
            kind="furniture",
            fittings={"hose": 1},
            processes=[{"flow": {"from": "tank", "lpm": 6.0}}],
        ),
        thing("coupling", fittings={"hose": 3}),
        thing("cap", fittings={"hose": 1}),
    )
    done(played, "EXPLORE", "GOTO coupling", "GRAB coupling", "GOTO tub", "CONNECT coupling tub")
    done(played, "GOTO cap", "CONNECT coupling cap", "GOTO pump", "CONNECT coupling pump")
    done(played, "WAIT 30")
    assert content_l(played, "tub") == 3.5, "5 s pass while it is connected"


def test_a_law_is_anchored_anew_only_where_its_coupling_changes() -> None:
    """So that however often something else is switched, the numbers are the same bits."""
    played = episode(
        thing(
            "cell",
            charge_percent=80.0,
            capacity_wh=50.0,
            states={"is_on": True},
            fittings={"mains": 1},
            processes=[{"discharge": {"power_w": 15.0, "while": {"is_on": True}}}],
        ),
        thing(
            "towel",
            moisture_ratio=0.6,
            processes=[{"drying": {"equilibrium_ratio": 0.1, "k_ph": 2.0}}],
        ),
        thing(
            "cup",
            temperature_c=80.0,
            processes=[{"heat": {"heat_capacity_jpk": 150.0, "conductance_wpk": 1.2}}],
        ),
        thing("tank", container={"capacity_l": 9.0}, liquids={"water": 5.0},
              processes=[{"flow": {"lpm": 0.1}}]),
        thing("lamp", states={"is_on": False}),
        thing("strip", fittings={"mains": 3}, supplies=["mains"]),
    )  # fmt: skip
    done(played, "EXPLORE", "GOTO cell", "GRAB cell", "GOTO strip", "CONNECT cell strip")
    timeline = played.world.timeline
    assert timeline is not None
    before = dict(timeline.laws)
    done(played, "WAIT 7", "GOTO lamp", "TURN_ON lamp", "WAIT 7", "TURN_OFF lamp")
    assert {key for key in before if timeline.laws[key] is not before[key]} == set()
    done(played, "TURN_OFF cell")
    changed = {key for key in before if timeline.laws[key] is not before[key]}
    assert changed == {("cell", "charge_percent")}


def test_a_tool_in_hand_is_good_for_nothing_once_it_has_grown_cold() -> None:
    iron = thing(
        "iron",
        provides=["solder"],
        needs=["is_hot"],
        states={"is_hot": True},
        temperature_c=100.0,
        processes=[
            {"heat": {"heat_capacity_jpk": 100.0, "conductance_wpk": 1.0}},
            {"state": {"name": "is_hot", "of": "temperature_c", "at_least": 60.0}},
        ],
    )
    played = done(episode(iron), "EXPLORE", "GOTO iron", "GRAB iron")
    assert played.world.agents["ada"].abilities == ("solder",)
    done(played, "WAIT 90")
    assert played.world.agents["ada"].abilities == ()


def test_a_tool_in_hand_is_good_for_nothing_once_its_battery_is_empty() -> None:
    """Nothing switches it off."""
    drill = thing(
        "drill",
        provides=["drill"],
        charge_percent=100.0,
        capacity_wh=1.0,
        processes=[{"discharge": {"power_w": 72.0}}],
    )
    played = done(episode(drill), "EXPLORE", "GOTO drill", "GRAB drill", "WAIT 30")
    assert played.world.agents["ada"].abilities == ("drill",)
    done(played, "WAIT 30")
    assert played.world.agents["ada"].abilities == ()
