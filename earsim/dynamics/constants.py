"""Constants of materials and films that the laws are given.

The laws are exact; these numbers are not. Handbook values are what tables such as those of the CRC
Handbook of Chemistry and Physics print for pure substances near 25 °C and 1 atm, to two or three
digits; the tables differ by up to 3 %, and the values move as much over the temperatures of a
household. Estimates are the middle of what tables of engineering materials give for a word that
covers many materials: they may be off by a fifth, film coefficients by a factor of two.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

GRAVITY_MPS2 = 9.81
"""Acceleration of free fall in middle latitudes, m/s^2."""
WATER_JPKGK = 4186.0
"""Specific heat of liquid water at 15 °C, J/(kg K)."""
WATER_FUSION_JPKG = 3.34e5
"""Latent heat of melting ice at 0 °C, J/kg."""
WATER_MELTS_C = 0.0


FILM_WPM2K: Mapping[str, float] = MappingProxyType(
    {"air": 10.0, "moving_air": 25.0, "liquid": 500.0, "foam": 0.5}
)
"""Estimates: heat transfer coefficients h in W/(m^2 K) from a surface to what is around it.

Still air with its radiation, a fan's air, a liquid without stirring, and through a foam box's wall.
"""
PLATE_WPM2K = 40.0
"""Estimate: from a plate with heating to what stands on it, dry contact, W/(m^2 K)."""

HANDBOOK_JPKGK: Mapping[str, float] = MappingProxyType(
    {
        "acetone": 2170.0,
        "aluminium": 900.0,
        "copper": 385.0,
        "ethanol": 2440.0,
        "ethylene_glycol": 2410.0,
        "glycerol": 2380.0,
        "gold": 129.0,
        "ice": 2100.0,  # at -5 °C
        "iron": 449.0,
        "lead": 129.0,
        "mercury": 140.0,
        "nickel": 444.0,
        "silver": 235.0,
        "tin": 227.0,
        "titanium": 523.0,
        "water": WATER_JPKGK,
        "zinc": 388.0,
    }
)
"""Specific heats of pure substances, J/(kg K)."""

ESTIMATED_JPKGK: Mapping[str, float] = MappingProxyType(
    {
        "blood": 3600.0,
        "brass": 380.0,
        "brick": 840.0,
        "brine": 3400.0,  # a fifth of salt
        "bronze": 380.0,
        "cardboard": 1400.0,
        "ceramic": 850.0,
        "concrete": 880.0,
        "cotton": 1300.0,
        "diesel": 2050.0,
        "foam": 1300.0,
        "food": 3500.0,  # moist: three quarters of it water
        "glass": 840.0,
        "juice": 3900.0,
        "leather": 1500.0,
        "milk": 3900.0,
        "oil": 2000.0,
        "paper": 1400.0,
        "petrol": 2200.0,
        "plastic": 1700.0,
        "rubber": 2000.0,
        "sand": 800.0,
        "seawater": 3990.0,
        "soup": 3900.0,
        "steel": 490.0,
        "stone": 800.0,
        "wax": 2100.0,
        "wood": 1700.0,
    }
)
"""Specific heats of what has no one composition, J/(kg K)."""

SPECIFIC_HEAT_JPKGK: Mapping[str, float] = MappingProxyType({**HANDBOOK_JPKGK, **ESTIMATED_JPKGK})
"""Specific heats by material, J/(kg K)."""

HANDBOOK_KGPL: Mapping[str, float] = MappingProxyType(
    {
        "acetone": 0.785,
        "ethanol": 0.785,
        "ethylene_glycol": 1.11,
        "glycerol": 1.26,
        "mercury": 13.5,
        "water": 1.0,  # 0.998 at 20 °C; a litre is a kilogram here
    }
)
"""Densities of pure liquids, kg/l."""

ESTIMATED_KGPL: Mapping[str, float] = MappingProxyType(
    {
        "beer": 1.01,
        "blood": 1.06,
        "brine": 1.15,  # a fifth of salt
        "coffee": 1.0,
        "detergent": 1.05,
        "diesel": 0.84,
        "honey": 1.42,
        "juice": 1.04,
        "kerosene": 0.81,
        "lubricant": 0.88,
        "milk": 1.03,
        "oil": 0.92,  # from plants, for cooking
        "paint": 1.3,
        "petrol": 0.74,
        "seawater": 1.025,
        "soup": 1.02,
        "syrup": 1.33,
        "tea": 1.0,
        "vinegar": 1.01,
        "wine": 0.99,
    }
)
"""Densities of liquids that are mixtures, kg/l."""

DENSITY_KGPL: Mapping[str, float] = MappingProxyType({**HANDBOOK_KGPL, **ESTIMATED_KGPL})
"""Densities of liquids near 20 °C, kg/l."""
