"""Small scenes with live numbers, and goals about them, for the planner's tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.oracle import Oracle
from earsim.schema.scenario import SceneFile

Data = dict[str, Any]
ADA: Data = {"id": "ada", "max_mass_kg": 20.0}
BO: Data = {"id": "bo", "max_mass_kg": 20.0}


def engine(
    objects: Sequence[Data],
    goal: Data,
    *,
    rooms: Sequence[Data] = ({"id": "lab", "temperature_c": 21.0},),
    agents: Sequence[Data] = (ADA,),
    category: str = "direct_command",
    **scene: Any,
) -> Engine:
    """The engine of one task in a scene."""
    task = {"id": "t", "category": category, "instruction": "-", "agents": [*agents], "goal": goal}
    data = {"id": "live", "rooms": [*rooms], "objects": [*objects], "tasks": [task], **scene}
    return Engine(SceneFile.model_validate(data).scenarios()[0])


def number(node: str, of: str, **bounds: float) -> Data:
    """A goal about a number."""
    return {"quantity": {"object": node, "of": of, **bounds}}


def every(*parts: Data) -> Data:
    """All of several goals."""
    return {"all": [*parts]}


def is_so(node: str, state: str, value: bool = True) -> Data:
    """A goal about a state."""
    return {"has_state": {"object": node, "state": state, "equals": value}}


def held_for(seconds: float, goal: Data) -> Data:
    """A goal that lasts."""
    return {"held_for": {"goal": goal, "seconds": seconds}}


def thing(node: str, place: str = "bench", **fields: Any) -> Data:
    """An object of a kilogram on the bench."""
    held = {} if {"in", "on"} & fields.keys() else {"on": place}
    return {"id": node, "kind": "item", "mass_kg": 1.0, **held, **fields}


BENCH = {"id": "bench", "kind": "furniture", "in": "lab", "mass_kg": 60.0}
TAP = {
    "id": "tap",
    "kind": "furniture",
    "in": "lab",
    "mass_kg": 50.0,
    "source": "water",
    "temperature_c": 12.0,
    "drains": True,
}
OUTLET = {
    "id": "outlet",
    "kind": "furniture",
    "in": "lab",
    "mass_kg": 50.0,
    "fittings": {"mains": 1},
    "supplies": ["mains"],
}
KETTLE = thing(
    "kettle",
    temperature_c=20.0,
    container={"capacity_l": 1.7},
    liquids={},
    fittings={"mains": 1},
    needs=["is_plugged_in"],
    states={"is_on": False, "is_boiling": False, "is_plugged_in": False},
    processes=[
        {"heat": {"material": "steel", "area_m2": 0.08}},
        {"heats": {"power_w": 2000.0, "while": {"is_on": True}}},
        {"boils": {"substance": "water"}},
        {"state": {"name": "is_boiling", "of": "temperature_c", "at_least": 100.0}},
        {"crossing": {"of": "temperature_c", "at_least": 100.0, "sets": {"is_on": False}}},
    ],
)
KITCHEN = (BENCH, TAP, OUTLET, KETTLE)
HOT_WATER = every(
    number("kettle", "temperature_c", at_least=80.0), number("kettle", "water_kg", at_least=1.0)
)


def torch(charge_percent: float, **fields: Any) -> Data:
    """A torch of 10 Wh that takes 36 W: a percent lasts 10 s."""
    return thing(
        "torch",
        charge_percent=charge_percent,
        capacity_wh=10.0,
        states={"is_on": False, **fields.pop("states", {})},
        processes=[
            {"discharge": {"power_w": 36.0, "while": {"is_on": True}}},
            *fields.pop("processes", ()),
        ],
        **fields,
    )


def said(decisions: Sequence[Mapping[str, str]]) -> list[str]:
    """The commands of one agent's plan."""
    return [command for decision in decisions for command in decision.values()]


def played(rules: Engine, player: type[Oracle | Expert], budget: int = 40) -> Episode:
    """An episode that a planner plays to its end."""
    episode, acting = Episode(rules, budget=budget), player(rules)
    while not (episode.over or episode.truncated):
        decision = episode.step(acting.decide(episode.world))
        if isinstance(acting, Expert):
            acting.note(decision, episode.world)
    return episode
