"""Taking up and putting down in `physical`: loads are recomputed, and people stand somewhere."""

from __future__ import annotations

from collections.abc import Container

from earsim.world.agent_state import AgentState
from earsim.world.blueprint import HELD, Location
from earsim.world.loads import carried_mass, working_abilities
from earsim.world.proximity import open_to
from earsim.world.world import World

CARRIED = "carried"
"""Relation of an object to the first of those who carry it together."""


def in_hand(agent: AgentState) -> tuple[str, ...]:
    """What an agent holds, and what it carries with others."""
    carrying = agent.carrying
    return agent.inventory if carrying is None else (*agent.inventory, carrying)


def widest_in_hand(
    world: World, agent_id: str, among: Container[str] | None = None
) -> tuple[str, float]:
    """What decides how wide a way has to be for an agent and those it carries with, and how wide.

    Of each thing in their hands, at any depth but under no closed lid, it is the edge of middle
    length; the longest goes ahead. What has no size takes no width. With `among`, of these things
    only.
    """
    things = world.blueprint.things
    load, held = world.agents[agent_id].carrying, _held_by_team(world, agent_id)
    found = "", 0.0
    for node in open_to(world, held if load is None else [*held, load]):
        size = things[node].size_m
        if size is not None and (among is None or node in among):
            found = max(found, (node, sorted(size)[1]), key=lambda each: each[1])
    return found


def rolled_by(world: World, agent_id: str, among: Container[str] | None = None) -> str | None:
    """What an agent, or one of those it carries with, rolls: a thing with wheels in hand."""
    wheeled = world.blueprint.wheeled
    if not wheeled:
        return None
    rolled = [node for node in _held_by_team(world, agent_id) if node in wheeled]
    return next((node for node in rolled if among is None or node in among), None)


def _held_by_team(world: World, agent_id: str) -> list[str]:
    load = world.agents[agent_id].carrying
    team = (agent_id,) if load is None else world.carriers[load]
    return [node for one in team for node in world.agents[one].inventory]


def renew_abilities(world: World, agent_id: str) -> None:
    """Take note of what an agent's tools are good for now: one of them has changed."""
    world.agents[agent_id].abilities = working_abilities(world, agent_id)


def renew_load(world: World, agent_id: str) -> None:
    """Take note of what an agent's load weighs now: liquid has come into it, or gone."""
    agent, load = world.agents[agent_id], carried_mass(world, agent_id)
    if load != agent.load:
        agent.load = load
        world.touch(agent_id)


def take_up(world: World, agent_id: str, target: str) -> list[str]:
    """Put an object in an agent's hands; returns the abilities gained."""
    agent = world.agents[agent_id]
    before = agent.abilities
    leave_focus(world, target)
    agent.inventory = (*agent.inventory, target)
    agent.abilities = working_abilities(world, agent_id)
    world.move_object(target, Location(HELD, agent_id))
    agent.load = carried_mass(world, agent_id)
    return [ability for ability in agent.abilities if ability not in before]


def take_up_together(world: World, actors: tuple[str, ...], target: str) -> None:
    """Let several agents carry an object; it travels with the first in file order."""
    leave_focus(world, target)
    team = tuple([agent_id for agent_id in world.agents if agent_id in actors])
    world.carriers[target] = team
    world.move_object(target, Location(CARRIED, team[0]))
    for actor in team:
        world.agents[actor].carrying = target
        world.touch(actor)


def put_down(world: World, agent_id: str, target: str, relation: str, holder: str) -> list[str]:
    """Put a held or jointly carried object somewhere; returns the abilities lost by its holder."""
    agent = world.agents[agent_id]
    before = agent.abilities
    agent.inventory = tuple([held for held in agent.inventory if held != target])
    agent.abilities = working_abilities(world, agent_id)
    team = world.carriers.pop(target, ())
    world.move_object(target, Location(relation, holder))
    for actor in team:
        world.agents[actor].carrying = None
        world.touch(actor)
    agent.load = carried_mass(world, agent_id)
    if holder == agent.room:
        for actor in team or (agent_id,):
            if world.agents[actor].focus == holder:
                world.stand_at(actor, frozenset(), target)
    return [ability for ability in before if ability not in agent.abilities]


def hand_over(world: World, giver: str, receiver: str, target: str) -> tuple[list[str], list[str]]:
    """Put what one agent holds in the hands of another; the abilities lost, and those gained."""
    agent = world.agents[giver]
    before = agent.abilities
    agent.inventory = tuple([held for held in agent.inventory if held != target])
    agent.abilities = working_abilities(world, giver)
    gained = take_up(world, receiver, target)
    agent.load = carried_mass(world, giver)
    return [ability for ability in before if ability not in agent.abilities], gained


def leave_focus(world: World, target: str) -> None:
    """Who stood at an object that is taken away stands in the open."""
    for agent_id, agent in world.agents.items():
        if agent.focus == target:
            world.stand_at(agent_id, frozenset(), agent.room)
