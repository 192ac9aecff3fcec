"""A stage: the setting that is being filled, and all that filling it takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.scenes.object_factory import ObjectFactory
from earsim_generators.scenes.parameters import SceneParameters
from earsim_generators.scenes.placement import FreePlace, PlacedObject, ScenePlacement

T = TypeVar("T")


@dataclass(slots=True)
class SceneBuilder:
    """What the steps of making a scene hand on to each other.

    Attributes:
        used: Kinds of items that the scene has; a kind comes once, or as one group.
        lookalikes: Groups of items of one name.
        tool_verbs: Verbs that some item of the scene is a tool for.
    """

    setting: ScenePlacement
    supply: ObjectFactory
    knobs: SceneParameters
    rng: Random
    used: set[str] = field(default_factory=set)
    lookalikes: list[list[PlacedObject]] = field(default_factory=list)
    tool_verbs: set[str] = field(default_factory=set)

    def left(self) -> int:
        """How many objects are still to come."""
        return self.knobs.objects - len(self.setting.things)

    def places(self, kind: ThingStock) -> Iterator[FreePlace]:
        """All places for things of a kind, in random order."""
        return self.drawn(self.setting.places(kind))

    def add_one(self, kind: ThingStock) -> bool:
        """Add one item of a kind that the scene does not have; whether there was space for it."""
        (thing,) = self.supply.draw(kind, 1)
        if not self.setting.put_somewhere(thing, self.places(kind)):
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
        return [kind for kind in self.setting.stock.items if kind.id not in used]

    def drawn(self, lots: Iterable[T]) -> Iterator[T]:
        """The lots in random order; as much chance is used up as there are lots taken."""
        left = list(lots)
        random = self.rng.random
        while left:
            index = int(random() * len(left))
            left[index], left[-1] = left[-1], left[index]
            yield left.pop()
