"""The pool of a design search: the designs seen, ordered by how good they look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

SIZE = 10
"""Designs that a pool keeps (CAED-Agent: K)."""

AnswerRule = Literal["utility", "ratio"]


class Rated(NamedTuple):
    """A design and what a signal says of it.

    Attributes:
        cells: of the design.
        utility: 1 where its error is within the tolerance, less beyond.
        efficiency: cost of the reference grid over its own.
    """

    cells: int
    utility: float
    efficiency: float

    @property
    def rank(self) -> tuple[float, float]:
        """Utility first, then efficiency."""
        return self.utility, self.efficiency


class DesignPool:
    """The best designs so far, by utility and then efficiency.

    Attributes:
        seen: cells of every design that was ever in it.
    """

    def __init__(self, rated: Iterable[Rated] = (), *, size: int = SIZE) -> None:
        self._size = size
        self._kept: list[Rated] = []
        self.seen: set[int] = set()
        for each in rated:
            self.add(each)

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, rated: Rated) -> bool:
        """Put a design in; whether it is new."""
        if rated.cells in self.seen:
            return False
        self.seen.add(rated.cells)
        self._kept = sorted([*self._kept, rated], key=lambda each: each.rank)[-self._size :]
        return True

    def ascending(self) -> tuple[Rated, ...]:
        """The designs, the best last."""
        return tuple(self._kept)

    def answer(self, rule: AnswerRule) -> Rated | None:
        """The design to answer with.

        Args:
            rule: ``utility`` takes the best; ``ratio`` the largest utility times efficiency, as
                CAED-Agent has it, which rewards grids that are too coarse.
        """
        if rule == "utility":
            return self._kept[-1] if self._kept else None
        return max(self._kept, key=lambda each: each.utility * each.efficiency, default=None)
