"""Static reasons why no team can reach a goal under `physical`.

Each is read off the scenario without playing it, and each alone suffices. Whatever is not certain
counts as possible: doors as open, loads as empty, budgets as endless, containers as emptied. So
what is found is proved, and what is not found may still be impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from docs.figures.means import Means
from earsim import Engine, Scenario
from earsim.schema import At, AtFact, DoneJointly, DoneJointlyFact, HasState, HasStateFact
from earsim.schema.goal import AllOf, Goal
from earsim.schema.verb_table import AttributeVerb


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
"""Those that block under `ear-bench` as well: none of its shortcuts leads around them."""


def blockers(scenario: Scenario) -> frozenset[Blocker]:
    """Everything that alone keeps every team from the goal; empty where nothing is proved."""
    found = _Proof(Engine(scenario, "physical")).of_goal()
    return frozenset(found)


class _Proof:
    """The goal of a scenario against what its agents can do."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.world = engine.start()
        self.means = Means(self.world)
        self.blueprint = engine.blueprint

    def of_goal(self) -> set[Blocker]:
        """Blockers of the parts that do not hold yet."""
        goal = self.engine.scenario.task.goal
        parts = goal.all if isinstance(goal, AllOf) and goal.all else (goal,)
        found: set[Blocker] = set()
        for part, holds in zip(parts, self.engine.task.goal.parts, strict=True):
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
        return self.engine.task.answer[reference[1:]] if reference.startswith("$") else reference

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
        if self.means.is_shut_in(target):
            yield Blocker.SHUT_IN
        lifters = self.means.handed
        if not lifters:
            yield Blocker.NO_HANDS
        elif thing.mass_kg > self.means.strength(lifters):
            yield Blocker.TOO_HEAVY
        if len(lifters) == 1 and not self.means.fits(lifters[0], target):
            yield Blocker.TOO_LARGE

    def _of_destination(self, target: str, relation: str, holder: str) -> Iterator[Blocker]:
        blueprint = self.blueprint
        if holder in blueprint.bodies:
            if relation:  # what is in hand is neither in nor on the agent
                yield Blocker.NO_CONTAINER
            return
        if (holder not in blueprint.things and holder not in blueprint.rooms) or holder == target:
            yield Blocker.IMPOSSIBLE
            return
        rooms = {self.means.room_of(target), self.means.room_of(holder)}
        if not any(rooms <= reached for reached in self.means.rooms.values()):
            yield Blocker.NO_WAY
        if holder in blueprint.rooms:
            if relation == "on":
                yield Blocker.ON_ROOM
            return
        if relation == "in" and not blueprint.things[holder].is_container:
            yield Blocker.NO_CONTAINER
        if self.means.is_shut_in(holder) or (relation == "in" and self.means.stays_closed(holder)):
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
        live = self.blueprint.live
        if live is not None and state in live.derived.get(target, ()):
            return  # it follows from a number
        rows = self.means.verbs(state, value)
        if not rows:
            yield Blocker.NO_VERB
            return
        if self.means.is_shut_in(target):
            yield Blocker.SHUT_IN
        if not any(self.means.room_of(target) in reached for reached in self.means.rooms.values()):
            yield Blocker.NO_WAY
        if not any(
            self.means.equipped(agent, target, row) for row in rows for agent in self.means.agents
        ):
            yield self._of_tools(rows)

    def _of_tools(self, rows: list[AttributeVerb]) -> Blocker:
        """Why nobody can hold a tool for any of the verbs."""
        names = {row.name for row in rows}
        tools = [t.id for t in self.blueprint.things.values() if names.intersection(t.provides)]
        handed = self.means.handed
        if not tools:
            return Blocker.NO_TOOL
        if not handed:
            return Blocker.TOOL_NO_HANDS
        strongest = max(self.means.strength((agent,)) for agent in handed)
        if all(self.blueprint.things[tool].mass_kg > strongest for tool in tools):
            return Blocker.TOOL_TOO_HEAVY
        if not any(self.means.fits(agent, tool) for agent in handed for tool in tools):
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
