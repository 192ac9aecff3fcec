"""Grids that are as fine as it takes: a tolerance and a budget from a computed curve of errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from earsim.apparatus.grid_model import GridModel, curve
from earsim.apparatus.parameter import Settings
from earsim_generators.families.apparatus.station import RIG, significant, up
from earsim_generators.families.draft import Fields

_APART = 1.1
"""Errors of two grids lie so much apart that a tolerance has a place between them."""

SLACK = {"easy": 2.0, "medium": 1.5, "hard": 1.15}
"""What may be spent, over the cost of doubling the grid from the first until it passes."""

_ABOUT_EUR = 20.0


class Budget(NamedTuple):
    """What runs may cost together.

    Attributes:
        units: Cost units, which are cell updates.
        price: Euros for a million of them.
    """

    units: float
    price: float

    @classmethod
    def of(cls, units: float) -> Budget:
        """At least so many units, for some twenty euros."""
        price = significant(_ABOUT_EUR * 1e6 / units, 1)
        return cls(up(units * price / 1e6) * 1e6 / price, price)

    @property
    def eur(self) -> float:
        """What may be spent."""
        return round(self.units * self.price / 1e6, 2)

    @property
    def limits(self) -> Fields:
        """What may be spent, as a task gives it."""
        return {"eur": self.eur}

    @property
    def says(self) -> str:
        """The budget in words."""
        price = self.price / 1000
        return (
            f"A thousand cell updates cost {price:g} {'euro' if price == 1 else 'euros'}, and you "
            f"have {self.eur:.2f} for all runs together."
        )


class Rung(NamedTuple):
    """The grid, among doubled ones, that a task is about.

    Attributes:
        n: Its cells.
        tolerance: Greatest error allowed: it passes, and none of the coarser ones does.
        budget: Enough to double from the first grid, and not enough for a run on twice as many
            cells.
    """

    n: int
    tolerance: float
    budget: Budget

    @property
    def goal(self) -> list[Fields]:
        """A sound run whose error is small enough."""
        return [
            {"measured": {"apparatus": RIG, "result": "error", "at_most": self.tolerance}},
            {"measured": {"apparatus": RIG, "result": "sound", "equals": True}},
            {"spent": {"account": "eur", "at_most": self.budget.eur}},
        ]


def rung(model: GridModel, settings: Settings, sizes: Sequence[int], slack: float) -> Rung | None:
    """The last of some doubled grids as the one that is wanted.

    None where errors do not fall from grid to grid, those of the last two are too near each other,
    or a run on twice as many cells could be paid for.
    """
    checks = curve(model, settings, sizes)
    last, least = checks[-1], checks[-2].error
    falls = all(fine.error < coarse.error for coarse, fine in pairwise(checks))
    if not falls or not last.sound or not 0.0 < last.error * _APART <= least < 1.0:
        return None
    tolerance = significant(math.sqrt(last.error * least), 2)
    budget = Budget.of(slack * math.fsum(check.cost for check in checks))
    fits = last.error < 0.99 * tolerance and least > 1.01 * tolerance
    fits &= budget.units < 0.95 * last.check_cost
    return Rung(last.n, tolerance, budget) if fits else None
