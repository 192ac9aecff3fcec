"""CONFIGURE: change settings of an apparatus, all that are named or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from earsim.actions.apparatus import lab_of, put_lab, rig_of, running
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Verb, check
from earsim.apparatus.parameter import SettingProblem, Settings, Value
from earsim.errors import near_misses
from earsim.prose import listing, value
from earsim.world import World

GRAMMAR = Grammar.of("CONFIGURE {target} {settings}")

_REASONS = {reason.value: reason for reason in Reason}


def given(details: str) -> dict[str, str]:
    """The settings of a command, as typed; of a name given twice, the last."""
    pairs = (part.partition("=") for part in details.split())
    return {name: text for name, _, text in pairs}


@check(Reason.UNKNOWN_SETTING, Reason.BAD_VALUE, Reason.OUT_OF_BOUNDS)
def values_are_allowed(world: World, agent: str, call: Call) -> Refusal | None:
    """Every setting exists, can be changed here, and gets a value within its bounds."""
    read = _read(world, call)
    if not isinstance(read, SettingProblem):
        return None
    return Refusal(_REASONS[read.reason], {"id": call.target, **read.facts})


def _read(world: World, call: Call) -> dict[str, Value] | SettingProblem:
    known = {parameter.name: parameter for parameter in rig_of(world, call.target).parameters}
    found: dict[str, Value] = {}
    for name, text in given(call.details).items():
        if name not in known:
            facts = {"name": name, "near": list(near_misses(name, known)), "known": list(known)}
            return SettingProblem("unknown_setting", facts)
        read = known[name].read(text)
        if isinstance(read, SettingProblem):
            return read
        found[name] = read
    return found


def configure(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The settings are changed."""
    read = _read(world, call)
    assert not isinstance(read, SettingProblem), "checked: the values are allowed"
    lab = lab_of(world)
    new = {**settings_of(world, call.target), **read}
    put_lab(world, lab._replace(settings={**lab.settings, call.target: new}))
    world.touch(call.target)
    return {"id": call.target, "settings": read}


def settings_of(world: World, node: str) -> Settings:
    """The settings of an apparatus as they are now."""
    return lab_of(world).settings.get(node) or rig_of(world, node).settings


# -- what is listed --------------------------------------------------------------------------------


def configurations(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """The values that the scene lists, one setting at a time, of apparatus near."""
    live = world.blueprint.live
    for node in objects:
        if live is not None and node in live.rigs and running(world, node) is None:
            for name, values in live.rigs[node].levels.items():
                yield from (Call(verb, node, details=f"{name}={each}") for each in values)


# -- sentences -------------------------------------------------------------------------------------


def configured(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You set Kp to 2.8 of Rig"."""
    changes = listing(f"{key} to {value(new)}" for key, new in facts["settings"].items())
    return f"{name(facts['id'])}: you set {changes}."
