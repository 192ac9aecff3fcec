"""Predicates in words: verbs that change a state, and modifiers for a state and its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from earsim.render.words.traits import TraitPhrase, state_words
from earsim.schema.verb_table import AttributeVerb, verb_table

PARTICLES = ("on", "off", "in", "up", "out", "down")

_OTHERWISE: Mapping[str, tuple[str, str]] = {
    "arm_alarm": ("arm the alarm of {}", "arm {its} alarm"),
    "check_pressure": ("check the pressure of {}", "check {its} pressure"),
    "clear_table": ("clear {}", "clear {it}"),
    "cool": ("cool down {}", "cool {it} down"),
    "copy_file": ("copy {}", "copy {it}"),
    "detune_instrument": ("detune {}", "detune {it}"),
    "disarm_alarm": ("disarm the alarm of {}", "disarm {its} alarm"),
    "drill": ("drill a hole in {}", "drill a hole in {it}"),
    "erase": ("erase the writing on {}", "erase the writing on {it}"),
    "mow_lawn": ("mow {}", "mow {it}"),
    "record_video": ("start recording with {}", "start recording with {it}"),
    "reset_puzzle": ("reset {}", "reset {it}"),
    "roll": ("roll up {}", "roll {it} up"),
    "save": ("save the data on {}", "save the data on {it}"),
    "scan_barcode": ("scan the barcode of {}", "scan {its} barcode"),
    "screw": ("screw in {}", "screw {it} in"),
    "set_table": ("set {}", "set {it}"),
    "solve_puzzle": ("solve {}", "solve {it}"),
    "start_engine": ("start the engine of {}", "start {its} engine"),
    "start_process": ("start {}", "start {it}"),
    "stop_engine": ("stop the engine of {}", "stop {its} engine"),
    "stop_playback": ("stop {}", "stop {it}"),
    "stop_process": ("stop {}", "stop {it}"),
    "stop_recording": ("stop recording with {}", "stop recording with {it}"),
    "tie": ("tie up {}", "tie {it} up"),
    "till_soil": ("till the soil of {}", "till {its} soil"),
    "tune_instrument": ("tune {}", "tune {it}"),
    "wipe": ("wipe dry {}", "wipe {it} dry"),
    "wring": ("wring out {}", "wring {it} out"),
    "write": ("write on {}", "write on {it}"),
    "zip": ("zip up {}", "zip {it} up"),
}
"""What is not said as it is written; the second form stands with a pronoun."""

_POSSESSIVES = {"it": "its", "them": "their"}


def verb_for(states: Mapping[str, Any], state: str, spoken: frozenset[str]) -> AttributeVerb | None:
    """The verb that changes a state from its initial value, if possible without a tool."""
    rows = sorted(changing(state, states.get(state), spoken), key=lambda row: row.requires_tool)
    return rows[0] if rows else None


def changing(state: str, now: Any, spoken: frozenset[str]) -> Iterator[AttributeVerb]:
    """The verbs of a scene that change a state from its value, in the order of the table."""
    if isinstance(now, bool):
        yield from (row for row in _by_change().get((state, now), ()) if row.name in spoken)


@cache
def _by_change() -> Mapping[tuple[str, bool], tuple[AttributeVerb, ...]]:
    found: dict[tuple[str, bool], tuple[AttributeVerb, ...]] = {}
    for row in verb_table().values():
        key = (row.attribute, row.value)
        found[key] = (*found.get(key, ()), row)
    return found


def told(verb: str, what: str) -> str:
    """`turn off the lamp`, `check the pressure of the tank`; a short name stands within."""
    return _forms(verb)[0].format(what)


def told_of(verb: str, pronoun: str) -> str:
    """`turn it off`, `check its pressure`."""
    return _forms(verb)[1].format(it=pronoun, its=_POSSESSIVES[pronoun])


def _forms(verb: str) -> tuple[str, str]:
    first, _, particle = verb.partition("_")
    plain = verb.replace("_", " ")
    with_it = f"{first} {{it}} {particle}" if particle in PARTICLES else f"{plain} {{it}}"
    return _OTHERWISE.get(verb, (f"{plain} {{}}", with_it))


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
    """The modifier for a state and its value."""
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
    """A predicate for a state that is to be changed: `is broken`; empty where none is idiomatic."""
    if state == "is_on" and isinstance(now, bool):
        return f"is {'on' if now else 'off'}"
    if now is False and state in _WORK:
        return f"has not been {state.removeprefix('is_')} yet"
    said = state_words(state, now)
    return f"is {said.adjective}" if said.adjective else said.that
