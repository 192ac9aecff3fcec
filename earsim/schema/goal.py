"""Goals: trees of predicates over the world, each node a dictionary with one key.

``{all: [{inside_room: {object: cup, room: lab}}, {not: {held_by: {object: cup}}}]}``
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from earsim.schema.apparatus import Account
from earsim.schema.model import Count, FileModel, Id, Json, Number, Ref, Text
from earsim.schema.selector import Filter
from earsim.schema.tagged import by_key
from earsim.schema.wet_bench import ProtocolStep

_Share = Annotated[float, Field(strict=True, ge=0, le=1)]


class AtFact(FileModel):
    """An object lies directly in or on a holder.

    Attributes:
        in_: Holder it must be in.
        on: Holder it must lie on.
        place: EAR-Bench's raw text instead (``in:x``, ``on:x``, ``:x`` for either), compared as
            that benchmark compares it.
    """

    object: Ref
    in_: Ref | None = Field(default=None, validation_alias="in", serialization_alias="in")
    on: Ref | None = None
    place: Text | None = None

    @model_validator(mode="after")
    def _has_one_place(self) -> Self:
        if sum(value is not None for value in (self.in_, self.on, self.place)) != 1:
            raise _problem("no single place is given", "exactly one of 'in', 'on' and 'place'")
        return self


class InsideRoomFact(FileModel):
    """An object is in a room, however many containers lie between."""

    object: Ref
    room: Ref


class HasStateFact(FileModel):
    """A state of an object (or door) has a value."""

    object: Ref
    state: Id
    equals: Json = True


class QuantityFact(FileModel):
    """A number of an object, door or room lies in a range.

    Attributes:
        of: Name of the number, ``temperature_c``.
        within: How far from ``equals`` it may lie.
    """

    object: Ref
    of: Id
    at_least: Number | None = None
    at_most: Number | None = None
    equals: Number | None = None
    within: Number = Field(default=0.0, ge=0)

    @model_validator(mode="after")
    def _has_bound(self) -> Self:
        if self.at_least is None and self.at_most is None and self.equals is None:
            raise _problem("no bound is given", "one of 'at_least', 'at_most' and 'equals'")
        if self.within and self.equals is None:
            raise _problem("'within' without 'equals'", "'within' says how far from 'equals'")
        return self


class HeldByFact(FileModel):
    """An object is held by an agent; by anyone when ``agent`` is None."""

    object: Ref
    agent: Ref | None = None


class DoneJointlyFact(FileModel):
    """A state of an object was last changed by several agents together."""

    object: Ref
    state: Id


class HeldForFact(FileModel):
    """A goal has held without a break for so long, at some time.

    Attributes:
        goal: What must hold.
        seconds: For how long.
    """

    goal: Goal
    seconds: float = Field(strict=True, gt=0, le=1e9)


class BeforeFact(FileModel):
    """Two goals were reached in this order.

    Attributes:
        first: What must have held at a moment before ``then`` holds for the first time.
        then: What must have held after that.
    """

    first: Goal
    then: Goal


class ByFact(FileModel):
    """A goal held at a moment at which the clock showed no more than so many seconds.

    Attributes:
        goal: What must have held.
        seconds: Until when.
    """

    goal: Goal
    seconds: float = Field(strict=True, ge=0, le=1e9)


class TripsFact(FileModel):
    """At most so many times a room was entered with some of certain things.

    Attributes:
        room: The room.
        of: The things that count; those of a filter instead where there is one.
        among: Which things count, as they were at the start.
        at_most: So many trips.
    """

    room: Ref
    of: tuple[Ref, ...] = Field(default=(), max_length=1000)
    among: Filter | None = None
    at_most: Count

    @model_validator(mode="after")
    def _counts_some_things(self) -> Self:
        if (self.among is None) is not ("of" in self.model_fields_set):
            raise _problem("no single choice of things", "one of 'of' and 'among'")
        return self


class ClockFact(FileModel):
    """The world's clock shows no more than so many seconds."""

    at_most: float = Field(strict=True, ge=0, le=1e9)


class EachFact(FileModel):
    """A goal holds of everything that met a filter at the start.

    Attributes:
        among: Which things; who meets it is settled before anything happens.
        goal: What must hold, with ``$each`` for the thing.
    """

    among: Filter
    goal: Goal


class NumberOf(FileModel):
    """So many, within bounds."""

    at_least: Count | None = None
    at_most: Count | None = None
    equals: Count | None = None

    @model_validator(mode="after")
    def _has_bound(self) -> Self:
        given = [self.at_least, self.at_most]
        if self.equals is None and given == [None, None]:
            raise _problem("no bound is given", "one of 'at_least', 'at_most' and 'equals'")
        if self.equals is not None and given != [None, None]:
            raise _problem("'equals' beside another bound", "'equals' alone, or the others")
        if self.least > self.most:
            raise _problem("'at_least' is more than 'at_most'", "bounds that some number meets")
        return self

    @property
    def least(self) -> int:
        """The lower bound."""
        return (self.at_least or 0) if self.equals is None else self.equals

    @property
    def most(self) -> float:
        """The upper bound; infinity where there is none."""
        if self.equals is not None:
            return self.equals
        return float("inf") if self.at_most is None else self.at_most


class CountFact(NumberOf):
    """A goal holds of so many of the things that met a filter at the start.

    Attributes:
        among: Which things; who meets it is settled before anything happens.
        goal: What is counted, with ``$each`` for the thing.
    """

    among: Filter
    goal: Goal


class ExactlyFact(FileModel):
    """A goal holds of the things that are meant, and the other candidates are as they were.

    Attributes:
        these: What is meant.
        among: The candidates, as they were at the start.
        goal: What must hold of each of `these`, with ``$each`` for the thing.
    """

    these: tuple[Ref, ...] = Field(min_length=1, max_length=100)
    among: Filter
    goal: Goal


class UnchangedFact(FileModel):
    """An object lies where it lay at the start, in the states it had; a door is as it was."""

    object: Ref


class ContentsFact(NumberOf):
    """So many things are directly in or on another; none, and it is empty.

    Attributes:
        of: The holder.
        relation: Whether they are in it or on it; either counts when it is None.
        among: Which things count, as they were at the start.
    """

    of: Ref
    relation: Literal["in", "on"] | None = None
    among: Filter = Field(default_factory=Filter)


class MeasuredFact(FileModel):
    """A result of a completed run lies in a range, or is a word.

    Attributes:
        apparatus: Whose run.
        result: Name of the result.
        within: How far from ``equals`` a number may lie.
        from_: The last completed run, or any.
    """

    apparatus: Id
    result: Id
    at_least: Number | None = None
    at_most: Number | None = None
    equals: Json = None
    within: Number = Field(default=0.0, ge=0)
    from_: Literal["last", "any"] = Field(
        default="last", validation_alias="from", serialization_alias="from"
    )

    @model_validator(mode="after")
    def _has_bound(self) -> Self:
        if self.at_least is None and self.at_most is None and self.equals is None:
            raise _problem("no bound is given", "one of 'at_least', 'at_most' and 'equals'")
        return self


class OperationFact(FileModel):
    """So many runs of an apparatus, at least, have come to that end.

    Attributes:
        apparatus: Whose runs.
        status: How they ended; ``halted`` by ``STOP``.
        count: How many.
        settings: Settings that they were begun with; others do not matter.
        warned: An event that they had raised before, such as ``diverging``.
    """

    apparatus: Id
    status: Literal["completed", "failed", "halted"] = "completed"
    settings: dict[Id, Json] = Field(default_factory=dict)
    warned: Id | None = None
    count: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 1


class SpentFact(FileModel):
    """The runs have cost no more than that."""

    account: Account
    at_most: Number


class SubmittedFact(FileModel):
    """The last answer given to a question is right.

    Attributes:
        name: The question, as ``SUBMIT`` names it.
        equals: The answer: a number, or a word.
        within: How far from it a number may lie.
        factor: By which factor a number may differ, either way.
    """

    name: Id
    equals: Json
    within: Number = Field(default=0.0, ge=0)
    factor: Annotated[float, Field(strict=True, ge=1, le=1e6)] | None = None


class PerformedFact(FileModel):
    """What was done at a bench is near enough to a reference protocol.

    Attributes:
        apparatus: The bench.
        protocol: The reference.
        ss_at_least: Sequence similarity: 1 means these actions in this order and no others.
        pa_at_least: Parameter accuracy: the share of its parameters that are right within 1 %.
    """

    apparatus: Id
    protocol: tuple[ProtocolStep, ...] = Field(min_length=1, max_length=100)
    ss_at_least: _Share = 1.0
    pa_at_least: _Share = 1.0

    @model_validator(mode="after")
    def _asks_something(self) -> Self:
        if not self.ss_at_least and not self.pa_at_least:
            raise _problem("nothing is asked for", "'ss_at_least' or 'pa_at_least' above 0")
        return self


class At(FileModel):
    """Node ``{at: ...}``."""

    at: AtFact


class InsideRoom(FileModel):
    """Node ``{inside_room: ...}``."""

    inside_room: InsideRoomFact


class HasState(FileModel):
    """Node ``{has_state: ...}``."""

    has_state: HasStateFact


class Quantity(FileModel):
    """Node ``{quantity: ...}``."""

    quantity: QuantityFact


class HeldBy(FileModel):
    """Node ``{held_by: ...}``."""

    held_by: HeldByFact


class DoneJointly(FileModel):
    """Node ``{done_jointly: ...}``."""

    done_jointly: DoneJointlyFact


class HeldFor(FileModel):
    """Node ``{held_for: ...}``."""

    held_for: HeldForFact


class NeverHolds(FileModel):
    """Node ``{never: ...}``: the part has held at no time, not even at the start."""

    never: Goal


class Before(FileModel):
    """Node ``{before: ...}``."""

    before: BeforeFact


class By(FileModel):
    """Node ``{by: ...}``."""

    by: ByFact


class Trips(FileModel):
    """Node ``{trips: ...}``."""

    trips: TripsFact


class Clock(FileModel):
    """Node ``{clock: ...}``."""

    clock: ClockFact


class Each(FileModel):
    """Node ``{each: ...}``."""

    each: EachFact


class CountOf(FileModel):
    """Node ``{count: ...}``."""

    count: CountFact


class Exactly(FileModel):
    """Node ``{exactly: ...}``."""

    exactly: ExactlyFact


class Unchanged(FileModel):
    """Node ``{unchanged: ...}``."""

    unchanged: UnchangedFact


class ContentsOf(FileModel):
    """Node ``{contents: ...}``."""

    contents: ContentsFact


class MeasuredResult(FileModel):
    """Node ``{measured: ...}``."""

    measured: MeasuredFact


class OperationEnded(FileModel):
    """Node ``{operation: ...}``."""

    operation: OperationFact


class Spent(FileModel):
    """Node ``{spent: ...}``."""

    spent: SpentFact


class Submitted(FileModel):
    """Node ``{submitted: ...}``."""

    submitted: SubmittedFact


class Performed(FileModel):
    """Node ``{performed: ...}``."""

    performed: PerformedFact


class AllOf(FileModel):
    """Node ``{all: [...]}``: every part holds; true without parts."""

    all: tuple[Goal, ...]


class AnyOf(FileModel):
    """Node ``{any: [...]}``: at least one part holds; false without parts."""

    any: tuple[Goal, ...]


class Not(FileModel):
    """Node ``{not: ...}``: the part does not hold."""

    not_: Goal = Field(validation_alias="not", serialization_alias="not")


QUANTIFIED = frozenset({"each", "count", "exactly", "unchanged", "contents", "trips"})
"""Nodes that stand for a tree of others, once it is known what there was at the start."""

EACH = "each"
"""``$each`` in the goal of such a node: the thing that it is about."""

GOAL_KEYS = (
    "at",
    "inside_room",
    "has_state",
    "quantity",
    "held_by",
    "done_jointly",
    "held_for",
    "never",
    "before",
    "by",
    "trips",
    "clock",
    "each",
    "count",
    "exactly",
    "unchanged",
    "contents",
    "measured",
    "operation",
    "spent",
    "submitted",
    "performed",
    "all",
    "any",
    "not",
)

Goal = Annotated[
    Annotated[At, Tag("at")]
    | Annotated[InsideRoom, Tag("inside_room")]
    | Annotated[HasState, Tag("has_state")]
    | Annotated[Quantity, Tag("quantity")]
    | Annotated[HeldBy, Tag("held_by")]
    | Annotated[DoneJointly, Tag("done_jointly")]
    | Annotated[HeldFor, Tag("held_for")]
    | Annotated[NeverHolds, Tag("never")]
    | Annotated[Before, Tag("before")]
    | Annotated[By, Tag("by")]
    | Annotated[Trips, Tag("trips")]
    | Annotated[Clock, Tag("clock")]
    | Annotated[Each, Tag("each")]
    | Annotated[CountOf, Tag("count")]
    | Annotated[Exactly, Tag("exactly")]
    | Annotated[Unchanged, Tag("unchanged")]
    | Annotated[ContentsOf, Tag("contents")]
    | Annotated[MeasuredResult, Tag("measured")]
    | Annotated[OperationEnded, Tag("operation")]
    | Annotated[Spent, Tag("spent")]
    | Annotated[Submitted, Tag("submitted")]
    | Annotated[Performed, Tag("performed")]
    | Annotated[AllOf, Tag("all")]
    | Annotated[AnyOf, Tag("any")]
    | Annotated[Not, Tag("not")],
    by_key("goal", GOAL_KEYS),
]
"""Any node of a goal tree."""

Fact = (
    AtFact
    | InsideRoomFact
    | HasStateFact
    | QuantityFact
    | HeldByFact
    | DoneJointlyFact
    | HeldForFact
    | BeforeFact
    | ByFact
    | TripsFact
    | ClockFact
    | EachFact
    | CountFact
    | ExactlyFact
    | UnchangedFact
    | ContentsFact
    | MeasuredFact
    | OperationFact
    | SpentFact
    | SubmittedFact
    | PerformedFact
)
"""What the leaves of a goal tree hold; that of ``never`` is a tree itself."""


def _problem(reason: str, expected: str) -> PydanticCustomError:
    return PydanticCustomError("problem", "{reason}", {"reason": reason, "expected": expected})
