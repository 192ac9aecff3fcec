"""The page of materials: the constants that laws are given, and densities that are checked."""

from __future__ import annotations

from collections.abc import Mapping

from docs.tables import table
from earsim.dynamics import constants
from earsim.dynamics.flow import ORIFICE
from earsim.world.plausibility import DENSEST_KGPM3

_TEXT = (
    "What [numbers that move](../time.md) are computed with, where a scene says nothing else. A "
    "*handbook* value is that of a pure substance near 25 °C and 1 atm, to two or three digits; an "
    "*estimate* stands for a word that covers many materials, and may be off by a fifth, a heat "
    "transfer coefficient by a factor of two."
)
_DENSEST = (
    "What a cubic metre of a material weighs at most, without any hollow. `earsim validate` warns "
    "of a thing whose `material` is one of these and whose `mass_kg` is more than `size_m` allows; "
    "nothing in the world is computed with them."
)


def materials_page() -> str:
    """Specific heats, densities, heat transfer coefficients and single constants."""
    heats = _rows(constants.HANDBOOK_JPKGK, constants.ESTIMATED_JPKGK)
    densities = _rows(constants.HANDBOOK_KGPL, constants.ESTIMATED_KGPL)
    films = [[f"`{name}`", f"{value:g}"] for name, value in constants.FILM_WPM2K.items()]
    single = [
        ["free fall, m/s²", f"{constants.GRAVITY_MPS2:g}"],
        ["water: melting point, °C", f"{constants.WATER_MELTS_C:g}"],
        ["water: latent heat of melting, J/kg", f"{constants.WATER_FUSION_JPKG:g}"],
        ["plate to what stands on it, W/(m² K)", f"{constants.PLATE_WPM2K:g}"],
        ["discharge coefficient of an outlet", f"{ORIFICE:g}"],
    ]
    dense = [[f"`{name}`", f"{most}"] for name, most in sorted(DENSEST_KGPM3.items())]
    parts = ["# Materials", _TEXT, "## Specific heats"]
    parts += [table(["material", "J/(kg K)", "source"], heats), "## Densities of liquids"]
    parts += [table(["liquid", "kg/l", "source"], densities), "## Heat transfer coefficients"]
    parts += [table(["surface to", "W/(m² K)"], films), "## Single constants"]
    parts += [table(["constant", "value"], single), "## Densest sorts", _DENSEST]
    return "\n\n".join([*parts, table(["material", "kg/m³"], dense)])


def _rows(handbook: Mapping[str, float], estimated: Mapping[str, float]) -> list[list[str]]:
    sources = dict.fromkeys(handbook, "handbook") | dict.fromkeys(estimated, "estimate")
    values = {**handbook, **estimated}
    return [[f"`{name}`", f"{values[name]:g}", sources[name]] for name in sorted(sources)]
