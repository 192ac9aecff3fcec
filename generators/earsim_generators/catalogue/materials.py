"""Materials and their densities, from which masses follow."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType


@cache
def materials() -> Mapping[str, float]:
    """Densities in kg/m³ of the materials that every domain may use, by name.

    Handbook values of the bulk material; how much of a thing is hollow is the business of its kind.
    """
    path = Path(__file__).with_name("materials.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return MappingProxyType({row["material"]: float(row["density_kg_m3"]) for row in rows})
