"""Which episodes are taken, and into which split their scene falls."""

from __future__ import annotations

import hashlib
from typing import Literal

from earsim_training.export.rows import Source
from earsim_training.export.settings import SelectionSettings

Split = Literal["train", "validation"]


def reason_to_leave(source: Source, choosing: SelectionSettings) -> str:
    """Why an episode is not taken; empty for one that is."""
    demonstration, retold = source.demonstration, source.retold
    category = demonstration.scenario.task.category
    if choosing.categories and category not in choosing.categories:
        return "category not asked for"
    if not retold.told:
        return "nothing recorded"
    # A teacher's word is worth most where it went wrong.
    if not retold.success and not choosing.failures and not demonstration.teacher:
        return "goal not reached"
    if choosing.optimality is not None:
        if demonstration.plan is None:
            return "no certificate to tell how good it is"
        if demonstration.plan < choosing.optimality * retold.decisions:
            return "longer than asked for"
    return "" if any(told.taught for told in retold.told) else "nothing worth learning"


def split_of(scene_id: str, validation: float) -> Split:
    """The split of a scene: the same for all of its tasks, on every machine."""
    draw = int.from_bytes(hashlib.sha256(f"split/{scene_id}".encode()).digest()[:8], "big")
    return "validation" if draw < validation * 2**64 else "train"
