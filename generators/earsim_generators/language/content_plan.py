"""A goal as steps, one for each thing that one would tell somebody to do."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from earsim.schema import AllOf, At, DoneJointly, Goal, HasState, HeldBy, InsideRoom, Not
from earsim.schema.goal import AtFact


class StepKind(StrEnum):
    """What a step is about."""

    PUT_IN = "put_in"
    PUT_ON = "put_on"
    BRING = "bring"
    CHANGE = "change"
    HAND = "hand"
    TAKE_OUT = "take_out"
    TAKE_OFF = "take_off"


class ContentStep(NamedTuple):
    """One thing to do.

    Attributes:
        what: Id or `$name` of the thing.
        to: Its destination or recipient; empty for a change.
        state: The state that is to have `value`.
        jointly: The goal itself demands joint action.
    """

    deed: StepKind
    what: str
    to: str = ""
    state: str = ""
    value: Any = None
    jointly: bool = False


def steps_of(goal: Goal) -> tuple[ContentStep, ...]:
    """The steps of a goal, in the order of its parts.

    Raises:
        ValueError: A part has no words.
    """
    parts = goal.all if isinstance(goal, AllOf) else (goal,)
    marks = {
        (part.done_jointly.object, part.done_jointly.state)
        for part in parts
        if isinstance(part, DoneJointly)
    }
    found = [_step(part) for part in parts if not isinstance(part, DoneJointly)]
    return tuple(step._replace(jointly=(step.what, step.state) in marks) for step in found)


def _step(part: Any) -> ContentStep:
    if isinstance(part, At):
        return _placed(part.at)
    if isinstance(part, InsideRoom):
        return ContentStep(StepKind.BRING, part.inside_room.object, part.inside_room.room)
    if isinstance(part, HasState):
        fact = part.has_state
        return ContentStep(StepKind.CHANGE, fact.object, state=fact.state, value=fact.equals)
    if isinstance(part, HeldBy) and part.held_by.agent is not None:
        return ContentStep(StepKind.HAND, part.held_by.object, part.held_by.agent)
    if isinstance(part, Not):
        return _denied(part.not_)
    raise ValueError(f"no words for {part!r}")


def _placed(fact: AtFact) -> ContentStep:
    if fact.on is not None:
        return ContentStep(StepKind.PUT_ON, fact.object, fact.on)
    if fact.in_ is not None:
        return ContentStep(StepKind.PUT_IN, fact.object, fact.in_)
    raise ValueError("no words for a raw place")


def _denied(part: Any) -> ContentStep:
    if isinstance(part, InsideRoom):
        return ContentStep(StepKind.TAKE_OUT, part.inside_room.object, part.inside_room.room)
    if isinstance(part, At) and part.at.on is not None:
        return ContentStep(StepKind.TAKE_OFF, part.at.object, part.at.on)
    if isinstance(part, At) and part.at.in_ is not None:
        return ContentStep(StepKind.TAKE_OUT, part.at.object, part.at.in_)
    raise ValueError(f"no words for what denies {part!r}")


def references(steps: tuple[ContentStep, ...]) -> Iterator[str]:
    """Every id and `$name` that the steps speak of, in their order."""
    for step in steps:
        yield step.what
        if step.to:
            yield step.to
