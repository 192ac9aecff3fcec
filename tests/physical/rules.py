"""What `physical` allows: every check of the specification, over a picture of the facts."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import cached_property
from typing import Any

from earsim.schema import Door, Scenario, SceneObject
from earsim.schema.verb_table import AttributeVerb, verb_table
from tests.physical.picture import Picture, owners
from tests.physical.understanding import Command, Refused

MAX_MESSAGE = 280


class Rules:
    """The rules in one scenario; nothing in here changes."""

    def __init__(self, scenario: Scenario) -> None:
        scene = scenario.scene
        self.rooms = [room.id for room in scene.rooms]
        self.doors: dict[str, Door] = {door.id: door for door in scene.doors}
        self.things: dict[str, SceneObject] = {thing.id: thing for thing in scene.objects}
        self.agents = {agent.id: agent for agent in scenario.agents}
        self.channel = scenario.channel
        self.passages: list[tuple[str, str, str | None]] = [
            (room.id, other, None) for room in scene.rooms for other in room.connects
        ]
        self.passages += [(*door.between, door.id) for door in scene.doors]
        self.verbs = self._verbs(scene.abilities)

    @cached_property
    def alone(self) -> bool:
        return len(self.agents) == 1

    def _verbs(self, abilities: tuple[str, ...] | None) -> dict[str, AttributeVerb | None]:
        """Names of all verbs; attribute verbs with their row of the table."""
        nodes: list[SceneObject | Door] = [*self.things.values(), *self.doors.values()]
        states = {state for node in nodes for state in node.states}
        fitting = [row.name for row in verb_table().values() if row.attribute in states]
        rows = [verb_table()[name] for name in (fitting if abilities is None else abilities)]
        single: dict[str, AttributeVerb | None] = dict.fromkeys(
            ("GOTO", "GRAB", "PLACE", "RELEASE", "EXPLORE", "LOOK", "SAY", "WAIT", "DONE")
        )
        single |= {row.name.upper(): row for row in rows}
        if self.alone:
            return single
        joint = {"GOTO", "GRAB", "PLACE"} | {row.name.upper() for row in rows}
        return {**single, **{f"CORP_{verb}": single[verb] for verb in joint}}

    def _doors_of(self, room: str) -> list[str]:
        return [door.id for door in self.doors.values() if room in door.between]

    def check(self, now: Picture, agent: str, command: Command) -> None:
        """Raise the first objection of the rules."""
        if agent not in self.agents:
            raise Refused("no_such_agent")
        if agent in now.idle:
            raise Refused("idle")
        verb, target = command.verb, command.target
        if verb.startswith("CORP_"):
            self._check_team(now, agent, command.names)
        if verb == "PLACE" and not command.place:
            raise Refused("place_incomplete")
        looks_around = verb == "LOOK" and target.upper() in ("", "AROUND")
        if verb not in ("EXPLORE", "SAY", "WAIT", "DONE") and not looks_around:
            self._check_known(now, target)
        if command.place:
            self._check_known(now, command.place)
        if self.verbs[verb] is not None:
            self._check_attribute(now, agent, command)
        elif not looks_around and verb not in ("WAIT", "DONE"):
            getattr(self, f"_check_{verb.lower()}")(now, agent, command)

    def _check_goto(self, now: Picture, agent: str, command: Command) -> None:
        if now.carries(agent):
            raise Refused("coop_lock")
        self._check_way(now, agent, command.target)

    def _check_place(self, now: Picture, agent: str, command: Command) -> None:
        if now.carries(agent):
            raise Refused("coop_lock")
        if command.target not in now.held(agent):
            raise Refused("not_holding")
        if command.place in self.agents:
            raise Refused("not_container")
        self._check_near(now, agent, command.place)
        self._check_room_for(now, command)

    def _check_release(self, now: Picture, agent: str, command: Command) -> None:
        if command.target not in (*now.held(agent), now.carries(agent)):
            raise Refused("not_holding")

    def _check_explore(self, now: Picture, agent: str, command: Command) -> None:
        if command.target not in ("", now.room[agent]) and command.target.upper() != "THOROUGH":
            raise Refused("explore_other_room")

    def _check_say(self, now: Picture, agent: str, command: Command) -> None:
        if len(command.target) > MAX_MESSAGE:
            raise Refused("too_long")

    def _check_team(self, now: Picture, agent: str, names: tuple[str, ...]) -> None:
        if any(name not in self.agents for name in names):
            raise Refused("no_such_agent")
        if agent not in names:
            raise Refused("initiator_not_listed")
        if len(set(names)) < len(names) or len(names) < 2:
            raise Refused("too_few_partners")
        if any(name in now.idle for name in names):
            raise Refused("partner_busy")

    def _check_known(self, now: Picture, node: str) -> None:
        """Rooms, doors and agents are known; of things somebody on the team must know."""
        plain = node in self.rooms or node in self.doors or node in self.agents
        if not plain and not any((agent, node) in now.knows for agent in self.agents):
            raise Refused("undiscovered")

    def _is_near(self, now: Picture, agent: str, node: str) -> bool:
        focus, room = now.focus[agent], now.room[agent]
        at_focus = node == focus or (focus != room and now.is_inside(node, focus))
        return node == room or at_focus or agent in now.hands(node)

    def _check_near(self, now: Picture, agent: str, node: str) -> None:
        if not self._is_near(now, agent, node):
            raise Refused("not_near")
        if now.is_shut_in(node):
            raise Refused("closed_container")

    def _check_all_near(self, now: Picture, agent: str, names: tuple[str, ...], node: str) -> None:
        for name in names:
            if not self._is_near(now, name, node):
                raise Refused("not_near" if name == agent else "partner_far")
            if now.is_shut_in(node):
                raise Refused("closed_container")

    def _free_hands(self, now: Picture, agent: str) -> int:
        shared = now.carries(agent) is not None
        return self.agents[agent].hands - len(now.held(agent)) - shared

    def _mass(self, now: Picture, node: str) -> Decimal:
        """With everything inside."""
        inside = [other for other in self.things if other == node or now.is_inside(other, node)]
        return sum((_exact(self.things[other].mass_kg) for other in inside), Decimal(0))

    def load(self, now: Picture, agent: str) -> Decimal:
        """What an agent holds, in kg."""
        return sum((self._mass(now, node) for node in now.held(agent)), Decimal(0))

    def abilities(self, now: Picture, agent: str) -> set[str]:
        """What the tools in an agent's hands are good for."""
        return {verb for node in now.held(agent) for verb in self.things[node].provides}

    def _check_in_nobodys_hands(self, now: Picture, agent: str, node: str) -> None:
        kind, _, holder = now.place[node]
        if kind in ("held", "carried"):
            own = agent in owners(kind, holder)
            raise Refused("already_holding" if own else "held_by_other")

    def _check_grab(self, now: Picture, agent: str, command: Command) -> None:
        target = command.target
        if target not in self.things:
            raise Refused("not_grabbable")
        if now.carries(agent):
            raise Refused("coop_lock")
        self._check_in_nobodys_hands(now, agent, target)
        self._check_near(now, agent, target)
        if self._free_hands(now, agent) < 1:
            raise Refused("hands_full")
        size, limit = self.things[target].size_m, self.agents[agent].max_size_m
        if size and limit and any(a > b for a, b in zip(sorted(size), sorted(limit), strict=True)):
            raise Refused("too_large")
        if agent not in now.hands(target):  # else it weighs already
            total = self.load(now, agent) + self._mass(now, target)
            if total > _exact(self.agents[agent].max_mass_kg):
                raise Refused("overweight")

    def _check_corp_grab(self, now: Picture, agent: str, command: Command) -> None:
        if command.target not in self.things:
            raise Refused("not_grabbable")
        if any(now.carries(name) for name in command.names):
            raise Refused("partner_busy")
        self._check_in_nobodys_hands(now, agent, command.target)
        self._check_all_near(now, agent, command.names, command.target)
        if any(self._free_hands(now, name) < 1 for name in command.names):
            raise Refused("hands_full")
        limits = [_exact(self.agents[name].max_mass_kg) for name in command.names]
        free = sum(limits) - sum(self.load(now, name) for name in command.names)
        if self._mass(now, command.target) > free:
            raise Refused("overweight")

    def _check_room_for(self, now: Picture, command: Command) -> None:
        """May the target be put there?"""
        target, place = command.target, command.place
        thing = self.things.get(place)
        if place in self.rooms:
            if command.relation == "on":
                raise Refused("on_room")
            return
        if thing is None or (command.relation == "in" and thing.container is None):
            raise Refused("not_container")
        if command.relation == "in" and now.is_closed(place):
            raise Refused("closed_container")
        if target == place or now.is_inside(place, target):
            raise Refused("inside_itself")
        if command.relation == "in" and thing.container is not None:
            capacity = thing.container.capacity_l
            inside = [node for node, fact in now.place.items() if fact == ("in", node, place)]
            if capacity and sum(map(self._volume, (target, *inside))) > _exact(capacity):
                raise Refused("no_space")

    def _volume(self, node: str) -> Decimal:
        thing = self.things[node]
        if "volume_l" in thing.quantities:
            return _exact(thing.quantities["volume_l"])
        if thing.size_m is None:
            return Decimal(0)
        length, width, height = map(_exact, thing.size_m)
        return length * width * height * 1000

    def _check_corp_place(self, now: Picture, agent: str, command: Command) -> None:
        carriers = now.carriers(command.target)
        if not set(command.names) <= set(carriers):
            raise Refused("coop_not_carrying")
        if set(command.names) != set(carriers):
            raise Refused("partner_missing")
        if command.place in self.agents:
            raise Refused("not_container")
        self._check_all_near(now, agent, command.names, command.place)
        self._check_room_for(now, command)

    def _check_corp_goto(self, now: Picture, agent: str, command: Command) -> None:
        if len({now.room[name] for name in command.names}) > 1:
            raise Refused("partner_far")
        for name in command.names:
            partners = now.carriers(now.carries(name) or "")
            if not set(partners) <= set(command.names):
                raise Refused("partner_missing")
        self._check_way(now, agent, command.target)

    def _check_way(self, now: Picture, agent: str, target: str) -> None:
        here = now.room[agent]
        if target in self.agents:
            raise Refused("no_such_target")
        if target in self.doors:
            if here not in self.doors[target].between:
                raise Refused("wrong_room")
        elif target in self.things:
            owners = now.hands(target)
            if agent in owners:
                raise Refused("already_holding")
            if now.room_of(target) != here:
                raise Refused("wrong_room")
            if owners:
                raise Refused("held_by_other")
        elif not self._ways(now, here, target, free=True):
            ways = self._ways(now, here, target, free=False)
            if not ways:
                raise Refused("no_path")
            way = min(ways)[1]
            door = next(door for closed, _, door in way if closed)
            locked = now.state[door, "is_locked"] == "true"
            raise Refused("door_locked" if locked else "door_closed")

    def _ways(
        self, now: Picture, start: str, goal: str, *, free: bool
    ) -> list[tuple[list[tuple[bool, int]], list[tuple[bool, str, str]]]]:
        """All shortest ways, each with what decides between them: open first, then file order."""
        ways: list[Any] = [([], [(False, start, "")])]
        while ways and ways[0][1][-1][1] != goal:
            longer = []
            for rank, way in ways:
                been = {room for _, room, _ in way}
                for number, (first, second, door) in enumerate(self.passages):
                    here = way[-1][1]
                    if here not in (first, second):
                        continue
                    room = second if here == first else first
                    closed = door is not None and now.state[door, "is_open"] != "true"
                    if room not in been and not (free and closed):
                        longer.append(([*rank, (closed, number)], [*way, (closed, room, door)]))
            arrived = [found for found in longer if found[1][-1][1] == goal]
            ways = arrived or longer
        return ways

    def _time_to_go(self, now: Picture, agent: str, target: str) -> int:
        if target not in self.rooms:
            return 2
        return 10 * len(self._ways(now, now.room[agent], target, free=True)[0][0])

    def _check_look(self, now: Picture, agent: str, command: Command) -> None:
        here, target = now.room[agent], command.target
        if target in self.doors:
            if here not in self.doors[target].between:
                raise Refused("wrong_room")
            return
        if target not in self.things:
            raise Refused("no_such_object")
        if now.room_of(target) != here:
            raise Refused("wrong_room")
        if now.is_shut_in(target):
            raise Refused("closed_container")

    def _check_attribute(self, now: Picture, agent: str, command: Command) -> None:
        row = self.verbs[command.verb]
        assert row is not None
        target, state = command.target, row.attribute
        actors = command.names or (agent,)
        if (target, state) not in now.state:
            raise Refused("attr_missing")
        self._check_all_near(now, agent, actors, target)
        if now.state[target, state] != json.dumps(row.value):
            raise Refused("attr_precondition")
        opens, locks = (not row.value and state == name for name in ("is_open", "is_locked"))
        if opens and now.state.get((target, "is_locked")) == "true":
            raise Refused("locked")
        if locks and now.state.get((target, "is_open")) == "true":
            raise Refused("still_open")
        key = (self.things.get(target) or self.doors[target]).key
        if state == "is_locked" and key is not None:
            if not any(key in now.held(actor) for actor in actors):
                raise Refused("no_key")
        elif row.requires_tool and not any(row.name in self.abilities(now, a) for a in actors):
            raise Refused("no_ability")


def _exact(number: float) -> Decimal:
    """The number as somebody wrote it."""
    return Decimal(repr(number))
