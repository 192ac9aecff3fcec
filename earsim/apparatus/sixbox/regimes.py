"""Regimes of overturning: where the water that sinks in the north of a basin goes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from earsim.apparatus.sixbox.boxes import DEEP, INTERMEDIATE, SHALLOW
from earsim.apparatus.sixbox.ocean import Tally

Which = Literal["A", "P", "any"]
"""The basin that a question is about."""

SAYS = {DEEP: "deep", INTERMEDIATE: "intermediate", SHALLOW: "shallow (off)"}


class Regimes(NamedTuple):
    """Codes of the Atlantic and the Pacific: 3 deep, 2 intermediate, 1 shallow (off)."""

    a: int
    p: int


def regimes(tally: Tally) -> Regimes | None:
    """The most frequent code of either basin; None where no step was counted."""
    steps = tally.deep_a + tally.intermediate_a + tally.shallow_a
    if steps == 0:
        return None
    return Regimes(
        _most(tally.deep_a, tally.intermediate_a, tally.shallow_a),
        _most(tally.deep_p, tally.intermediate_p, tally.shallow_p),
    )


def changed(before: Regimes, after: Regimes | None, which: Which) -> bool:
    """Whether a regime changed: any of the two, or that of the named basin to shallow.

    A run that broke off has no regimes, and so changed none.
    """
    if after is None:
        return False
    if which == "any":
        return after != before
    old, new = (before.a, after.a) if which == "A" else (before.p, after.p)
    return new == SHALLOW != old


def _most(deep: int, intermediate: int, shallow: int) -> int:
    counts = {DEEP: deep, INTERMEDIATE: intermediate, SHALLOW: shallow}
    return max(counts, key=lambda code: counts[code])
