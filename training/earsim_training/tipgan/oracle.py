"""The oracle: what becomes of Atlantic overturning in a run of the six-box ocean itself."""

from __future__ import annotations

from typing import Final

import numpy as np

from earsim.apparatus.sixbox.boxes import SHALLOW, circulation
from earsim.apparatus.sixbox.model import SIXBOX
from earsim_training.tipgan.inputs import Array, settings_of

NO_SHUT_OFF, SHUT_OFF, RECOVERY = 0, 1, 2
BROKEN: Final = -1
"""A run that came to no end; nothing is learned from it."""

STEPS: Final = 4000
"""Of a run: a thousand years."""

_LOOKS = 20


def label(row: Array) -> int:
    """The class of one proposal.

    `SHUT_OFF` where the Atlantic is off at the end, `RECOVERY` where it was off before and is not.

    Args:
        row: (inputs,), each between -1 and 1.
    """
    run = SIXBOX.start({**settings_of(row), "N": STEPS})
    was_off = is_off = False
    for look in range(1, _LOOKS + 1):
        run = run.until(look * STEPS // _LOOKS)
        if run.failed:
            return BROKEN
        was_off |= is_off
        is_off = circulation(run.boxes, run.ocean)[0].code == SHALLOW
    if is_off:
        return SHUT_OFF
    return RECOVERY if was_off else NO_SHUT_OFF


def labels(rows: Array) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The class of each proposal."""
    return np.array([label(row) for row in rows], dtype=np.int64)
