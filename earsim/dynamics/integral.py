"""The integral of a law over time: an amount from its flow, an energy from its power."""

from __future__ import annotations

from earsim.dynamics.law import Accumulation, Constant, Law, Linear
from earsim.dynamics.response import as_exponentials, response


def integral(law: Law) -> Law:
    """The law's integral from its anchor on, so zero at t = 0.

    Raises `UsageError` for a law that is neither `Constant`, `Linear` nor `Exponentials`.
    """
    if isinstance(law, Constant):
        return Linear(0.0, law.value)
    drive = as_exponentials(law)
    if not drive.slope:
        return response(0.0, 0.0, drive)
    offset = sum([a / rate for a, rate in drive.terms], 0.0)
    terms = tuple((-a / rate, rate) for a, rate in drive.terms)
    return Accumulation(offset, drive.offset, 0.5 * drive.slope, terms)
