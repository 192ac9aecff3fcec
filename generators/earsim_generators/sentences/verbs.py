"""How one tells somebody to do what an attribute verb does: `turn it off`, `check its pressure`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from earsim.schema.verb_table import AttributeVerb, verb_table

_PARTICLES = ("on", "off", "in", "up", "out", "down")

_OTHERWISE: Mapping[str, tuple[str, str]] = {
    "arm_alarm": ("arm the alarm of {}", "arm {} alarm"),
    "check_pressure": ("check the pressure of {}", "check {} pressure"),
    "clear_table": ("clear {}", ""),
    "copy_file": ("copy {}", ""),
    "detune_instrument": ("detune {}", ""),
    "disarm_alarm": ("disarm the alarm of {}", "disarm {} alarm"),
    "mow_lawn": ("mow {}", ""),
    "record_video": ("start recording with {}", ""),
    "reset_puzzle": ("reset {}", ""),
    "roll": ("roll up {}", "roll {} up"),
    "scan_barcode": ("scan the barcode of {}", "scan {} barcode"),
    "screw": ("screw in {}", "screw {} in"),
    "set_table": ("set {}", ""),
    "solve_puzzle": ("solve {}", ""),
    "start_engine": ("start the engine of {}", "start {} engine"),
    "start_process": ("start {}", ""),
    "stop_engine": ("stop the engine of {}", "stop {} engine"),
    "stop_playback": ("stop {}", ""),
    "stop_process": ("stop {}", ""),
    "stop_recording": ("stop recording with {}", ""),
    "till_soil": ("till the soil of {}", "till {} soil"),
    "tune_instrument": ("tune {}", ""),
    "wring": ("wring out {}", "wring {} out"),
    "write": ("write on {}", ""),
}
"""What is not said as it is written; the second form stands with a pronoun, its own or `its`."""

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
    form, with_pronoun = _OTHERWISE.get(verb, ("", ""))
    if with_pronoun:
        possessive = not with_pronoun.endswith(_PARTICLES)
        return with_pronoun.format(_POSSESSIVES[pronoun] if possessive else pronoun)
    if form:
        return form.format(pronoun)
    first, _, particle = verb.partition("_")
    if particle in _PARTICLES:
        return f"{first} {pronoun} {particle}"
    return f"{verb.replace('_', ' ')} {pronoun}"
