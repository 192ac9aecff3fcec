"""Which things a description may mean, under one way of reading it.

`item` may leave furniture out, `metal` may take steel in, `on the desk` may reach into what stands
on it: each is a question of its own, and a reading answers them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from docs.studies.ear_bench_audit.phrases import words_of
from earsim.world import World
from earsim.world.blueprint import Thing

_ANYTHING = frozenset(("item", "object", "thing"))
_KINDS: Mapping[str, Callable[[Thing], bool]] = {
    "furniture": lambda thing: thing.is_furniture,
    "container": lambda thing: thing.is_container,
    "tool": lambda thing: bool(thing.provides),
}

_WOODS = (
    "wood",
    "wooden",
    "oak",
    "mahogany",
    "pine",
    "plywood",
    "maple",
    "walnut",
    "birch",
    "teak",
)
_METALS = ("steel", "iron", "aluminum", "aluminium", "brass", "copper", "titanium", "bronze")
_MADE_OF = {
    "metal": ("metal", *_METALS),
    "wood": _WOODS,
    "wooden": _WOODS,
    "golden": ("golden", "gold"),
    "gray": ("gray", "grey"),
    "grey": ("gray", "grey"),
}
"""What an attribute may say instead of a word, to mean the same or something more special."""

_LOOKS = ("color", "material")
_MANY_LOOKS = frozenset(("various", "assorted", "mixed", "multi", "multicolor", "multicolored"))


class Description(NamedTuple):
    """What is said of the thing that is meant: adjectives, a noun, and where it is.

    Attributes:
        place: id of the room or thing that it is limited to.
        relation: `on` or `in` that place.
    """

    adjectives: tuple[str, ...]
    noun: str
    place: str | None = None
    relation: str = ""


class Interpretation(NamedTuple):
    """One way to take a description.

    Attributes:
        literal: a thing's name, colour and material must have the very words; otherwise everything
            that is said of it counts, and what they take in.
        items_only: `item` means no furniture.
        direct: what lies on something that is on the desk is not on the desk.
    """

    literal: bool
    items_only: bool
    direct: bool

    def candidates(self, said: Description, world: World) -> list[str]:
        """Everything that the description fits, in file order."""
        return [
            node
            for node in world.blueprint.things
            if self._is_there(said, world, node) and self._is_described(said, world, node)
        ]

    def excludes(self, said: Description, world: World, node: str) -> bool:
        """Whether a description is wrong for a thing by what is said of it, not by what is not."""
        if not self._is_there(said, world, node):
            return True
        if said.noun not in _ANYTHING and said.noun not in _KINDS:
            return False
        thing = world.blueprint.things[node]
        missing = [word for word in said.adjectives if not self._is_said(word, world, thing)]
        told = {key for key in _LOOKS if _MANY_LOOKS.isdisjoint(_looks(thing, key))}
        told &= thing.attributes.keys()
        keys = [_keys_of(word, world) for word in missing]
        return any(each and each <= told for each in keys)

    def _is_there(self, said: Description, world: World, node: str) -> bool:
        if said.place is None:
            return True
        if node == said.place:
            return False
        if self.direct and said.place in world.blueprint.things:
            location = world.location[node]
            return (location.relation, location.holder) == (said.relation, said.place)
        return said.place in _holders(world, node)

    def _is_described(self, said: Description, world: World, node: str) -> bool:
        thing = world.blueprint.things[node]
        words = said.adjectives
        if said.noun in _ANYTHING:
            if said.noun == "item" and self.items_only and thing.is_furniture:
                return False
        elif said.noun in _KINDS:
            if not _KINDS[said.noun](thing):
                return False
        else:
            words = (*words, said.noun)
        return all(self._is_said(word, world, thing) for word in words)

    def _is_said(self, word: str, world: World, thing: Thing) -> bool:
        wanted = (word,) if self.literal else _MADE_OF.get(word, (word,))
        own = frozenset(_words_about(world, thing, literal=self.literal))
        return not own.isdisjoint(wanted)


def _holders(world: World, node: str) -> Iterator[str]:
    while node in world.location:
        node = world.location[node].holder
        yield node


def _words_about(world: World, thing: Thing, *, literal: bool) -> Iterator[str]:
    yield from words_of(thing.id)
    yield from words_of(thing.name)
    for key, value in thing.attributes.items():
        if not literal or key in _LOOKS:
            yield from words_of(_text(value))
    if not literal:
        for state, value in world.states.get(thing.id, {}).items():
            if value is True:
                yield from words_of(state.removeprefix("is_"))


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    return value if isinstance(value, str) else ""


def _keys_of(word: str, world: World) -> frozenset[str]:
    """As what things of the scene have a word: as a colour, as a material."""
    things = world.blueprint.things.values()
    return frozenset(key for key in _LOOKS if any(word in _looks(thing, key) for thing in things))


def _looks(thing: Thing, key: str) -> tuple[str, ...]:
    return words_of(_text(thing.attributes.get(key)))
