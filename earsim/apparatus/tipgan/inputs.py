"""The thirty settings of the six-box ocean that generators propose, scaled to -1..1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.parameter import Settings, defaults
from earsim.apparatus.sixbox.settings import PARAMETERS, WHERE

Array = NDArray[np.float64]

_NOW = defaults(PARAMETERS)
_CELSIUS, _PSU = 2.0, 0.5


def _spans() -> Mapping[str, tuple[float, float]]:
    found = {}
    for name in ("D_A0", "D_P0", "Kv", "A_GM", "A_R", "M_ek", "M_SD", "eps_A", "eps_P"):
        found[name] = (0.5 * float(_NOW[name]), 1.5 * float(_NOW[name]))
    for name in ("F_s", "F_nA", "F_nP", "F_IB"):
        found[name] = (0.0, 2.0 * float(_NOW[name]))
    for kind, names, off in (
        ("T0", tuple(WHERE), _CELSIUS),
        ("S0", tuple(WHERE), _PSU),
        ("Tr", ("nA", "nP", "s", "lA", "lP"), _CELSIUS),
    ):
        for name in (f"{kind}_{box}" for box in names):
            found[name] = (float(_NOW[name]) - off, float(_NOW[name]) + off)
    return found


SPANS: Final = _spans()
"""Between which values each is drawn: all initial values and physics but for ``eps_IB``."""

INPUTS: Final = tuple(SPANS)

_LOW = np.array([span[0] for span in SPANS.values()])
_HIGH = np.array([span[1] for span in SPANS.values()])


def settings_of(row: Array) -> Settings:
    """The settings of a run for numbers between -1 and 1."""
    values = _LOW + (np.clip(row, -1.0, 1.0) + 1.0) / 2.0 * (_HIGH - _LOW)
    return {**_NOW, **dict(zip(INPUTS, map(float, values), strict=True))}
