"""What a team has perceived, by the words that sentences have for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from earsim.units import UNITS, split_quantity
from earsim.world import World
from earsim.world.numbers import number_of

_IRREGULAR = {
    "feet": "foot", "geese": "goose", "mice": "mouse", "teeth": "tooth", "men": "man",
    "women": "woman", "children": "child", "people": "person", "dice": "die",
}  # fmt: skip
_ENDINGS = (("ies", "y"), ("ves", "f"), ("men", "man"), ("es", ""), ("s", ""), ("fe", "f"))

_PREPOSITION = re.compile(r" (?:of|for|with|without|in|on|from|to|at|by|against|under) ")

_ADJECTIVES: Mapping[str, tuple[tuple[str, ...], bool]] = {
    "heavi": (("mass",), True),
    "light": (("mass",), False),
    "expensive": (("price", "cost"), True),
    "cheap": (("price", "cost"), False),
    "old": (("age",), True),
    "new": (("age",), False),
    "young": (("age",), False),
    "warm": (("temperature",), True),
    "hott": (("temperature",), True),
    "cold": (("temperature",), False),
    "fast": (("speed",), True),
    "slow": (("speed",), False),
    "loud": (("noise",), True),
    "quiet": (("noise",), False),
    "strong": (("strength",), True),
    "weak": (("strength",), False),
    "valuable": (("worth",), True),
    "tall": (("height",), True),
    "deep": (("depth",), True),
    "shallow": (("depth",), False),
    "thick": (("thickness",), True),
    "thinn": (("thickness",), False),
    "wid": (("width",), True),
    "narrow": (("width",), False),
    "long": (("length",), True),
    "short": (("length", "height"), False),
}
"""Adjectives of degree by their stems: what they tell of, and whether more of it."""

_MORE = frozenset({"most", "more", "larg", "high", "great", "long", "wid", "thick", "deep", "bigg"})
_LESS = frozenset({
    "least", "less", "few", "small", "low", "short", "narrow", "thinn", "shallow",
})  # fmt: skip


class Degree(NamedTuple):
    """A word of degree: `heaviest`, `cheaper`, `lowest`.

    Attributes:
        numbers: stems of the numbers that it tells of; empty where a noun does.
        more: whether it is more of it.
    """

    numbers: tuple[str, ...]
    more: bool


def degree_of(word: str) -> Degree | None:
    """What a comparative or superlative says; None for any other word."""
    stem = word if word in ("most", "more", "least", "less") else _stem_of(word)
    if stem in _ADJECTIVES:
        numbers, more = _ADJECTIVES[stem]
        return Degree(numbers, more)
    return Degree((), stem in _MORE) if stem in _MORE | _LESS else None


def _stem_of(word: str) -> str:
    for ending in ("est", "er", "st", "r"):
        stem = word.removesuffix(ending)
        if stem != word and (stem in _ADJECTIVES or stem in _MORE | _LESS):
            return stem
    return word


def singular(word: str) -> tuple[str, ...]:
    """What a word may be the plural of, itself first."""
    found = [word, _IRREGULAR.get(word, word)]
    found += [word[: -len(end)] + one for end, one in _ENDINGS if word.endswith(end)]
    return tuple(dict.fromkeys(found))


def is_noun(said: str, name: str) -> bool:
    """Whether words mean a thing of that name, in the singular or the plural."""
    if said == name:
        return True
    words, called = said.split(), name.split()
    if len(words) != len(called):
        return False
    pairs = zip(words, called, strict=True)
    return all(one == other or other in singular(one) for one, other in pairs)


class Lexicon:
    """Names, numbers and traits of what has been perceived, all in lower case.

    Attributes:
        names: things and doors, by id.
        rooms: by id.
        agents: by id.
    """

    def __init__(self, world: World, perceived: Iterable[str]) -> None:
        blueprint = world.blueprint
        self._world = world
        self._things = blueprint.things
        self.rooms = {room: blueprint.name(room).casefold() for room in blueprint.rooms}
        self.agents = {body: blueprint.name(body).casefold() for body in blueprint.bodies}
        ids = [node for node in perceived if node in blueprint.things or node in blueprint.doors]
        self.names = {node: blueprint.name(node).casefold() for node in sorted(ids)}

    def room(self, said: str) -> str | None:
        """The room that words name."""
        return next((room for room, name in self.rooms.items() if name == said), None)

    def called(self, said: str) -> list[str]:
        """What words may name: things of that name, else such as end in it."""
        exact = [node for node, name in self.names.items() if is_noun(said, name)]
        return exact or [n for n, name in self.names.items() if _is_head(said, name)]

    @property
    def abilities(self) -> frozenset[str]:
        """What some of the things are for."""
        known = (self._things[node] for node in self.names if node in self._things)
        return frozenset(ability for thing in known for ability in thing.provides)

    def abilities_of(self, node: str) -> frozenset[str]:
        """What a thing is for."""
        return frozenset(self._things[node].provides if node in self._things else ())

    @property
    def loose(self) -> list[str]:
        """All that is no door."""
        return [node for node in self.names if node in self._things]

    def shown(self, node: str) -> str:
        """The name of a thing as it is written."""
        return self._world.blueprint.name(node)

    def room_of(self, node: str) -> str | None:
        """Where a thing stands."""
        return self._world.room_of(node) if node in self._things else None

    def holder_of(self, node: str) -> str | None:
        """What a thing lies in or on."""
        place = self._world.location.get(node)
        return None if place is None else place.holder

    def lies_on(self, node: str) -> bool:
        """Whether a thing lies on something, rather than in it."""
        place = self._world.location.get(node)
        return place is not None and place.relation == "on"

    def is_door(self, node: str) -> bool:
        """Whether it is a door."""
        return node not in self._things

    def is_container(self, node: str) -> bool:
        """Whether things lie in it, rather than on it."""
        return node in self._things and self._things[node].is_container

    def is_furniture(self, node: str) -> bool:
        """Whether it is a table, a rack or the like."""
        return node in self._things and self._things[node].is_furniture

    def holds(self, node: str, liquid: str) -> bool:
        """Whether there is some of a liquid in it."""
        return bool(number_of(self._world, node, f"{liquid}_kg"))

    def states(self, nodes: Iterable[str]) -> set[str]:
        """States that some of the things have."""
        return {state for node in nodes for state in self._world.states.get(node, {})}

    def is_so(self, node: str, state: str) -> bool | None:
        """Whether a thing is in a state; None where it has no such state."""
        return self._world.states.get(node, {}).get(state)

    def attributes(self, nodes: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Descriptive attributes of the things."""
        for node in nodes:
            if node in self._things:
                yield from self._things[node].attributes.items()

    def numbers(self, nodes: Iterable[str]) -> list[str]:
        """The numbers that some of the things have, mass included."""
        found = {name: None for n in nodes if n in self._things for name in self._quantities(n)}
        return ["mass_kg", *(name for name in found if name != "mass_kg")]

    def value(self, node: str, name: str) -> float | None:
        """A number of a thing; None where it has no such number."""
        return number_of(self._world, node, name) if node in self._things else None

    def _quantities(self, node: str) -> Iterator[str]:
        yield from self._things[node].quantities
        if self._things[node].capacity_l is not None:
            yield "capacity_l"

    def number(self, words: str, nodes: Iterable[str], stems: tuple[str, ...] = ()) -> str | None:
        """The number of the things that words are about, such as `salt content`; None if none is.

        Args:
            words: that name it; may be empty.
            nodes: the things.
            stems: what a word of degree tells of.
        """
        said = set(words.replace("-", " ").split())
        best: tuple[float, str] | None = None
        for name in self.numbers(nodes):
            parts = split_quantity(name)
            own = (name if parts is None else parts.quantity).replace("-", "_").split("_")
            if parts is not None and parts.unit in said:  # the pH
                own = [parts.unit]
            hits = sum(any(one in said for one in (word, *_plurals(word))) for word in own)
            score = hits / len(own) if said else 0.0
            if not said and stems:
                score = max(1.0 if "_".join(own) == s else 0.5 * (s in own) for s in stems)
            if score > 0 and (best is None or score > best[0]):
                best = score, name
        return None if best is None else best[1]


def unit_factor(name: str, symbol: str) -> float | None:
    """What an amount in a unit is to be multiplied by; None for a number without a unit."""
    parts = split_quantity(name)
    if parts is None:
        return 1.0 if not symbol else None
    own = UNITS[parts.unit]
    if not symbol or symbol in (own.symbol, parts.unit):
        return 1.0
    small = {("kg", "g"): 1e-3, ("l", "ml"): 1e-3, ("ml", "l"): 1e3, ("g", "kg"): 1e3}
    return small.get((parts.unit, symbol.casefold()), 1.0)


def _plurals(word: str) -> tuple[str, str]:
    return f"{word}s", word.removesuffix("s")


def _is_head(said: str, name: str) -> bool:
    """Whether a name ends in the words before its first preposition: a box is a steel box too."""
    head = _PREPOSITION.split(name, maxsplit=1)[0].split()
    words = said.split()
    return bool(words) and is_noun(" ".join(head[-len(words) :]), said)
