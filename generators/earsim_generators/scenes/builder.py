"""Builder of a scene: a placement, a factory of objects, and what was used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeVar

from earsim_generators.catalogue.checks.numbers import OF_THE_BODY
from earsim_generators.catalogue.scales import Scale
from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.scenes.attributes import PhysicalAttributes, draw_attributes
from earsim_generators.scenes.parameters import SceneParameters
from earsim_generators.scenes.placement import FreePlace, PlacedObject, ScenePlacement


class Appearance(NamedTuple):
    """Name and visible numbers of all things of a kind in one scene."""

    name: str
    scales: tuple[Scale, ...]


class ObjectFactory:
    """Draws things of one scene.

    Attributes:
        appearances: Name and numbers of every kind that was drawn.
    """

    def __init__(self, parameters: SceneParameters, rng: Random) -> None:
        self.appearances: dict[str, Appearance] = {}
        self._parameters = parameters
        self._rng = rng

    def draw(self, kind: ThingStock, count: int) -> list[PlacedObject]:
        """Things that differ in mass and in every visible number; those of two calls may not."""
        appearance = self.appearances.get(kind.id)
        if appearance is None:
            appearance = self.appearances[kind.id] = self._appearance(kind)
        bodies = draw_attributes(kind, count, appearance.scales, self._rng)
        states = self._states(kind, count)
        return [self._thing(kind, *drawn) for drawn in zip(bodies, states, strict=True)]

    def _appearance(self, kind: ThingStock) -> Appearance:
        """A name, and numbers beside the mass, as many as the parameters say."""
        scales = kind.scales
        shown = self._parameters.numbers - 1
        random = self._rng.random
        if shown < len(scales):
            picked = sorted(range(len(scales)), key=lambda _: random())[:shown]
            scales = _with_followed(scales, sorted(picked))
        names = kind.names[self._parameters.names]
        return Appearance(names[int(random() * len(names))], scales)

    def _states(self, kind: ThingStock, count: int) -> list[dict[str, bool]]:
        """Drawn by chance; where several things could differ, not all are alike."""
        random = self._rng.random
        drawn: list[dict[str, bool]] = [{} for _ in range(count)]
        for state, chance in kind.states:
            values = [random() < chance for _ in range(count)]
            if count > 1 and 0 < chance < 1 and len(set(values)) == 1:
                values[int(random() * count)] ^= True
            for states, value in zip(drawn, values, strict=True):
                states[state] = value
        return drawn

    def _thing(
        self, kind: ThingStock, body: PhysicalAttributes, states: dict[str, bool]
    ) -> PlacedObject:
        attributes: dict[str, Any] = {"material": body.material}
        for key, values in kind.attributes:
            attributes[key] = values[int(self._rng.random() * len(values))]
        thing = PlacedObject(kind, body, states, attributes)
        if kind.holds is not None:
            share = kind.holds.low + kind.holds.width * self._rng.random()
            thing.capacity_l = _round_capacity(share * body.volume_l)
        return thing


def _with_followed(scales: Sequence[Scale], picked: Sequence[int]) -> tuple[Scale, ...]:
    """The picked scales; those that follow a hidden one follow chance instead."""
    shown = {*OF_THE_BODY, *(scales[index].field for index in picked)}
    return tuple(
        scale._replace(follows=tuple(pair for pair in scale.follows if pair[0] in shown))
        for scale in (scales[index] for index in picked)
    )


def _round_capacity(litres: float) -> float:
    return float(round(litres)) if litres >= 10 else round(litres, 1 if litres >= 1 else 2)


T = TypeVar("T")


@dataclass(slots=True)
class SceneBuilder:
    """State of a scene under construction.

    Attributes:
        used: Kinds of items in the scene; a kind comes once, or as one group.
        lookalikes: Groups of items of one name.
        tool_verbs: Verbs that some item is a tool for.
    """

    placement: ScenePlacement
    factory: ObjectFactory
    parameters: SceneParameters
    rng: Random
    used: set[str] = field(default_factory=set)
    lookalikes: list[list[PlacedObject]] = field(default_factory=list)
    tool_verbs: set[str] = field(default_factory=set)

    def left(self) -> int:
        """Number of objects still to come."""
        return self.parameters.objects - len(self.placement.things)

    def places(self, kind: ThingStock) -> Iterator[FreePlace]:
        """All places for things of a kind, in random order."""
        return self.drawn(self.placement.places(kind))

    def add_one(self, kind: ThingStock) -> bool:
        """Add one item of a kind that the scene does not have; whether there was space for it."""
        (thing,) = self.factory.draw(kind, 1)
        if not self.placement.put_somewhere(thing, self.places(kind)):
            return False
        self.joined(kind)
        return True

    def joined(self, kind: ThingStock) -> None:
        """Remember that the scene has items of a kind now."""
        self.used.add(kind.id)
        self.tool_verbs.update(kind.provides)

    def unused(self) -> list[ThingStock]:
        """Kinds of items that the scene has nothing of, in the order of the domain."""
        used = self.used
        return [kind for kind in self.placement.stock.items if kind.id not in used]

    def drawn(self, lots: Iterable[T]) -> Iterator[T]:
        """The lots in random order; as much chance is used up as there are lots taken."""
        left = list(lots)
        random = self.rng.random
        while left:
            index = int(random() * len(left))
            left[index], left[-1] = left[-1], left[index]
            yield left.pop()
