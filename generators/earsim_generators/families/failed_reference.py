"""Errands whose words refer to nothing, or to either of two things: their tasks are to be declined.

A task that can be done keeps its words, its places and its budget. Other numbers of the six things
alike, and of what they are compared with, make the difference, which shows in the scene alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import permutations
from random import Random
from typing import Any, Final, NamedTuple

from earsim_generators.families.draft import Fields
from earsim_generators.families.errands import on_table
from earsim_generators.families.goods import GOODS, Goods
from earsim_generators.families.ranked_choice import (
    ALIKE,
    GaugeSide,
    NumberPair,
    RankedChoice,
    drawn_numbers,
    numbers_of,
)

_GOODS: Final = {goods.name: goods for goods in GOODS}


_NOTHING: Final = "?"
"""No id."""


class _Reference(NamedTuple):
    """What an errand of a document refers to.

    Attributes:
        name: Of the selector, without the `$`.
        goods: What the things are.
        gauge: Id of what they are compared with.
        things: Ids of all six.
        table: Id of where one of them is to be brought.
        stays: Ids of those that are to stay there.
        places: Where each of them is.
        choice: Which one, by the numbers of the document.
    """

    name: str
    goods: Goods
    gauge: str
    things: tuple[str, ...]
    table: str
    stays: tuple[str, ...]
    places: tuple[str, ...]
    choice: RankedChoice


def with_failed_reference(document: Fields, claim: str, rng: Random) -> Fields | None:
    """The document of a task with errands, one of which fails to refer to one thing.

    Args:
        document: As a family draws it, with one task that can be done; left as it is.
        claim: What is right to report then: `impossible` where nothing is so, for instance no third
            largest of two, or `unclear` where two things are alike in what they are chosen by.
        rng: Decides which errand, and draws its numbers.

    Returns:
        None where no errand can fail so.
    """
    document = deepcopy(document)
    (task,) = document["tasks"]
    errands = [_reference(document, name) for name in _names(task)]
    if claim == "impossible":
        errands = [errand for errand in errands if _may_refer_to_nothing(errand.choice)]
    if not errands:
        return None
    errand = rng.choice(errands)
    _CLAIMS[claim](document, task, errand, rng)
    del task["select"][errand.name]
    return {**document, "tasks": [{**task, "right_claim": claim}]}


def with_harmless_tie(document: Fields, rng: Random) -> Fields:
    """The document of a task with errands, where two things have a number in common.

    What is meant stays what it was. So whoever sees a tie does not know yet that a task is unclear.
    None have where that would leave the gauge beyond all things, which nothing else does.

    Args:
        document: As a family draws it; left as it is.
        rng: Decides which errand, and which of its things.
    """
    document = deepcopy(document)
    (task,) = document["tasks"]
    errand = _reference(document, rng.choice(_names(task)))
    ties = [tie for tie in _ties(errand.choice) if _means_the_same(tie, errand.choice)]
    if ties and (tie := rng.choice(ties)).is_around_gauge:
        _set_numbers(document, errand, tie, errand.things)
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


def _names(task: Fields) -> list[str]:
    """Names of the selectors of errands."""
    return [name for name, how in task["select"].items() if how["among"].get("name") in _GOODS]


def _reference(document: Fields, name: str) -> _Reference:
    (task,) = document["tasks"]
    selector = task["select"][name]
    goods = _GOODS[selector["among"]["name"]]
    keys = [number.key for number in goods.numbers]
    compared = {key: selector["among"].get(key) for key in ("more_than", "less_than")}
    sides = sorted(
        GaugeSide(keys.index(told["of"]), key == "more_than")
        for key, told in compared.items()
        if told
    )
    told = selector.get("rank", {"k": 1, **selector})
    order = told.get("order") or next(key for key in ("largest", "smallest") if key in told)
    by = keys.index(told.get("of") or told[order])
    at, *beside = _parts(task["goal"]["all"], f"${name}")
    table = at["at"]["on"]
    alike = [thing for thing in document["objects"] if thing["name"] == goods.name]
    gauge = next(told["object"] for told in compared.values() if told)
    numbers = {
        thing["id"]: tuple(round(thing[key]) for key in keys)
        for thing in document["objects"]
        if thing["id"] == gauge or thing in alike
    }
    return _Reference(
        name=name,
        goods=goods,
        gauge=gauge,
        things=tuple(thing["id"] for thing in alike),
        table=table,
        stays=tuple(part["at"]["object"] for part in beside[:-1]),
        places=tuple(thing["on"] for thing in alike),
        choice=RankedChoice(
            tuple(numbers[thing["id"]] for thing in alike),
            numbers[gauge],
            tuple(sides),
            by,
            order == "largest",
            told["k"],
        ),
    )


def _parts(goal: Sequence[Fields], reference: str) -> list[Fields]:
    """Of the errand about a reference: that it is there, what stays, and that no others are."""
    first = next(
        place for place, part in enumerate(goal) if part.get("at", {}).get("object") == reference
    )
    last = next(place for place, part in enumerate(goal) if place > first and "not" in part)
    return list(goal[first : last + 1])


def _may_refer_to_nothing(choice: RankedChoice) -> bool:
    """Whether nothing may be so, where the gauge is between the things in both numbers."""
    return len(choice.sides) > 1 or choice.rank > 1


def _refer_to_nothing(document: Fields, task: Fields, errand: _Reference, rng: Random) -> None:
    """Fewer things are so than the rank counts."""
    choice = _redrawn(errand, rng)
    while len(choice.order) != choice.rank - 1:
        choice = _redrawn(errand, rng)
    nodes = rng.sample(errand.things, ALIKE)
    _set_numbers(document, errand, choice, nodes)
    task["walkthrough"] = []
    among = task["select"][errand.name]["among"]
    there_are = {"count": {"at_least": choice.rank, "among": among, "goal": {"all": []}}}
    one_is_there = {"at_least": 1, "among": among, "goal": on_table("$each", errand.table)}
    meant = {"all": [there_are, {"count": one_is_there}]}
    others = {*nodes} - {nodes[each] for each in choice.order} - {*errand.stays}
    task["goal"] = _with_others(task["goal"], errand, sorted(others))
    task["goal"] = _replaced(task["goal"], on_table(f"${errand.name}", errand.table), meant)


def _refer_to_two(document: Fields, task: Fields, errand: _Reference, rng: Random) -> None:
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
    choice = _redrawn(errand, rng)
    while len(choice.order) <= choice.rank or not _tied_at_rank(choice).is_around_gauge:
        choice = _redrawn(errand, rng)
    both = choice.order[choice.rank - 1 : choice.rank + 1]
    two = rng.sample([errand.things[first], errand.things[second]], 2)
    rest = rng.sample([node for node in errand.things if node not in two], ALIKE - 2)
    nodes = [two.pop() if each in both else rest.pop() for each in range(ALIKE)]
    _set_numbers(document, errand, _tied_at_rank(choice), nodes)
    meant, else_meant = errand.things[first], errand.things[second]
    others = sorted({*nodes} - {meant, *errand.stays})
    task["goal"] = _replaced(_with_others(task["goal"], errand, others), f"${errand.name}", meant)
    swapped = _replaced(_replaced(task["goal"], meant, _NOTHING), else_meant, meant)
    task["other_readings"] = [_replaced(swapped, _NOTHING, else_meant)]


_CLAIMS: Final[dict[str, Callable[[Fields, Fields, _Reference, Random], None]]] = {
    "impossible": _refer_to_nothing,
    "unclear": _refer_to_two,
}


def _redrawn(errand: _Reference, rng: Random) -> RankedChoice:
    things, gauge = drawn_numbers(rng, errand.goods)
    return errand.choice._replace(things=things, gauge=gauge)


def _set_numbers(
    document: Fields, errand: _Reference, choice: RankedChoice, nodes: Sequence[str]
) -> None:
    """Give the things and the gauge their numbers, and the shapes that go with these."""
    objects = {thing["id"]: thing for thing in document["objects"]}
    numbers: list[tuple[str, NumberPair]] = [*zip(nodes, choice.things, strict=True)]
    for node, pair in [*numbers, (errand.gauge, choice.gauge)]:
        fields = numbers_of(errand.goods, pair)
        objects[node] |= {"size_m": [*fields.pop("size")], **fields}


def _with_others(goal: Fields, errand: _Reference, others: Sequence[str]) -> Fields:
    """A goal in which these are what is not to be on the table of an errand."""
    for_others = {"not": {"any": [on_table(node, errand.table) for node in others]}}
    return {
        "all": [
            for_others if _speaks_of(part.get("not"), errand.things) else part
            for part in goal["all"]
        ]
    }


def _speaks_of(part: Fields | None, things: Sequence[str]) -> bool:
    told = [] if part is None else part.get("any", [])
    return any(each.get("at", {}).get("object") in things for each in told)


def _replaced(goal: Any, told: Any, by: Any) -> Any:
    """A goal with something else wherever it says something."""
    return json.loads(json.dumps(goal).replace(json.dumps(told), json.dumps(by)))
