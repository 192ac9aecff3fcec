"""Static reasons why no team can reach a goal under `physical`.

Each is read off the scenario without playing it, and each alone suffices. Whatever is not certain
counts as possible: doors as open, loads as empty, budgets as endless, containers as emptied. So what
is found is proved, and what is not found may still be impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from earsim import Engine, Scenario
from earsim.schema import At, AtFact, DoneJointly, DoneJointlyFact, HasState, HasStateFact
from earsim.schema.goal import AllOf, Goal
from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim.world import Blueprint
from earsim.world.loads import TOLERANCE_KG


class Blocker(StrEnum):
    """Why a part of a goal that is false at the start stays false."""

    TOO_HEAVY = "the target is heavier than all agents together can lift"
    NO_HANDS = "the target has to be moved, and no agent has hands"
    TOO_LARGE = "the target is larger than the only agent can handle"
    NO_CONTAINER = "it has to be `in` something that is no container"
    ON_ROOM = "it has to be `on` a room"
    SHUT_IN = "target or destination is shut in, and the scene has no verb that opens it"
    NO_WAY = "no open connection leads to the target or to where it has to go"
    ALONE = "a state has to be changed by two agents, and there is one"
    TOOL_TOO_LARGE = "every tool for it is larger than any agent can handle"
    TOOL_TOO_HEAVY = "every tool for it is heavier than any single agent can lift"
    TOOL_NO_HANDS = "it takes a tool, and no agent has hands"
    TOOL_AWAY = "no single agent can hold a tool for it and get to the target"
    NO_TOOL = "nothing in the scene is a tool for it"
    NO_VERB = "no verb of the scene brings the state about"
    NO_STATE = "the target does not have the state"
    IMPOSSIBLE = "the check itself can never hold: unknown id, or a place that is none"


OF_THE_DATA = frozenset(
    {
        Blocker.TOOL_TOO_HEAVY,
        Blocker.TOOL_NO_HANDS,
        Blocker.NO_TOOL,
        Blocker.NO_VERB,
        Blocker.NO_STATE,
        Blocker.IMPOSSIBLE,
    }
)
"""Those that block under `ear-bench` as well: no lift of several, no placing from afar goes round."""


def blockers(scenario: Scenario) -> frozenset[Blocker]:
    """Everything that alone keeps every team from the goal; empty where nothing is proved."""
    found = _Proof(Engine(scenario, "physical")).of_goal()
    return frozenset(found)


class _Proof:
    """What can be done at all in a scenario, by whom."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.blueprint: Blueprint = engine.blueprint
        self.world = engine.start()
        self.rooms = {agent: self._rooms_from(body.start_room) for agent, body in self._bodies}
        self.openable: set[str] = set()
        self.holdable: dict[str, set[str]] = {agent: set() for agent, _ in self._bodies}
        while self._learn():
            pass

    @property
    def _bodies(self) -> Iterator[tuple[str, Any]]:
        yield from self.blueprint.bodies.items()

    # -- who gets where, and opens and holds what: a least fixed point ---------------------------

    def _rooms_from(self, start: str) -> set[str]:
        """Rooms that connections and doors lead to; every door counts as one that can be opened."""
        found, queue = {start}, [start]
        while queue:
            for way in self.blueprint.passages[queue.pop()]:
                if way.room not in found:
                    found.add(way.room)
                    queue.append(way.room)
        return found

    def _learn(self) -> bool:
        """Add what can be opened or held given what can be so far; whether anything was added."""
        before = len(self.openable), sum(map(len, self.holdable.values()))
        for agent, _ in self._bodies:
            for node in self.blueprint.things:
                if self.can_get_at(agent, node) and self._lifts(agent, node):
                    self.holdable[agent].add(node)
        for node in self.blueprint.things:
            if self.world.states[node].get("is_open") is False and self._can_be_opened(node):
                self.openable.add(node)
        return before != (len(self.openable), sum(map(len, self.holdable.values())))

    def _can_be_opened(self, node: str) -> bool:
        locked = self.world.states[node].get("is_locked") is True
        return self._changes(node, "is_open", False) and (
            not locked or self._changes(node, "is_locked", True)
        )

    def _changes(self, node: str, state: str, value: object) -> bool:
        """Whether some agent can do the verb that takes the state away from a value."""
        return any(
            self.can_get_at(agent, node) and self._equipped(agent, node, row)
            for row in self.verbs(state, value)
            for agent, _ in self._bodies
        )

    def _equipped(self, agent: str, node: str, row: AttributeVerb) -> bool:
        key = self.blueprint.things[node].key if node in self.blueprint.things else None
        if row.attribute == "is_locked" and key is not None:
            return any(key in held for held in self.holdable.values())
        return not row.requires_tool or any(
            row.name in self.blueprint.things[tool].provides for tool in self.holdable[agent]
        )

    def verbs(self, state: str, value: object) -> list[AttributeVerb]:
        """Verbs of the scene that apply where the state has the value."""
        if not isinstance(value, bool):
            return []
        rows = (verb_table()[name] for name in self.blueprint.abilities)
        return [row for row in rows if row.attribute == state and row.value == value]

    def can_get_at(self, agent: str, node: str) -> bool:
        """The agent can walk to where it is, and every closed thing around it can be opened."""
        if node in self.blueprint.doors:
            return any(room in self.rooms[agent] for room in self.blueprint.doors[node].between)
        if node in self.blueprint.rooms:
            return node in self.rooms[agent]
        return self.room_of(node) in self.rooms[agent] and not self.is_shut_in(node)

    def room_of(self, node: str) -> str | None:
        """The room something is in at the start."""
        return node if node in self.blueprint.rooms else self.world.room_of(node)

    def is_shut_in(self, node: str) -> bool:
        """Something around it is closed and stays so."""
        place = self.blueprint.location.get(node)
        while place is not None:
            if place.relation == "in" and self._stays_closed(place.holder):
                return True
            place = self.blueprint.location.get(place.holder)
        return False

    def _stays_closed(self, node: str) -> bool:
        states = self.world.states.get(node, {})
        return states.get("is_open") is False and node not in self.openable

    def _lifts(self, agent: str, node: str) -> bool:
        body = self.blueprint.bodies[agent]
        return (
            body.hands > 0
            and self.blueprint.things[node].mass_kg <= body.max_mass_kg + TOLERANCE_KG
            and self._fits(agent, node)
        )

    def _fits(self, agent: str, node: str) -> bool:
        size, most = self.blueprint.things[node].size_m, self.blueprint.bodies[agent].max_size_m
        if size is None or most is None:
            return True
        return all(edge <= limit for edge, limit in zip(sorted(size), sorted(most), strict=True))

    # -- goals -----------------------------------------------------------------------------------

    def of_goal(self) -> set[Blocker]:
        """Blockers of the parts that do not hold yet."""
        goal = self.engine.scenario.task.goal
        parts = goal.all if isinstance(goal, AllOf) and goal.all else (goal,)
        found: set[Blocker] = set()
        for part, holds in zip(parts, self.engine.goal.parts, strict=True):
            if not holds(self.world):
                found |= set(self._of_part(part, parts))
        return found

    def _of_part(self, part: Goal, parts: tuple[Goal, ...]) -> Iterator[Blocker]:
        match part:
            case At(at=fact):
                yield from self._of_place(fact)
            case HasState(has_state=fact):
                yield from self._of_state(fact)
            case DoneJointly(done_jointly=fact):
                yield from self._of_joint(fact, parts)
            case _ if getattr(part, "any", None) == ():
                yield Blocker.IMPOSSIBLE

    def _id(self, reference: str) -> str:
        return self.engine.answer[reference[1:]] if reference.startswith("$") else reference

    def _of_place(self, fact: AtFact) -> Iterator[Blocker]:
        target = self._id(fact.object)
        if target not in self.blueprint.things:
            return
        relation, holder = _relation_and_holder(fact)
        holder = self._id(holder)
        yield from self._of_lifting(target)
        yield from self._of_destination(target, relation, holder)

    def _of_lifting(self, target: str) -> Iterator[Blocker]:
        thing = self.blueprint.things[target]
        if self.is_shut_in(target):
            yield Blocker.SHUT_IN
        lifters = [agent for agent, body in self._bodies if body.hands > 0]
        if not lifters:
            yield Blocker.NO_HANDS
        elif thing.mass_kg > self._strength(lifters) + TOLERANCE_KG:
            yield Blocker.TOO_HEAVY
        if len(lifters) == 1 and not self._fits(lifters[0], target):
            yield Blocker.TOO_LARGE

    def _strength(self, agents: list[str]) -> float:
        return sum(self.blueprint.bodies[agent].max_mass_kg for agent in agents)

    def _of_destination(self, target: str, relation: str, holder: str) -> Iterator[Blocker]:
        blueprint = self.blueprint
        if holder in blueprint.bodies:
            if relation:  # what is in hand is neither in nor on the agent
                yield Blocker.NO_CONTAINER
            return
        if (holder not in blueprint.things and holder not in blueprint.rooms) or holder == target:
            yield Blocker.IMPOSSIBLE
            return
        rooms = {self.room_of(target), self.room_of(holder)}
        if not any(rooms <= reached for reached in self.rooms.values()):
            yield Blocker.NO_WAY
        if holder in blueprint.rooms:
            if relation == "on":
                yield Blocker.ON_ROOM
            return
        if relation == "in" and not blueprint.things[holder].is_container:
            yield Blocker.NO_CONTAINER
        if self.is_shut_in(holder) or (relation == "in" and self._stays_closed(holder)):
            yield Blocker.SHUT_IN

    def _of_state(self, fact: HasStateFact) -> Iterator[Blocker]:
        target = self._id(fact.object)
        states = self.world.states.get(target, {})
        if fact.state not in states:
            yield Blocker.NO_STATE
        elif not isinstance(fact.equals, bool):
            yield Blocker.NO_VERB
        else:
            yield from self._of_change(target, fact.state, states[fact.state])

    def _of_joint(self, fact: DoneJointlyFact, parts: tuple[Goal, ...]) -> Iterator[Blocker]:
        target = self._id(fact.object)
        value = self.world.states.get(target, {}).get(fact.state)
        if len(self.blueprint.bodies) < 2:
            yield Blocker.ALONE
        if value is None:
            yield Blocker.NO_STATE
            return
        yield from self._of_change(target, fact.state, value)
        for part in parts:  # true already: it has to be taken away and brought back
            wanted = part.has_state if isinstance(part, HasState) else None
            if wanted is None or (self._id(wanted.object), wanted.state) != (target, fact.state):
                continue
            if isinstance(value, bool) and wanted.equals == value:
                yield from self._of_change(target, fact.state, not value)

    def _of_change(self, target: str, state: str, value: object) -> Iterator[Blocker]:
        rows = self.verbs(state, value)
        if not rows:
            yield Blocker.NO_VERB
            return
        if self.is_shut_in(target):
            yield Blocker.SHUT_IN
        if not any(self.room_of(target) in reached for reached in self.rooms.values()):
            yield Blocker.NO_WAY
        if not any(self._equipped(agent, target, row) for row in rows for agent, _ in self._bodies):
            yield self._of_tools(rows)

    def _of_tools(self, rows: list[AttributeVerb]) -> Blocker:
        """Why nobody can hold a tool for any of the verbs."""
        names = {row.name for row in rows}
        tools = [t.id for t in self.blueprint.things.values() if names.intersection(t.provides)]
        handed = [agent for agent, body in self._bodies if body.hands > 0]
        if not tools:
            return Blocker.NO_TOOL
        if not handed:
            return Blocker.TOOL_NO_HANDS
        strongest = max(self.blueprint.bodies[agent].max_mass_kg for agent in handed)
        if all(self.blueprint.things[tool].mass_kg > strongest + TOLERANCE_KG for tool in tools):
            return Blocker.TOOL_TOO_HEAVY
        if not any(self._fits(agent, tool) for agent in handed for tool in tools):
            return Blocker.TOOL_TOO_LARGE
        return Blocker.TOOL_AWAY


def _relation_and_holder(fact: AtFact) -> tuple[str, str]:
    """`in` or `on` with the holder; the relation is empty where either will do."""
    if fact.place is None:
        return ("in", fact.in_ or "") if fact.on is None else ("on", fact.on)
    for relation in ("in", "on", ""):
        if fact.place.startswith(f"{relation}:"):
            return relation, fact.place[len(relation) + 1 :]
    return "", fact.place
