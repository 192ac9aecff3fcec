"""The kinds of conditions: each draws a task in a scene, or finds nothing to ask there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from earsim.schema import AllOf, AnyOf, Goal, InsideRoom
from earsim.schema.goal import (
    Before,
    BeforeFact,
    By,
    ByFact,
    CountFact,
    CountOf,
    Each,
    EachFact,
    Exactly,
    ExactlyFact,
    InsideRoomFact,
    NeverHolds,
    Trips,
    TripsFact,
)
from earsim_generators.conditions.condition_task import ConditionTask, Shortcut
from earsim_generators.conditions.draft import EACH_OF_THEM, ConditionDraft
from earsim_generators.conditions.play import expert_play
from earsim_generators.conditions.wording import Delivery
from earsim_generators.families.draft import in_words
from earsim_generators.language.nouns import noun_of
from earsim_generators.tasks.distractor_sets import DistractorSet
from earsim_generators.tasks.subgoals import Destination

_LEAST_COUNTED = 3
"""Fewer things are not counted: one of two is a choice."""

_MARGIN = 1.2
"""Of what `expert` takes for what is urgent, when it does nothing else before."""

_HALF_MINUTE = 30

ConditionKind = Callable[[ConditionDraft], ConditionTask | None]
"""Fills a draft; None where the scene does not offer what it takes."""


def exactly(draft: ConditionDraft) -> ConditionTask | None:
    """All that are so, and none of the others of that name."""
    group = draft.lookalikes()
    part = None if group is None else draft.some_of(group, 2)
    place = None if group is None else draft.elsewhere(group.members)
    if group is None or part is None or place is None:
        return None
    fact = ExactlyFact(these=part.members, among=group.among, goal=place.goal(EACH_OF_THEM))
    noun = noun_of(str(group.among.name))
    return draft.task(
        "exactly",
        draft.wording.exactly(part.among, noun, place),
        Exactly(exactly=fact),
        draft.commands(_all_to(part.members, place)),
        _all(draft, group, place),
    )


def count(draft: ConditionDraft) -> ConditionTask | None:
    """So many of those that are so, and no others of that name."""
    group = draft.lookalikes()
    place = None if group is None else draft.elsewhere(group.members)
    if group is None or place is None:
        return None
    part = draft.some_of(group, _LEAST_COUNTED) or group
    if len(part.members) < _LEAST_COUNTED:
        return None
    number = draft.rng.randint(2, len(part.members) - 1)
    some = draft.rng.sample(part.members, number)
    noun = noun_of(str(group.among.name))
    return draft.task(
        "count",
        draft.wording.count(part.among, noun, number, place),
        so_many(number, part, group, place),
        draft.commands(_all_to(some, place)),
        _all(draft, group, place),
    )


def so_many(number: int, part: DistractorSet, group: DistractorSet, place: Destination) -> AllOf:
    """That so many of a part of a group are somewhere, and none of the others."""
    there = place.goal(EACH_OF_THEM)
    whole: tuple[Goal, ...] = (
        CountOf(count=CountFact(equals=number, among=part.among, goal=there)),
    )
    if part != group:
        others = group.among.model_copy(update={"not_": part.among})
        whole += (CountOf(count=CountFact(equals=0, among=others, goal=there)),)
    return AllOf(all=whole)


def order(draft: ConditionDraft) -> ConditionTask | None:
    """Three errands, told in another order than the one in which they are to be done."""
    wanted = draft.errands(3)
    if wanted is None:
        return None
    told_in = draft.rng.sample(wanted, len(wanted))
    if told_in == wanted:
        return None
    goals = {each: each.place.goal(each.reference) for each in wanted}
    pairs = pairwise(wanted)
    orders = [BeforeFact(first=goals[one], then=goals[two]) for one, two in pairs]
    shuffled = draft.rng.sample(wanted, len(wanted))
    done = tuple(goals[each] for each in shuffled)
    return draft.task(
        "order",
        draft.wording.order(told_in, wanted),
        AllOf(all=(*done, *(Before(before=fact) for fact in orders))),
        draft.commands(wanted),
        Shortcut("as_told", AllOf(all=done), draft.commands(told_in)),
    )


def apart(draft: ConditionDraft) -> ConditionTask | None:
    """Two things that are at no time in one room; the one goes where the other is."""
    reference = draft.thing()
    if reference is None:
        return None
    node = draft.builder.node(reference)
    here = draft.index.room_of(node)
    rooms = [room for room in draft.index.blueprint.rooms if room != here]
    there = draft.rng.choice(rooms)
    second = draft.thing(there)
    others = [r for r in rooms if r != there and draft.index.naming.called(r) is not None]
    if second is None or draft.index.naming.called(there) is None or not others:
        return None
    one = Delivery(reference, node, Destination("room", there))
    away = Destination("room", draft.rng.choice(others))
    other = Delivery(second, draft.builder.node(second), away)
    done = AllOf(all=(one.place.goal(reference), other.place.goal(second)))
    shared = AnyOf(
        any=tuple(
            AllOf(all=(_inside(reference, room), _inside(second, room)))
            for room in draft.index.blueprint.rooms
        )
    )
    return draft.task(
        "apart",
        draft.wording.apart(one, other),
        AllOf(all=(*done.all, NeverHolds(never=shared))),
        draft.commands([other, one]),
        Shortcut("as_told", done, draft.commands([one, other])),
    )


def one_trip(draft: ConditionDraft) -> ConditionTask | None:
    """Two things that go to a room on one trip."""
    found = [draft.thing() for _ in range(2)]
    references = [each for each in found if each is not None]
    nodes = [*map(draft.builder.node, references)]
    place = draft.elsewhere(nodes)
    if len(nodes) < 2 or place is None:
        return None
    errands = [Delivery(r, n, place) for r, n in zip(references, nodes, strict=True)]
    done = tuple(place.goal(each) for each in references)
    once = Trips(trips=TripsFact(room=place.node, of=tuple(references), at_most=1))
    return draft.task(
        "one_trip",
        draft.wording.trip(errands, place),
        AllOf(all=(*done, once)),
        draft.commands(errands, at_once=True),
        Shortcut("one_by_one", AllOf(all=done), draft.commands(errands), is_best=False),
    )


def deadline(draft: ConditionDraft) -> ConditionTask | None:
    """Three errands, the last of which is urgent."""
    errands = draft.errands(3)
    if errands is None:
        return None
    *others, urgent = errands
    goals = [each.place.goal(each.reference) for each in errands]
    walkthrough = draft.commands([urgent, *others])
    hurried = draft.task("deadline", "-", goals[-1], draft.commands([urgent]))
    play = expert_play(hurried.scenario(draft.index.scene, draft.ruleset, "hurried"))
    if not play.won:
        return None
    seconds = math.ceil(_MARGIN * play.seconds / _HALF_MINUTE) * _HALF_MINUTE
    by = By(by=ByFact(goal=goals[-1], seconds=float(seconds)))
    return draft.task(
        "deadline",
        draft.wording.deadline(others, urgent, in_words(seconds / 60)),
        AllOf(all=(*goals, by)),
        walkthrough,
        Shortcut("as_told", AllOf(all=tuple(goals)), draft.commands(errands)),
    )


def _inside(reference: str, room: str) -> Goal:
    return InsideRoom(inside_room=InsideRoomFact(object=reference, room=room))


def _all_to(nodes: Sequence[str], place: Destination) -> list[Delivery]:
    return [Delivery(node, node, place) for node in nodes]


def _all(draft: ConditionDraft, group: DistractorSet, place: Destination) -> Shortcut:
    """The same with everything of that name."""
    done = Each(each=EachFact(among=group.among, goal=place.goal(EACH_OF_THEM)))
    return Shortcut("all", done, draft.commands(_all_to(group.members, place)))
