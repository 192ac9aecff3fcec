"""The oracle: what becomes of Atlantic overturning in a run of the six-box ocean itself."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from earsim.apparatus.parameter import Settings
from earsim.apparatus.sixbox.boxes import SHALLOW, circulation
from earsim.apparatus.sixbox.model import SIXBOX
from earsim.apparatus.tipgan.inputs import Array, settings_of

NO_SHUT_OFF, SHUT_OFF, RECOVERY = 0, 1, 2
BROKEN: Final = -1
"""A run that came to no end; nothing is learned from it."""

STEPS: Final = 4000
"""Of a run: a thousand years."""

LOOKS: Final = 20
"""How often a run is looked at: every fifty years."""


FRESH: Final = "F_nA"
"""The setting by which distances to a threshold are measured."""

FURTHEST: Final = 1.8e6
"""Freshwater to the northern Atlantic up to which a threshold is looked for, from 0, in m3/s."""

HALVINGS: Final = 7
"""Of the bracket around a threshold: it is at most 15,000 m3/s wide in the end."""

RUNS_OF_A_JUDGEMENT: Final = 2 + HALVINGS
"""Runs of the ocean that judge a proposal, at most."""


class ProposalJudgement(NamedTuple):
    """What the ocean says of a proposal.

    Attributes:
        fate: its class.
        distance: how far its freshwater to the northern Atlantic is from the nearest known value
            with which sinking ends off instead of on, or on instead of off, in m3/s; None where
            there is none between 0 and `FURTHEST`.
    """

    fate: int
    distance: float | None


def judged(row: Array) -> ProposalJudgement:
    """The fate of a proposal, and its distance to a threshold by bisection.

    Args:
        row: (inputs,), each between -1 and 1.
    """
    settings = settings_of(row)
    fate, own = fate_of(settings), float(settings[FRESH])
    if fate == BROKEN:
        return ProposalJudgement(BROKEN, None)
    was_off = fate == SHUT_OFF
    same, other = own, 0.0 if was_off else FURTHEST
    if not _differs(settings, other, was_off):
        return ProposalJudgement(fate, None)
    for _ in range(HALVINGS):
        middle = (same + other) / 2.0
        if _differs(settings, middle, was_off):
            other = middle
        else:
            same = middle
    return ProposalJudgement(fate, abs(other - own))


def _differs(settings: Settings, fresh: float, was_off: bool) -> bool:
    """Whether sinking ends otherwise with another flux; a run that breaks off ends nowhere."""
    fate = fate_of({**settings, FRESH: fresh}, looks=1)
    return fate != BROKEN and (fate == SHUT_OFF) != was_off


def fate_of(settings: Settings, *, looks: int = LOOKS) -> int:
    """The class of a run of a thousand years.

    `SHUT_OFF` where the Atlantic is off at the end, `RECOVERY` where it was off before and is not.

    Args:
        settings: of the ocean; its ``N`` does not matter.
        looks: how often it is looked at, evenly; the last time at the end.
    """
    run = SIXBOX.start({**settings, "N": STEPS})
    was_off = is_off = False
    for look in range(1, looks + 1):
        run = run.until(look * STEPS // looks)
        if run.failed:
            return BROKEN
        was_off |= is_off
        is_off = circulation(run.boxes, run.ocean)[0].code == SHALLOW
    if is_off:
        return SHUT_OFF
    return RECOVERY if was_off else NO_SHUT_OFF


def labels(rows: Array) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The class of each proposal.

    Args:
        rows: (proposals, inputs), each between -1 and 1.
    """
    return np.array([fate_of(settings_of(row)) for row in rows], dtype=np.int64)
