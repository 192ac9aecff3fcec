"""Verb phrases of attribute verbs: `turn it off`, `check its pressure`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from earsim.schema.verb_table import AttributeVerb, verb_table

_PARTICLES = ("on", "off", "in", "up", "out", "down")

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
    """The verb that changes a state from what it is; of several, one that needs no tool.

    Args:
        states: of the thing, at the start.
        state: which of them.
        spoken: verbs that exist in the scene.
    """
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
    own = _OTHERWISE.get(verb)
    if own is not None:
        return own[0].format(what)
    first, _, particle = verb.partition("_")
    if particle in _PARTICLES:
        return f"{first} {particle} {what}"
    return f"{verb.replace('_', ' ')} {what}"


def told_of(verb: str, pronoun: str) -> str:
    """`turn it off`, `check its pressure`."""
    own = _OTHERWISE.get(verb)
    if own is not None:
        return own[1].format(it=pronoun, its=_POSSESSIVES[pronoun])
    first, _, particle = verb.partition("_")
    if particle in _PARTICLES:
        return f"{first} {pronoun} {particle}"
    return f"{verb.replace('_', ' ')} {pronoun}"
