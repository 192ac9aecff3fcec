"""What is left to be spent on runs, and the finest grid that it pays for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from earsim.apparatus.parameter import Parameter, Settings
from earsim.planner.laboratory.notebook import Notebook
from earsim.planner.laboratory.rules import CELLS
from earsim.schema import Task
from earsim.schema.goal import SpentFact
from earsim.schema.goal_tree import leaves
from earsim.world.lab import Rig, payable_units

_SAFETY = 1.03
"""A law that a text gives with "about" is taken to be wrong by as much."""


class Funds(NamedTuple):
    """What is left for an apparatus.

    Attributes:
        cost: cost units of the next run.
        runs: runs.
    """

    cost: float = math.inf
    runs: float = math.inf


class CostLaw(NamedTuple):
    """What a run takes, as an instruction tells it: ``factor * cells ** power`` cost units.

    Attributes:
        cells: the parameter.
        factor: cost units of a run with one cell.
        power: of growth.
    """

    cells: str
    factor: float
    power: int

    def cost(self, settings: Settings) -> float:
        """The cost units of a run, a little more than the law says."""
        return float(self.factor * _SAFETY * float(settings[self.cells]) ** self.power)


_POWERS = {"squared": 2, "cubed": 3}


def cost_law(text: str) -> CostLaw | None:
    """The law in a text: "about 2.26 n squared" or "about n cubed over 74"."""
    law = r"\babout (?:([\d.]*\d) )?(\w+) (squared|cubed)(?: over ([\d.]*\d))?"
    for factor, cells, power, over in re.findall(law, text):
        if cells in CELLS.values():
            return CostLaw(cells, float(factor or 1) / float(over or 1), _POWERS[power])
    return None


def allowed(task: Task) -> dict[str, float]:
    """What may be spent by account: the limits, and what the goal looks at."""
    found: dict[str, float] = {str(account): most for account, most in task.limits.items()}
    for _, fact in leaves(task.goal, denied=False):
        if isinstance(fact, SpentFact):
            found[fact.account] = min(fact.at_most, found.get(fact.account, math.inf))
    return found


def funds(rig: Rig, most: Mapping[str, float], books: Iterable[Notebook]) -> Funds:
    """What is left for a run of an apparatus, as far as the team has seen costs.

    Args:
        rig: the apparatus.
        most: what may be spent, by account.
        books: what was seen of the runs of every apparatus.
    """
    flop, eur, runs = 0.0, 0.0, 0
    for book in books:
        flop += book.spent
        runs += len(book.trials)
        eur += book.paid.get("eur", 0.0)
    cost = payable_units(rig, most.get("flop", math.inf) - flop, most.get("eur", math.inf) - eur)
    return Funds(cost, most.get("runs", math.inf) - runs)


def paid_for(
    wanted: Settings, cells: Parameter, rig: Rig, left: Funds, law: CostLaw | None
) -> Settings | None:
    """The settings themselves, or with fewer cells where what is left pays for no more.

    The last run that is left is made as fine as can be paid for. Where nobody knows beforehand what
    a run takes, it is made as it is wanted.

    Args:
        wanted: settings for the next run.
        cells: the parameter that is the number of cells, within the bounds of here.
        rig: the apparatus.
        left: for this run.
        law: as the instruction tells it.

    Returns:
        None where not even the coarsest grid can be paid for.
    """
    n, step = int(wanted[cells.name]), cells.multiple_of
    if left.cost == math.inf or _price(wanted, rig, law) is None:
        return wanted
    if left.runs == 1:
        n = int(cells.high) // step * step
    while n >= cells.low:
        settings = {**wanted, cells.name: n}
        price = _price(settings, rig, law)
        if price is None or price <= left.cost:
            return settings
        n -= step
    return None


def _price(settings: Settings, rig: Rig, law: CostLaw | None) -> float | None:
    """What a run is known to take: what RUN asks beforehand, else what the instruction says."""
    known = rig.model.expected(settings).cost
    if known is not None:
        return known
    return None if law is None or law.cells not in settings else law.cost(settings)
