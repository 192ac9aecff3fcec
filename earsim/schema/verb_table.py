"""The table of attribute verbs: which verb flips which state, and whether it takes a tool."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple


class AttributeVerb(NamedTuple):
    """A verb that applies to objects whose ``attribute`` equals ``value``, and flips it."""

    name: str
    attribute: str
    value: bool
    requires_tool: bool


@cache
def verb_table() -> Mapping[str, AttributeVerb]:
    """All attribute verbs by name, in file order (OmniEAR's 217 rows, restated as facts)."""
    path = Path(__file__).with_name("attribute_verbs.csv")
    with path.open(encoding="utf-8", newline="") as file:
        verbs = [_verb(row) for row in csv.DictReader(file)]
    return MappingProxyType({verb.name: verb for verb in verbs})


def _verb(row: dict[str, str]) -> AttributeVerb:
    return AttributeVerb(
        name=row["name"],
        attribute=row["attribute"],
        value=row["value"] == "true",
        requires_tool=row["requires_tool"] == "true",
    )
