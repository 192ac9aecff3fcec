"""Tasks to be declined: what they ask for cannot be done, or may be one thing or another.

Their sentences are those of the other kinds. What is wrong with them shows in the scene alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from types import MappingProxyType

from earsim.goals.selectors import matching
from earsim.schema import AllOf
from earsim.schema.selector import Filter
from earsim_generators.conditions.condition_task import ConditionTask
from earsim_generators.conditions.draft import ConditionDraft
from earsim_generators.conditions.kinds import apart, deadline, exactly, one_trip, order, so_many
from earsim_generators.language.nouns import noun_of
from earsim_generators.tasks.descriptions import conditions_of
from earsim_generators.tasks.scene_index import SceneIndex

Heeding = Callable[[ConditionDraft], ConditionTask | None]
"""A kind of condition that can be heeded."""

_OF_TWO_THINGS: tuple[Heeding, ...] = (order, apart, one_trip, deadline)
"""Kinds that speak of at least two things one by one."""

_MOST_READINGS = 4

_MOST_THERE = 2
"""Of those of which one more is asked for: most that are to be counted are asked for in twos."""


class TooHeavyDraft(ConditionDraft):
    """One of its first two things, or some of its lookalikes, are too heavy to be carried."""

    def __init__(self, index: SceneIndex, rng: Random, ruleset: str) -> None:
        super().__init__(index, rng, ruleset)
        self._things_before = rng.randrange(2)

    def fits(self, node: str, candidates: Sequence[str] = ()) -> bool:
        """Too heavy when it is the turn of such a thing."""
        if self._things_before:
            return super().fits(node, candidates)
        return self._is_too_heavy(node)

    def thing(self, room: str | None = None) -> str | None:
        """A reference to the next thing."""
        found = super().thing(room)
        self._things_before -= 1
        return found

    def is_group(self, members: Sequence[str]) -> bool:
        """Whether some are too heavy, and the others can be carried."""
        heavy = [node for node in members if self._is_too_heavy(node)]
        return bool(heavy) and all(
            self.builder.is_portable(node) for node in members if node not in heavy
        )

    def _is_too_heavy(self, node: str) -> bool:
        thing = self.index.things[node]
        is_loose = not thing.is_furniture and self.index.is_freely_carried(node)
        return is_loose and thing.mass_kg > self.agent.max_mass_kg


class AmbiguousDraft(ConditionDraft):
    """One of its first two things is told by words that fit several.

    Attributes:
        readings: These, once they are drawn; the first is taken for the goal.
        others: The other things that the task speaks of.
    """

    def __init__(self, index: SceneIndex, rng: Random, ruleset: str) -> None:
        super().__init__(index, rng, ruleset)
        self.readings: tuple[str, ...] = ()
        self.others: set[str] = set()
        self._things_before = rng.randrange(2)

    def thing(self, room: str | None = None) -> str | None:
        """A reference to the next thing."""
        is_turn = self._things_before == 0
        self._things_before -= 1
        if is_turn:
            return self._ambiguous(room)
        found = super().thing(room)
        if found is not None:
            self.others.add(self.builder.node(found))
        return found

    def _ambiguous(self, room: str | None) -> str | None:
        found = {
            members: among
            for node in self.index.things
            for among in self.words(node)
            if (members := tuple(matching(among, self.index.world, {})))
            and 2 <= len(members) <= _MOST_READINGS
            and all(map(self.fits, members))
            and (room is None or room in map(self.index.room_of, members))
        }
        if not found:
            return None
        members = self.rng.choice([*found])
        here = [node for node in members if room in (None, self.index.room_of(node))]
        node = self.rng.choice(here)
        self.readings = (node, *[other for other in members if other != node])
        self.ambiguous[node] = found[members]
        self.builder.occupy(members)
        return node

    def words(self, node: str) -> list[Filter]:
        """A name that fits nothing else than things of that name, and descriptions."""
        name = self.index.things[node].name
        alike = [other for other, thing in self.index.things.items() if thing.name == name]
        described = [
            among for among in conditions_of(self.index, node) if among.attribute or among.provides
        ]
        is_whole = set(self.index.naming.fitting(name)) == set(alike)
        if not is_whole or noun_of(name).is_many:
            return described
        return [Filter(name=name), *described]


def impossible(draft: ConditionDraft) -> ConditionTask | None:
    """Something that nobody can carry, in the words of another kind.

    One draw of six finds nothing: validation refused `too_many` when the suites of generator 2 were
    drawn, and their other tasks are to stay.
    """
    kind = draft.rng.choice((None, exactly, *_OF_TWO_THINGS))
    return None if kind is None else impossible_as(kind, draft)


def impossible_as(kind: Heeding, draft: ConditionDraft) -> ConditionTask | None:
    """More than there are, or something that nobody can carry, in the words of a kind."""
    if kind is not too_many:
        draft = TooHeavyDraft(draft.index, draft.rng, draft.ruleset)
    task = kind(draft)
    return None if task is None else _declined(task)


def too_many(draft: ConditionDraft) -> ConditionTask | None:
    """One more of those that are so than there are: two where there is one, or three of two.

    What they have in common is not what a verb changes, which would make more of them.
    """
    group = draft.lookalikes()
    part = None if group is None else draft.some_of(group, 1, most=_MOST_THERE, lasting=True)
    place = None if group is None else draft.elsewhere(group.members)
    if group is None or part is None or place is None:
        return None
    number = len(part.members) + 1
    noun = noun_of(str(group.among.name))
    told = draft.wording.count(part.among, noun, number, place)
    return draft.task("count", told, so_many(number, part, group, place), ())


def unclear(draft: ConditionDraft) -> ConditionTask | None:
    """Words that fit several things where one is meant, in a task of another kind."""
    ambiguous = AmbiguousDraft(draft.index, draft.rng, draft.ruleset)
    return _unclear(draft.rng.choice(_OF_TWO_THINGS), ambiguous)


def unclear_as(kind: Heeding, draft: ConditionDraft) -> ConditionTask | None:
    """Words that fit several things where one is meant, in a task of a kind."""
    return _unclear(kind, AmbiguousDraft(draft.index, draft.rng, draft.ruleset))


def _unclear(kind: Heeding, ambiguous: AmbiguousDraft) -> ConditionTask | None:
    task = kind(ambiguous)
    if (
        task is None
        or not ambiguous.readings
        or not ambiguous.others.isdisjoint(ambiguous.readings)
    ):
        return None  # nothing is unclear, or the task speaks of one thing twice
    meant, *others = ambiguous.readings
    readings = tuple([_about(task, meant, other) for other in others])
    return replace(
        _declined(task),
        kind="unclear",
        right_claim="unclear",
        other_readings=readings,
    )


DECLINING: Mapping[str, Heeding] = MappingProxyType(
    {
        "impossible_count": partial(impossible_as, too_many),
        "impossible_exactly": partial(impossible_as, exactly),
        **{f"impossible_{kind.__name__}": partial(impossible_as, kind) for kind in _OF_TWO_THINGS},
        **{f"unclear_{kind.__name__}": partial(unclear_as, kind) for kind in _OF_TWO_THINGS},
    }
)
"""Kinds of tasks to be declined, by what is wrong with them and in the words of which kind."""


def _declined(task: ConditionTask) -> ConditionTask:
    return replace(task, kind="impossible", walkthrough=(), shortcuts=(), right_claim="impossible")


def _about(task: ConditionTask, meant: str, other: str) -> AllOf:
    """The goal, where another thing is meant."""
    told = json.dumps(task.goal.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    return AllOf.model_validate(json.loads(told.replace(f'"{meant}"', f'"{other}"')))
