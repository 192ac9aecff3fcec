"""The ruleset `physical` once more, written from docs/design/002-physical.md alone.

The state is a set of facts, plain tuples, and nothing else is kept: whatever a rule asks for is
read off the facts each time. Slow, and meant to be read beside the specification.

    ("in", cup, box)  ("on", cup, table)  ("held", cup, ada)  ("carried", crate, (ada, bo))
    ("state", box, is_open, "false")      ("together", box, is_open)
    ("room", ada, hall)  ("focus", ada, table)  ("idle", ada)  ("knows", ada, cup)
    ("clock", 12)  ("said", 0, 12, ada, "hello", (bo,))

Values of states are JSON. What an agent believes is a set of facts of its own, with ("lost", cup)
for what is out of sight.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from earsim.schema import Door, Scenario, SceneObject
from earsim.schema.verb_table import AttributeVerb, verb_table

Fact = tuple[Any, ...]

PLACES = ("in", "on", "held", "carried", "lost")
SECONDS = {"GRAB": 3, "PLACE": 3, "RELEASE": 3, "EXPLORE": 10, "LOOK": 1, "SAY": 2, "WAIT": 10}
SECONDS |= {"DONE": 0, "GOTO": 0, "CORP_GOTO": 0}  # walking is reckoned by the way
SECONDS_OTHERWISE = 5
MAX_COMMAND = 4096
MAX_MESSAGE = 280


class Refused(Exception):  # noqa: N818 - it is a refusal
    """A rule objects, for this reason."""


class Command(NamedTuple):
    """A command that was understood."""

    verb: str
    names: tuple[str, ...] = ()
    target: str = ""
    relation: str = ""
    place: str = ""


class Answer(NamedTuple):
    """What became of a command: no reason means that it was accepted."""

    reason: str | None
    seconds: int = 0
    waited: bool = False


class Picture:
    """What a set of facts says."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.place: dict[str, Fact] = {}
        self.state: dict[tuple[str, str], str] = {}
        self.together: set[tuple[str, str]] = set()
        self.room: dict[str, str] = {}
        self.focus: dict[str, str] = {}
        self.idle: set[str] = set()
        self.knows: set[tuple[str, str]] = set()
        self.clock = 0
        for fact in facts:
            kind, subject, rest = fact[0], fact[1], fact[2:]
            if kind in PLACES:
                self.place[subject] = fact
            elif kind == "state":
                self.state[subject, rest[0]] = rest[1]
            elif kind == "together":
                self.together.add((subject, rest[0]))
            elif kind == "room":
                self.room[subject] = rest[0]
            elif kind == "focus":
                self.focus[subject] = rest[0]
            elif kind == "idle":
                self.idle.add(subject)
            elif kind == "knows":
                self.knows.add((subject, rest[0]))
            elif kind == "clock":
                self.clock = subject

    def around(self, node: str) -> Iterator[Fact]:
        """The place of a thing, the place of what it is in or on, and so on outwards."""
        while node in self.place:
            fact = self.place[node]
            yield fact
            if fact[0] not in ("in", "on"):
                return
            node = fact[2]

    def hands(self, node: str) -> tuple[str, ...]:
        """The agents in whose hands a thing is, alone or inside something; () if in nobody's."""
        for kind, _, *holder in self.around(node):
            if kind in ("held", "carried"):
                return _owners(kind, holder[0])
        return ()

    def room_of(self, node: str) -> str | None:
        """Where a thing is in the end."""
        owners = self.hands(node)
        if owners:
            return self.room[owners[0]]
        places = [fact[2] for fact in self.around(node) if len(fact) == 3]
        return places[-1] if places else None

    def is_closed(self, node: str) -> bool:
        return self.state.get((node, "is_open")) == "false"

    def is_shut_in(self, node: str) -> bool:
        """A closed container shuts off what is in it at any depth, not what lies on it."""
        return any(fact[0] == "in" and self.is_closed(fact[2]) for fact in self.around(node))

    def is_inside(self, node: str, holder: str) -> bool:
        return any(fact[0] in ("in", "on") and fact[2] == holder for fact in self.around(node))

    def piece(self, node: str) -> str:
        """The outermost thing around a thing."""
        return [fact[1] for fact in self.around(node)][-1]

    def held(self, agent: str) -> list[str]:
        return [node for node, fact in self.place.items() if fact[0] == "held" and fact[2] == agent]

    def carriers(self, node: str) -> tuple[str, ...]:
        fact = self.place.get(node, ("",))
        return tuple(fact[2]) if fact[0] == "carried" else ()

    def carries(self, agent: str) -> str | None:
        """What an agent carries with others."""
        loads = [node for node in self.place if agent in self.carriers(node)]
        return loads[0] if loads else None

    def sight(self, room: str) -> list[str]:
        """The things to be seen in a room and in the hands of those who stand there."""
        return [
            node for node in self.place if self.room_of(node) == room and not self.is_shut_in(node)
        ]


def _owners(kind: str, holder: Any) -> tuple[str, ...]:
    return (holder,) if kind == "held" else tuple(holder)


class Naive:
    """One scenario under `physical`, slowly."""

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
        self.facts: set[Fact] = {("clock", 0)}
        for thing in scene.objects:
            self.facts.add((thing.relation, thing.id, thing.holder))
        for node in (*scene.objects, *scene.doors):
            states = {**node.states}
            self.facts |= {("state", node.id, key, json.dumps(states[key])) for key in states}
        for agent in scenario.agents:
            room = agent.in_ or self.rooms[0]
            self.facts |= {("room", agent.id, room), ("focus", agent.id, room)}
        bodies = {fact for fact in self.facts if fact[0] in ("room", "focus")}
        self.minds: dict[str, set[Fact]] = {agent: set(bodies) for agent in self.agents}

    @cached_property
    def alone(self) -> bool:
        return len(self.agents) == 1

    def _verbs(self, abilities: tuple[str, ...] | None) -> dict[str, AttributeVerb | None]:
        """Names of all verbs; attribute verbs with their row of the table."""
        nodes = (*self.things.values(), *self.doors.values())
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

    @property
    def now(self) -> Picture:
        """What is, read off the facts anew."""
        return Picture(self.facts)

    # -- decisions -------------------------------------------------------------------------------

    def decide(self, commands: dict[str, str]) -> dict[str, Answer]:
        """Take one decision; what became of each agent's command."""
        order = [agent for agent in self.agents if agent in commands]
        order += [agent for agent in commands if agent not in self.agents]
        if not self.alone:
            order = [agent for agent in order if commands[agent].strip()]
        answers: dict[str, Answer] = {}
        joint: dict[str, str] = {}
        for agent in order:
            text = " ".join(commands[agent].split())
            active = agent in self.agents and agent not in self.now.idle
            if active and text.upper().startswith("CORP_"):
                joint[agent] = text
            else:
                answers[agent] = self._attempt(agent, text)
        understood: dict[str, Command] = {}
        for agent, text in joint.items():
            try:
                understood[agent] = self.understand(text)
            except Refused as refused:
                answers[agent] = Answer(str(refused))
        for group in self._groups(understood):
            self._together(group, understood, commands, answers)
        self._advance(max((answer.seconds for answer in answers.values()), default=0))
        return answers

    def stalled(self, answers: dict[str, Answer]) -> bool:
        """Everybody of a team that is not DONE waited, gave no command or found no partner."""
        active = [agent for agent in self.agents if agent not in self.now.idle]
        nothing = Answer(None, waited=True)
        told = [answers.get(agent, nothing) for agent in active]
        idle = all(answer.waited or answer.reason == "partner_missing" for answer in told)
        return bool(active) and not self.alone and idle

    def _groups(self, commands: dict[str, Command]) -> list[list[str]]:
        """Who gave the same joint command, in the order of their first issuer."""
        groups: list[list[str]] = []
        named = [agent for agent, command in commands.items() if command.names]
        for agent in named:
            same = [
                group
                for group in groups
                if agent in commands[agent].names
                and _alike(commands[group[0]], commands[agent])
                and set(commands[group[0]].names) == set(commands[agent].names)
                and group[0] in commands[group[0]].names
            ]
            if same:
                same[0].append(agent)
            else:
                groups.append([agent])
        unnamed = [agent for agent in commands if agent not in named]
        for agent in unnamed:
            same = [
                group
                for group in groups
                if _alike(commands[group[0]], commands[agent])
                and {agent, group[0]} <= set(_names(group, commands) or (agent, group[0]))
            ]
            if same:
                same[0].append(agent)
            else:
                groups.append([agent])
        order = list(self.agents)
        groups = [sorted(group, key=order.index) for group in groups]
        return sorted(groups, key=lambda group: order.index(group[0]))

    def _together(
        self,
        group: list[str],
        understood: dict[str, Command],
        commands: dict[str, str],
        answers: dict[str, Answer],
    ) -> None:
        issuer, order = group[0], list(self.agents)
        actors = _names(group, understood) or tuple(group)
        actors = tuple(sorted(actors, key=lambda a: order.index(a) if a in order else 99))
        call = understood[issuer]._replace(names=actors)
        waiting = [agent for agent in actors if agent in answers and answers[agent].waited]
        acting = [agent for agent in commands if commands[agent].strip()]
        busy = [a for a in actors if a in acting and a not in group and a not in waiting]
        if len(group) == 1 and not understood[issuer].names:
            answer = Answer("partner_missing")
        elif busy:
            answer = Answer("partner_busy")
        else:
            answer = self._carry_out(issuer, call)
        told = actors if answer.reason is None else group
        answers.update(dict.fromkeys(told, answer))

    def _attempt(self, agent: str, text: str) -> Answer:
        try:
            command = self.understand(text)
        except Refused as refused:
            return Answer(str(refused))
        return self._carry_out(agent, command)

    def _carry_out(self, agent: str, command: Command) -> Answer:
        """Check a command, carry it out, and let those who stand there see it."""
        now = self.now
        try:
            self.check(now, agent, command)
        except Refused as refused:
            return Answer(str(refused))
        seconds = SECONDS.get(command.verb, SECONDS_OTHERWISE)
        if command.verb in ("GOTO", "CORP_GOTO"):
            seconds = self._time_to_go(now, agent, command.target)
        left = now.room[agent]
        self.effect(now, agent, command)
        self._witness(agent, command, left)
        return Answer(None, seconds, waited=command.verb == "WAIT")

    def _advance(self, seconds: int) -> None:
        clock = self.now.clock
        self._replace([("clock", clock)], [("clock", clock + seconds)])

    def _replace(self, old: Iterable[Fact], new: Iterable[Fact]) -> None:
        self.facts = (self.facts - set(old)) | set(new)

    # -- understanding ---------------------------------------------------------------------------

    def understand(self, text: str) -> Command:
        """The command that a text stands for."""
        if len(text) > MAX_COMMAND:
            raise Refused("too_long")
        if not text:
            raise Refused("blank_command")
        verb, _, rest = text.partition(" ")
        verb = verb.upper()
        if verb not in self.verbs:
            raise Refused("unknown_verb")
        if verb == "SAY":
            return Command(verb, target=rest) if rest else _malformed()
        words = rest.split()
        names: tuple[str, ...] = ()
        if verb.startswith("CORP_"):
            words = re.sub(r"\s*,\s*", ",", rest).split()
            if len(words) == (4 if verb == "CORP_PLACE" else 2):
                names = tuple(words.pop(0).split(","))
        if not all(re.fullmatch(r"\w+", word) for word in (*names, *words)):
            _malformed()
        return self._filled(Command(verb, names), words)

    def _filled(self, command: Command, words: list[str]) -> Command:
        verb, count = command.verb, len(words)
        if verb in ("PLACE", "CORP_PLACE") and count == 3 and words[1].lower() in ("in", "on"):
            return command._replace(target=words[0], relation=words[1].lower(), place=words[2])
        if verb == "PLACE" and count == 1:  # understood, and refused for want of a place
            return command._replace(target=words[0])
        bare, optional = ("WAIT", "DONE"), ("EXPLORE", "LOOK")
        least, most = (0, 0) if verb in bare else (0, 1) if verb in optional else (1, 1)
        if verb in ("PLACE", "CORP_PLACE") or not least <= count <= most:
            _malformed()
        return command._replace(target=words[0] if words else "")

    # -- rules -----------------------------------------------------------------------------------

    def check(self, now: Picture, agent: str, command: Command) -> None:
        """Raise the first objection of the rules."""
        if agent not in self.agents:
            raise Refused("no_such_agent")
        if agent in now.idle:
            raise Refused("idle")
        verb, target = command.verb, command.target
        row = self.verbs[verb]
        if verb.startswith("CORP_"):
            self._check_team(now, agent, command.names)
        if verb == "PLACE" and not command.place:
            raise Refused("place_incomplete")
        looks_around = verb == "LOOK" and target.upper() in ("", "AROUND")
        if verb not in ("EXPLORE", "SAY", "WAIT", "DONE") and not looks_around:
            self._check_known(now, target)
        if command.place:
            self._check_known(now, command.place)
        if row is not None:
            self._check_attribute(now, agent, command, row)
        elif verb == "GOTO":
            if now.carries(agent):
                raise Refused("coop_lock")
            self._check_way(now, agent, target)
        elif verb == "CORP_GOTO":
            self._check_walk_together(now, agent, command)
        elif verb == "GRAB":
            self._check_grab(now, agent, target)
        elif verb == "CORP_GRAB":
            self._check_grab_together(now, agent, command)
        elif verb == "PLACE":
            if now.carries(agent):
                raise Refused("coop_lock")
            if target not in now.held(agent):
                raise Refused("not_holding")
            if command.place in self.agents:
                raise Refused("not_container")
            self._check_near(now, agent, command.place)
            self._check_room_for(now, command)
        elif verb == "CORP_PLACE":
            self._check_place_together(now, agent, command)
        elif verb == "RELEASE":
            if target not in now.held(agent) and target != now.carries(agent):
                raise Refused("not_holding")
        elif verb == "EXPLORE":
            if target not in ("", now.room[agent]) and target.upper() != "THOROUGH":
                raise Refused("explore_other_room")
        elif verb == "LOOK" and not looks_around:
            self._check_look(now, agent, target)
        elif verb == "SAY" and len(target) > MAX_MESSAGE:
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
            own = agent in _owners(kind, holder)
            raise Refused("already_holding" if own else "held_by_other")

    def _check_grab(self, now: Picture, agent: str, target: str) -> None:
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

    def _check_grab_together(self, now: Picture, agent: str, command: Command) -> None:
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

    def _check_place_together(self, now: Picture, agent: str, command: Command) -> None:
        carriers = now.carriers(command.target)
        if not set(command.names) <= set(carriers):
            raise Refused("coop_not_carrying")
        if set(command.names) != set(carriers):
            raise Refused("partner_missing")
        if command.place in self.agents:
            raise Refused("not_container")
        self._check_all_near(now, agent, command.names, command.place)
        self._check_room_for(now, command)

    def _check_walk_together(self, now: Picture, agent: str, command: Command) -> None:
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
        """All shortest ways, each with what decides between them: open before closed, file order."""
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

    def _check_look(self, now: Picture, agent: str, target: str) -> None:
        here = now.room[agent]
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

    def _check_attribute(
        self, now: Picture, agent: str, command: Command, row: AttributeVerb
    ) -> None:
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

    # -- effects ---------------------------------------------------------------------------------

    def effect(self, now: Picture, agent: str, command: Command) -> None:
        """Change the facts."""
        verb, target = command.verb, command.target
        row = self.verbs[verb]
        actors = command.names or (agent,)
        if row is not None:
            self._change(now, command, row)
        elif verb in ("GOTO", "CORP_GOTO"):
            for actor in actors:
                self._go(now, actor, target)
        elif verb in ("GRAB", "CORP_GRAB"):
            place = ("held", target, agent) if verb == "GRAB" else ("carried", target, actors)
            self._replace([now.place[target]], [place])
            for other in self.agents:
                if now.focus[other] == target:
                    self._stand(now, other, now.room[other])
        elif verb in ("PLACE", "CORP_PLACE"):
            self._put(now, target, command.relation, command.place)
        elif verb == "RELEASE":
            self._put(now, target, "in", now.room[agent])
        elif verb == "EXPLORE":
            self._learn(agent, self._doors_of(now.room[agent]))
            self._learn(agent, now.sight(now.room[agent]))
        elif verb == "SAY":
            self._say(now, agent, target)
        elif verb == "DONE":
            self.facts.add(("idle", agent))

    def _say(self, now: Picture, agent: str, text: str) -> None:
        number = len([fact for fact in self.facts if fact[0] == "said"])
        to_all = self.channel == "all"
        here = [other for other in self.agents if to_all or now.room[other] == now.room[agent]]
        heard = tuple(other for other in here if other != agent)
        self.facts.add(("said", number, now.clock, agent, text, heard))

    def _change(self, now: Picture, command: Command, row: AttributeVerb) -> None:
        target, state = command.target, row.attribute
        old, new = json.dumps(row.value), json.dumps(not row.value)
        self._replace([("state", target, state, old)], [("state", target, state, new)])
        mark = ("together", target, state)
        self._replace([mark], [mark] if command.names else [])

    def _go(self, now: Picture, agent: str, target: str) -> None:
        if target in self.rooms:
            self._replace([("room", agent, now.room[agent])], [("room", agent, target)])
        self._stand(now, agent, now.piece(target) if target in self.things else target)

    def _stand(self, now: Picture, agent: str, focus: str) -> None:
        self._replace([("focus", agent, now.focus[agent])], [("focus", agent, focus)])

    def _put(self, now: Picture, target: str, relation: str, place: str) -> None:
        self._replace([now.place[target]], [(relation, target, place)])
        if place in self.rooms:
            for agent in now.hands(target):
                if now.focus[agent] == place:
                    self._stand(now, agent, target)

    # -- knowing ---------------------------------------------------------------------------------

    def _learn(self, agent: str, nodes: Iterable[str]) -> None:
        self.facts |= {("knows", agent, node) for node in nodes}

    def _doors_of(self, room: str) -> list[str]:
        return [door.id for door in self.doors.values() if room in door.between]

    def _witness(self, agent: str, command: Command, left: str) -> None:
        """What everybody in the room learns of a command that succeeded."""
        now = self.now
        here = now.room[agent]
        rooms = {here}
        if self.verbs[command.verb] is not None and command.target in self.doors:
            rooms = set(self.doors[command.target].between)  # a door is in both its rooms
        named = {command.target, command.place} if command.verb != "SAY" else set()
        if command.verb in ("OPEN", "CORP_OPEN"):
            inside = [node for node, fact in now.place.items() if fact[2:] == (command.target,)]
            named |= {node for node in inside if now.place[node][0] == "in"}
        for other in self.agents:
            if now.room[other] in rooms:
                self._learn(other, named & {*self._doors_of(now.room[other])})
                self._learn(other, named & {*now.sight(now.room[other])})
        for room in (*rooms, left):
            self._see(room)

    def _see(self, room: str) -> None:
        """Everybody in a room sees what is there now, of the things they know."""
        if self.alone:
            return
        for agent in self.agents:
            now = self.now
            if now.room[agent] != room:
                continue
            shown = now.sight(room)
            # Nobody sees a thing without what it is in or on.
            for node in shown:
                if (agent, node) in now.knows:
                    around = {fact[1] for fact in now.around(node)}
                    self._learn(agent, around & set(self.things))
            knows = self.now.knows
            seen = {node for node in shown if (agent, node) in knows}
            doors = {door for door in self._doors_of(room) if (agent, door) in knows}
            colleagues = {other for other in self.agents if now.room[other] == room}
            self._remember(agent, seen | doors | colleagues)
            self._miss(agent, room, seen)

    def _remember(self, agent: str, nodes: set[str]) -> None:
        kinds = (*PLACES, "state", "together", "room", "focus", "idle")
        mind = {fact for fact in self.minds[agent] if fact[1] not in nodes}
        current = {fact for fact in self.facts if fact[0] in kinds and fact[1] in nodes}
        self.minds[agent] = mind | current

    def _miss(self, agent: str, room: str, seen: set[str]) -> None:
        """What should be in plain sight and is not is out of sight."""
        mind = Picture(self.minds[agent])
        gone = [node for node in mind.sight(room) if node not in seen]
        for node in gone:
            if not any(mind.is_inside(node, other) for other in gone):
                self.minds[agent].remove(mind.place[node])
                self.minds[agent].add(("lost", node))


def _alike(one: Command, other: Command) -> bool:
    return one._replace(names=()) == other._replace(names=())


def _names(group: list[str], commands: dict[str, Command]) -> tuple[str, ...]:
    """The partners that somebody in a group names."""
    return next((commands[agent].names for agent in group if commands[agent].names), ())


def _malformed() -> Any:
    raise Refused("bad_format")


def _exact(number: float) -> Decimal:
    """The number as somebody wrote it."""
    return Decimal(repr(number))
