"""Content planning: from a goal to an ordered list of steps."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from earsim.schema import AllOf, At, DoneJointly, Goal, HasState, HeldBy, InsideRoom, Not


class StepKind(StrEnum):
    """Kinds of steps, each with verbs of its own."""

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
    if isinstance(part, HasState):
        fact = part.has_state
        return ContentStep(StepKind.CHANGE, fact.object, state=fact.state, value=fact.equals)
    if isinstance(part, HeldBy) and part.held_by.agent is not None:
        return ContentStep(StepKind.HAND, part.held_by.object, part.held_by.agent)
    is_denied = isinstance(part, Not)
    place = part.not_ if is_denied else part
    if isinstance(place, InsideRoom):
        kind = StepKind.TAKE_OUT if is_denied else StepKind.BRING
        return ContentStep(kind, place.inside_room.object, place.inside_room.room)
    if isinstance(place, At) and place.at.on is not None:
        kind = StepKind.TAKE_OFF if is_denied else StepKind.PUT_ON
        return ContentStep(kind, place.at.object, place.at.on)
    if isinstance(place, At) and place.at.in_ is not None:
        kind = StepKind.TAKE_OUT if is_denied else StepKind.PUT_IN
        return ContentStep(kind, place.at.object, place.at.in_)
    raise ValueError(f"no words for {part!r}")
