"""Small scenes in which numbers change by themselves, a few things each, one for every kind of law.

Heat capacities are small, so that a minute is long.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from earsim import Engine, Episode
from earsim.schema import Scenario

Spec = dict[str, Any]

ROOMS = [
    {"id": "kitchen", "temperature_c": 21.0},
    {"id": "yard", "temperature_c": -8.0, "connects": ["kitchen"]},
]


def thing(node: str, place: str = "kitchen", *processes: Spec, **more: Any) -> Spec:
    """An item of a kilogram, unless it says otherwise."""
    relation = "in" if place in ("kitchen", "yard") else more.pop("relation", "on")
    spec = {"id": node, "kind": "item", "mass_kg": 1.0, relation: place, **more}
    return {**spec, "processes": list(processes)} if processes else spec


def heat(capacity_jpk: float, **how: float) -> Spec:
    return {"heat": {"heat_capacity_jpk": capacity_jpk, **how}}


def state(name: str, of: str, **bound: float) -> Spec:
    return {"state": {"name": name, "of": of, **bound}}


def crossing(of: str, sets: dict[str, bool], **bound: float) -> Spec:
    return {"crossing": {"of": of, "sets": sets, **bound}}


def _cooling() -> list[Spec]:
    """A cup that cools, in either room; a badge on it follows a mark."""
    warm = state("is_warm", "temperature_c", at_least=60.0)
    cold = crossing("temperature_c", {"is_alarmed": True}, at_most=35.0)
    cup = heat(150.0, conductance_wpk=1.2), warm, cold
    states = {"is_warm": True, "is_alarmed": False}
    bare = heat(90.0, area_m2=0.05), {"heats": {"power_w": 15.0, "while": {"is_on": True}}}
    return [
        thing("cup", "kitchen", *cup, temperature_c=80.0, states=states),
        thing("iron", "kitchen", *bare, temperature_c=21.0, states={"is_on": False}),
    ]


def _fridge() -> list[Spec]:
    """A compartment that is cooled, with two vials; the lighter one only follows."""
    cooled = {"heats": {"power_w": -30.0, "while": {"is_on": True}}}
    air = {"compartment": {"air_jpk": 300.0, "wall_wpk": 1.2, "open_wpk": 6.0}}
    return [
        thing("fridge", "kitchen", air, cooled, kind="furniture", mass_kg=60.0, container={},
              temperature_c=5.0, states={"is_open": True, "is_on": True}),
        thing("vial", "fridge", heat(84.0, conductance_wpk=0.5), relation="in", temperature_c=21.0),
        thing("dish", "fridge", heat(40.0, area_m2=0.04), relation="in", temperature_c=30.0),
        thing("table", "kitchen", kind="furniture", mass_kg=30.0),
    ]  # fmt: skip


def _box() -> list[Spec]:
    """An insulated box beside a burner that gives its power to what stands on it."""
    box = {"insulation": {"wpm2k": 0.5}}
    return [
        thing("box", "kitchen", box, container={}, states={"is_open": True}),
        thing("flask", "box", heat(60.0, area_m2=0.06), relation="in", temperature_c=2.0),
        thing("burner", "kitchen", {"heats": {"power_w": 30.0, "to": "on",
              "while": {"is_on": True}}}, states={"is_on": True}),
        thing("pan", "burner", heat(80.0, area_m2=0.05), temperature_c=20.0),
    ]  # fmt: skip


def _plate() -> list[Spec]:
    """A plate that switches itself, with a pot on it; and a stone, which may be put there too."""
    plate = (
        heat(400.0, conductance_wpk=1.0),
        {"heats": {"power_w": 150.0, "while": {"is_on": True}}},
        crossing("temperature_c", {"is_on": False}, at_least=90.0),
        crossing("temperature_c", {"is_on": True}, at_most=70.0),
    )
    return [
        thing("plate", "kitchen", *plate, temperature_c=25.0, states={"is_on": True}),
        thing("pot", "plate", heat(300.0, area_m2=0.05), temperature_c=15.0),
        thing("stone", "kitchen", heat(120.0, area_m2=0.02), temperature_c=60.0),
    ]


def _ice() -> list[Spec]:
    """A pack that melts in the kitchen and freezes in the yard."""
    solid = state("is_frozen", "melted_percent", at_most=50.0)
    pack = heat(40.0, conductance_wpk=1.0), {"phase": {"at_c": 0.0, "latent_j": 700.0}}, solid
    return [thing("pack", "yard", *pack, temperature_c=-5.0, states={"is_frozen": True})]


def _kettle() -> list[Spec]:
    """A kettle that boils dry, a cup beside it, a tap and a sink."""
    kettle = (
        {"heat": {"material": "steel", "area_m2": 0.08}},
        {"heats": {"power_w": 2000.0, "while": {"is_on": True}}},
        {"boils": {"substance": "water", "latent_jpkg": 1.2e6}},
        state("is_boiling", "temperature_c", at_least=100.0),
    )
    return [
        thing("sink", "kitchen", kind="furniture", source="water", drains=True, temperature_c=12.0),
        thing("kettle", "kitchen", *kettle, mass_kg=0.4, temperature_c=70.0,
              container={"capacity_l": 0.3}, liquids={"water": 0.08},
              states={"is_on": True, "is_boiling": False},
              marks=[{"name": "half", "of": "content_l", "at": 0.15}]),
        thing("cup", "kitchen", {"heat": {"material": "ceramic", "area_m2": 0.03}},
              mass_kg=0.1, temperature_c=20.0, container={"capacity_l": 0.1}, liquids={},
              marks=[{"name": "line", "of": "content_l", "at": 0.05}]),
    ]  # fmt: skip


def _hob() -> list[Spec]:
    """A pot that boils on a plate for as long as that is hot,."""
    plate = {"heats": {"power_w": 900.0, "while": {"is_on": True}}}
    pot = {"heat": {"material": "steel", "area_m2": 0.15}}
    return [
        thing("plate", "kitchen", heat(200.0, conductance_wpk=1.0), plate, temperature_c=140.0,
              states={"is_on": True}),
        thing("pot", "plate", pot, {"boils": {"substance": "water", "latent_jpkg": 4e5}},
              temperature_c=97.0, container={"capacity_l": 1.0}, liquids={"water": 0.1}),
    ]  # fmt: skip


def _icebox() -> list[Spec]:
    """A box that a melting pack keeps cold, with a vial."""
    air = {"compartment": {"air_jpk": 60.0, "wall_wpk": 0.8, "open_wpk": 4.0}}
    pack = heat(40.0, conductance_wpk=1.5), {"phase": {"at_c": 0.0, "latent_j": 1200.0}}
    return [
        thing("chest", "kitchen", air, temperature_c=9.0, container={}, states={"is_open": False}),
        thing("pack", "chest", *pack, relation="in", temperature_c=-4.0),
        thing("vial", "chest", heat(30.0, conductance_wpk=0.4), relation="in", temperature_c=8.0),
    ]


def _tanks() -> list[Spec]:
    """A pump, an outlet under its own weight, a hose; a bowl that runs over."""
    weight = {"hole_m2": 2e-4, "area_m2": 0.02, "while": {"is_open": True}, "of": "valve"}
    pump = {"from": "butt", "to": "vat", "lpm": 6.0, "while": {"is_on": True}}
    return [
        thing("butt", "kitchen", kind="furniture", mass_kg=20.0, container={"capacity_l": 30.0},
              liquids={"water": 4.0, "oil": 2.0}),
        thing("pump", "kitchen", {"flow": pump}, states={"is_on": True}),
        thing("vat", "kitchen", container={"capacity_l": 3.0}, liquids={"water": 1.0}),
        thing("tank", "kitchen", {"flow": weight}, kind="furniture", mass_kg=9.0,
              container={"capacity_l": 5.0}, liquids={"water": 3.0}, fittings={"hose": 1}),
        thing("valve", "kitchen", states={"is_open": False}),
        thing("hose", "kitchen", fittings={"hose": 2}),
        thing("bowl", "kitchen", container={"capacity_l": 2.0}, liquids={}, fittings={"hose": 1}),
        thing("jug", "kitchen", container={"capacity_l": 1.0}, liquids={"oil": 0.5}),
        thing("tap", "kitchen", {"flow": {"lpm": 12.0, "to": "bowl", "from": "tap",
              "while": {"is_running": True}}}, kind="furniture", source="water",
              states={"is_running": False}),
        thing("gully", "kitchen", kind="furniture", drains=True),
    ]  # fmt: skip


def _battery() -> list[Spec]:
    """A lamp with a battery, charged at a socket that has a switch of its own."""
    lamp = (
        {"discharge": {"power_w": 40.0, "while": {"is_on": True}}},
        {"charge": {"percent_ph": 7200.0, "while": {"is_plugged_in": True}}},
        state("is_low", "charge_percent", at_most=20.0),
    )
    return [
        thing("lamp", "kitchen", *lamp, charge_percent=60.0, capacity_wh=1.0,
              fittings={"mains": 1},
              states={"is_on": True, "is_low": False, "is_plugged_in": False}),
        thing("socket", "kitchen", kind="furniture", fittings={"mains": 1}, supplies=["mains"],
              needs=["is_on"], states={"is_on": True}),
    ]  # fmt: skip


def _stove() -> list[Spec]:
    """A stove whose burner has fuel, and a pot on it."""
    burns = {"burns": {"substance": "petrol", "kgph": 3.6, "while": {"is_on": True}}}
    heats = {"heats": {"power_w": 60.0, "of": "burner", "while": {"is_on": True}}}
    return [
        thing("stove", "kitchen", heat(500.0, area_m2=0.1), heats, temperature_c=21.0),
        thing("burner", "kitchen", burns, container={"capacity_l": 1.0},
              liquids={"petrol": 0.05}, states={"is_on": True}),
        thing("pot", "stove", heat(200.0, area_m2=0.04), temperature_c=21.0),
        thing("can", "kitchen", container={"capacity_l": 2.0}, liquids={"petrol": 0.02}),
    ]  # fmt: skip


def _laundry() -> list[Spec]:
    """Cloths that dry: one with a wet surface at first, one that a fan has to dry."""
    wet = {"equilibrium_ratio": 0.1, "critical_ratio": 0.6, "rate_ph": 20.0}
    damp = {"equilibrium_ratio": 0.05, "k_ph": 60.0, "while": {"is_on": True}, "of": "fan"}
    return [
        thing("cloth", "kitchen", {"drying": wet}, state("is_dry", "moisture_ratio", at_most=0.2),
              moisture_ratio=0.9, states={"is_dry": False}),
        thing("grain", "kitchen", {"drying": damp}, moisture_ratio=0.4),
        thing("fan", "kitchen", states={"is_on": False}),
    ]  # fmt: skip


SCENES = {
    "cooling": _cooling,
    "fridge": _fridge,
    "box": _box,
    "plate": _plate,
    "ice": _ice,
    "kettle": _kettle,
    "hob": _hob,
    "icebox": _icebox,
    "tanks": _tanks,
    "battery": _battery,
    "stove": _stove,
    "laundry": _laundry,
}

ANYTHING = {"any": []}


def scenario(
    objects: list[Spec],
    *,
    agents: int = 1,
    goal: Spec | None = None,
    rooms: list[Spec] | None = None,
    hands: int = 2,
    knowledge: str = "shared",
    **scene: Any,
) -> Scenario:
    """A task in a scene of these objects."""
    names = ("ada", "bo", "cy")[:agents]
    return Scenario.model_validate(
        {
            "schema": "earsim.scenario/1",
            "id": "small",
            "ruleset": "physical",
            "knowledge": knowledge,
            "scene": {"id": "small", "rooms": rooms or ROOMS, "objects": objects, **scene},
            "agents": [{"id": name, "max_mass_kg": 40.0, "hands": hands} for name in names],
            "task": {
                "id": "wait",
                "category": "direct_command",
                "instruction": "-",
                "goal": goal or ANYTHING,
            },
        }
    )


def scene(name: str) -> Scenario:
    """One of `SCENES`."""
    return scenario(SCENES[name]())


def on_a_counter(specs: list[Spec]) -> list[Spec]:
    """The same things within reach of each other: on a counter in the kitchen."""
    counter = thing("counter", "kitchen", kind="furniture", mass_kg=90.0)
    for spec in specs:
        if spec.get("in") == "kitchen":
            del spec["in"]
            spec["on"] = "counter"
    return [counter, *specs]


def of_any_verb(rng: Random, offered: Sequence[str]) -> str:
    """A command of a list; every verb is as likely, for walks and waits are many."""
    by_verb: dict[str, list[str]] = {}
    for command in offered:
        by_verb.setdefault(command.split()[0], []).append(command)
    verbs = [verb for verb in by_verb if verb not in ("DONE", "LOOK", "EXPLORE")]
    return rng.choice(by_verb[rng.choice(verbs)])


def episode(played: Scenario) -> Episode:
    """Begun, with everybody knowing all that is in the open."""
    begun = Episode(Engine(played), budget=10**6)
    begun.step(dict.fromkeys(begun.agents, "EXPLORE"))
    return begun
