"""Why a demonstrator gives a command: what is meant, the sub-goal, and what stands in its way.

Nobody has to be asked: the goal tells which thing the task means by which of its words, and what is
done next but one what the walking before it was for. What stands in the way is said as the style
`compact` says it, so that whoever learns the line can look it up. Each part of the line follows
from few words of the prompt and of the line itself. Only what the agents know is named. Where a
stray command has changed what the demonstrator meant to do, the line may be about what it does in
the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from earsim.envs.policy import Locations, Observation
from earsim.joint import is_joint, single
from earsim.schema.task_references import goal_references
from earsim_training.export.demonstrations.demonstration import DemonstrationTurn

_ON_THE_WAY = frozenset(("GOTO", "LOOK", "WAIT", "SAY", "CORP_GOTO"))
"""Verbs that are never what a plan is about."""

_LETS_THROUGH = frozenset(("OPEN", "UNLOCK"))
"""What one does to a door on the way to somewhere else."""


class _Command(NamedTuple):
    verb: str
    words: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> _Command:
        verb, *words = text.split() or [""]
        return cls(verb, tuple(words))

    @property
    def thing(self) -> str:
        """What it is done to; joint commands of `ear-bench` name the actors first."""
        at = len(self.words) in (2, 4) if is_joint(self.verb) else 0
        return self.words[at] if len(self.words) > at else ""

    @property
    def destination(self) -> str:
        """Where something is put; empty for other verbs."""
        return self.words[-1] if self.verb.endswith("PLACE") and self.words else ""


class _Purpose(NamedTuple):
    """What a command is for.

    Attributes:
        command: what is done in the end: EXPLORE for a search, DONE where to arrive is enough.
        place: the room that one walks to on the way; empty for none.
    """

    command: _Command
    place: str


class Rationale:
    """The reasons of one decision, by agent."""

    def __init__(self, turns: Sequence[DemonstrationTurn]) -> None:
        """Look at what was done.

        Args:
            turns: from this decision on.
        """
        self._turns = turns

    def of(self, agent: str, observations: Mapping[str, Observation]) -> str:
        """Why the agent gives its command; empty where nothing can be said."""
        reason = self._reason(agent, observations[agent])
        return "; ".join(filter(None, (_meant(observations[agent]), reason))) if reason else ""

    def _reason(self, agent: str, told: Observation) -> str:
        command = self._given(agent)
        if command is None:
            return ""
        if command.verb == "DONE":
            return "what the task asks for is true" if told.episode.success else "nothing is left"
        where = told.whereabouts
        purpose = self._purpose(agent, told)
        if command.verb == "WAIT":
            return "wait for the others"
        if purpose is not None and purpose.command.verb == "EXPLORE":
            return _search(purpose.place or told.episode.world.agents[agent].room, where)
        if purpose is None or not _is_known(purpose, told):
            return "look for what the task needs"
        aim = _aim(purpose, self._after(agent, purpose.command, told), told)
        obstacle = _obstacle(command, purpose, where, told)
        return f"{aim}; {obstacle}" if obstacle else aim

    def _given(self, agent: str) -> _Command | None:
        commands = self._turns[0].commands or {}
        return _Command.read(commands[agent]) if agent in commands else None

    def _purpose(self, agent: str, told: Observation) -> _Purpose | None:
        """What comes of it: the next thing that is done, rather than gone to or let through."""
        blueprint = told.episode.world.blueprint
        place, door = "", None
        for command in self._commands(agent):
            if command.verb.endswith("GOTO") and command.thing in blueprint.rooms:
                place = command.thing
            elif command.verb in _LETS_THROUGH and command.thing in blueprint.doors:
                door = command
            elif command.verb == "DONE" and not place and door is not None:
                return _Purpose(door, place)
            elif command.verb not in _ON_THE_WAY:
                return _Purpose(command, place)
        return None

    def _after(self, agent: str, purpose: _Command, told: Observation) -> _Command | None:
        """What is done later with what is taken in hand now, if it is known where that will be."""
        if purpose.verb != "GRAB":
            return None
        later = (c for c in self._commands(agent) if c.thing == purpose.thing)
        after = next((c for c in later if c.verb not in (*_ON_THE_WAY, "GRAB")), None)
        known = after is not None and _is_known(_Purpose(after, ""), told)
        return after if known else None

    def _commands(self, agent: str) -> Iterator[_Command]:
        """What the agent does; strays apart."""
        for turn in self._turns:
            text = None if turn.stray else (turn.commands or {}).get(agent)
            if text is not None:
                yield _Command.read(text)


def _meant(told: Observation) -> str:
    """`measuring jug is measuring_jug_1, hospital bed is not found`, in the order of the task.

    Nothing where things have to be compared: to say what is meant would be to give the answer away.
    """
    engine = told.episode.engine
    if engine.scenario.task.select:
        return ""
    instruction = engine.instruction.lower()
    known = told.episode.world.known[told.agent]
    found: dict[str, int] = {}
    for id in (reference.name for reference in goal_references(engine.task.goal_tree)):
        if id in engine.blueprint.things:
            name = engine.blueprint.name(id).lower()
            place = re.search(rf"\b{re.escape(name)}\b", instruction)
            if place is not None:
                found[f"{name} is {id if id in known else 'not found'}"] = place.start()
    return ", ".join(sorted(found, key=lambda part: found[part]))


def _search(room: str, where: Locations) -> str:
    """`look in cellar behind hatch here`."""
    way = " here" if room == where.here else where.behind(room)
    return f"look in {room}{way}"


def _is_known(purpose: _Purpose, told: Observation) -> bool:
    world, command = told.episode.world, purpose.command
    known = {"", *world.known[told.agent], *world.blueprint.rooms, *world.agents}
    return {command.thing, command.destination} <= known and bool(command.thing or purpose.place)


def _aim(purpose: _Purpose, after: _Command | None, told: Observation) -> str:
    """The sub-goal: `bring cup_1 to table`, `clean cup_1`."""
    command = purpose.command
    if command.verb == "DONE":
        held = told.episode.world.agents[told.agent].inventory
        return f"bring {', '.join(held)} to {purpose.place}" if held else f"be in {purpose.place}"
    if command.destination:
        return f"put {command.thing} {' '.join(command.words[-2:])}"
    if after is not None and after.destination:
        return f"bring {command.thing} to {after.destination}"
    verb = single(command.verb).lower().replace("_", " ")
    return f"{'together ' if is_joint(command.verb) else ''}{verb} {command.thing}"


def _obstacle(command: _Command, purpose: _Purpose, where: Locations, told: Observation) -> str:
    """The constraint that the command answers; empty where it is the sub-goal itself."""
    if command == purpose.command:
        return _met(command, told)
    blueprint = told.episode.world.blueprint
    wanted = purpose.command.destination or purpose.command.thing or purpose.place
    if wanted in blueprint.rooms:
        way = where.behind(wanted)
        return f"{wanted}{way}" if way else ""
    return f"{wanted} {where.of(wanted)}" if wanted in blueprint.things else ""


def _met(command: _Command, told: Observation) -> str:
    """Why the sub-goal can be done now, where that took a tool or a partner."""
    world = told.episode.world
    if is_joint(command.verb):
        thing = world.blueprint.things.get(command.thing)
        limit = world.blueprint.bodies[told.agent].max_mass_kg
        if thing is not None and thing.mass_kg > limit:
            return f"{thing.mass_kg:g} kg is more than {limit:g} kg"
        return ""
    for tool in world.agents[told.agent].inventory:
        if command.verb.lower() in world.blueprint.things[tool].provides:
            return f"{tool} can {command.verb.lower()}"
    return ""
