"""Every kind of condition by its name."""

from __future__ import annotations

from earsim.registry import Registry
from earsim_generators.conditions.declining import DECLINING, impossible, unclear
from earsim_generators.conditions.kinds import (
    ConditionKind,
    apart,
    count,
    deadline,
    exactly,
    one_trip,
    order,
)

CONDITIONS: Registry[ConditionKind] = Registry(
    "condition",
    {
        "exactly": exactly,
        "count": count,
        "order": order,
        "apart": apart,
        "one_trip": one_trip,
        "deadline": deadline,
        "impossible": impossible,
        "unclear": unclear,
        **DECLINING,
    },
)
"""Every kind of condition by its name."""
