"""States in words, where people do not say them as they are written: clean, not weighed yet.

The words come from `earsim.render.words.traits`; here is what those do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.render.words.traits import TraitPhrase, state_words

_WORDS: Mapping[str, tuple[str, str]] = {
    "is_active": ("active", "inactive"),
    "is_assembled": ("assembled", "disassembled"),
    "is_connected": ("connected", "disconnected"),
    "is_dirty": ("dirty", "clean"),
    "is_inflated": ("inflated", "deflated"),
    "is_inserted": ("inserted", "ejected"),
    "is_lowered": ("lowered", "raised"),
    "is_on": ("switched-on", "switched-off"),
    "is_open": ("open", "closed"),
    "is_plugged_in": ("plugged-in", "unplugged"),
    "is_screwed_in": ("screwed-in", "unscrewed"),
    "is_wet": ("wet", "dry"),
}
"""What stands before the noun, if it is so and if not. What stood behind it would go on with where
the thing goes: take the lamp that is plugged in to the hall, the pump that is not connected to it.
"""

_UNDONE = frozenset({
    "is_buckled", "is_covered", "is_folded", "is_installed", "is_loaded", "is_locked", "is_mounted",
    "is_packed", "is_rolled", "is_sealed", "is_stacked", "is_tied", "is_wrapped", "is_zipped",
})  # fmt: skip
"""States that are undone by a verb in un-."""

_WORK = frozenset({
    "is_adjusted", "is_baked", "is_calibrated", "is_chopped", "is_cooked", "is_copied", "is_cut",
    "is_drilled", "is_fried", "is_glued", "is_grated", "is_ground", "is_ironed", "is_kneaded",
    "is_labeled", "is_mashed", "is_mended", "is_mixed", "is_painted", "is_peeled",
    "is_photographed", "is_polished", "is_pulverized", "is_rinsed", "is_roasted", "is_sanded",
    "is_saved", "is_sawn", "is_scanned", "is_seasoned", "is_served", "is_sewn", "is_shredded",
    "is_signed", "is_sliced", "is_soldered", "is_solved", "is_stapled", "is_stirred", "is_synced",
    "is_tuned", "is_varnished", "is_verified", "is_watered", "is_weighed", "is_welded",
    "is_whisked",
})  # fmt: skip
"""Work that is done or not: an unpolished coin, which has not been polished yet."""

_WORK_ON_A_PART = frozenset({"is_barcode_scanned", "is_pressure_checked"})
"""The same, done to a part: a parcel whose barcode has been scanned."""

_BEHIND = frozenset({"is_alight"})
"""What stands behind the noun only: no alight burner."""


def said_of(state: str, what: Any) -> TraitPhrase:
    """What is said of a thing in a state, or not in it."""
    said = state_words(state, what)
    if not isinstance(what, bool):
        return said
    if state in _WORDS:
        return TraitPhrase(adjective=_WORDS[state][0 if what else 1])
    if not what and state in _UNDONE | _WORK:
        return TraitPhrase(adjective=f"un{state.removeprefix('is_')}")
    if what and state in _BEHIND:
        return TraitPhrase(that=f"is {said.adjective}")
    if state in _WORK_ON_A_PART:
        part, _, done = state.removeprefix("is_").rpartition("_")
        return TraitPhrase(whose=f"{part} has {'' if what else 'not '}been {done}")
    return said


def complaint(state: str, now: Any) -> str:
    """What one says of a thing before it is changed, its verb first: `is broken`.

    Empty where nobody says so.
    """
    if state == "is_on" and isinstance(now, bool):
        return f"is {'on' if now else 'off'}"
    if now is False and state in _WORK:
        return f"has not been {state.removeprefix('is_')} yet"
    said = state_words(state, now)
    return f"is {said.adjective}" if said.adjective else said.that
