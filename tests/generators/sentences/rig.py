"""A small place to tell tasks in, and every way in which something may be told."""

from __future__ import annotations

from random import Random
from typing import Any

from pydantic import TypeAdapter

from earsim.goals.selectors import answers
from earsim.schema import AgentSpec, Goal, Scene
from earsim.schema.selector import Selector
from earsim.world import Blueprint, Physics, World
from earsim_generators.language import Realiser, RealiserContext

CANS = [
    {"id": "can_1", "name": "Oil can", "kind": "item", "on": "bench", "mass_kg": 1.2,
     "age_years": 3, "price_eur": 4, "states": {"is_dirty": False, "is_polished": False},
     "attributes": {"color": "red"}},
    {"id": "can_2", "name": "Oil can", "kind": "item", "on": "shelf", "mass_kg": 2.4,
     "age_years": 8, "price_eur": 7, "states": {"is_dirty": True, "is_polished": True},
     "attributes": {"color": "green"}},
    {"id": "can_3", "name": "Oil can", "kind": "item", "in": "crate", "mass_kg": 3.6,
     "age_years": 5, "price_eur": 9, "states": {"is_dirty": True, "is_polished": True},
     "attributes": {"color": "green"}},
]  # fmt: skip

SCENE = Scene.model_validate(
    {
        "id": "depot",
        "rooms": [
            {"id": "yard", "name": "Yard", "connects": ["hall", "landing"]},
            {"id": "hall", "name": "Machine hall"},
            {"id": "landing", "name": "Landing"},
        ],
        "objects": [
            {"id": "bench", "name": "Workbench", "kind": "furniture", "in": "hall", "mass_kg": 60},
            {"id": "shelf", "name": "Steel shelf", "kind": "furniture", "in": "yard",
             "mass_kg": 30},
            {"id": "shelf_2", "name": "Steel shelf", "kind": "furniture", "in": "hall",
             "mass_kg": 35},
            {"id": "crate", "name": "Crate", "kind": "item", "in": "yard", "mass_kg": 9,
             "container": {}, "states": {"is_open": False}},
            *CANS,
            {"id": "anvil", "name": "Anvil", "kind": "item", "in": "yard", "mass_kg": 50},
            {"id": "saw", "name": "Saw", "kind": "item", "on": "bench", "mass_kg": 1,
             "price_eur": 30, "states": {"is_broken": True, "is_on": True}},
            {"id": "pliers", "name": "Pliers", "kind": "item", "on": "bench", "mass_kg": 0.3,
             "price_eur": 6},
            {"id": "pump", "name": "Foot pump", "kind": "item", "in": "landing", "mass_kg": 2},
            {"id": "tin", "name": "Biscuit tin", "kind": "item", "in": "landing", "mass_kg": 0.4,
             "container": {}, "states": {"is_open": True}},
            {"id": "gauge", "name": "Gauge", "kind": "item", "on": "shelf", "mass_kg": 0.3,
             "price_eur": 12},
            {"id": "gauge_2", "name": "Gauge", "kind": "item", "in": "yard", "mass_kg": 0.2},
            {"id": "rag", "name": "Rag", "kind": "item", "on": "bench", "mass_kg": 0.1,
             "price_eur": 1, "provides": ["clean", "repair"]},
        ],
        "abilities": ["open", "close", "clean", "repair", "turn_off"],
    }
)  # fmt: skip
WORLD = World(Blueprint.compile(SCENE, ()), Physics())
SCENERY = RealiserContext(SCENE, SCENE.abilities or ())
ADA, BEN = (AgentSpec(id=name.lower(), name=name, max_mass_kg=30) for name in ("Ada", "Ben"))

_GOAL: TypeAdapter[Goal] = TypeAdapter(Goal)
_SELECTOR: TypeAdapter[Any] = TypeAdapter(Selector)


def tellings(
    *parts: Any,
    team: bool = False,
    jointly: tuple[str, ...] = (),
    seeds: range = range(200),
    **select: Any,
) -> set[str]:
    """Everything that is said of a goal with these parts."""
    goal = _GOAL.validate_python({"all": list(parts)})
    chosen = {name: _SELECTOR.validate_python(one) for name, one in select.items()}
    found = answers(chosen, WORLD)
    agents = (ADA, BEN) if team else (ADA,)
    return {
        Realiser(SCENERY, chosen, found, agents, jointly=jointly, rng=Random(f"told {seed}")).of(
            goal
        )
        for seed in seeds
    }


def on(what: str, where: str) -> dict[str, Any]:
    return {"at": {"object": what, "on": where}}


def inside(what: str, where: str) -> dict[str, Any]:
    return {"at": {"object": what, "in": where}}


def brought(what: str, room: str) -> dict[str, Any]:
    return {"inside_room": {"object": what, "room": room}}


def changed(what: str, state: str, value: bool) -> dict[str, Any]:
    return {"has_state": {"object": what, "state": state, "equals": value}}
