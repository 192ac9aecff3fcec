"""A task with a condition under construction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from earsim.schema import Goal
from earsim.schema.goal import EACH
from earsim.schema.selector import Filter
from earsim_generators.conditions.condition_task import ConditionTask, Shortcut
from earsim_generators.conditions.wording import Delivery, Wording
from earsim_generators.tasks.builder import TaskBuilder
from earsim_generators.tasks.distractor_sets import DistractorSet, DistractorSets, both
from earsim_generators.tasks.greedy_plan import GreedyPlan
from earsim_generators.tasks.scene_index import SceneIndex
from earsim_generators.tasks.subgoals import Destination
from earsim_generators.tasks.teamwork import alone

EACH_OF_THEM = f"${EACH}"
"""What a goal about many calls one of them."""

_WAYS_TO_REFER = ("named", "described", "described", "chosen")
"""By name; by use, place or material; by a selector among lookalikes."""


_MOVED = frozenset(
    ("charge", "content", "fuel", "humidity", "moisture", "oil", "temperature", "toner")
)
"""Numbers, by how their keys begin, of which one would say that some verb moves them."""


class ConditionDraft:
    """A task with a condition under construction.

    Attributes:
        index: The scene.
        builder: What refers to things, and keeps them apart.
        agent: Who is to do it.
        ambiguous: What may be meant by the words for a thing that nothing else tells, by its id.
    """

    def __init__(self, index: SceneIndex, rng: Random, ruleset: str) -> None:
        self.index = index
        self.rng = rng
        self.ruleset = ruleset
        self.builder = TaskBuilder(index, rng)
        self.ambiguous: dict[str, Filter] = {}
        (self.agent,) = alone(self.builder.plan.start, rng, carries=45.0)

    @property
    def wording(self) -> Wording:
        """Phrases for what was referred to so far."""
        return Wording(self.index.naming, self.builder.select, self.rng, self.ambiguous)

    def fits(self, node: str, candidates: Sequence[str] = ()) -> bool:
        """Whether a task may speak of a thing that is to be brought somewhere."""
        return self.builder.is_portable(node, candidates)

    def is_group(self, members: Sequence[str]) -> bool:
        """Whether a task may speak of things of one name that are to be brought somewhere."""
        return all(map(self.fits, members))

    def thing(self, room: str | None = None) -> str | None:
        """A reference to a thing that fits; in a room, if one is given."""

        def fits(node: str, candidates: Sequence[str] = ()) -> bool:
            is_there = room is None or self.index.room_of(node) == room
            return is_there and self.fits(node, candidates)

        way = self.rng.choice(_WAYS_TO_REFER)
        if way == "chosen":
            return self.builder.chosen(fits, conditions=1)
        return self.builder.named(fits) if way == "named" else self.builder.described(fits)

    def errand(self) -> Delivery | None:
        """A thing, and somewhere to put it."""
        reference = self.thing()
        if reference is None:
            return None
        node = self.builder.node(reference)
        place = self.builder.destination(node)
        return None if place is None else Delivery(reference, node, place)

    def errands(self, count: int) -> list[Delivery] | None:
        """So many, each about other things."""
        found = [self.errand() for _ in range(count)]
        return None if None in found else [each for each in found if each is not None]

    def lookalikes(self) -> DistractorSet | None:
        """Things of one name that one carries, and that nobody opens to look into them."""
        fitting = [
            group
            for group in self.index.groups
            if self.is_group(group)
            and not any("is_open" in self.index.world.states[node] for node in group)
        ]
        if not fitting:
            return None
        group = self.rng.choice(fitting)
        return DistractorSet(group, Filter(name=self.index.things[group[0]].name))

    def some_of(
        self, group: DistractorSet, least: int, *, most: int | None = None, lasting: bool = False
    ) -> DistractorSet | None:
        """A part of them, and what its members have in common; not all of them.

        Args:
            group: all of them.
            least: how many members it has at least.
            most: how many it has at most.
            lasting: no verb changes whether a thing is one of them.
        """
        sets = DistractorSets(self.index, self.rng)
        below = len(group.members) if most is None else min(most + 1, len(group.members))
        found = [
            part
            for part in self._parts(group, sets)
            if least <= len(part.members) < below and not (lasting and self._may_change(part))
        ]
        return self.rng.choice(found) if found else None

    def _may_change(self, part: DistractorSet) -> bool:
        """Whether a verb changes what its members have in common, or seems to."""
        compared = (part.among.more_than, part.among.less_than)
        numbers = {each.of.partition("_")[0] for each in compared if each is not None}
        return bool(part.among.has_state) or not numbers.isdisjoint(_MOVED)

    def _parts(self, group: DistractorSet, sets: DistractorSets) -> Iterator[DistractorSet]:
        for trait in sets.traits(group):
            yield DistractorSet(trait.bearers, both(group.among, trait.condition))
        for node in group.members:
            yield from sets.compared(node, group)

    def elsewhere(self, members: Sequence[str]) -> Destination | None:
        """A room with a name in which none of these things is."""
        taken = set(map(self.index.room_of, members))
        rooms = [
            room
            for room in self.index.blueprint.rooms
            if room not in taken and self.index.naming.called(room) is not None
        ]
        return Destination("room", self.rng.choice(rooms)) if rooms else None

    def commands(self, errands: Sequence[Delivery], *, at_once: bool = False) -> tuple[str, ...]:
        """Errands one after the other, or with everything in hand before anything is put down."""
        plan = GreedyPlan(self.index, (self.builder.plan.start,))
        if at_once:
            for errand in errands:
                start, end = self.index.room_of(errand.node), errand.place.node
                for door in self.index.doors_between(start, end):
                    plan.open_door(0, door)
            for errand in errands:
                plan.take(0, errand.node)
        for errand in errands:
            plan.take(0, errand.node)
            plan.put(0, errand.node, *errand.place)
        return tuple(said for each in plan.commands((self.agent,)) for said in each.values())

    def task(
        self,
        kind: str,
        instruction: str,
        goal: Goal,
        walkthrough: tuple[str, ...],
        *shortcuts: Shortcut,
    ) -> ConditionTask:
        """The task."""
        return ConditionTask(
            kind,
            instruction,
            goal,
            self.agent,
            walkthrough,
            shortcuts,
            dict(self.builder.select),
            dict(self.builder.answer),
        )
