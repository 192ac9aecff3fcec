"""The liquids that a scene need not declare."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from earsim.dynamics.constants import DENSITY_KGPL, SPECIFIC_HEAT_JPKGK
from earsim.schema.process import Substance


@cache
def known_liquids() -> Mapping[str, Substance]:
    """Those whose density and specific heat are known, by name."""
    return {
        name: Substance(
            id=name, density_kgpl=density, specific_heat_jpkgk=SPECIFIC_HEAT_JPKGK[name]
        )
        for name, density in DENSITY_KGPL.items()
        if name in SPECIFIC_HEAT_JPKGK
    }
