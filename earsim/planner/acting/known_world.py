"""The known world: a scenario restricted to what a team has perceived.

To plan with what is known, the ordinary planner is given a scenario in which everything unseen does
not exist. What it does not hold cannot be named, relied upon or peeked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from earsim.engine import Engine
from earsim.planner.acting.known_processes import known_timeline, with_known_processes
from earsim.planner.acting.subgoals import with_goal
from earsim.schema import Door, Goal, Scene, SceneObject
from earsim.schema.goal_tree import TRUE
from earsim.world import World
from earsim.world.containment import ancestors
from earsim.world.perceived import MASS
from earsim.world.reading import Reading

Lockable = TypeVar("Lockable", bound=Door | SceneObject)


def perceived(world: World) -> frozenset[str]:
    """The objects and doors that somebody of the team has perceived.

    What is in a hand has been, whatever the rules say of naming it (EAR-Bench 3.10), and so has
    what a perceived thing lies in or on.
    """
    found: set[str] = set().union(*world.known.values())
    for agent in world.agents.values():
        found.update(agent.inventory)
        if agent.carrying is not None:
            found.add(agent.carrying)
    things = world.blueprint.things
    for node in tuple(found):
        found.update(holder for holder in ancestors(world, node) if holder in things)
    return frozenset(found)


class KnownWorld:
    """The scenario as far as it has been perceived.

    Attributes:
        ids: the objects and doors in it.
        rules: what can be done with them; the goal of the task may speak of things unseen.
        unread: the numbers of known things that nobody has felt or measured: in `rules` these
            things weigh nothing, and do not have the others.
        sensed: the numbers that something known, or an agent, senses.
        live: what changes by itself in the scene as it is.
        first: the world as it was at the start, without the others. Whatever is known has been seen
            where it was before anybody moved or changed it.
    """

    def __init__(
        self,
        engine: Engine,
        ids: frozenset[str],
        hidden_kg: Mapping[str, float],
        readings: Mapping[str, Mapping[str, Reading]],
    ) -> None:
        """Leave out what is not perceived.

        Args:
            engine: the rules of the scenario as it is.
            ids: what is perceived.
            hidden_kg: by how much things turned out to weigh more than what is seen of them.
            readings: the numbers that were felt or measured.
        """
        self.ids = ids
        self.live = engine.blueprint.live
        self.unread = {
            node: names.difference(readings.get(node, ()))
            for node, names in engine.blueprint.hidden.items()
            if node in ids
        }
        things = engine.blueprint.things
        senses = [things[node].senses for node in ids if node in things]
        senses += [body.senses for body in engine.blueprint.bodies.values()]
        self.sensed = frozenset(name for each in senses for name in each)
        scene = _scene(engine, ids, hidden_kg)
        if self.unread:
            as_read = [_as_read(spec, self.unread, readings, hidden_kg) for spec in scene.objects]
            scene = scene.model_copy(update={"objects": tuple(as_read)})
        if engine.blueprint.live is not None:
            known = [
                with_known_processes(spec, ids, self.unread.get(spec.id, ()))
                for spec in scene.objects
            ]
            scene = scene.model_copy(update={"objects": tuple(known)})
        scenario = engine.scenario.model_copy(update={"scene": scene})
        self.rules = Engine(scenario, engine.ruleset)
        # Without the goal, whose selectors may have no answer among what is known.
        self.first = self.aiming_at(TRUE).start(discovered=True)

    def aiming_at(self, goal: Goal) -> Engine:
        """These rules with a goal; it names known ids alone, no selectors."""
        return with_goal(self.rules, goal)

    def view(self, world: World) -> World:
        """What is known of a world; the team has no secrets, so everybody knows all of it."""
        ids, blueprint = self.ids, self.first.blueprint
        seen = world.copy()
        seen.blueprint = blueprint
        seen.location = _among(ids, world.location)
        seen.contents = {
            holder: tuple([child for child in children if child in ids])
            for holder, children in world.contents.items()
            if holder in blueprint.rank
        }
        seen.states = _among(ids, world.states)
        seen.altered = _among(ids, world.altered)
        seen.jointly = _among(ids, world.jointly)
        seen.carriers = _among(ids, world.carriers)
        for agent in seen.agents.values():
            agent.near = frozenset(node for node in agent.near if node in blueprint.rank)
        seen.known = dict.fromkeys(world.agents, ids)
        seen.beliefs = {}
        if world.timeline is not None:
            seen.timeline = known_timeline(world.timeline, blueprint.live, ids)
        return seen


def _scene(engine: Engine, ids: frozenset[str], hidden_kg: Mapping[str, float]) -> Scene:
    scene = engine.scenario.scene
    known = [
        _relocked(thing, ids, scene).model_copy(
            update={"mass_kg": thing.mass_kg + hidden_kg.get(thing.id, 0.0)}
        )
        for thing in scene.objects
        if thing.id in ids
    ]
    update = {
        "objects": tuple(known),
        "doors": tuple(_relocked(door, ids, scene) for door in scene.doors if door.id in ids),
        "abilities": engine.blueprint.abilities,  # what one can do here is told from the start
    }
    return scene.model_copy(update=update)


def _as_read(
    thing: SceneObject,
    unread: Mapping[str, frozenset[str]],
    readings: Mapping[str, Mapping[str, Reading]],
    hidden_kg: Mapping[str, float],
) -> SceneObject:
    """A thing with those of its numbers that are perceived, as they showed."""
    if thing.id not in unread:
        return thing
    left_out = unread[thing.id]
    found = {name: value for name, value in thing.quantities.items() if name not in left_out}
    for name, reading in readings.get(thing.id, {}).items():
        if name in found:
            found[name] = reading.value
    update: dict[str, Any] = {"quantities": found}
    if MASS in left_out:
        update["mass_kg"] = hidden_kg.get(thing.id, 0.0)
    return thing.model_copy(update=update)


def _relocked(spec: Lockable, ids: frozenset[str], scene: Scene) -> Lockable:
    """A door or object, with what nobody ever has in hand for a key that nobody has seen."""
    if spec.key is None or spec.key in ids:
        return spec
    return cast("Lockable", spec.model_copy(update={"key": scene.rooms[0].id}))


def _among(ids: frozenset[str], facts: Mapping[str, Any]) -> dict[str, Any]:
    return {node: fact for node, fact in facts.items() if node in ids}
