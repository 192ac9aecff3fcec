"""Errands whose words refer to nothing, or to either of two things: their tasks are to be declined.

A task that can be done keeps its words, its places and its budget. Other numbers of the things
alike, and of what they are compared with, make the difference, which shows in the scene alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import permutations
from random import Random
from typing import Any, Final, NamedTuple

from earsim_generators.families.compared_errand import ComparedErrand
from earsim_generators.families.draft import Fields
from earsim_generators.families.goods import ALIKE, DrawnGoods, drawn_bodies, fields_of
from earsim_generators.families.ranked_choice import RankedChoice

_NOTHING: Final = "?"
"""No id."""


def with_failed_reference(
    document: Fields, errands: Sequence[ComparedErrand], claim: str, rng: Random
) -> Fields | None:
    """The document of a task with errands, one of which fails to refer to one thing.

    Args:
        document: As a family draws it, with one task that can be done; left as it is.
        errands: Of that task.
        claim: What is right to report then: `impossible` where nothing is so, for instance no
            second brightest of one, or `unclear` where two things are alike in what they are
            chosen by.
        rng: Decides which errand, and draws its numbers.

    Returns:
        None where no errand can fail so.
    """
    fails, change = _CLAIMS[claim]
    for errand in rng.sample(errands, len(errands)):
        drawn = _redrawn(errand, fails, rng)
        if drawn is not None:
            document = deepcopy(document)
            (task,) = document["tasks"]
            change(document, task, errand, drawn, rng)
            del task["select"][errand.name]
            return {**document, "tasks": [{**task, "right_claim": claim}]}
    return None


def with_harmless_tie(document: Fields, errands: Sequence[ComparedErrand], rng: Random) -> Fields:
    """The document of a task with errands, where two things have a number in common.

    What is meant stays what it was. So whoever sees a tie does not know yet that a task is unclear.
    None have where that would leave the gauge beyond all things, which nothing else does.

    Args:
        document: As a family draws it; left as it is.
        errands: Of its task.
        rng: Decides which errand, and which of its things.
    """
    document = deepcopy(document)
    errand = rng.choice(errands)
    ties = [tie for tie in _ties(errand.choice) if _means_the_same(tie, errand.choice)]
    if ties and (tie := rng.choice(ties)).is_around_gauge:
        _set_chosen_by(document, errand, errand.things, tie)
    return document


def _ties(choice: RankedChoice) -> Iterator[RankedChoice]:
    """Each way for one thing to have the number of another by which one is chosen."""
    for one, other in permutations(range(ALIKE), 2):
        yield _tied(choice, one, other)


def _tied_at_rank(choice: RankedChoice) -> RankedChoice:
    """The next one in order has the number of the one of that rank."""
    one, other = choice.order[choice.rank - 1 : choice.rank + 1]
    return _tied(choice, one, other)


def _tied(choice: RankedChoice, one: int, other: int) -> RankedChoice:
    things = list(choice.things)
    pair = list(things[other])
    pair[choice.by] = things[one][choice.by]
    things[other] = (pair[0], pair[1])
    return choice._replace(things=tuple(things))


def _means_the_same(tied: RankedChoice, choice: RankedChoice) -> bool:
    """Whether the same things are so, in the same order, and no other has the number of the one."""
    numbers = [tied.things[each][tied.by] for each in tied.order]
    return (
        tied.order == choice.order and numbers.count(numbers[tied.rank - 1]) == 1 and tied.needs_all
    )


class _Redrawn(NamedTuple):
    """An errand's choice with other numbers."""

    choice: RankedChoice
    bodies: DrawnGoods


_TRIES: Final = 200


def _redrawn(
    errand: ComparedErrand, fails: Callable[[RankedChoice], bool], rng: Random
) -> _Redrawn | None:
    """With numbers about which its words fail to refer; None where no try comes to such."""
    for _ in range(_TRIES):
        bodies = drawn_bodies(rng, errand.goods)
        choice = errand.choice.with_numbers(errand.goods, bodies)
        if fails(choice):
            return _Redrawn(choice, bodies)
    return None


def _refers_to_nothing(choice: RankedChoice) -> bool:
    """Whether exactly one thing too few is so."""
    return len(choice.order) == choice.rank - 1


def _may_tie(choice: RankedChoice) -> bool:
    """Whether the next one in order may have the number of the one of that rank."""
    return len(choice.order) > choice.rank and _tied_at_rank(choice).is_around_gauge


def _refer_to_nothing(
    document: Fields, task: Fields, errand: ComparedErrand, drawn: _Redrawn, rng: Random
) -> None:
    """Fewer things are so than the rank counts.

    Where two had a number in common, two others do, which makes no more of them so.
    """
    choice, bodies = drawn
    nodes = rng.sample(errand.things, ALIKE)
    was_tied = _is_tied(document, errand)
    _set_bodies(document, errand, bodies, nodes)
    ties = [tie for tie in _ties(choice) if tie.order == choice.order and tie.is_around_gauge]
    if was_tied and ties:
        _set_chosen_by(document, errand, nodes, rng.choice(ties))
    task["walkthrough"] = []
    among = task["select"][errand.name]["among"]
    there_are = {"count": {"at_least": choice.rank, "among": among, "goal": {"all": []}}}
    one_is_there = {"at_least": 1, "among": among, "goal": errand.on_table("$each")}
    meant = {"all": [there_are, {"count": one_is_there}]}
    others = {*nodes} - {nodes[each] for each in choice.order} - {*errand.stays}
    goal = _replaced(task["goal"], errand.others_gone, errand.without(others))
    task["goal"] = _replaced(goal, errand.done, meant)


def _refer_to_two(
    document: Fields, task: Fields, errand: ComparedErrand, drawn: _Redrawn, rng: Random
) -> None:
    """The one of that rank, and the next one, have the same number.

    One of them is that which was meant before, so that the walkthrough still brings it; where
    another lies beside that, it is the other.
    """
    first = errand.choice.target
    away = [each for each, place in enumerate(errand.places) if place != errand.table]
    beside = [each for each in away if errand.places[each] == errand.places[first]]
    second = rng.choice(
        [each for each in beside if each != first] or [e for e in away if e != first]
    )
    choice, bodies = drawn
    both = choice.order[choice.rank - 1 : choice.rank + 1]
    two = rng.sample([errand.things[first], errand.things[second]], 2)
    rest = rng.sample([node for node in errand.things if node not in two], ALIKE - 2)
    nodes = [two.pop() if each in both else rest.pop() for each in range(ALIKE)]
    _set_bodies(document, errand, bodies, nodes)
    _set_chosen_by(document, errand, nodes, _tied_at_rank(choice))
    meant, else_meant = errand.things[first], errand.things[second]
    others = {*nodes} - {meant, *errand.stays}
    goal = _replaced(task["goal"], errand.others_gone, errand.without(others))
    task["goal"] = _replaced(goal, f"${errand.name}", meant)
    swapped = _replaced(_replaced(task["goal"], meant, _NOTHING), else_meant, meant)
    task["other_readings"] = [_replaced(swapped, _NOTHING, else_meant)]


_CLAIMS: Final = {
    "impossible": (_refers_to_nothing, _refer_to_nothing),
    "unclear": (_may_tie, _refer_to_two),
}
"""Of which numbers an errand fails so, and what is done then."""


def _is_tied(document: Fields, errand: ComparedErrand) -> bool:
    """Whether two things have the same number by which one is chosen."""
    key = errand.goods.numbers[errand.choice.by]
    numbers = [thing[key] for thing in document["objects"] if thing["id"] in errand.things]
    return len({*numbers}) < len(numbers)


def _set_bodies(
    document: Fields, errand: ComparedErrand, bodies: DrawnGoods, nodes: Sequence[str]
) -> None:
    """Give the things and the gauge other bodies."""
    objects = {thing["id"]: thing for thing in document["objects"]}
    for node, body in zip([*nodes, errand.gauge], [*bodies.things, bodies.gauge], strict=True):
        fields = fields_of(body)
        objects[node] |= {"size_m": [*fields.pop("size")], **fields}


def _set_chosen_by(
    document: Fields, errand: ComparedErrand, nodes: Sequence[str], choice: RankedChoice
) -> None:
    """Give the things the numbers by which one is chosen."""
    objects = {thing["id"]: thing for thing in document["objects"]}
    for node, numbers in zip(nodes, choice.things, strict=True):
        objects[node][errand.goods.numbers[choice.by]] = numbers[choice.by]


def _replaced(goal: Any, told: Any, by: Any) -> Any:
    """A goal with something else wherever it says something."""
    return json.loads(json.dumps(goal).replace(json.dumps(told), json.dumps(by)))
