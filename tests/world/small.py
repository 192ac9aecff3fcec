"""Small scenes for tests of the world, from a few specifications of objects."""

from __future__ import annotations

from typing import Any

from earsim import Engine, Episode
from earsim.schema import Scene, SceneFile

Spec = dict[str, Any]


def thing(id: str, **more: Any) -> Spec:
    """An item of a kilogram in the hall, unless it says otherwise."""
    place = {} if "in" in more or "on" in more else {"in": "hall"}
    return {"id": id, "kind": "item", "mass_kg": 1.0, **place, **more}


def content(*objects: Spec, agents: Any = None, **more: Any) -> Spec:
    rooms = [{"id": "hall", "temperature_c": 20.0}]
    given = agents or [{"id": "ada", "max_mass_kg": 20.0}]
    task = {"id": "t", "category": "direct_command", "instruction": "-", "goal": {"any": []}}
    return {
        "schema": "earsim.scene/1",
        "id": "s",
        "rooms": rooms,
        "objects": list(objects),
        "tasks": [task | {"agents": given}],
        **more,
    }


def scene(*objects: Spec, **more: Any) -> Scene:
    made = content(*objects, **more)
    del made["tasks"]
    return Scene.model_validate(made)


def episode(*objects: Spec, **more: Any) -> Episode:
    (scenario,) = SceneFile.model_validate(content(*objects, **more)).scenarios()
    return Episode(Engine(scenario), budget=10**6)


def done(played: Episode, *commands: str, agent: str = "ada") -> Episode:
    """Each is accepted."""
    for command in commands:
        outcome = played.step({agent: command}).outcomes[agent]
        assert outcome.reason is None, outcome
    return played
