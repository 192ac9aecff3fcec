"""Problems of a thing that dries in two periods, with the answers of `earsim.dynamics`."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from earsim.dynamics.drying import Drying, drying
from earsim_generators.families.apparatus.station import significant
from earsim_generators.families.dry.problem import TESTS, DrawnProblem, rounded

_HOUR_S = 3600.0

_STATEMENT = """\
a wet thing dries in steady air. Down to the moisture CRITICAL it loses RATE an hour. Below it, \
what it loses an hour is in proportion to what it has above EQUILIBRIUM, without a jump at \
CRITICAL. Moistures are kg of water in a kg of dry matter; the constants stand in data.py. {what}"""

_CONTENT = """\
import math
from data import CRITICAL, EQUILIBRIUM, RATE


def moisture(start, hours):
    wet = max(0.0, (start - CRITICAL) / RATE)
    if hours <= wet:
        return start - RATE * hours
    top = min(start, CRITICAL)
    k = RATE / (CRITICAL - EQUILIBRIUM)
    return EQUILIBRIUM + (top - EQUILIBRIUM) * math.exp(-k * (hours - wet))
"""

_TIME = """\
import math
from data import CRITICAL, EQUILIBRIUM, RATE


def hours(start, target):
    if target <= EQUILIBRIUM:
        return None
    if target >= start:
        return 0.0
    wet = max(0.0, start - max(CRITICAL, target)) / RATE
    if target >= CRITICAL:
        return wet
    top = min(start, CRITICAL)
    k = RATE / (CRITICAL - EQUILIBRIUM)
    return wet + math.log((top - EQUILIBRIUM) / (target - EQUILIBRIUM)) / k
"""


class _Air(NamedTuple):
    """Steady air, and what dries in it.

    Attributes:
        equilibrium: moisture that a thing tends to.
        critical: moisture below which the surface is no longer wet.
        rate: loss an hour above it.
    """

    equilibrium: float
    critical: float
    rate: float

    @classmethod
    def drawn(cls, rng: Random) -> _Air:
        """Of numbers with two digits."""
        return cls(
            significant(rng.uniform(0.02, 0.12), 2),
            significant(rng.uniform(0.25, 0.6), 2),
            significant(rng.uniform(0.05, 0.4), 2),
        )

    def law(self, start: float) -> Drying:
        """The moisture of a thing that is wetter than `critical` at the start, over seconds."""
        found = drying(
            start,
            critical=self.critical,
            equilibrium=self.equilibrium,
            rate=self.rate / _HOUR_S,
        )
        assert isinstance(found, Drying), "it is wet at the start"
        return found


def moisture(rng: Random) -> DrawnProblem | None:
    """The moisture after some hours, or the hours until a moisture."""
    air = _Air.drawn(rng)
    is_time = rng.random() < 0.5
    tests = [_timed(rng, air) if is_time else _content(rng, air) for _ in range(TESTS - 1)]
    if is_time:
        never = [significant(air.critical + 0.2), significant(air.equilibrium / 2)]
        tests.append((never, None))
        what = (
            "Return the hours until a thing of the moisture `start` has the moisture `target`, "
            "which is below it, and None where it never has."
        )
    else:
        tests.append(_content(rng, air))
        what = "Return the moisture after so many hours."
    return DrawnProblem(
        name="hours" if is_time else "moisture",
        title="How long a thing dries",
        domain="materials",
        statement=_STATEMENT.format(what=what),
        signature="hours(start, target)" if is_time else "moisture(start, hours)",
        says="Hours until it is reached." if is_time else "Moisture then.",
        constants=[
            f"CRITICAL = {air.critical:g}",
            f"EQUILIBRIUM = {air.equilibrium:g}",
            f"RATE = {air.rate:g}  # 1/h",
        ],
        tests=tests,
        solution=_TIME if is_time else _CONTENT,
    )


def _content(rng: Random, air: _Air) -> tuple[list[float], float | None]:
    start = significant(air.critical + rng.uniform(0.05, 0.8))
    law = air.law(start)
    hours = significant(rng.uniform(0.3, 3.0) * law.wet_s / _HOUR_S)
    return [start, hours], rounded(law.at(hours * _HOUR_S))


def _timed(rng: Random, air: _Air) -> tuple[list[float], float | None]:
    start = significant(air.critical + rng.uniform(0.05, 0.8))
    lowest = air.equilibrium + 0.1 * (air.critical - air.equilibrium)
    target = significant(rng.uniform(lowest, start - 0.03))
    found = air.law(start).crosses(target, rising=False)
    return [start, target], None if found is None else rounded(found / _HOUR_S)
