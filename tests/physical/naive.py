"""The ruleset `physical` once more, written from docs/design/002-physical.md alone.

The state is a set of facts, plain tuples, and nothing else is kept: whatever a rule asks for is
read off the facts each time. Slow, and meant to be read beside the specification.

    ("in", cup, box)  ("on", cup, table)  ("held", cup, ada)  ("carried", crate, (ada, bo))
    ("state", box, is_open, "false")      ("together", box, is_open)
    ("room", ada, hall)  ("focus", ada, table)  ("idle", ada)  ("knows", ada, cup)
    ("read", cup, mass_kg, 0.2, 12)
    ("clock", 12)  ("said", 0, 12, ada, "hello", (bo,))

Values of states are JSON. What an agent believes is a set of facts of its own, with ("lost", cup)
for what is out of sight.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from earsim.schema import Door, Scenario, SceneObject
from earsim.schema.verb_table import AttributeVerb
from tests.physical.picture import PLACES, Fact, Picture
from tests.physical.rules import Rules
from tests.physical.understanding import Command, Refused, understand

SECONDS = {
    "GRAB": 3,
    "GIVE": 3,
    "PLACE": 3,
    "RELEASE": 3,
    "EXPLORE": 10,
    "LOOK": 1,
    "SAY": 2,
    "TELL": 2,
    "WAIT": 10,
}
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
        for agent, room in self.now.room.items():
            self._see_doors(agent, room)

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
        if not self.alone:
            parts = {agent: commands[agent].strip().partition("\n") for agent in order}
            commands = {agent: part[0] for agent, part in parts.items()}
            for agent in order:
                self._pass_on(agent, " ".join(parts[agent][2].split()))
        answers: dict[str, Answer] = {}
        understood = self._understood({agent: commands[agent] for agent in order}, answers)
        handed = self._handed(understood)
        together: dict[tuple[Command, str], list[str]] = {}
        for agent, command in understood.items():
            if agent in handed.values():
                continue
            if agent in self.agents and self.people(command) > 1:
                own = agent if command.verb == "GIVE" else ""
                together.setdefault((command, own), []).append(agent)
            else:
                answers[agent] = self._carry_out((agent,), command)
        for (command, _), givers in together.items():
            if givers[0] in handed:
                self._hand_over(command, givers[0], understood[command.place], answers)
            else:
                self._together(command, givers, answers)
        self._advance(max((answer.seconds for answer in answers.values()), default=0))
        return answers

    def _understood(
        self, commands: dict[str, str], answers: dict[str, Answer]
    ) -> dict[str, Command]:
        found = {}
        for agent, text in commands.items():
            try:
                found[agent] = understand(self.verbs, " ".join(text.split()))
            except Refused as refused:
                answers[agent] = Answer(str(refused))
        return found

    def _handed(self, understood: dict[str, Command]) -> dict[str, str]:
        """Who gives what it holds to somebody that grabs it: receivers by givers."""
        now, found = self.now, {}
        for giver, command in understood.items():
            if command.verb == "GIVE" and giver in self.agents and command.place != giver:
                taking = understood.get(command.place, ("",))
                is_held = command.target in now.held(giver) and command.place in self.agents
                if is_held and taking[:2] == ("GRAB", command.target):
                    found[giver] = command.place
        return found

    def _hand_over(
        self, giving: Command, giver: str, taking: Command, answers: dict[str, Answer]
    ) -> None:
        """The giver is asked first; if it may, the receiver is; then it changes hands."""
        receiver = giving.place
        answers[giver] = self._carry_out((giver,), giving)
        if answers[giver].reason != "partner_missing":
            answers[receiver] = self._carry_out((receiver,), taking)
            return
        try:
            self.check(self.now, receiver, taking, (giver, receiver))
        except Refused as refused:
            answers[receiver] = Answer(str(refused))
            return
        self._replace([("held", giving.target, giver)], [("held", giving.target, receiver)])
        self._feel()
        self._witness(giver, giving._replace(place=""), self.now.room[giver])
        answers[giver] = answers[receiver] = Answer(None, SECONDS["GIVE"])

    def _pass_on(self, agent: str, text: str) -> None:
        """What rides beside a command is heard before anybody acts."""
        try:
            command = understand(self.verbs, text)
        except Refused:
            return
        if command.verb in ("SAY", "TELL"):
            self._carry_out((agent,), command)

    def stalled(self, answers: dict[str, Answer]) -> bool:
        """Everybody of a team that is not DONE waited, gave no command or found no partner."""
        active = [agent for agent in self.agents if agent not in self.now.idle]
        nothing = Answer(None, waited=True)
        told = [answers.get(agent, nothing) for agent in active]
        idle = all(answer.waited or answer.reason == "partner_missing" for answer in told)
        return bool(active) and not self.alone and idle

    def _together(self, command: Command, givers: list[str], answers: dict[str, Answer]) -> None:
        """Who can take part is refused for want of partners alone."""
        able = []
        for agent in givers:
            try:
                self.check(self.now, agent, command)
            except Refused as refused:
                answers[agent] = Answer(str(refused))
                if str(refused) == "partner_missing":
                    able.append(agent)
        if len(able) > 1:
            answers.update(dict.fromkeys(able, self._carry_out(tuple(able), command)))

    def _carry_out(self, team: tuple[str, ...], command: Command) -> Answer:
        """Check a command, carry it out, and let those who stand there see it."""
        now, first = self.now, team[0]
        try:
            for agent in team:
                self.check(now, agent, command, team if len(team) > 1 else ())
        except Refused as refused:
            return Answer(str(refused))
        seconds = SECONDS.get(command.verb, SECONDS_OTHERWISE)
        if command.verb in ("GOTO", "CORP_GOTO"):
            seconds = 2
            if command.target in self.rooms:
                entered, door = self._walk(first, command.target)
                seconds = 10 * len(entered) + (2 if door else 0)
        left = now.room[first]
        self.effect(now, team, command)
        self._feel()
        self._witness(first, command, left)
        return Answer(None, seconds, waited=command.verb == "WAIT")

    def _advance(self, seconds: int) -> None:
        clock = self.now.clock
        self._replace([("clock", clock)], [("clock", clock + seconds)])

    def _replace(self, old: Iterable[Fact], new: Iterable[Fact]) -> None:
        self.facts = (self.facts - set(old)) | set(new)

    # -- effects ---------------------------------------------------------------------------------

    def effect(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        """Change the facts; what several do together differs only in who does it."""
        row = self.verbs[command.verb]
        if row is not None:
            self._change(now, command, row, together=len(team) > 1)
            return
        effect = getattr(self, f"_{command.verb.lower().removeprefix('corp_')}", None)
        if effect is not None:
            effect(now, team, command)

    def _goto(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        target = command.target
        if target not in self.rooms:
            for agent in team:
                self._stand(now, agent, now.piece(target) if target in self.things else target)
            return
        entered, door = self._walk(team[0], target)
        room = [now.room[team[0]], *entered][-1]
        for agent in team:
            self._replace([("room", agent, now.room[agent])], [("room", agent, room)])
            self._stand(now, agent, door or room)
            for each in entered:
                self._see_doors(agent, each)

    def _walk(self, agent: str, target: str) -> tuple[list[str], str | None]:
        """The rooms that a walk enters, and the closed door that it stops at."""
        now = self.now
        seen = now if self.shared else Picture(self.minds[agent])
        doors = [door for door in self.doors if (agent, door) in now.knows]
        shut = {door for door in doors if seen.state[door, "is_open"] != "true"}
        start = now.room[agent]
        narrow = self._too_narrow(now, agent) | self._steep(now, agent)
        ways = self._ways(start, target, shut=shut, around=True, narrow=narrow)
        ways = ways or self._ways(start, target, shut=shut, around=False, narrow=narrow)
        entered: list[str] = []
        for room, door in min(ways)[1][1:]:
            if door is not None and now.state[door, "is_open"] != "true":
                return entered, door
            entered.append(room)
        return entered, None

    def _see_doors(self, agent: str, room: str) -> None:
        """Whoever is in a room has seen its doors."""
        doors = self._doors_of(room)
        self._learn(agent, doors)
        if not self.shared:
            self._remember(agent, set(doors))

    def _grab(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        target = command.target
        place = ("carried", target, team) if len(team) > 1 else ("held", target, team[0])
        self._replace([now.place[target]], [place])
        for other in self.agents:
            if now.focus[other] == target:
                self._stand(now, other, now.room[other])

    def _place(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        self._put(now, command.target, command.relation, command.place)

    def _release(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        self._put(now, command.target, "in", now.room[team[0]])

    def _explore(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        room = now.room[team[0]]
        for agent in self.agents:
            if now.room[agent] == room and agent not in now.idle:
                self._learn(agent, now.sight(room))
        self._learn(team[0], self._doors_of(room))

    def _tell(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        """Pass on the picture of a thing, and of what it is in or on."""
        speaker, target = team[0], command.target
        mind = Picture(self.minds[speaker])
        nodes = {target, *(fact[1] for fact in mind.around(target))}
        told = {node for node in nodes if (speaker, node) in now.knows}
        facts = {f for f in self.minds[speaker] if f[0] not in ("clock", "read") and f[1] in told}
        perceived = {fact[1] for fact in facts}
        for hearer in self._hearers(now, speaker):
            self._learn(hearer, told)
            kept = {f for f in self.minds[hearer] if f[0] == "read" or f[1] not in perceived}
            self.minds[hearer] = kept | facts
            for (node, name), (value, clock) in mind.read.items():
                own = Picture(self.minds[hearer]).read.get((node, name))
                if node in told and (own is None or own[1] < clock):
                    self.minds[hearer].discard(("read", node, name, *(own or ())))
                    self.minds[hearer].add(("read", node, name, value, clock))
        for hearer in self._hearers(now, speaker):
            self._see(now.room[hearer])

    def _measure(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        for name, value in self.readings(now, team[0], command).items():
            if self.is_hidden(command.target, name):
                self._read(team[0], command.target, name, value)

    def _feel(self) -> None:
        """Who holds something that nothing is in or on feels what it weighs, once."""
        now = self.now
        for agent in self.agents:
            lifted = [node for node in now.held(agent) if self.things[node].wheels is None]
            for node in filter(None, (*lifted, now.carries(agent))):
                felt = self.is_hidden(node, "mass_kg")
                laden = any(fact[0] in ("in", "on") and fact[2] == node for fact in self.facts)
                mind = Picture(self.facts if self.shared else self.minds[agent])
                if felt and not laden and (node, "mass_kg") not in mind.read:
                    self._read(agent, node, "mass_kg", self.things[node].mass_kg)

    def _read(self, agent: str, node: str, name: str, value: float) -> None:
        mind = self.facts if self.shared else self.minds[agent]
        mind -= {fact for fact in mind if fact[:3] == ("read", node, name)}
        mind.add(("read", node, name, value, self.now.clock))

    def _hearers(self, now: Picture, speaker: str) -> tuple[str, ...]:
        to_all = self.channel == "all"
        here = [other for other in self.agents if to_all or now.room[other] == now.room[speaker]]
        return tuple(other for other in here if other != speaker)

    def _done(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        self.facts.add(("idle", team[0]))

    def _say(self, now: Picture, team: tuple[str, ...], command: Command) -> None:
        number = len([fact for fact in self.facts if fact[0] == "said"])
        heard = self._hearers(now, team[0])
        self.facts.add(("said", number, now.clock, team[0], command.target, heard))
        if not self.shared:
            said = set(re.findall(r"\w+", command.target)) & set(self.things)
            for hearer in heard:
                self._learn(hearer, {node for node in said if (team[0], node) in now.knows})
            for hearer in heard:
                self._see(now.room[hearer])

    def _change(
        self, now: Picture, command: Command, row: AttributeVerb, *, together: bool
    ) -> None:
        target, state = command.target, row.attribute
        old, new = json.dumps(row.value), json.dumps(not row.value)
        self._replace([("state", target, state, old)], [("state", target, state, new)])
        mark = ("together", target, state)
        self._replace([mark], [mark] if together else [])

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
        agents = self.agents if self.shared else (agent,)
        self.facts |= {("knows", each, node) for each in agents for node in nodes}

    def _witness(self, agent: str, command: Command, left: str) -> None:
        """What everybody in the room learns of a command that succeeded."""
        now = self.now
        here = now.room[agent]
        rooms = {here}
        if self.verbs[command.verb] is not None and command.target in self.doors:
            rooms = set(self.doors[command.target].between)  # a door is in both its rooms
        named = {command.target, command.place} if command.verb != "SAY" else set()
        if command.verb == "OPEN":
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
        if self.shared:
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
        mind = {f for f in self.minds[agent] if f[0] == "read" or f[1] not in nodes}
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
