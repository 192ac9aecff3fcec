"""What `physical` allows: every check of the specification, over a picture of the facts."""

from __future__ import annotations

import json
from collections.abc import Iterable
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
        self.shared = scenario.knowledge == "shared" or len(scenario.agents) == 1
        self.passages: list[tuple[str, str, str | None]] = [
            (room.id, other, None) for room in scene.rooms for other in room.connects
        ]
        self.passages += [(*door.between, door.id) for door in scene.doors]
        told = {frozenset(way.between): way for way in scene.connections}
        ways = [
            self.doors[door] if door else told.get(frozenset((first, second)))
            for first, second, door in self.passages
        ]
        self.widths = [way.width_m if way else None for way in ways]
        self.stairs = {number for number, way in enumerate(ways) if way and way.stairs}
        self.labels = scene.perceived_by
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
        if any(spec.senses for spec in (*self.things.values(), *self.agents.values())):
            single["MEASURE"] = None
        single |= {row.name.upper(): row for row in rows}
        if self.alone:
            return single
        talk = [] if self.shared else ["TELL"]
        return single | dict.fromkeys(["GIVE", "CORP_GOTO", "CORP_GRAB", "CORP_PLACE", *talk])

    def people(self, command: Command) -> int:
        """How many agents a command takes."""
        joint = command.verb.startswith("CORP_") or command.verb == "GIVE"
        if not joint and self.verbs[command.verb] is None:
            return 1
        least = 2 if joint else 1
        thing = self.things.get(command.target)
        return least if thing is None else max(least, thing.people)

    def _doors_of(self, room: str) -> list[str]:
        return [door.id for door in self.doors.values() if room in door.between]

    def check(self, now: Picture, agent: str, command: Command, team: tuple[str, ...] = ()) -> None:
        """Raise the first objection of the rules to an agent, alone or one of a team."""
        if agent not in self.agents:
            raise Refused("no_such_agent")
        if agent in now.idle:
            raise Refused("idle")
        verb, target = command.verb, command.target
        if verb == "PLACE" and not command.place:
            raise Refused("place_incomplete")
        looks_around = verb == "LOOK" and target.upper() in ("", "AROUND")
        if verb not in ("EXPLORE", "SAY", "TELL", "WAIT", "DONE") and not looks_around:
            self._check_known(now, agent, target)
        if command.place and verb != "GIVE":
            self._check_known(now, agent, command.place)
        if self.verbs[verb] is not None:
            self._check_attribute(now, agent, command, team or (agent,))
        elif verb.startswith("CORP_"):
            getattr(self, f"_check_{verb.lower()}")(now, agent, command, team)
        elif verb == "GRAB":
            self._check_grab(now, agent, command, given=bool(team))
        elif not looks_around and verb != "WAIT":
            getattr(self, f"_check_{verb.lower()}")(now, agent, command)

    def _check_done(self, now: Picture, agent: str, command: Command) -> None:
        if now.carries(agent):
            raise Refused("coop_lock")

    def _check_tell(self, now: Picture, agent: str, command: Command) -> None:
        if command.target not in self.things and command.target not in self.doors:
            raise Refused("no_such_object")
        if (agent, command.target) not in now.knows:
            raise Refused("undiscovered")

    def _check_goto(self, now: Picture, agent: str, command: Command) -> None:
        if now.carries(agent):
            raise Refused("coop_lock")
        self._check_way(now, agent, command.target)

    def _check_place(self, now: Picture, agent: str, command: Command) -> None:
        if now.carries(agent):
            raise Refused("coop_lock")
        if command.target not in now.held(agent):
            raise Refused("not_holding")
        if self.things[command.target].wheels and command.place not in self.rooms:
            raise Refused("on_wheels")
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

    def _check_measure(self, now: Picture, agent: str, command: Command) -> None:
        if command.target not in self.things:
            raise Refused("no_such_object")
        senses = self.senses(now, agent)
        if not senses or (command.number and command.number not in senses):
            raise Refused("no_instrument")
        self._check_near(now, agent, command.target)
        if not self.readings(now, agent, command):
            raise Refused("nothing_to_measure")

    def senses(self, now: Picture, agent: str) -> dict[str, int]:
        """The numbers that an agent can measure, with the decimals of its best instrument."""
        held = [self.things[node] for node in now.held(agent) if self._works(now, node)]
        instruments = [self.agents[agent], *held]
        found = [sense for each in instruments for sense in each.senses.items()]
        return dict(sorted(found, key=lambda sense: sense[1]))

    def is_hidden(self, node: str, name: str) -> bool:
        """Whether a number must be felt or sensed."""
        thing = self.things[node]
        how = thing.perceived_by.get(name, self.labels.get(name))
        if how is None and name == "mass_kg":
            all_together = sum(agent.max_mass_kg for agent in self.agents.values())
            return thing.mass_kg <= all_together
        if how is None:
            plain = name in ("volume_l", "surface_m2", "max_load_kg")
            instruments = (*self.things.values(), *self.agents.values())
            how = "sensed" if not plain and any(name in i.senses for i in instruments) else "seen"
        return how != "seen"

    def readings(self, now: Picture, agent: str, command: Command) -> dict[str, float]:
        """What measuring something shows."""
        thing = self.things[command.target]
        numbers = {"mass_kg": thing.mass_kg, **thing.quantities}
        senses = self.senses(now, agent).items()
        return {
            name: round(numbers[name], decimals)
            for name, decimals in senses
            if name in numbers and command.number in ("", name)
        }

    def _check_say(self, now: Picture, agent: str, command: Command) -> None:
        if len(command.target) > MAX_MESSAGE:
            raise Refused("too_long")

    def _check_known(self, now: Picture, agent: str, node: str) -> None:
        """Rooms, doors and agents are known to all."""
        plain = node in self.rooms or node in self.doors or node in self.agents
        if not plain and (agent, node) not in now.knows:
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

    def _free_hands(self, now: Picture, agent: str) -> int:
        shared = now.carries(agent) is not None
        return self.agents[agent].hands - len(now.held(agent)) - shared

    def _mass(self, now: Picture, node: str) -> Decimal:
        """With everything inside."""
        inside = [other for other in self.things if other == node or now.is_inside(other, node)]
        return sum((_exact(self.things[other].mass_kg) for other in inside), Decimal(0))

    def load(self, now: Picture, agent: str) -> Decimal:
        """What an agent holds, in kg."""
        held = [node for node in now.held(agent) if not self.things[node].wheels]
        return sum((self._mass(now, node) for node in held), Decimal(0))

    def abilities(self, now: Picture, agent: str) -> set[str]:
        """What the tools in an agent's hands are good for."""
        tools = [node for node in now.held(agent) if self._works(now, node)]
        return {verb for node in tools for verb in self.things[node].provides}

    def _works(self, now: Picture, tool: str) -> bool:
        needs = self.things[tool].needs
        broken = now.state.get((tool, "is_broken")) == "true"
        return not broken and all(now.state.get((tool, need)) == "true" for need in needs)

    def _check_unplugged(self, now: Picture, nodes: Iterable[str]) -> None:
        """What needs its plug stays where it is plugged in, and so does what it is in or on."""
        for node, thing in self.things.items():
            plugged = now.state.get((node, "is_plugged_in")) == "true"
            moved = any(node == each or now.is_inside(node, each) for each in nodes)
            if plugged and "is_plugged_in" in thing.needs and moved:
                raise Refused("plugged_in")

    def _check_in_nobodys_hands(self, now: Picture, agent: str, node: str) -> None:
        kind, _, holder = now.place[node]
        if kind in ("held", "carried"):
            if agent in owners(kind, holder):
                raise Refused("already_holding")
            if now.room_of(node) == now.room[agent]:
                raise Refused("held_by_other")

    def _check_give(self, now: Picture, agent: str, command: Command) -> None:
        if command.place not in self.agents:
            raise Refused("no_such_agent")
        if now.carries(agent):
            raise Refused("coop_lock")
        if command.target not in now.held(agent):
            raise Refused("not_holding")
        if command.place == agent:
            raise Refused("already_holding")
        if now.room[command.place] != now.room[agent]:
            raise Refused("not_in_sight")
        raise Refused("partner_missing")  # whether it is taken is asked of both together

    def _check_grab(self, now: Picture, agent: str, command: Command, *, given: bool) -> None:
        """What is given need not be near, and is in somebody's hands."""
        target = command.target
        self._check_can_take(now, agent, target, given=given)
        if self.things[target].wheels:
            self._check_rolls(now, target, [])
            return
        if self.things[target].people > 1:
            raise Refused("partner_missing")
        self._check_sizes(now, target, self.agents[agent].max_size_m)
        if agent not in now.hands(target) or self.things[now.piece(target)].wheels:
            # In something that it holds and does not roll, it weighs already.
            total = self.load(now, agent) + self._mass(now, target)
            if total > _exact(self.agents[agent].max_mass_kg):
                raise Refused("overweight")

    def _check_rolls(self, now: Picture, node: str, more: list[str]) -> None:
        """What is in and on a thing with wheels, and what is put there, is not too heavy."""
        wheels = self.things[node].wheels
        masses = [self._mass(now, node) - _exact(self.things[node].mass_kg)]
        masses += [self._mass(now, each) for each in more]
        limit = wheels.max_load_kg if wheels else None
        if limit is not None and sum(masses) > _exact(limit):
            raise Refused("overloaded")

    def _check_sizes(
        self, now: Picture, target: str, limit: tuple[float, float, float] | None
    ) -> None:
        """Neither a thing nor anything in or on it is too large for who takes it."""
        for node, thing in self.things.items():
            taken = node == target or now.is_inside(node, target)
            if taken and thing.size_m and limit and _exceeds(thing.size_m, limit):
                raise Refused("too_large")

    def _check_can_take(
        self, now: Picture, agent: str, target: str, *, given: bool = False
    ) -> None:
        if target not in self.things:
            raise Refused("not_grabbable")
        if now.carries(agent):
            raise Refused("coop_lock")
        if not given:
            self._check_in_nobodys_hands(now, agent, target)
            self._check_near(now, agent, target)
        if self._free_hands(now, agent) < 1:
            raise Refused("hands_full")
        self._check_unplugged(now, [target])

    def _check_corp_grab(
        self, now: Picture, agent: str, command: Command, team: tuple[str, ...]
    ) -> None:
        self._check_can_take(now, agent, command.target)
        if len(team) < self.people(command):
            raise Refused("partner_missing")
        sizes = [size for name in team if (size := self.agents[name].max_size_m)]
        if len(sizes) == len(team):
            short, middle, long = zip(*map(sorted, sizes), strict=True)
            summed = float(sum(map(_exact, long)))
            self._check_sizes(now, command.target, (max(short), max(middle), summed))
        limits = [_exact(self.agents[name].max_mass_kg) for name in team]
        free = sum(limits) - sum(self.load(now, name) for name in team)
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
        if command.relation == "in":
            self._check_fits_in(now, target, thing)
        else:
            self._check_fits_on(now, target, thing)
        self._check_borne(now, command)

    def _check_fits_in(self, now: Picture, target: str, thing: SceneObject) -> None:
        size, limit = self.things[target].size_m, thing.size_m
        if size and limit and _exceeds(size, limit):
            raise Refused("too_large")
        capacity = thing.container.capacity_l if thing.container else None
        inside = [node for node, fact in now.place.items() if fact == ("in", node, thing.id)]
        if capacity and sum(map(self._volume, (target, *inside))) > _exact(capacity):
            raise Refused("no_space")

    def _check_fits_on(self, now: Picture, target: str, thing: SceneObject) -> None:
        surface, size = thing.quantities.get("surface_m2"), self.things[target].size_m
        room = _area(thing.size_m) if surface is None else _exact(surface)
        standing = [node for node, fact in now.place.items() if fact == ("on", node, thing.id)]
        areas = [_area(self.things[node].size_m) or Decimal(0) for node in (target, *standing)]
        if size and room is not None and sum(areas) > room:
            raise Refused("no_space")

    def _check_borne(self, now: Picture, command: Command) -> None:
        """All that stands on a thing with a limit, at any depth, is not too heavy for it."""
        put = ("" if command.relation == "in" else "on", command.target, command.place)
        for kind, _, holder in (put, *now.around(command.place)):
            if holder in self.things and now.place[holder][0] == "held":
                self._check_rolls(now, holder, [command.target])
            limit = self.things[holder].quantities.get("max_load_kg") if kind == "on" else None
            standing = [n for n, fact in now.place.items() if fact == ("on", n, holder)]
            masses = [self._mass(now, node) for node in (command.target, *standing)]
            if limit is not None and sum(masses) > _exact(limit):
                raise Refused("overloaded")

    def _volume(self, node: str) -> Decimal:
        thing = self.things[node]
        if "volume_l" in thing.quantities:
            return _exact(thing.quantities["volume_l"])
        if thing.size_m is None:
            return Decimal(0)
        length, width, height = map(_exact, thing.size_m)
        return length * width * height * 1000

    def _check_corp_place(
        self, now: Picture, agent: str, command: Command, team: tuple[str, ...]
    ) -> None:
        if now.carries(agent) != command.target:
            raise Refused("coop_not_carrying")
        if command.place in self.agents:
            raise Refused("not_container")
        self._check_near(now, agent, command.place)
        self._check_room_for(now, command)
        if set(team) != set(now.carriers(command.target)):
            raise Refused("partner_missing")

    def _check_corp_goto(
        self, now: Picture, agent: str, command: Command, team: tuple[str, ...]
    ) -> None:
        load = now.carries(agent)
        if load is None:
            raise Refused("coop_not_carrying")
        self._check_way(now, agent, command.target)
        if not set(now.carriers(load)) <= set(team):
            raise Refused("partner_missing")

    def _sees(self, now: Picture, agent: str, node: str) -> bool:
        """Whether a door or thing is in plain sight where an agent is."""
        here = now.room[agent]
        if node in self.doors:
            return here in self.doors[node].between
        return now.room_of(node) == here and not now.is_shut_in(node)

    def _check_way(self, now: Picture, agent: str, target: str) -> None:
        if target in self.agents:
            raise Refused("no_such_target")
        if target in self.rooms:
            if not self._ways(now.room[agent], target, shut=set(), around=False, narrow=set()):
                raise Refused("no_path")
            if target != now.room[agent]:
                loads = [node for node in (now.carries(agent),) if node]
                self._check_unplugged(now, [*now.held(agent), *loads])
            narrow = self._too_narrow(now, agent)
            ways = self._ways(now.room[agent], target, shut=set(), around=False, narrow=narrow)
            if not ways:
                raise Refused("too_narrow")
            narrow |= self._steep(now, agent)
            if not self._ways(now.room[agent], target, shut=set(), around=False, narrow=narrow):
                raise Refused("stairs")
            return
        if not self._sees(now, agent, target):
            raise Refused("not_in_sight")
        hands = () if target in self.doors else now.hands(target)
        if agent in hands:
            raise Refused("already_holding")
        if hands:
            raise Refused("held_by_other")

    def _too_narrow(self, now: Picture, agent: str) -> set[int]:
        """The passages through which an agent, and those it carries with, do not get things.

        What is in their hands, at any depth, passes lengthwise, lying flat; what is shut in passes
        with what it is shut in.
        """
        hands = {agent, *now.carriers(now.carries(agent) or "")}
        things = [n for n in self.things if hands & {*now.hands(n)} and not now.is_shut_in(n)]
        sizes = [size for n in things if (size := self.things[n].size_m)]
        width = max((sorted(size)[1] for size in sizes), default=0)
        return {number for number, most in enumerate(self.widths) if most and width > most}

    def _steep(self, now: Picture, agent: str) -> set[int]:
        """The passages over which an agent, and those it carries with, do not roll things."""
        hands = {agent, *now.carriers(now.carries(agent) or "")}
        rolls = any(self.things[node].wheels for one in hands for node in now.held(one))
        return self.stairs if rolls else set()

    def _ways(
        self, start: str, goal: str, *, shut: set[str], around: bool, narrow: set[int]
    ) -> list[tuple[list[tuple[bool, int]], list[tuple[str, str | None]]]]:
        """All shortest ways, around what is shut or through it, each with what decides between.

        None of them is through what is too narrow.

        A way is its rooms, each with the door that one comes through.
        """
        ways: list[Any] = [([], [(start, None)])]
        while ways and ways[0][1][-1][0] != goal:
            longer = []
            for rank, way in ways:
                been = {room for room, _ in way}
                for number, (first, second, door) in enumerate(self.passages):
                    here = way[-1][0]
                    if here not in (first, second):
                        continue
                    room = second if here == first else first
                    if number in narrow:
                        continue
                    if room not in been and not (around and door in shut):
                        longer.append(([*rank, (door in shut, number)], [*way, (room, door)]))
            arrived = [found for found in longer if found[1][-1][0] == goal]
            ways = arrived or longer
        return ways

    def _check_look(self, now: Picture, agent: str, command: Command) -> None:
        if command.target in self.rooms or command.target in self.agents:
            raise Refused("no_such_object")
        if not self._sees(now, agent, command.target):
            raise Refused("not_in_sight")

    def _check_attribute(
        self, now: Picture, agent: str, command: Command, team: tuple[str, ...]
    ) -> None:
        row = self.verbs[command.verb]
        assert row is not None
        target, state = command.target, row.attribute
        if (target, state) not in now.state:
            raise Refused("attr_missing")
        self._check_near(now, agent, target)
        if now.state[target, state] != json.dumps(row.value):
            raise Refused("attr_precondition")
        opens, locks = (not row.value and state == name for name in ("is_open", "is_locked"))
        if opens and now.state.get((target, "is_locked")) == "true":
            raise Refused("locked")
        if locks and now.state.get((target, "is_open")) == "true":
            raise Refused("still_open")
        if len(team) < self.people(command):
            raise Refused("partner_missing")
        key = (self.things.get(target) or self.doors[target]).key
        if state == "is_locked" and key is not None:
            if not any(key in now.held(actor) for actor in team):
                raise Refused("no_key")
        elif row.requires_tool and not any(row.name in self.abilities(now, a) for a in team):
            raise Refused("no_ability")
        on_it = [node for node, fact in now.place.items() if fact == ("on", node, target)]
        if opens and on_it and self._lid_on_top(target):
            raise Refused("lid_blocked")
        self._check_hand_for(now, agent, row, key if state == "is_locked" else None)

    def _check_hand_for(
        self, now: Picture, agent: str, row: AttributeVerb, key: str | None
    ) -> None:
        """A free hand, or what it is done with in hand."""
        by_tool = row.name in self.abilities(now, agent)
        in_hand = by_tool if key is None else key in now.held(agent)
        if self._free_hands(now, agent) < 1 and not in_hand:
            raise Refused("hands_full")

    def _lid_on_top(self, node: str) -> bool:
        thing = self.things.get(node)
        if thing is None or thing.container is None:
            return False
        return (thing.container.opens or ("top" if thing.kind == "item" else "front")) == "top"


def _exceeds(size: tuple[float, ...], limit: tuple[float, ...]) -> bool:
    """Whether an edge, of sorted ones, is longer than the limit has it."""
    return any(a > b for a, b in zip(sorted(size), sorted(limit), strict=True))


def _area(size: tuple[float, ...] | None) -> Decimal | None:
    """Length by width."""
    return None if size is None else _exact(size[0]) * _exact(size[1])


def _exact(number: float) -> Decimal:
    """The number as somebody wrote it."""
    return Decimal(repr(number))
