"""Parameters of a generated scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, get_args

from earsim.errors import UsageError
from earsim_generators.catalogue.stock import NameList, Vocabulary
from earsim_generators.version import GENERATOR_VERSION, GeneratorVersion

LEAST_LOOKALIKES = 3
"""With fewer things of one name, chance finds the right one too often."""


class GroupSizes(NamedTuple):
    """Least and greatest size of a group of lookalikes."""

    least: int = LEAST_LOOKALIKES
    most: int = 5


_THREE_TO_FIVE = GroupSizes()


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneParameters:
    """Parameters of a scene; every number is met exactly unless its text says otherwise.

    Attributes:
        objects: Furniture and items together, keys included.
        lookalikes: Groups of items that share a name and differ by their numbers.
        group_sizes: Items in each group.
        distractors: Items that resemble those of a group, if the domain has any.
        doors: At most as many as the layout has places for.
        locked_doors: Each has a key that is accessible.
        numbers: Visible numbers of the things of a group, mass included; others show no more.
        generator: Version of the generator that makes it.
    """

    rooms: int = 6
    objects: int = 40
    lookalikes: int = 4
    group_sizes: GroupSizes = _THREE_TO_FIVE
    distractors: int = 3
    doors: int = 2
    locked_doors: int = 0
    numbers: int = 3
    vocabulary: Vocabulary = "common"
    generator: GeneratorVersion = GENERATOR_VERSION

    def __post_init__(self) -> None:
        for reason, is_so in self._faults().items():
            if is_so:
                raise UsageError(f"a scene cannot be like that: {reason}")

    @property
    def names(self) -> NameList:
        """Names that kinds have in it."""
        is_former = self.generator == 1 and self.vocabulary == "held_out"
        return "former" if is_former else self.vocabulary

    @property
    def least_objects(self) -> int:
        """Fewer objects than that have no room for what else is asked."""
        groups = self.lookalikes * self.group_sizes.least
        furniture_and_a_tool = self.rooms + 1
        return furniture_and_a_tool + groups + self.distractors + self.locked_doors

    def _faults(self) -> dict[str, bool]:
        least, most = self.group_sizes
        counts = (self.rooms - 1, self.lookalikes, self.distractors, self.doors, self.locked_doors)
        return {
            f"the generator has no version {self.generator}": (
                self.generator not in get_args(GeneratorVersion)
            ),
            "rooms are at least 1, and no other number is below 0": min(counts) < 0,
            f"a group has at least {LEAST_LOOKALIKES} things, and at most as many as it says": not (
                LEAST_LOOKALIKES <= least <= most
            ),
            "at least 1 number (the mass) tells the things of a group apart": self.numbers < 1,
            f"{self.locked_doors} of {self.doors} doors are locked": (
                self.locked_doors > self.doors
            ),
            f"{self.objects} objects are too few: one piece of furniture per room, a tool, "
            f"{self.lookalikes} groups of {least}, {self.distractors} distractors and "
            f"{self.locked_doors} keys are {self.least_objects}": self.objects < self.least_objects,
        }
