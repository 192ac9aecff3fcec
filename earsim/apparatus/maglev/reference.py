"""Gains for `maglev/1` that meet requirements, found by computing responses."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.apparatus.design import Requirement, search
from earsim.apparatus.maglev.analysis import results_of
from earsim.apparatus.maglev.equations import gains_of
from earsim.apparatus.maglev.model import MAGLEV
from earsim.apparatus.model import ReferenceAnswer
from earsim.apparatus.parameter import Parameter, Settings, defaults

REQUIREMENTS = (
    Requirement("stable", equals=True),
    Requirement("settling_s", high=5.0),
    Requirement("overshoot_percent", high=20.0),
    Requirement("steady_error", high=1e-3),
    Requirement("gain_margin_db", low=10.0),
    Requirement("phase_margin_deg", low=45.0),
)
"""The five of the score, and stability."""

PARTS = {"p": ("Kp",), "pi": ("Kp", "Ki"), "pid": ("Kp", "Ki", "Kd")}
"""The gains that each topology has."""

LEAST_MARGIN = 1e-6
"""Share of a bound by which a design has to keep away from it, so that machines agree."""


def reference(
    requirements: Sequence[Requirement] = REQUIREMENTS,
    *,
    parameters: Sequence[Parameter] = MAGLEV.parameters,
    among: Settings | None = None,
) -> ReferenceAnswer | None:
    """A design of the simplest topology that meets the requirements on the grid; None without one.

    Args:
        requirements: on the results.
        parameters: of the rig, perhaps with narrower bounds or fewer topologies; a gain whose
            bounds are one value is not searched.
        among: settings that are not searched, such as `blocks`.
    """
    known = {parameter.name: parameter for parameter in parameters}
    base = {**defaults(parameters), **(among or {})}
    evaluated = 0
    for topology in known["topology"].choices:
        free = [known[name] for name in PARTS[topology] if known[name].low < known[name].high]
        rest = {**base, "topology": topology}
        found = search(lambda s: results_of(gains_of(s)), requirements, free, among=rest)
        evaluated += found.evaluated
        if found.margin >= LEAST_MARGIN:
            method = "grid, then compass; topologies in order"
            return ReferenceAnswer(found.design, None, 0.0, evaluated, method, found.grid)
    return None
