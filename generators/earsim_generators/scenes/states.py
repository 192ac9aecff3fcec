"""States that fit what is shown beside them.

They are drawn each by its own chance. When all is in its place, a number decides the state that
it is about, what excludes each other is not true at once, and what nothing in the world shows
is not said.
"""

from __future__ import annotations

import math

from earsim_generators.catalogue.kinds import Span
from earsim_generators.scenes.placement import PlacedObject, ScenePlacement

_UNSHOWN = ("is_full", "is_loaded", "is_packed", "is_stacked")
"""What is in a thing or on it tells, and nothing changes these with it."""

_DECIDED = {
    "is_frozen": ("temperature_c", Span(-math.inf, 0.0)),
    "is_hot": ("temperature_c", Span(50.0, math.inf)),
    "is_boiling": ("temperature_c", Span(95.0, math.inf)),
    "is_charged": ("charge_percent", Span(80.0, math.inf)),
}
"""States with the number that decides them, and where they are true."""

_EXCLUDED = (
    ("is_open", ("is_sealed", "is_zipped", "is_locked")),
    ("is_dirty", ("is_polished", "is_sterile")),
    ("is_frozen", ("is_hot", "is_boiling")),
)
"""What is not true beside another state that is."""

_SPARES_AIR = ("is_alight", "is_hot", "is_boiling")
"""Of what is shut in, none is true that no number decides."""

_COLDER_C = 5.0
"""A store that is colder than what is around it by more than that is plugged in."""

_HEATED_C = 100.0
"""Whatever is so hot by its number, and can be switched on, is on."""


def fit_states(placement: ScenePlacement) -> None:
    """Make the states of placed and measured things fit; nothing is drawn."""
    for thing in placement.things:
        for state in _UNSHOWN:
            thing.states.pop(state, None)
        _decide(thing)
        _power(thing, placement)
        for state, excluded in _EXCLUDED:
            if thing.states.get(state):
                thing.states.update((other, False) for other in excluded if other in thing.states)
        if thing.attributes.get("material") == "water":  # stands for the density of what is in it
            del thing.attributes["material"]


def _decide(thing: PlacedObject) -> None:
    states, numbers = thing.states, thing.body.numbers
    if _is_shut_in(thing):
        states.update((state, False) for state in _SPARES_AIR if state in states)
    for state, (field, span) in _DECIDED.items():
        if state in states and field in numbers:
            states[state] = span.low <= numbers[field] <= span.high


def _power(thing: PlacedObject, placement: ScenePlacement) -> None:
    """What is on has its power and works, and what heats or cools by its number is on."""
    states = thing.states
    own = thing.body.numbers.get("temperature_c")
    if own is not None and own >= _HEATED_C and "is_on" in states:
        for state, value in (("is_on", True), ("is_plugged_in", True), ("is_broken", False)):
            if state in states:
                states[state] = value
    if own is not None and thing.capacity_l is not None and "is_plugged_in" in states:
        states["is_plugged_in"] |= own < placement.around(thing, "temperature_c") - _COLDER_C
    has_battery = "charge_percent" in thing.body.numbers
    unpowered = states.get("is_plugged_in") is False and not has_battery
    if unpowered or states.get("is_broken"):
        states.update((state, False) for state in ("is_on", "is_running") if state in states)


def _is_shut_in(thing: PlacedObject) -> bool:
    """Whether it, or what it is in or on, is in something closed."""
    while thing.holder is not None:
        if thing.relation == "in" and thing.holder.states.get("is_open") is False:
            return True
        thing = thing.holder
    return False
