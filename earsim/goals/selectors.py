"""Selectors: which one object a phrase such as "the second heaviest crate in the lab" means.

A selector is resolved once, against the initial world. It must have exactly one answer: no
candidates, a tie, or two objects that fit are errors, never a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import fsum
from typing import Any, NamedTuple

from earsim.errors import NoSingleAnswer
from earsim.schema import Scenario
from earsim.schema.selector import Comparison, Filter, Largest, Only, Rank, Smallest
from earsim.world import Blueprint, Physics, World
from earsim.world.numbers import number_of

CONTENTS = "contents_"
"""Before the name of a number: the sum of that number over what lies directly in or on a thing.

`contents_mass_kg` is what the load of a table weighs, `contents_price_eur` what it costs.
"""


class Pick(NamedTuple):
    """What a selector picked, and what it picked from, best first."""

    answer: str
    candidates: tuple[str, ...]


def answers(select: Mapping[str, Any], world: World) -> dict[str, str]:
    """The id that every selector of a task stands for.

    Raises:
        NoSingleAnswer: One of them has none, or several.
    """
    found: dict[str, str] = {}
    for name, selector in select.items():
        try:
            found[name] = pick(selector, world, found).answer
        except NoSingleAnswer as error:
            raise NoSingleAnswer(f"selector {name!r}: {error}") from None
    return found


def answered(scenario: Scenario) -> Scenario:
    """The scenario with the answers of its selectors stored beside them.

    Raises:
        NoSingleAnswer: A selector has no answer, or several, or another than the one stored.
    """
    task = scenario.task
    if not task.select:
        return scenario
    world = World(Blueprint.compile(scenario.scene, scenario.agents), Physics())
    found = answers(task.select, world)
    for name, stored in task.answer.items():
        if found[name] != stored:
            raise NoSingleAnswer(f"selector {name!r} picks {found[name]}, not the stored {stored}")
    return scenario.model_copy(update={"task": task.model_copy(update={"answer": found})})


def pick(selector: Any, world: World, named: Mapping[str, str]) -> Pick:
    """Resolve one selector; `named` holds the answers that its `$name` references stand for.

    Raises:
        NoSingleAnswer: It has no answer, or several.
    """
    if isinstance(selector, Only):
        return _only(selector, world, named)
    if isinstance(selector, Largest):
        return _ranked(world, named, selector.among, selector.largest, 1, largest=True)
    if isinstance(selector, Smallest):
        return _ranked(world, named, selector.among, selector.smallest, 1, largest=False)
    assert isinstance(selector, Rank)
    rank = selector.rank
    largest = rank.order == "largest"
    return _ranked(world, named, selector.among, rank.of, rank.k, largest=largest)


def decisive(selector: Any, world: World, named: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The things, and their numbers, that decide what a selector picks.

    Whatever meets its filter, numbers apart, is one of them, whether it has the number or not.
    """
    among = among_of(selector)
    compared = [each.object for each in (among.more_than, among.less_than) if each is not None]
    candidates = matching(_without_numbers(among), world, named)
    nodes = [*candidates, *(_id(reference, named) for reference in compared)]
    for name in _numbers_of(selector):
        for node in nodes:
            parts = world.contents.get(node, ()) if name.startswith(CONTENTS) else (node,)
            yield from ((part, name.removeprefix(CONTENTS)) for part in parts)


def among_of(selector: Any) -> Filter:
    """The filter of any selector."""
    among: Filter = selector.only if isinstance(selector, Only) else selector.among
    return among


def _numbers_of(selector: Any) -> list[str]:
    """The numbers that a selector speaks of."""
    found = [getattr(selector, "largest", None), getattr(selector, "smallest", None)]
    if isinstance(selector, Rank):
        found.append(selector.rank.of)
    among: Filter | None = among_of(selector)
    while among is not None:
        found += [*among.at_least, *among.at_most]
        found += [each.of for each in (among.more_than, among.less_than) if each is not None]
        among = among.not_
    return [name for name in dict.fromkeys(found) if name is not None]


def _without_numbers(among: Filter) -> Filter:
    """A filter without what it says of numbers, or denies."""
    nothing: dict[str, Any] = {"at_least": {}, "at_most": {}, "more_than": None, "less_than": None}
    return among.model_copy(update={**nothing, "not_": None})


def value_of(world: World, node: str, of: str) -> float | None:
    """A number of a thing, or of its contents together; None where there is none.

    A closed container has contents too, although nobody sees them.
    """
    own = number_of(world, node, of)
    if own is not None or not of.startswith(CONTENTS):
        return own
    number = of.removeprefix(CONTENTS)
    inner = [number_of(world, child, number) for child in world.contents.get(node, ())]
    found = [value for value in inner if value is not None]
    return fsum(found) if found else None


def matching(condition: Filter, world: World, named: Mapping[str, str]) -> list[str]:
    """Every object that meets a filter, in file order."""
    return [node for node in world.blueprint.things if meets(condition, world, node, named)]


def _only(selector: Only, world: World, named: Mapping[str, str]) -> Pick:
    found = matching(selector.only, world, named)
    if len(found) != 1:
        what = f"{len(found)} objects fit: {', '.join(found)}" if found else "no object fits"
        raise NoSingleAnswer(what)
    return Pick(found[0], tuple(found))


def _ranked(
    world: World, named: Mapping[str, str], among: Filter, of: str, k: int, *, largest: bool
) -> Pick:
    """Place `k` in the order of a number; its value must differ from both neighbours'."""
    values = {node: value_of(world, node, of) for node in matching(among, world, named)}
    numbers = {node: value for node, value in values.items() if value is not None}
    order = sorted(numbers, key=lambda node: numbers[node], reverse=largest)
    if len(order) < k:
        raise NoSingleAnswer(f"{len(order)} candidates have {of}; place {k} is asked for")
    chosen = order[k - 1]
    tied = [node for node in order if numbers[node] == numbers[chosen]]
    if len(tied) > 1:
        raise NoSingleAnswer(f"tie at {of} {numbers[chosen]:g}: {', '.join(tied)}")
    return Pick(chosen, tuple(order))


def meets(condition: Filter, world: World, node: str, named: Mapping[str, str]) -> bool:
    """Whether an object meets every condition of a filter."""
    if condition.not_ is not None and meets(condition.not_, world, node, named):
        return False
    return all(test(condition, world, node, named) for test in _TESTS)


Test = Callable[[Filter, World, str, Mapping[str, str]], bool]


def _described(condition: Filter, world: World, node: str, named: Mapping[str, str]) -> bool:
    thing = world.blueprint.things[node]
    attributes = world.attributes(node)
    return (
        condition.name in (None, thing.name)
        and condition.kind in (None, thing.kind)
        and (condition.provides is None or condition.provides in thing.provides)
        and all(attributes.get(key) == value for key, value in condition.attribute.items())
        and all(world.states[node].get(key) == value for key, value in condition.has_state.items())
    )


def _placed(condition: Filter, world: World, node: str, named: Mapping[str, str]) -> bool:
    place = world.location[node]
    holders = {"in": condition.in_, "on": condition.on}
    for relation, wanted in holders.items():
        if wanted is not None and (relation, _id(wanted, named)) != place:
            return False
    room = condition.inside_room
    return room is None or world.room_of(node) == _id(room, named)


def _measured(condition: Filter, world: World, node: str, named: Mapping[str, str]) -> bool:
    for name, least in condition.at_least.items():
        value = value_of(world, node, name)
        if value is None or value < least:
            return False
    for name, most in condition.at_most.items():
        value = value_of(world, node, name)
        if value is None or value > most:
            return False
    return True


def _compared(condition: Filter, world: World, node: str, named: Mapping[str, str]) -> bool:
    more, less = condition.more_than, condition.less_than
    return (more is None or _difference(more, world, node, named) > 0) and (
        less is None or _difference(less, world, node, named) < 0
    )


def _difference(comparison: Comparison, world: World, node: str, named: Mapping[str, str]) -> float:
    """By how much the number of `node` exceeds that of the other; 0 where one has none."""
    own = value_of(world, node, comparison.of)
    other = value_of(world, _id(comparison.object, named), comparison.of)
    return 0.0 if own is None or other is None else own - other


def _id(reference: str, named: Mapping[str, str]) -> str:
    return named[reference[1:]] if reference.startswith("$") else reference


_TESTS: tuple[Test, ...] = (_described, _placed, _measured, _compared)
