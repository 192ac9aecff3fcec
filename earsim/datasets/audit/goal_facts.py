"""What a goal checks, as a flat list; goals that are no plain conjunction are left alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from earsim.engine import Engine
from earsim.schema import AllOf, At, DoneJointly, Goal, HasState, InsideRoom
from earsim.schema.goal import AtFact


class PlaceFact(NamedTuple):
    """An object has to be somewhere; an empty relation accepts any."""

    thing: str
    relation: str
    holder: str


class State(NamedTuple):
    """An object has to have a state."""

    thing: str
    state: str
    value: Any


class GoalFacts(NamedTuple):
    """What a goal checks."""

    places: tuple[PlaceFact, ...]
    states: tuple[State, ...]

    @property
    def things(self) -> tuple[str, ...]:
        """What it speaks of, each once."""
        named = [fact.thing for fact in self.places] + [fact.thing for fact in self.states]
        return tuple(dict.fromkeys(named))


def facts_of(engine: Engine) -> GoalFacts | None:
    """What the goal of a scenario checks; None where that takes more than a conjunction to say."""
    found: list[PlaceFact | State] = []
    for part in _parts(engine.task.goal_tree):
        match part:
            case At(at=fact):
                found.append(_place(fact, engine))
            case InsideRoom(inside_room=fact):
                found.append(PlaceFact(_id(fact.object, engine), "", _id(fact.room, engine)))
            case HasState(has_state=fact):
                found.append(State(_id(fact.object, engine), fact.state, fact.equals))
            case DoneJointly():
                pass
            case _:
                return None
    if not found:
        return None
    distinct = [fact for at, fact in enumerate(found) if fact not in found[:at]]
    return GoalFacts(
        tuple(fact for fact in distinct if isinstance(fact, PlaceFact)),
        tuple(fact for fact in distinct if isinstance(fact, State)),
    )


def _parts(goal: Goal) -> Iterator[Goal]:
    if isinstance(goal, AllOf):
        for part in goal.all:
            yield from _parts(part)
    else:
        yield goal


def _place(fact: AtFact, engine: Engine) -> PlaceFact:
    thing = _id(fact.object, engine)
    if fact.place is not None:  # EAR-Bench's spelling, EAR-Bench 5.1
        relation, _, holder = fact.place.rpartition(":")
        return PlaceFact(thing, relation, holder)
    if fact.on is not None:
        return PlaceFact(thing, "on", _id(fact.on, engine))
    return PlaceFact(thing, "in", _id(fact.in_ or "", engine))


def _id(reference: str, engine: Engine) -> str:
    return engine.task.answer[reference[1:]] if reference.startswith("$") else reference
