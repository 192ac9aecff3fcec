"""Contrast sets: goals that differ in one respect from that of a task, or from one another.

A reader who knows only an instruction chooses among them (contrast sets: Gardner et al., 2020).
Each is a small change of the goal, or of another contrast: another thing, place, number, rank,
attribute or order, or one condition less. So who picks the goal has read every part that was
changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from earsim.engine import Engine
from earsim.schema import Goal, Scenario, Selector
from earsim.world import World

Tree = Any
"""JSON of a goal, with selectors in place of their names."""

_OPPOSITES = {
    "largest": "smallest",
    "smallest": "largest",
    "more_than": "less_than",
    "less_than": "more_than",
}
_COUNTS = ("k", "equals")
_BOUNDS = ("at_least", "at_most")
_SCALES = (0.5, 0.75, 1.5, 2.0)
_SILENT = ("not", "never")
"""What a sentence may leave to common sense: that others stay, that nothing runs over."""


_TURNS = (0, 1)
"""Goal and first contrast, in random order: each is changed once, then always the same one."""


class GoalChoice(NamedTuple):
    """A goal that a reader may choose.

    Attributes:
        is_meant: Whether the instruction means it.
    """

    tree: Tree
    is_meant: bool

    @property
    def text(self) -> str:
        """JSON without quotation marks: ids and numbers need none."""
        return json.dumps(self.tree, ensure_ascii=False).replace('"', "")


def choices(scenario: Scenario, rng: Random, *, contrasts: int) -> list[GoalChoice]:
    """The goal of a task, other readings that it has, and so many contrasts, in random order.

    Most of them are contrasts of the goal or, as often, of the first contrast. So the goal is not
    the one that all others resemble, which would tell it without the words.
    """
    engine = Engine(scenario)
    world, task = engine.start(), scenario.task
    meant = [_tree(goal, task.select) for goal in (task.goal, *task.other_readings)]
    found = [*meant]
    sources = [_contrasts(meant[0], world, rng)]
    turns: Iterator[int] = iter(())
    while sources and len(found) < len(meant) + contrasts:
        source = sources[next(turns, 0) % len(sources)]
        new = next((tree for tree in source if tree not in found), None)
        if new is None:
            sources.remove(source)
            continue
        found.append(new)
        if len(found) == len(meant) + 1:
            sources.append(_contrasts(new, world, rng))
            rng.shuffle(sources)
            turns = iter(_TURNS)
    shown = [GoalChoice(tree, is_meant=index < len(meant)) for index, tree in enumerate(found)]
    rng.shuffle(shown)
    return shown


def _tree(goal: Goal, select: Mapping[str, Selector]) -> Tree:
    """JSON of a goal and of the descriptions in it; what is so in every room is said once."""

    def shortened(value: Tree) -> Tree:
        if isinstance(value, list):
            return [shortened(each) for each in value]
        if isinstance(value, dict):
            pair = _never_in_one_room(value)
            if pair is not None:
                return {"never_in_one_room": pair}
            return {key: shortened(each) for key, each in value.items()}
        return value

    where = {f"${name}": _dumped(selector) for name, selector in select.items()}
    return {"goal": shortened(_dumped(goal)), **({"where": where} if where else {})}


def _dumped(model: Any) -> Tree:
    return model.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _never_in_one_room(value: Mapping[str, Tree]) -> list[str] | None:
    """The two things of ``never any of: both are in room A, both are in room B ...``."""
    cases = value["never"].get("any") if "never" in value else None
    pairs = [
        [fact["inside_room"]["object"] for fact in case.get("all", ()) if "inside_room" in fact]
        for case in cases or ()
    ]
    alike = pairs and all(len(pair) == 2 and pair == pairs[0] for pair in pairs)
    return pairs[0] if alike else None


def _contrasts(tree: Tree, world: World, rng: Random) -> Iterator[Tree]:
    """Contrasts of a goal, of each kind of change in turn."""
    kinds: list[list[Tree]] = [list(change(tree, world)) for change in _CHANGES]
    for found in kinds:
        rng.shuffle(found)
    rng.shuffle(kinds)
    while any(kinds):
        for found in kinds:
            if found:
                yield found.pop()


def _other_things(tree: Tree, world: World) -> Iterator[Tree]:
    """Another thing or room where one is named."""
    blueprint = world.blueprint
    for node in sorted(_said(tree) & {*blueprint.things, *blueprint.rooms}):
        is_room = node in blueprint.rooms
        others = blueprint.rooms if is_room else blueprint.things
        for other in others:
            if other != node and (is_room or _is_alike(world, node, other)):
                yield _swapped(tree, node, other)


def _is_alike(world: World, one: str, other: str) -> bool:
    """Whether both can be moved, or neither."""
    things = world.blueprint.things
    return things[one].kind == things[other].kind


def _other_words(tree: Tree, world: World) -> Iterator[Tree]:
    """Another name, attribute, material or ability in the description of a thing."""
    things = world.blueprint.things.values()
    names = sorted({thing.name for thing in things})
    numbers = sorted({key for node in world.blueprint.things for key in _numbers(world, node)})
    abilities = sorted({each for thing in things for each in thing.provides})
    known: dict[str, Sequence[str]] = {
        "name": names,
        "largest": numbers,
        "smallest": numbers,
        "of": numbers,
        "provides": abilities,
        "material": sorted(_materials(world)),
    }
    for key, words in known.items():
        for word in sorted({value for found, value in _leaves(tree) if found == key}, key=str):
            for other in words if word in words else ():
                if other != word:
                    yield _swapped(tree, word, other, key=key)


def _numbers(world: World, node: str) -> tuple[str, ...]:
    return (*world.blueprint.things[node].quantities, "mass_kg")


def _materials(world: World) -> set[str]:
    found = (world.attributes(node).get("material") for node in world.blueprint.things)
    return {each for each in found if isinstance(each, str)}


def _other_numbers(tree: Tree, world: World) -> Iterator[Tree]:
    """Ranks and counts one up or down; times and bounds shorter or longer."""
    del world
    numbers = [
        (key, value)
        for key, value in dict.fromkeys(_leaves(tree))
        if isinstance(value, float | int) and not isinstance(value, bool)
    ]
    for key, value in numbers:
        if key in _COUNTS and float(value).is_integer():
            for other in (value + 1, value - 1):
                if other > 0:
                    yield _swapped(tree, value, other, key=key)
        elif key == "seconds":
            for scale in _SCALES:
                yield _swapped(tree, value, value * scale, key=key)
    if any(key in _BOUNDS and value for key, value in numbers):
        for scale in _SCALES:
            yield _scaled(tree, scale)


def _opposites(tree: Tree, world: World) -> Iterator[Tree]:
    """Largest for smallest, more for less, one state for its contrary."""
    del world
    keys = {key for key, _ in _pairs(tree)}
    for key in sorted(keys & _OPPOSITES.keys()):
        yield _renamed(tree, {key: _OPPOSITES[key]})
    for found, value in dict.fromkeys(_leaves(tree)):
        if isinstance(value, bool):
            yield _swapped(tree, value, not value, key=found)


def _other_order(tree: Tree, world: World) -> Iterator[Tree]:
    """What comes first comes last."""
    del world
    turned = {"first": "then", "then": "first"}
    goal = tree["goal"]
    befores = [each for each in goal.get("all", ()) if "before" in each]
    for one in befores:
        parts = [_renamed(each, turned) if each is one else each for each in goal["all"]]
        yield {**tree, "goal": {"all": parts}}
    if len(befores) > 1:
        yield _renamed(tree, turned)


def _less(tree: Tree, world: World) -> Iterator[Tree]:
    """One condition less, or a set with one thing more or less."""
    goal = tree["goal"]
    for part in goal.get("all", ()):
        rest = [each for each in goal["all"] if each is not part]
        if rest and not part.keys() & {*_SILENT}:
            yield {**tree, "goal": {"all": rest}}
    exactly = goal.get("exactly")
    if exactly is not None:
        these = exactly["these"]
        sets = [[each for each in these if each != gone] for gone in these if len(these) > 1]
        name = exactly["among"].get("name")
        things = world.blueprint.things.items()
        sets += [[*these, n] for n, thing in things if thing.name == name and n not in these]
        for other in sets:
            yield {**tree, "goal": {"exactly": {**exactly, "these": other}}}


_Change = Callable[[Tree, World], Iterator[Tree]]


def _of_one_part(change: _Change) -> _Change:
    """The change of one description, or of the goal around them, and not of all at once."""

    def of_one_part(tree: Tree, world: World) -> Iterator[Tree]:
        goal, where = {"goal": tree["goal"]}, tree.get("where", {})
        for other in change(goal, world):
            yield {**tree, **other}
        for name, selector in where.items():
            for other in change({"goal": {}, "where": {name: selector}}, world):
                yield {**tree, "where": {**where, **other["where"]}}

    return of_one_part


_CHANGES: tuple[_Change, ...] = (
    _other_things,
    _of_one_part(_other_words),
    _of_one_part(_other_numbers),
    _of_one_part(_opposites),
    _other_order,
    _less,
)


def _pairs(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """Every key with its value, at any depth."""
    if isinstance(tree, list):
        for each in tree:
            yield from _pairs(each)
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield key, value
            yield from _pairs(value)


def _leaves(tree: Tree) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, value in _pairs(tree) if not isinstance(value, dict | list))


def _said(tree: Tree) -> set[str]:
    """Every text outside of what may go without saying."""
    if isinstance(tree, list):
        return set().union(*map(_said, tree))
    if isinstance(tree, dict):
        return set().union(*(_said(value) for key, value in tree.items() if key not in _SILENT))
    return {tree} if isinstance(tree, str) else set()


def _swapped(tree: Tree, old: Any, new: Any, *, key: str | None = None) -> Tree:
    """A tree with another value in place of one, wherever it is, or is under a key."""

    def at(name: str, value: Tree) -> Tree:
        if isinstance(value, list):
            return [at(name, each) for each in value]
        if isinstance(value, dict):
            return {inner: at(inner, each) for inner, each in value.items()}
        is_old = type(value) is type(old) and value == old
        return new if is_old and key in (None, name) else value

    return at("", tree)


def _scaled(tree: Tree, scale: float) -> Tree:
    """A tree with other bounds."""
    if isinstance(tree, list):
        return [_scaled(each, scale) for each in tree]
    if isinstance(tree, dict):
        return {
            key: round(value * scale, 4)
            if key in _BOUNDS and isinstance(value, float)
            else _scaled(value, scale)
            for key, value in tree.items()
        }
    return tree


def _renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    """A tree with other keys."""
    if isinstance(tree, list):
        return [_renamed(each, names) for each in tree]
    if isinstance(tree, dict):
        return {names.get(key, key): _renamed(value, names) for key, value in tree.items()}
    return tree
