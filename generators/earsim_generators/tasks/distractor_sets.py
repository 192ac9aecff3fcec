"""Distractor sets: things that one noun phrase fits, and traits that distinguish some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Any, NamedTuple

from earsim.schema.selector import Comparison, Filter
from earsim_generators.tasks.scene_index import LEAST_CANDIDATES, SceneIndex

_COMPARED = (
    *("mass_", "price_", "age_", "temperature_", "charge_", "power_", "height_", "length_"),
    *("width_", "depth_", "thickness_", "noise_", "value_"),
)
"""Numbers that mean the same whatever has them, so that one compares them with those of others."""

NOT_TOLD = ("note",)
"""Attributes that are remarks."""

FLUIDS = frozenset({
    "air", "blood", "earth", "flour", "ice", "ink", "milk", "oil", "paint", "soil", "sugar",
    "vegetable", "water",
})  # fmt: skip
"""Materials that a thing is filled with rather than made of."""


class DistractorSet(NamedTuple):
    """Things that match a filter."""

    members: tuple[str, ...]
    among: Filter


class Trait(NamedTuple):
    """A condition that distinguishes some candidates, its `bearers`, from the others."""

    condition: Filter
    bearers: tuple[str, ...]

    @property
    def is_deniable(self) -> bool:
        """Whether one would say of the others that they are not so; of a state one says what is."""
        return not self.condition.has_state


class DistractorSets:
    """The distractor sets of one scene; what has no order of its own comes in random order."""

    def __init__(self, index: SceneIndex, rng: Random) -> None:
        self._index = index
        self._rng = rng

    def all(self) -> Iterator[DistractorSet]:
        """Things that share a name, and things in or on one holder."""
        index = self._index
        for group in index.groups:
            yield DistractorSet(group, Filter(name=index.things[group[0]].name))
        for holder in index.things:
            if index.naming.called(holder) is None:
                continue
            for relation in ("on", "in"):
                members = index.held(holder, relation)
                if len(members) >= LEAST_CANDIDATES:
                    yield DistractorSet(members, Filter.model_validate({relation: holder}))

    def around(self, answer: str, candidates: DistractorSet) -> Iterator[DistractorSet]:
        """Subsets with the answer, and what they have in common, in random order."""
        for trait in self._shuffled([*self._rooms(candidates), *self.traits(candidates)]):
            rest = tuple(node for node in candidates.members if node not in trait.bearers)
            if answer in trait.bearers:
                part = DistractorSet(trait.bearers, both(candidates.among, trait.condition))
            elif trait.is_deniable:
                part = DistractorSet(rest, both(candidates.among, Filter(not_=trait.condition)))
            else:
                continue
            if LEAST_CANDIDATES <= len(part.members) < len(candidates.members):
                yield part

    def traits(self, candidates: DistractorSet) -> list[Trait]:
        """Traits of some candidates, in random order."""
        found = [*self._states(candidates), *self._attributes(candidates)]
        return self._shuffled(found)

    def numbers(self, candidates: DistractorSet) -> list[str]:
        """The numbers that all of them have, in random order."""
        return self._shuffled(list(self._index.numbers_of(candidates.members)))

    def value(self, node: str, of: str) -> float:
        """A number that a thing has."""
        value = self._index.number(node, of)
        assert value is not None, "asked only for numbers that it has"
        return value

    def yardsticks(self, of: str, members: Collection[str]) -> list[str]:
        """Other things with that number, which have a name and no contents that count."""
        index = self._index
        if not of.startswith(_COMPARED):
            return []
        found = [
            node
            for node in index.things
            if node not in members
            and index.number(node, of) is not None
            and not (of == "mass_kg" and index.is_laden(node))
            and (called := index.naming.called(node)) is not None
            and called.place is None
        ]
        return self._shuffled(found)

    def compared(self, answer: str, candidates: DistractorSet) -> Iterator[DistractorSet]:
        """Parts that hold the answer and exceed, or fall short of, some other thing."""
        for of in self.numbers(candidates):
            own = self.value(answer, of)
            for other in self.yardsticks(of, candidates.members):
                level = self.value(other, of)
                if own == level:
                    continue
                is_more = own > level
                compared = Comparison(of=of, object=other)
                condition = Filter(more_than=compared) if is_more else Filter(less_than=compared)
                values = {node: self.value(node, of) for node in candidates.members}
                part = [n for n, v in values.items() if v != level and (v > level) is is_more]
                yield DistractorSet(tuple(part), both(candidates.among, condition))

    def _rooms(self, candidates: DistractorSet) -> Iterator[Trait]:
        index = self._index
        if candidates.among.name is None:  # what lies in one place is in one room
            return
        for room in dict.fromkeys(map(index.room_of, candidates.members)):
            if index.naming.called(room) is not None:
                here = tuple(node for node in candidates.members if index.room_of(node) == room)
                yield Trait(Filter(inside_room=room), here)

    def _states(self, candidates: DistractorSet) -> Iterator[Trait]:
        states = self._index.world.states
        name = (candidates.among.name or "").casefold()
        for state in states[candidates.members[0]]:
            if state.removeprefix("is_") in name:  # the rolled rolled carpet
                continue
            now = {node: states[node].get(state) for node in candidates.members}
            if set(now.values()) == {True, False}:
                for value in (True, False):
                    bearers = tuple(node for node in now if now[node] is value)
                    yield Trait(Filter(has_state={state: value}), bearers)

    def _attributes(self, candidates: DistractorSet) -> Iterator[Trait]:
        world = self._index.world
        for key in world.attributes(candidates.members[0]):
            values: dict[Any, list[str]] = {}
            for node in candidates.members:
                value = world.attributes(node).get(key)
                if isinstance(value, str) and key not in NOT_TOLD and value not in FLUIDS:
                    values.setdefault(value, []).append(node)
            if len(values) > 1 and sum(map(len, values.values())) == len(candidates.members):
                for value, bearers in values.items():
                    yield Trait(Filter(attribute={key: value}), tuple(bearers))

    def _shuffled(self, found: list[Any]) -> list[Any]:
        self._rng.shuffle(found)
        return found


def both(one: Filter, other: Filter) -> Filter:
    """The conditions of two filters, which ask for different things."""
    update = {field: getattr(other, field) for field in other.model_fields_set}
    return one.model_copy(update=update)
