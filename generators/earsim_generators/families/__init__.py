"""Families: each draws scenes about one kind of process or team, with tasks and walkthroughs.

A family is a function of a generator of chance and a difficulty (`easy`, `medium`, `hard`). It
returns a scene document (`earsim.scene/1`) with at least one task. Nothing it says is believed:
`earsim generate --family` validates the document, replays the walkthroughs, proves what the
categories promise, and counts what it rejects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from earsim.registry import Registry
from earsim_generators.families.apparatus import apparatus
from earsim_generators.families.burns import burns
from earsim_generators.families.charge import charge
from earsim_generators.families.discharge import discharge
from earsim_generators.families.dry import dry
from earsim_generators.families.drying import drying
from earsim_generators.families.figures import figures
from earsim_generators.families.flow import flow
from earsim_generators.families.heat import heat
from earsim_generators.families.mix import mix
from earsim_generators.families.needs import needs
from earsim_generators.families.phase import phase
from earsim_generators.families.teams import hurry, places, shut_in, size, told, tools, weight
from earsim_generators.families.wet import wet

Family = Callable[..., dict[str, Any]]
"""Draws a scene document; equal states of the generator give equal documents.

Its arguments are a generator of chance, a difficulty and, where it is one `WITH_ERRANDS`, a number
of errands.
"""

ABOUT_TIME = ("heat", "phase", "flow", "charge", "discharge", "burns", "drying", "mix")
"""Families in which a number has to move."""

WITH_ERRANDS = (*ABOUT_TIME, "told", "needs")
"""Families whose tasks may have errands, see `earsim_generators.families.errands`."""

FAMILIES: Registry[Family] = Registry(
    "family",
    {
        "heat": heat,
        "phase": phase,
        "flow": flow,
        "charge": charge,
        "discharge": discharge,
        "burns": burns,
        "drying": drying,
        "mix": mix,
        "apparatus": apparatus,
        "dry": dry,
        "wet": wet,
        "figures": figures,
        "weight": weight,
        "size": size,
        "shut_in": shut_in,
        "told": told,
        "tools": tools,
        "places": places,
        "hurry": hurry,
        "needs": needs,
    },
)
"""Every family by its name, in the order in which they take turns."""
