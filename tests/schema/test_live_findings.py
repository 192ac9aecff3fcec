"""What of processes, vessels, fittings and marks cannot be is a finding, with place and fix."""

import json
from typing import Any

import pytest

from earsim.errors import FileError
from earsim.schema import parse

KETTLE = {
    "heat": {"material": "steel", "area_m2": 0.08},
    "heats": {"power_w": 2000.0, "while": {"is_on": True}},
    "boils": {"substance": "water"},
    "state": {"name": "is_hot", "of": "temperature_c", "at_least": 60.0},
    "crossing": {"of": "temperature_c", "at_least": 100.0, "sets": {"is_on": False}},
}


def thing(id: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "kind": "item", "in": "hall", "mass_kg": 1.0, **more}


def kettle(**more: Any) -> dict[str, Any]:
    """A vessel that is heated; `more` replaces its keys, or its processes by their law."""
    laws = {key: more.pop(key) for key in [*KETTLE, "phase", "compartment"] if key in more}
    laws = {key: law for key, law in {**KETTLE, **laws}.items() if law is not None}
    given = {
        "temperature_c": 20.0,
        "container": {"capacity_l": 1.7},
        "liquids": {"water": 1.0},
        "states": {"is_on": False, "is_hot": False},
        "processes": [{key: law} for key, law in laws.items()],
    }
    return thing("kettle", **{k: v for k, v in {**given, **more}.items() if v is not None})


def tank(id: str, *flows: Any, **more: Any) -> dict[str, Any]:
    given = {"container": {"capacity_l": 30.0}, "liquids": {"water": 20.0}}
    return thing(id, **{**given, "processes": [{"flow": flow} for flow in flows], **more})


def cell(*processes: Any, **more: Any) -> dict[str, Any]:
    given = {"charge_percent": 80.0, "capacity_wh": 50.0, "states": {"is_on": True}}
    given = {k: v for k, v in {**given, **more}.items() if v is not None}
    return thing("cell", processes=list(processes), **given)


def findings(*objects: Any, hall: Any = None, **more: Any) -> list[str]:
    rooms = [{"id": "hall", "temperature_c": 21.0, **({} if hall is None else hall)}]
    rooms = [{key: value for key, value in room.items() if value is not None} for room in rooms]
    scene = {"schema": "earsim.scene/1", "id": "s", "rooms": rooms, "objects": [*objects], **more}
    try:
        parse(json.dumps(scene), source="s.json", is_json=True)
    except FileError as error:
        return [str(finding).split(" ", 1)[1] for finding in error.findings]
    return []


SOUND = [
    kettle(),
    tank("tank", {"lpm": 6.0, "to": "tub", "of": "tap", "while": {"is_open": True}}),
    tank("tub", {"hole_m2": 1e-4, "area_m2": 0.05}, liquids={}),
    thing("tap", states={"is_open": False}),
    cell({"discharge": {"power_w": 15.0, "while": {"is_on": True}}}, {"charge": {"percent_ph": 9}}),
    thing(
        "towel", moisture_ratio=0.6, processes=[{"drying": {"equilibrium_ratio": 0.1, "k_ph": 2}}]
    ),
    thing("socket", fittings={"mains": 2}, supplies=["mains"]),
]


def test_a_sound_scene_has_no_findings() -> None:
    objects = [each for each in SOUND if each["id"] not in ("tank", "tub")]
    assert findings(*objects) == []
    (found,) = findings(*SOUND[1:4])
    assert found == (
        FLOW + ".to: 'tub' has a hole that empties it, and filling it is not modelled "
        "(lpm instead of hole_m2 of 'tub')"
    )


FLOW = "objects[0].processes[0].flow"
HEAT = "objects[0].processes[0].heat"


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        (
            {"heat": {"material": "steal", "area_m2": 0.1}},
            f"{HEAT}.material: unknown material 'steal' (did you mean 'steel'",
        ),
        (
            {"heat": {"material": "xyzzy", "area_m2": 0.1}},
            f"{HEAT}.material: unknown material 'xyzzy' (heat_capacity_jpk instead)",
        ),
        ({"mass_kg": 0.0}, f"{HEAT}: 'kettle' weighs nothing and so has no heat capacity"),
        ({"temperature_c": None}, f"{HEAT}: 'kettle' has no temperature_c"),
        (
            {"compartment": {"air_jpk": 1.0, "wall_wpk": 1.0}},
            "processes[5]: heat and compartment of 'kettle', which has one temperature",
        ),
        ({"heat": None}, "processes[0].heats: 'kettle' has no temperature to be heated"),
        ({"heat": None}, "processes[1].boils: 'kettle' has no heat to boils by"),
        ({"boils": {"substance": "watr"}}, "unknown substance 'watr' (did you mean 'water'"),
        ({"boils": {"substance": "water", "at_c": -300}}, "boils.at_c: -300 (expected greater"),
        ({"boils": {"substance": "water", "at_c": 10}}, "water of 20 °C, which boils at 10 °C"),
        ({"liquids": None}, "processes[2].boils: 'kettle' is no vessel, so nothing boils in it"),
        ({"phase": {"at_c": 30.0, "latent_j": 9.0}, "melted_percent": 40.0}, "40 % of 'kettle'"),
        ({"phase": {"at_c": -274.0, "latent_j": 9.0}}, "phase.at_c: -274"),
        ({"container": None}, "liquids: 'kettle' is no container (container: {capacity_l: 1.5}"),
        ({"container": {}}, "objects[0].container: 'kettle' has no capacity for liquids"),
        ({"liquids": {"water": 1.8}}, "liquids: 1.8 L in 'kettle', which holds 1.7 L (at most 1.7"),
        ({"liquids": {"Water": 1.0}}, "liquids.Water: unknown substance 'Water' (did you mean"),
        ({"liquids": {"ink": 1.0}}, "unknown substance 'ink' (one of 'substances' of the scene"),
        ({"source": "water"}, "source: 'kettle' is a vessel, and has 'source' as well"),
        ({"drains": True}, "drains: 'kettle' is a vessel, and has 'drains' as well"),
        ({"content_l": 3.0}, "objects[0].content_l: content_l follows from its liquids"),
        ({"water_kg": 3.0}, "objects[0].water_kg: water_kg follows from its liquids"),
        ({"state": {"name": "is_hoot", "of": "temperature_c", "at_least": 60.0}}, "'is_hoot'"),
        ({"states": {"is_on": False, "is_hot": "very"}}, "is_hot of 'kettle' is neither true nor"),
        (
            {"state": {"name": "is_hot", "of": "temperature", "at_least": 60.0}},
            "state.of: 'temperature' of 'kettle' does not change by itself (did you mean",
        ),
        (
            {"state": {"name": "is_hot", "of": "temperature_c", "at_most": -300.0}},
            "temperature_c of 'kettle' is never -300 (-273.15 or more)",
        ),
        (
            {"crossing": {"of": "charge_percent", "at_most": 0.0, "sets": {"is_on": False}}},
            "crossing.of: 'charge_percent' of 'kettle' does not change by itself",
        ),
        (
            {"crossing": {"of": "content_l", "at_most": 0.1, "sets": {"is_onn": False}}},
            "crossing.sets.is_onn: unknown state 'is_onn' of 'kettle' (did you mean 'is_on'",
        ),
        (
            {"crossing": {"of": "content_l", "at_most": 0.1, "sets": {"is_hot": False}}},
            "crossing.sets.is_hot: is_hot of 'kettle' follows from something else already",
        ),
        (
            {"heats": {"power_w": 9.0, "while": {"is_onn": True}}},
            "heats.while.is_onn: unknown state 'is_onn' of 'kettle' (did you mean 'is_on'",
        ),
        (
            {"heats": {"power_w": 9.0, "of": "swich"}},
            "heats.of: unknown object 'swich'",
        ),
        (
            {"marks": [{"name": "max", "of": "content_l", "at": 1.8}]},
            "marks[0]: content_l of 'kettle' is never 1.8 (0 to 1.7)",
        ),
        ({"marks": [{"name": "max", "of": "mass_kg", "at": 1}]}, "'mass_kg' of 'kettle' does not"),
        (
            {"marks": [{"name": "max", "of": "content_l", "at": x} for x in (1.0, 1.5)]},
            "marks[1].name: a second mark 'max' of 'kettle' (each name once)",
        ),
        (
            {"marks": [{"name": "is_on", "of": "content_l", "at": 1.0}]},
            "marks[0].name: 'is_on' is a state of 'kettle' (another name)",
        ),
        ({"fittings": {"mains": 1}, "supplies": ["main"]}, "supplies[0]: unknown fitting 'main'"),
    ],
)
def test_a_bad_kettle(changed: dict[str, Any], finding: str) -> None:
    found = findings(kettle(**changed))
    assert any(finding in each for each in found), found


@pytest.mark.parametrize(
    ("objects", "finding"),
    [
        ([kettle(processes=[{"heat": KETTLE["heat"]}] * 2)], "[1]: a second heat of 'kettle'"),
        (
            [thing("box", processes=[{"insulation": {}}])],
            "processes[0].insulation: 'box' is not a container",
        ),
        (
            [thing("box", container={}, processes=[{"insulation": {}}])],
            "processes[0].insulation: 'box' is never closed (a state is_open",
        ),
        (
            [
                thing(
                    "box",
                    temperature_c=4.0,
                    processes=[{"compartment": {"air_jpk": 1.0, "wall_wpk": 1.0}}],
                )
            ],
            "processes[0].compartment: 'box' is not a container",
        ),
        ([thing("pump", processes=[{"flow": {"lpm": 1.0}}])], "'pump' is no vessel and no source"),
        ([tank("a", {"lpm": 1.0, "from": "b"})], "flow.from: unknown object 'b'"),
        ([tank("a", {"lpm": 1.0, "to": "b"})], "flow.to: unknown object 'b'"),
        ([tank("a", {"lpm": 1.0, "to": "b"}), thing("b")], "'b' is no vessel and no drain"),
        ([tank("a", {"lpm": 1.0, "to": "a"})], "flow.to: flows from 'a' into itself"),
        (
            [thing("a", source="water", processes=[{"flow": {"hole_m2": 1.0, "area_m2": 1.0}}])],
            "flow.hole_m2: 'a' is a source without end",
        ),
        (
            [tank("a", {"lpm": 1.0, "to": "kettle"}), kettle()],
            "flow.to: what comes into 'kettle' changes its heat, which is not modelled",
        ),
        (
            [tank("a", {"lpm": 1.0, "from": "kettle"}), kettle()],
            "flow: what leaves 'kettle' changes its heat capacity, which is not modelled",
        ),
        (
            [
                tank("a", {"lpm": 1.0}, fittings={"hose": 1}),
                thing("hose", fittings={"hose": 2}),
                kettle(fittings={"hose": 1}),
            ],
            "objects[0].processes[0].flow: what comes into 'kettle' changes its heat",
        ),
        (
            [tank("a", {"lpm": 1.0, "to": "b"}, temperature_c=60.0), tank("b", temperature_c=40.0)],
            "flow.to: what comes from 'a' at 60 C into 'b' at 40 C changes its temperature, which",
        ),
        (
            [tank("a", {"lpm": 1.0, "to": "b"}), tank("b", temperature_c=40.0)],
            "flow.to: what comes from 'a' at 21 C into 'b' at 40 C changes its temperature, which",
        ),
        (
            [tank("a", {"hole_m2": 1e-4, "area_m2": 1.0}, {"lpm": 1.0})],
            "processes[1].flow: 'a' has a hole that empties it, and a second way out",
        ),
        (
            [thing("lamp", processes=[{"burns": {"substance": "oil", "kgph": 1.0}}])],
            "'lamp' is no vessel, so it has no fuel to burn",
        ),
        ([cell({"discharge": {"power_w": 1.0}}, capacity_wh=None)], "'cell' has no capacity_wh"),
        ([cell({"discharge": {"power_w": 1.0}}, capacity_wh=0.0)], "capacity_wh of 'cell' is 0"),
        ([cell({"charge": {"percent_ph": 1.0}}, charge_percent=None)], "no charge_percent"),
        ([cell({"charge": {"percent_ph": 1.0}}, charge_percent=101.0)], "is 101 (0 to 100)"),
        ([cell({"discharge": {"power_w": -1.0}})], "discharge.power_w: -1"),
        (
            [thing("rag", processes=[{"drying": {"equilibrium_ratio": 0.1, "k_ph": 1.0}}])],
            "processes[0].drying: 'rag' has no moisture_ratio",
        ),
        (
            [
                thing(
                    "rag",
                    moisture_ratio=0.05,
                    processes=[{"drying": {"equilibrium_ratio": 0.1, "k_ph": 1.0}}],
                )
            ],
            "moisture_ratio of 'rag' is 0.05, drier than it dries to",
        ),
        (
            [tank("a"), thing("b", states={"is_full": False})],
            "objects[1].states.is_full: the verb 'empty' of the table is not there",
        ),
    ],
)
def test_a_bad_process(objects: list[Any], finding: str) -> None:
    found = findings(*objects)
    assert any(finding in each for each in found), found


def test_bodies_need_rooms_with_a_temperature() -> None:
    (found,) = findings(kettle(), hall={"temperature_c": None})
    assert found == (
        "rooms[0]: no temperature_c, and 'kettle' exchanges heat with the room it is in "
        "(temperature_c: 21, for one)"
    )


def test_substances_are_declared_once_and_are_no_numbers() -> None:
    ink = {"id": "ink", "density_kgpl": 1.1, "specific_heat_jpkgk": 3900.0}
    assert findings(tank("a", liquids={"ink": 1.0}), substances=[ink]) == []
    found = findings(substances=[ink, ink, {**ink, "id": "content_l"}])
    assert "substances[1].id: 'ink' is substances[0] (each liquid once)" in found
    assert "substances[2].id: 'content_l' is the name of a number (the name of a liquid)" in found
    # What cannot be read is not called unknown as well.
    assert findings(tank("a", liquids={"ink": 1.0}), substances=[{**ink, "density_kgpl": 0}]) == [
        "substances[0].density_kgpl: 0 (expected greater than 0)"
    ]


def test_what_is_used_up_is_a_tool_and_nothing_else() -> None:
    rag = thing("rag", provides=["clean"], uses_count=3)
    assert findings(rag, uses_up={"clean": 1}) == []
    assert "unknown verb 'cleen'" in findings(rag, uses_up={"cleen": 1})[0]
    (found,) = findings({**rag, "container": {}}, uses_up={"clean": 1})
    assert found.startswith("objects[0].uses_count: 'rag' is used up, and is a container")
    (found,) = findings({**rag, "uses_count": 0.5}, uses_up={"clean": 1})
    assert found.startswith("objects[0].uses_count: 0.5 uses of 'rag'")


def test_verbs_of_liquids_and_hoses_take_the_names_of_verbs_of_the_table() -> None:
    (found,) = findings(tank("a"), abilities=["open", "pour"])
    assert found.startswith("abilities[1]: the verb 'pour' of the table is not there")
    joined = thing("b", states={"is_connected": False})
    assert findings(tank("a"), joined) == []
    assert len(findings(tank("a", fittings={"hose": 1}), joined)) == 2
    followed = {**joined, "fittings": {"hose": 1}}
    assert findings(followed) == [], "it follows from the hose"


@pytest.mark.parametrize("key", ["processes", "marks"])
def test_a_thing_has_no_more_than_a_hundred_of_a_kind(key):
    """A file of a megabyte would keep a scene busy for a minute."""
    mark = {"of": "content_l", "at": 1.0}
    many = {
        "processes": [{"flow": {"to": "sump", "lpm": 1.0 + n}} for n in range(101)],
        "marks": [{"name": f"m{n}", **mark} for n in range(101)],
    }
    sump = thing("sump", container={"capacity_l": 9.0}, liquids={})
    (finding,) = findings(tank("barrel", **{key: many[key]}), sump)
    assert key in finding
    assert "at most 100" in finding
    assert not findings(tank("barrel", **{key: many[key][:100]}), sump)


def test_a_flow_between_equal_temperatures_is_sound() -> None:
    level = {"lpm": 1.0, "to": "b"}
    assert findings(tank("a", level, temperature_c=40.0), tank("b", temperature_c=40.0)) == []
    assert findings(tank("a", level, temperature_c=60.0), tank("b")) == []
    assert findings(tank("a", level), tank("b", temperature_c=21.0)) == []
    round_about = tank("a", level) | {"in": None, "on": "b"}, tank("b", temperature_c=4.0, on="a")
    assert findings(*round_about) != []
