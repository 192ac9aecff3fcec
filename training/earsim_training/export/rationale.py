"""Why a demonstrator gives a command: the sub-goal that it serves, and what stands in its way.

Nobody has to be asked: what is done next but one tells what the walking and searching before it was
for. Only what the agents know is named, so that the line can be written by whoever learns it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from earsim.envs.policy import Observation
from earsim_training.export.demonstration import Turn

_ON_THE_WAY = frozenset(("GOTO", "EXPLORE", "LOOK", "WAIT", "SAY", "CORP_GOTO"))
"""Verbs that are never what a plan is about."""


class _Command(NamedTuple):
    verb: str
    words: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> _Command:
        verb, *words = text.split() or [""]
        return cls(verb, tuple(words))

    @property
    def thing(self) -> str:
        """What it is done to; joint commands name the actors first."""
        at = 1 if self.verb.startswith("CORP_") else 0
        return self.words[at] if len(self.words) > at else ""

    @property
    def destination(self) -> str:
        """Where something is put; empty for other verbs."""
        return self.words[-1] if self.verb.endswith("PLACE") and self.words else ""


class Rationale:
    """The reasons of one demonstration, by decision and agent."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns

    def of(self, number: int, agent: str, observations: Mapping[str, Observation]) -> str:
        """Why the agent gives its command in this decision; empty where nothing can be said."""
        told = observations[agent]
        command = self._given(number, agent)
        if command is None:
            return ""
        if command.verb == "DONE":
            return "what the task asks for is true" if told.episode.success else "nothing is left"
        purpose = None if self._is_search(number, agent) else self._next(number, agent)
        if purpose is None or not _is_known(purpose, told):
            return f"look for what the task needs; {_obstacle(command, None, told)}"
        after = self._next(number + 1, agent, of=purpose.thing) if purpose.verb == "GRAB" else None
        aim = _aim(purpose, after if after is not None and _is_known(after, told) else None)
        obstacle = _obstacle(command, purpose, told)
        return f"{aim}; {obstacle}" if obstacle else aim

    def _given(self, number: int, agent: str) -> _Command | None:
        turn = self._turns[number] if number < len(self._turns) else Turn(None)
        commands = turn.commands or {}
        return _Command.read(commands[agent]) if agent in commands else None

    def _is_search(self, number: int, agent: str) -> bool:
        """Whether the agent explores, or goes to where it then explores."""
        given, then = (self._given(at, agent) for at in (number, number + 1))
        if given is not None and given.verb == "GOTO":
            return then is not None and then.verb == "EXPLORE"
        return given is not None and given.verb == "EXPLORE"

    def _next(self, number: int, agent: str, *, of: str = "") -> _Command | None:
        """The next thing that is done, rather than gone or looked for; perhaps only with `of`."""
        for turn in self._turns[number:]:
            text = None if turn.stray else (turn.commands or {}).get(agent)
            command = None if text is None else _Command.read(text)
            if command is None or command.verb in _ON_THE_WAY:
                continue
            if not of or (command.thing == of and command.verb != "GRAB"):
                return None if command.verb == "DONE" else command
        return None


def _is_known(command: _Command, told: Observation) -> bool:
    world = told.episode.world
    known = {*world.known[told.agent], *world.blueprint.rooms, *world.agents}
    return command.thing in known and (not command.destination or command.destination in known)


def _aim(purpose: _Command, after: _Command | None) -> str:
    """The sub-goal: `bring cup_1 to table`, `clean cup_1`."""
    if purpose.destination:
        return f"put {purpose.thing} {' '.join(purpose.words[-2:])}"
    if after is not None and after.destination:
        return f"bring {purpose.thing} to {after.destination}"
    verb = purpose.verb.removeprefix("CORP_").lower().replace("_", " ")
    return f"{'together ' if purpose.verb.startswith('CORP_') else ''}{verb} {purpose.thing}"


def _obstacle(command: _Command, purpose: _Command | None, told: Observation) -> str:
    """The constraint that the command answers; empty where it is the sub-goal itself."""
    world = told.episode.world
    if command == purpose:
        return _met(command, told)
    here = world.agents[told.agent].room
    if command.verb == "EXPLORE":
        return f"{here} is not searched"
    if command.verb in ("WAIT", "LOOK"):
        return "wait for the others"
    if not command.verb.endswith("GOTO") or purpose is None:
        return "go on to the next room" if command.verb.endswith("GOTO") else ""
    if command.thing not in world.blueprint.rooms:
        return f"walk up to {command.thing}"
    wanted = purpose.destination or purpose.thing
    room = world.room_of(wanted) if wanted not in world.blueprint.rooms else wanted
    return f"{wanted} is in {room}" if room == command.thing else f"the way is by {command.thing}"


def _met(command: _Command, told: Observation) -> str:
    """Why the sub-goal can be done now, where that took a tool or a partner."""
    world = told.episode.world
    if command.verb.startswith("CORP_"):
        thing = world.blueprint.things.get(command.thing)
        limit = world.blueprint.bodies[told.agent].max_mass_kg
        if thing is not None and thing.mass_kg > limit:
            return f"{thing.mass_kg:g} kg is more than {limit:g} kg"
        return ""
    for tool in world.agents[told.agent].inventory:
        if command.verb.lower() in world.blueprint.things[tool].provides:
            return f"{tool} can {command.verb.lower()}"
    return ""
