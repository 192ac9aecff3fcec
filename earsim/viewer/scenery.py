"""The map as data: what never changes of a scene, how it stands, and what a decision changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from earsim.world import Blueprint, World
from earsim.world.agent_state import AgentState
from earsim.world.consumables import GONE

State = dict[str, Any]
"""How a world stands: `at`, `states`, `agents` and `known`, each by id."""


def scenery(blueprint: Blueprint) -> dict[str, Any]:
    """Rooms, doors, objects and agents with what never changes of them, in file order."""
    return {
        "rooms": {
            room.id: {
                "name": room.name,
                "ways": [
                    {"room": way.room, "door": way.door} for way in blueprint.passages[room.id]
                ],
            }
            for room in blueprint.rooms.values()
        },
        "doors": {
            door.id: {"name": door.name, "between": list(door.between)}
            for door in blueprint.doors.values()
        },
        "things": {
            thing.id: {
                "name": thing.name,
                "furniture": thing.is_furniture,
                "mass_kg": thing.mass_kg,
                "provides": list(thing.provides),
            }
            for thing in blueprint.things.values()
        },
        "agents": {
            body.id: {"name": body.name, "hands": body.hands, "max_mass_kg": body.max_mass_kg}
            for body in blueprint.bodies.values()
        },
    }


def state_of(world: World) -> State:
    """How a world stands; shares nothing with it that could change."""
    rank = world.blueprint.rank
    return {
        "at": {id: [place.relation, place.holder] for id, place in world.location.items()},
        "states": {id: dict(states) for id, states in world.states.items() if states},
        "agents": {id: _agent(agent) for id, agent in world.agents.items()},
        "known": {
            agent: sorted(known, key=lambda id: rank.get(id, len(rank)))
            for agent, known in world.known.items()
        },
    }


def _agent(agent: AgentState) -> dict[str, Any]:
    return {
        "room": agent.room,
        "at": agent.focus,
        "hands": list(agent.inventory),
        "carrying": agent.carrying,
        "abilities": list(agent.abilities),
        "load_kg": round(agent.load, 6),
        "done": agent.idle,
    }


def changed(before: State, after: State) -> State:
    """What is to be replaced in `before` to have `after`; of `known`, what is new."""
    fresh = {
        agent: [id for id in ids if id not in known]
        for agent, ids in after["known"].items()
        for known in [frozenset(before["known"][agent])]
    }
    return {
        **{part: _unequal(before[part], after[part]) for part in ("at", "states", "agents")},
        "known": {agent: ids for agent, ids in fresh.items() if ids},
    }


def _unequal(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {id: value for id, value in after.items() if before.get(id) != value}


def told(blueprint: Blueprint, before: State, after: State, *, shared: bool) -> Iterator[State]:
    """What a decision changed, each as a kind, the agent it befell (or None), an id and a sentence.

    Args:
        blueprint: names everything.
        before: how the world stood.
        after: how it stands.
        shared: whether the agents know everything together.
    """
    new = changed(before, after)
    for id, agent in new["agents"].items():
        yield from _told_of_agent(blueprint, id, before["agents"][id], agent)
    for id, place in new["at"].items():
        was = _place(blueprint, before["at"].get(id))
        yield _entry("moved", None, id, f"{blueprint.name(id)}: {was} → {_place(blueprint, place)}")
    for id, states in new["states"].items():
        old = before["states"].get(id, {})
        for key in sorted({*old, *states}):
            if old.get(key) != states.get(key):
                turned = f"{key} {_value(old.get(key))} → {_value(states.get(key))}"
                yield _entry("state", None, id, f"{blueprint.name(id)}: {turned}")
    found = list(new["known"].items())
    for agent, ids in found[:1] if shared else found:
        who = "All" if shared else blueprint.name(agent)
        names = ", ".join(map(blueprint.name, ids))
        yield _entry("found", None if shared else agent, "", f"{who} found {len(ids)}: {names}")


def _told_of_agent(blueprint: Blueprint, id: str, old: State, new: State) -> Iterator[State]:
    name = blueprint.name(id)
    if old["room"] != new["room"]:
        way = f"{blueprint.name(old['room'])} → {blueprint.name(new['room'])}"
        yield _entry("walked", id, id, f"{name}: {way}")
    for ability in new["abilities"]:
        if ability not in old["abilities"]:
            yield _entry("gained", id, id, f"{name} can now {ability}")
    for ability in old["abilities"]:
        if ability not in new["abilities"]:
            yield _entry("lost", id, id, f"{name} can no longer {ability}")
    if old["carrying"] != new["carrying"]:
        load = new["carrying"] or old["carrying"]
        does = "carries" if new["carrying"] else "no longer carries"
        yield _entry("carried", id, load, f"{name} {does} {blueprint.name(load)} with others")


def _entry(kind: str, agent: str | None, id: str, text: str) -> State:
    return {"kind": kind, "agent": agent, "id": id, "text": text}


def _place(blueprint: Blueprint, place: list[str] | None) -> str:
    if place is None:
        return "nowhere"
    relation, holder = place
    if relation == GONE.relation:
        return "used up"
    word = {"held": "held by", "carried": "carried by"}.get(relation, relation)
    return f"{word} {blueprint.name(holder)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unset" if value is None else str(value)
