"""Rules for a number of a kind of thing: a pressure, a price, an age."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from earsim.schema.model import FileModel, Id, Number
from earsim.units import split_quantity
from earsim_generators.catalogue.ranges import Range, Span

WHOLE_UNITS = frozenset({"count", "pages", "bytes", "score"})
"""Units that are counted, so that their numbers are whole."""

_STEPS_IN_A_RANGE = 20
"""Without a `step`, a range is read on a scale with at least so many marks."""


class NumberRule(FileModel):
    """Where a number comes from; exactly one of ``range``, ``share`` and ``surroundings`` is given.

    Attributes:
        range: It lies between these.
        share: A number in litres or millilitres: so much of the box around the thing.
        surroundings: That of the place it is in, plus a number between these.
        follows: Other numbers of the kind and how strongly this one goes with them, from -1 to 1
            (`1`: in the same order, `-0.5`: half as strongly the other way round); what is left
            to 1 is chance. ``size``, ``fill``, ``mass_kg`` and ``material`` (its place in the
            list, the dearest last) may be followed, and numbers given above this one.
        step: It is a multiple of this; without it, of a power of ten that suits the range.
    """

    range: Range | None = None
    share: Range | None = None
    surroundings: Range | None = None
    follows: dict[Id, Annotated[Number, Field(ge=-1, le=1)]] = Field(default_factory=dict)
    step: Annotated[Number, Field(gt=0)] | None = None

    @property
    def span(self) -> Span:
        """The span that is given, whatever it is a span of."""
        return self.range or self.share or self.surroundings or Span(0.0, 0.0)

    def step_of(self, field: str, span: Span) -> float:
        """To multiples of what the number called ``field`` is rounded when it lies in ``span``."""
        if self.step is not None:
            return self.step
        parts = split_quantity(field)
        step = _power_of_ten_below(span.width / _STEPS_IN_A_RANGE)
        return max(1.0, step) if parts is not None and parts.unit in WHOLE_UNITS else step


def _power_of_ten_below(number: float) -> float:
    """The largest power of ten that is at most ``number``; between a billionth and a billion."""
    step = 1e-9
    while step * 10 <= number and step < 1e9:
        step = float(f"{step * 10:.0e}")
    return step


def _as_rule(value: Any) -> Any:
    """A bare span is the range of a number that follows nothing."""
    return value if isinstance(value, dict | NumberRule) else {"range": value}


Numbers = dict[Id, Annotated[NumberRule, BeforeValidator(_as_rule)]]
"""Numbers by the name of their field, which ends in a unit; later ones may follow earlier ones."""
