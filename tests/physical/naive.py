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
from collections.abc import Iterable
from typing import NamedTuple

from earsim.schema import Door, Scenario, SceneObject
from earsim.schema.verb_table import AttributeVerb
from tests.physical.picture import PLACES, Fact, Picture
from tests.physical.rules import Rules
from tests.physical.understanding import Command, Refused, understand

SECONDS = {"GRAB": 3, "PLACE": 3, "RELEASE": 3, "EXPLORE": 10, "LOOK": 1, "SAY": 2, "WAIT": 10}
SECONDS |= {"DONE": 0, "GOTO": 0, "CORP_GOTO": 0}  # walking is reckoned by the way
SECONDS_OTHERWISE = 5


class Answer(NamedTuple):
    """What became of a command: no reason means that it was accepted."""

    reason: str | None
    seconds: int = 0
    waited: bool = False


class Naive(Rules):
    """One scenario under `physical`, slowly."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        scene = scenario.scene
        self.facts: set[Fact] = {("clock", 0)}
        for thing in scene.objects:
            self.facts.add((thing.relation, thing.id, thing.holder))
        nodes: list[SceneObject | Door] = [*scene.objects, *scene.doors]
        for node in nodes:
            for state, value in node.states.items():
                self.facts.add(("state", node.id, state, json.dumps(value)))
        for agent in scenario.agents:
            room = agent.in_ or self.rooms[0]
            self.facts |= {("room", agent.id, room), ("focus", agent.id, room)}
        bodies = {fact for fact in self.facts if fact[0] in ("room", "focus")}
        self.minds: dict[str, set[Fact]] = {agent: set(bodies) for agent in self.agents}

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
                understood[agent] = understand(self.verbs, text)
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
        acting = {agent for agent in commands if commands[agent].strip()} | answers.keys()
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
            command = understand(self.verbs, text)
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

    # -- effects ---------------------------------------------------------------------------------

    def effect(self, now: Picture, agent: str, command: Command) -> None:
        """Change the facts; what several do together differs only in who does it."""
        row = self.verbs[command.verb]
        if row is not None:
            self._change(now, command, row)
            return
        effect = getattr(self, f"_{command.verb.lower().removeprefix('corp_')}", None)
        if effect is not None:
            effect(now, agent, command)

    def _goto(self, now: Picture, agent: str, command: Command) -> None:
        for actor in command.names or (agent,):
            self._go(now, actor, command.target)

    def _grab(self, now: Picture, agent: str, command: Command) -> None:
        target = command.target
        place = ("carried", target, command.names) if command.names else ("held", target, agent)
        self._replace([now.place[target]], [place])
        for other in self.agents:
            if now.focus[other] == target:
                self._stand(now, other, now.room[other])

    def _place(self, now: Picture, agent: str, command: Command) -> None:
        self._put(now, command.target, command.relation, command.place)

    def _release(self, now: Picture, agent: str, command: Command) -> None:
        self._put(now, command.target, "in", now.room[agent])

    def _explore(self, now: Picture, agent: str, command: Command) -> None:
        room = now.room[agent]
        self._learn(agent, [*self._doors_of(room), *now.sight(room)])

    def _done(self, now: Picture, agent: str, command: Command) -> None:
        self.facts.add(("idle", agent))

    def _say(self, now: Picture, agent: str, command: Command) -> None:
        number = len([fact for fact in self.facts if fact[0] == "said"])
        to_all = self.channel == "all"
        here = [other for other in self.agents if to_all or now.room[other] == now.room[agent]]
        heard = tuple(other for other in here if other != agent)
        self.facts.add(("said", number, now.clock, agent, command.target, heard))

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
            self._miss_colleagues(agent, room, colleagues)
            self._miss(agent, room, seen)

    def _remember(self, agent: str, nodes: set[str]) -> None:
        kinds = (*PLACES, "state", "together", "room", "focus", "idle")
        mind = {fact for fact in self.minds[agent] if fact[1] not in nodes}
        current = {fact for fact in self.facts if fact[0] in kinds and fact[1] in nodes}
        self.minds[agent] = mind | current

    def _miss_colleagues(self, agent: str, room: str, here: set[str]) -> None:
        """Who was in the room and is not any more is out of sight, with what is in its hands."""
        mind = self.minds[agent]
        for other in {*self.agents} - here:
            if ("room", other, room) in mind:
                mind -= {fact for fact in mind if fact[0] in ("room", "focus") and fact[1] == other}
                mind |= {("room", other, ""), ("focus", other, "")}

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
