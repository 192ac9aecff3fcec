"""The ten threshold questions: how far a setting goes before a regime changes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from earsim.apparatus.parameter import Parameter
from earsim.apparatus.publish import publish
from earsim.apparatus.sixbox.regimes import Which
from earsim.apparatus.sixbox.settings import PARAMETERS

NO_CHANGE = "none"
"""The answer that no value within the bounds changes a regime."""


class Direction(StrEnum):
    """Which way a setting is changed."""

    UP = "up"
    DOWN = "down"


BOTH = (Direction.UP, Direction.DOWN)


@dataclass(frozen=True, slots=True)
class ThresholdQuestion:
    """One threshold question.

    Attributes:
        number: as in the table of the paper.
        name: short, unique.
        asks: the question in words.
        parameter: the setting that is changed, all others staying as they are.
        directions: the ways it may go.
        which: the basin whose overturning must stop, or ``any`` change of a regime.
        step: of the grid, whose values are whole multiples of it.
        wants_direction: the answer is the direction that needs the smaller change, not the value.
        by_difference: a change is told by its difference, as for temperatures, not by its factor.
    """

    number: int
    name: str
    asks: str
    parameter: str
    directions: tuple[Direction, ...]
    which: Which
    step: float
    wants_direction: bool = False
    by_difference: bool = False

    @property
    def setting(self) -> Parameter:
        """What is changed, with its bounds."""
        return next(p for p in PARAMETERS if p.name == self.parameter)

    def size(self, start: float, value: float) -> float:
        """How large a change of value is: a difference, or a factor, which of 0 is infinite."""
        if self.by_difference:
            return abs(value - start)
        small, large = sorted((start, value))
        return large / small if small > 0.0 else math.inf

    def grid(self, start: float, direction: Direction) -> Iterator[float]:
        """Multiples of the step beyond a value, up to the bound."""
        bounds, slack = self.setting, 1e-9
        if direction is Direction.UP:
            first = math.floor(start / self.step + slack) + 1
            numbers = range(first, math.floor(bounds.high / self.step + slack) + 1)
        else:
            first = math.ceil(start / self.step - slack) - 1
            numbers = range(first, math.ceil(bounds.low / self.step - slack) - 1, -1)
        return (publish(number * self.step) for number in numbers)


class ThresholdAnswer(NamedTuple):
    """The answer to a threshold question.

    Attributes:
        value: the number or direction asked for, or `NO_CHANGE`.
        at: the setting found to change a regime; None where none does.
        runs: simulations, without that of the settings as they are.
    """

    value: float | str
    at: float | None
    runs: int


def answered(
    question: ThresholdQuestion, start: float, found: list[float], runs: int
) -> ThresholdAnswer:
    """The answer by the first changing values, one at most for each direction."""
    if not found:
        return ThresholdAnswer(NO_CHANGE, None, runs)
    at = min(found, key=lambda value: question.size(start, value))
    way = Direction.UP if at > start else Direction.DOWN
    return ThresholdAnswer(way.value if question.wants_direction else at, at, runs)


UP, DOWN = (Direction.UP,), (Direction.DOWN,)

QUESTIONS: tuple[ThresholdQuestion, ...] = (
    ThresholdQuestion(
        1,
        "north_atlantic_freshwater",
        "How much freshwater to the northern Atlantic stops Atlantic overturning?",
        "F_nA",
        UP,
        "A",
        25e3,
    ),
    ThresholdQuestion(
        2,
        "southern_freshwater",
        "How much freshwater to the Southern Ocean changes overturning?",
        "F_s",
        UP,
        "any",
        50e3,
    ),
    ThresholdQuestion(
        3,
        "ekman_transport",
        "How weak must the wind over the Southern Ocean get to change overturning?",
        "M_ek",
        DOWN,
        "any",
        5e5,
    ),
    ThresholdQuestion(
        4,
        "pacific_depth",
        "At which first depth of the Pacific pycnocline does overturning differ?",
        "D_P0",
        BOTH,
        "any",
        10.0,
    ),
    ThresholdQuestion(
        5,
        "more_mixing",
        "How strong must horizontal mixing get to stop Atlantic overturning?",
        "A_R",
        UP,
        "A",
        100.0,
    ),
    ThresholdQuestion(
        6,
        "less_mixing",
        "How weak must horizontal mixing get to stop Atlantic overturning?",
        "A_R",
        DOWN,
        "A",
        100.0,
    ),
    ThresholdQuestion(
        7,
        "pacific_resistance",
        "How large must the resistance to Pacific sinking get to change overturning?",
        "eps_P",
        UP,
        "any",
        1e-5,
    ),
    ThresholdQuestion(
        8,
        "interbasin_resistance",
        "How small must the resistance between the basins get to change overturning?",
        "eps_IB",
        DOWN,
        "any",
        1e-5,
    ),
    ThresholdQuestion(
        9,
        "mixing_direction",
        "Which way does horizontal mixing change overturning sooner?",
        "A_R",
        BOTH,
        "any",
        100.0,
        wants_direction=True,
    ),
    ThresholdQuestion(
        10,
        "north_atlantic_warmth",
        "To which temperature must the northern Atlantic be restored to change overturning?",
        "Tr_nA",
        UP,
        "any",
        0.5,
        by_difference=True,
    ),
)
"""In the order of the table. The tenth was asked of ``T0_nA``, too, which changes nothing."""
