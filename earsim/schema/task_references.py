"""Whether a task fits its scene and agents: goals, selectors, answers, walkthroughs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from earsim.schema.goal import (
    EACH,
    AllOf,
    AnyOf,
    At,
    Before,
    By,
    Clock,
    ContentsOf,
    CountFact,
    CountOf,
    DoneJointly,
    Each,
    EachFact,
    Exactly,
    ExactlyFact,
    Goal,
    HasState,
    HeldBy,
    HeldFor,
    InsideRoom,
    MeasuredFact,
    MeasuredResult,
    NeverHolds,
    Not,
    OperationEnded,
    OperationFact,
    Performed,
    PerformedFact,
    Quantity,
    Spent,
    Submitted,
    Trips,
    Unchanged,
)
from earsim.schema.goal_tree import leaf_of
from earsim.schema.lookup import FIGURE_OPERATIONS, LIBRARY_OPERATIONS
from earsim.schema.model import FieldProblem
from earsim.schema.references import SceneParts, unknown
from earsim.schema.selector import Filter, Largest, Only, Rank, Selector, Smallest
from earsim.schema.verb_table import verb_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from earsim.schema.agent import AgentSpec
    from earsim.schema.scene_parts import SceneObject
    from earsim.schema.task import Task

Loc = tuple[str | int, ...]
Role = Literal[
    "object",
    "room",
    "agent",
    "object or agent",
    "object or door",
    "object, door or room",
    "room, object or agent",
]
"""What may stand in a place of a goal or selector."""

_ENDS = frozenset({"done"})
"""What ``WAIT UNTIL rig done`` waits for: the end of a run of an apparatus."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PARTICLES = frozenset({"in", "on", "at", "to", "with", "from", "into", "onto", "and", "until"})
_WITH_MARKS = frozenset({"WAIT", "POUR", "RUN"})
"""Verbs whose commands may name a state, a mark or an action beside ids."""
_WORD = re.compile(r"[^\s,]+")


class Reference(NamedTuple):
    """One place in a goal or selector that names something, and what it may name."""

    loc: Loc
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Cast:
    """Every id that a task may use, by what it stands for."""

    rooms: Set[str]
    doors: Set[str]
    objects: Set[str]
    agents: Set[str]
    unsure: Set[str]
    awaited: Set[str] = frozenset()
    """States, marks and actions of things, which commands name beside them."""

    @classmethod
    def of(cls, parts: SceneParts, agents: Sequence[AgentSpec]) -> Cast:
        """The ids of a scene and of the agents in it."""
        return cls(
            rooms=parts.room_ids,
            doors=parts.door_ids,
            objects=parts.object_ids,
            agents={agent.id for agent in agents},
            unsure=parts.unsure,
            awaited={name for thing in parts.objects.values() for name in _awaited(thing)},
        )

    def allowed(self, role: Role) -> Set[str]:
        """Ids that may stand in that role."""
        match role:
            case "object":
                return self.objects
            case "object, door or room":
                return self.objects | self.doors | self.rooms
            case "object or door":
                return self.objects | self.doors
            case "object or agent":
                return self.objects | self.agents
            case "room, object or agent":
                return self.rooms | self.objects | self.agents
            case "room":
                return self.rooms
            case "agent":
                return self.agents

    def everyone(self) -> Set[str]:
        """All ids."""
        return self.rooms | self.doors | self.objects | self.agents | self.unsure

    def kind(self, name: str) -> str | None:
        """What an id stands for; None when it is unknown."""
        groups = (
            ("a room", self.rooms),
            ("a door", self.doors),
            ("an object", self.objects),
            ("an agent", self.agents),
        )
        return next((kind for kind, ids in groups if name in ids), None)


def _awaited(thing: SceneObject) -> Iterator[str]:
    yield from thing.states
    yield from (mark.name for mark in thing.marks)
    yield from (each.state.name for each in thing.processes if each.state is not None)
    if thing.apparatus is not None and thing.apparatus.pool is not None:
        yield from (action.name for action in thing.apparatus.pool.actions)
    if thing.apparatus is not None and thing.apparatus.library is not None:
        yield from LIBRARY_OPERATIONS
    if thing.apparatus is not None and thing.apparatus.figures is not None:
        yield from FIGURE_OPERATIONS


def agent_problems(parts: SceneParts, agents: Sequence[AgentSpec]) -> Iterator[FieldProblem]:
    """Agents with taken ids or unknown rooms; places are relative to the list of agents."""
    taken = Cast.of(parts, ()).everyone() - parts.unsure
    seen: set[str] = set()
    for index, agent in enumerate(agents):
        if agent.id in taken or agent.id in seen:
            yield FieldProblem((index, "id"), f"the id {agent.id!r} is taken", "ids are unique")
        seen.add(agent.id)
        if agent.in_ is not None and agent.in_ not in parts.room_ids | parts.unsure:
            yield FieldProblem((index, "in"), *unknown("room", agent.in_, parts.room_ids))


def task_problems(
    parts: SceneParts, agents: Sequence[AgentSpec], task: Task
) -> Iterator[FieldProblem]:
    """Everything in a task that names what is not there; places are relative to the task."""
    cast = Cast.of(parts, agents)
    for reference in goal_references(task.goal, ("goal",)):
        yield from _reference_problems(reference, cast, task.select.keys())
    for index, reading in enumerate(task.other_readings):
        for reference in goal_references(reading, ("other_readings", index)):
            yield from _reference_problems(reference, cast, task.select.keys())
    earlier: list[str] = []
    for name, selector in task.select.items():
        if name == EACH:
            reason = (
                f"the name {name!r} is taken: ${EACH} stands for the thing that `each` is about"
            )
            yield FieldProblem(("select", name), reason, "another name")
        yield from _selector_problems(selector, ("select", name), cast, set(earlier))
        earlier.append(name)
    yield from _answer_problems(task, cast)
    yield from _instruction_problems(task, cast)
    yield from _walkthrough_problems(task, agents, cast)


def goal_references(goal: Goal, loc: Loc = ()) -> Iterator[Reference]:
    """Every id or ``$name`` in a goal."""
    match goal:
        case AllOf(all=parts):
            for index, part in enumerate(parts):
                yield from goal_references(part, (*loc, "all", index))
        case AnyOf(any=parts):
            for index, part in enumerate(parts):
                yield from goal_references(part, (*loc, "any", index))
        case Not(not_=part):
            yield from goal_references(part, (*loc, "not"))
        case NeverHolds() | HeldFor() | By() | Before() | Trips():
            yield from _references_over_time(goal, loc)
        case Unchanged(unchanged=unchanged):
            yield Reference((*loc, "unchanged", "object"), unchanged.object, "object or door")
        case ContentsOf(contents=contents):
            yield Reference((*loc, "contents", "of"), contents.of, "object")
            yield from _filter_references(contents.among, (*loc, "contents", "among"))
        case Each() | CountOf() | Exactly():
            yield from _references_of_many(goal, loc)
        case _:
            yield from _fact_references(goal, loc)


def _references_of_many(goal: Each | CountOf | Exactly, loc: Loc) -> Iterator[Reference]:
    """What is named beside ``$each``, which stands for objects."""
    key, content = leaf_of(goal)
    fact = cast("EachFact | CountFact | ExactlyFact", content)
    loc = (*loc, key)
    if isinstance(fact, ExactlyFact):
        for index, name in enumerate(fact.these):
            yield Reference((*loc, "these", index), name, "object")
    yield from _filter_references(fact.among, (*loc, "among"))
    for reference in goal_references(fact.goal, (*loc, "goal")):
        if reference.name != f"${EACH}" or "object" not in reference.role:
            yield reference


def _references_over_time(
    goal: NeverHolds | HeldFor | By | Before | Trips, loc: Loc
) -> Iterator[Reference]:
    match goal:
        case By(by=timed):
            yield from goal_references(timed.goal, (*loc, "by", "goal"))
        case Trips(trips=trips):
            yield Reference((*loc, "trips", "room"), trips.room, "room")
            for index, name in enumerate(trips.of):
                yield Reference((*loc, "trips", "of", index), name, "object")
            if trips.among is not None:
                yield from _filter_references(trips.among, (*loc, "trips", "among"))
        case NeverHolds(never=part):
            yield from goal_references(part, (*loc, "never"))
        case HeldFor(held_for=held):
            yield from goal_references(held.goal, (*loc, "held_for", "goal"))
        case Before(before=order):
            yield from goal_references(order.first, (*loc, "before", "first"))
            yield from goal_references(order.then, (*loc, "before", "then"))


def _fact_references(
    goal: At
    | InsideRoom
    | HasState
    | Quantity
    | HeldBy
    | DoneJointly
    | Clock
    | MeasuredResult
    | OperationEnded
    | Spent
    | Submitted
    | Performed,
    loc: Loc,
) -> Iterator[Reference]:
    match goal:
        case MeasuredResult() | OperationEnded() | Performed():
            key, run_fact = leaf_of(goal)
            apparatus = cast("MeasuredFact | OperationFact | PerformedFact", run_fact).apparatus
            yield Reference((*loc, key, "apparatus"), apparatus, "object")
        case At(at=fact):
            yield Reference((*loc, "at", "object"), fact.object, "object or agent")
            yield from _holders((*loc, "at"), fact.in_, fact.on)
        case InsideRoom(inside_room=inside):
            yield Reference((*loc, "inside_room", "object"), inside.object, "object or agent")
            yield Reference((*loc, "inside_room", "room"), inside.room, "room")
        case HasState(has_state=state):
            yield Reference((*loc, "has_state", "object"), state.object, "object, door or room")
        case Quantity(quantity=quantity):
            yield Reference((*loc, "quantity", "object"), quantity.object, "object, door or room")
        case DoneJointly(done_jointly=done):
            yield Reference((*loc, "done_jointly", "object"), done.object, "object, door or room")
        case HeldBy(held_by=held):
            yield Reference((*loc, "held_by", "object"), held.object, "object")
            if held.agent is not None:
                yield Reference((*loc, "held_by", "agent"), held.agent, "agent")


def selector_references(selector: Selector, loc: Loc = ()) -> Iterator[Reference]:
    """Every id or ``$name`` in a selector."""
    match selector:
        case Only(only=conditions):
            yield from _filter_references(conditions, (*loc, "only"))
        case Largest(among=conditions) | Smallest(among=conditions) | Rank(among=conditions):
            yield from _filter_references(conditions, (*loc, "among"))


def _filter_references(conditions: Filter, loc: Loc) -> Iterator[Reference]:
    if conditions.inside_room is not None:
        yield Reference((*loc, "inside_room"), conditions.inside_room, "room")
    yield from _holders(loc, conditions.in_, conditions.on)
    if conditions.more_than is not None:
        yield Reference((*loc, "more_than", "object"), conditions.more_than.object, "object")
    if conditions.less_than is not None:
        yield Reference((*loc, "less_than", "object"), conditions.less_than.object, "object")
    if conditions.not_ is not None:
        yield from _filter_references(conditions.not_, (*loc, "not"))


def _holders(loc: Loc, in_: str | None, on: str | None) -> Iterator[Reference]:
    if in_ is not None:
        yield Reference((*loc, "in"), in_, "room, object or agent")
    if on is not None:
        yield Reference((*loc, "on"), on, "room, object or agent")


def _reference_problems(
    reference: Reference, cast: Cast, selected: Set[str]
) -> Iterator[FieldProblem]:
    name, role = reference.name, reference.role
    if name.startswith("$"):
        if name[1:] not in selected:
            reason, expected = unknown("selector", name[1:], selected)
            yield FieldProblem(reference.loc, reason, expected)
    elif name not in cast.allowed(role) and name not in cast.unsure:
        kind = cast.kind(name)
        if kind is None:
            yield FieldProblem(reference.loc, *unknown(role, name, cast.allowed(role)))
        else:
            yield FieldProblem(reference.loc, f"{name!r} is {kind}", f"expected: {role}")


def _selector_problems(
    selector: Selector, loc: Loc, cast: Cast, earlier: Set[str]
) -> Iterator[FieldProblem]:
    for reference in selector_references(selector, loc):
        yield from _reference_problems(reference, cast, earlier)
    conditions = selector.only if isinstance(selector, Only) else selector.among
    key = "only" if isinstance(selector, Only) else "among"
    if conditions.provides is not None and conditions.provides not in verb_table():
        yield FieldProblem(
            (*loc, key, "provides"), *unknown("verb", conditions.provides, verb_table())
        )


def _answer_problems(task: Task, cast: Cast) -> Iterator[FieldProblem]:
    for name, answer in task.answer.items():
        if name not in task.select:
            yield FieldProblem(("answer", name), *unknown("selector", name, task.select))
        if answer not in cast.objects | cast.unsure:
            yield FieldProblem(("answer", name), *unknown("object", answer, cast.objects))


def _instruction_problems(task: Task, cast: Cast) -> Iterator[FieldProblem]:
    names = cast.everyone() | task.select.keys()
    for match in _PLACEHOLDER.finditer(task.instruction):
        if match[1] not in names and not cast.unsure:
            yield FieldProblem(("instruction",), *unknown("placeholder", match[1], names))


def _walkthrough_problems(
    task: Task, agents: Sequence[AgentSpec], cast: Cast
) -> Iterator[FieldProblem]:
    for index, entry in enumerate(task.walkthrough):
        loc = ("walkthrough", index)
        if isinstance(entry, str):
            if len(agents) > 1:
                yield FieldProblem(
                    loc, "one command for several agents", "expected {agent: command}"
                )
            yield from _command_problems(entry, loc, cast)
            continue
        for agent, command in entry.items():
            if agent not in cast.agents:
                yield FieldProblem((*loc, agent), *unknown("agent", agent, cast.agents))
            brings_text = command.split()[:1] in _WITH_TEXT
            for line in [command] if brings_text else command.splitlines():
                # a message may ride beside a command
                yield from _command_problems(line, (*loc, agent), cast)


_WITH_TEXT = (["EXEC"], ["SAVE"])
"""Commands that name a workstation and bring a text along."""


def _command_problems(command: str, loc: Loc, cast: Cast) -> Iterator[FieldProblem]:
    """Ids in a command; what its verb means is not known here."""
    words = _WORD.findall(command)
    known = cast.everyone() | (_ENDS if words[:1] == ["WAIT"] else frozenset())
    if words and words[0].upper() in ("SAY", "REPORT"):  # free text, and a claim
        return
    if words[:1] in _WITH_TEXT:
        words = words[:2]
    for word in words[1:]:
        if word in known or word.lower() in _PARTICLES or not word.isidentifier():
            continue
        if words[0].upper() in _WITH_MARKS and word in cast.awaited:
            continue
        if not cast.unsure:
            yield FieldProblem(loc, *unknown("id", word, known))
