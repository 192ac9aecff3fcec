"""Tiny scenarios for learners: go to the box that is told, and open it."""

from earsim.schema import Scenario

NAMES = ("Red box", "Green trunk", "Wooden case", "Linen chest", "Tin can")


def box_scenario(told: str, *, prefix: str = "") -> Scenario:
    """A room with five boxes, of which one is to be opened; `prefix` begins every id."""
    ids = {name: f"{prefix}box_{at}" for at, name in enumerate(NAMES)}
    objects = [
        {
            "id": id_,
            "name": name,
            "kind": "furniture",
            "in": f"{prefix}room",
            "mass_kg": 20,
            "container": {},
            "states": {"is_open": False},
        }
        for name, id_ in ids.items()
    ]
    scene = {"id": "boxes", "rooms": [{"id": f"{prefix}room", "name": "Room"}], "objects": objects}
    return Scenario.model_validate(
        {
            "id": f"boxes/{ids[told]}",
            "scene": {"schema": "earsim.scene/1", **scene},
            "agents": [{"id": f"{prefix}robin", "name": "Robin", "max_mass_kg": 20, "hands": 2}],
            "task": {
                "id": ids[told],
                "category": "direct_command",
                "instruction": f"Please open the {told.lower()}.",
                "goal": {"has_state": {"object": ids[told], "state": "is_open"}},
                "budget": 8,
            },
        }
    )


def box_scenarios() -> tuple[Scenario, ...]:
    return tuple(box_scenario(name) for name in NAMES)
