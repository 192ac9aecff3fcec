"""The page on what `physical` models: every field of a scene, and what follows from it.

The fields are read off the schema, the reasons off the ruleset. Which field leads to which refusal
is said here; a field or a reason that is not named stops the writing.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import get_args

from pydantic import BaseModel

from docs.tables import table
from docs.verbs import engine_of
from earsim import Reason
from earsim.schema import AgentSpec, Door, Room, Scene, SceneObject, Task
from earsim.schema.apparatus import Apparatus, ApparatusNeeds, ApparatusPrice
from earsim.schema.process import Mark, Process
from earsim.schema.scene_parts import Connection, Container, Wheels
from earsim.schema.verb_table import verb_table
from earsim.schema.wet_bench import ActionParameter, ActionThing, BenchAction, BenchMaterial
from earsim.world.plausibility import MARKS

_FOLLOWS: Mapping[type[BaseModel], Mapping[str, str]] = {
    Scene: {"substances": "vessel_full overweight", "uses_up": "no_ability"},
    Room: {"connects": "no_path"},
    Connection: {"between": "", "width_m": "too_narrow", "stairs": "stairs"},
    Door: {
        "between": "no_path",
        "width_m": "too_narrow",
        "stairs": "stairs",
        "states": "locked still_open attr_precondition attr_missing",
        "key": "no_key",
    },
    SceneObject: {
        "kind": "lid_blocked",
        "in_": "not_in_sight not_near inside_itself not_grabbable no_such_object",
        "on": "lid_blocked",
        "mass_kg": "overweight",
        "size_m": "too_large too_narrow no_space",
        "container": "not_container on_room",
        "wheels": "on_wheels stairs overloaded",
        "provides": "no_ability",
        "needs": "no_ability plugged_in no_power",
        "key": "no_key",
        "people": "partner_missing",
        "senses": "no_instrument",
        "perceived_by": "nothing_to_measure",
        "liquids": "no_vessel nothing_to_pour vessel_full overweight overloaded no_space",
        "source": "no_source",
        "drains": "no_vessel",
        "fittings": "connected not_connectable not_connected already_so derived",
        "supplies": "no_ability no_instrument",
        "marks": "no_such_mark vessel_full already_so",
        "processes": "derived not_perceived too_long_a_wait no_ability no_instrument",
        "apparatus": "not_apparatus busy not_running no_output nothing_to_measure",
        "states": "closed_container locked still_open attr_precondition attr_missing no_ability",
        "quantities": "no_space overloaded nothing_to_measure",
    },
    Mark: {"name": "no_such_mark", "of": "not_perceived", "at": "already_so vessel_full"},
    Apparatus: {
        "model": "unknown_setting bad_value out_of_bounds not_workstation needs_code "
        "no_interpreter no_sandbox bad_name folder_full",
        "settings": "",
        "bounds": "out_of_bounds",
        "tunable": "unknown_setting",
        "levels": "",
        "show": "nothing_to_measure",
        "pool": "unknown_action missing_input",
        "desk": "no_output no_sandbox",
        "library": "unknown_action incomplete bad_value out_of_bounds",
        "figures": "unknown_action incomplete bad_value",
    },
    BenchMaterial: {"exists": "missing_input", "states": "missing_input"},
    BenchAction: {
        "name": "unknown_action",
        "inputs": "missing_input",
        "outputs": "missing_input",
        "parameters": "unknown_setting incomplete",
        "seconds": "limit_reached",
        "needs": "no_ability partner_missing",
    },
    ActionParameter: {
        "unit": "bad_value",
        "bounds": "out_of_bounds",
        "choices": "bad_value",
        "usual": "incomplete",
    },
    ActionThing: {"object": "missing_input no_power", "of": "missing_input"},
    ApparatusNeeds: {
        "ability": "no_ability",
        "loaded": "not_loaded",
        "people": "partner_missing",
        "attended": "",
    },
    ApparatusPrice: dict.fromkeys(ApparatusPrice.model_fields, "limit_reached"),
    Task: {"limits": "limit_reached", "goal": "unknown_question bad_value"},
    Container: {"capacity_l": "no_space vessel_full", "opens": "lid_blocked"},
    Wheels: {"max_load_kg": "overloaded"},
    AgentSpec: {
        "in_": "not_in_sight not_near",
        "max_mass_kg": "overweight",
        "hands": "hands_full already_holding not_holding held_by_other",
        "max_size_m": "too_large",
        "senses": "no_instrument",
    },
}
"""The refusals that follow from a field; a field that is left out decides nothing."""

_OF_COMMANDS = """
bad_format blank_command too_long unknown_verb place_incomplete no_such_agent no_such_target idle
undiscovered explore_other_room coop_lock coop_not_carrying
"""
"""Refusals that follow from no field: of commands, of what is known, of what others do."""

_STATES_IN_RULES = ("is_open", "is_locked", "is_broken", "is_plugged_in")
"""States that a rule asks for wherever they are; `needs` names others."""

_NOT = """\
- light, sound, gases and pressure: their numbers are told, and nothing changes them
- heat beyond one temperature of each body: no convection, no films but by rule of thumb, no more
  than two bodies that act on each other; rooms keep their temperature ([laws](../time.md))
- liquids beyond their volume and heat: what is poured is mixed at once, nothing reacts, dissolves
  or sets; spilled liquid is counted and lies nowhere; what runs through a pipe brings no heat
- electricity beyond on and off: no currents, no fuses, no losses; batteries give full power to the
  end and are charged at a constant current
- wear: what no process of the scene changes stays as it is, however long one waits
- hot and cold hands, steam and smoke: nothing hurts anybody
- where in a room, or on a surface, something is: things have places *in* and *on*, no coordinates,
  and no path within a room is blocked
- shape, beyond three edges and an area; heights above the floor; what tips over
- breaking: what is too heavy, too large or too much is refused, and nothing is damaged by it
- how tired, quick or skilled somebody is: every command that is accepted succeeds
- parts: nothing is divided or made; tools are used up as a whole, mixed liquids do not part"""


def modelled_page() -> str:
    """Every field of a scene with what it decides; then what is told only, and what is not there.

    Raises:
        AssertionError: A field named above does not exist, or a reason of the ruleset is not named.
    """
    _account()
    text = (
        "A refusal is how a model of the world shows itself to an agent. For every field of a "
        "scene and of an agent, the reasons with which a command can be refused because of it; "
        "[Refusals](refusals.md) has their sentences, [the verbs](verbs-physical.md) the checks."
    )
    parts = ["# What `physical` models, and what it does not", text]
    parts += ["## Fields that decide", _decides()]
    parts += ["## What changes by itself", _processes()]
    parts += ["## Fields that are told only", _told_only()]
    parts += ["## States", _states(), "## Not modelled", _NOT]
    return "\n\n".join(parts)


def _account() -> None:
    named = {
        Reason(r) for rows in _FOLLOWS.values() for text in rows.values() for r in text.split()
    }
    named |= {Reason(reason) for reason in _OF_COMMANDS.split()}
    assert named == engine_of("physical").reasons, named ^ engine_of("physical").reasons
    for model, rows in _FOLLOWS.items():
        assert rows.keys() <= model.model_fields.keys(), (model, rows.keys())


def _decides() -> str:
    rows = [
        [_spelt(model, field), _documented(model).get(field, ""), _codes(reasons)]
        for model, fields in _FOLLOWS.items()
        for field, reasons in fields.items()
    ]
    return table(["field", "what it says", "refusals"], rows)


def _processes() -> str:
    text = (
        "Under `processes` an object names laws; while time passes its numbers follow them. "
        "[Numbers that move](../time.md) has the equations."
    )
    rows = []
    for key, field in Process.model_fields.items():
        law = next(each for each in get_args(field.annotation) if each is not type(None))
        says = " ".join((inspect.getdoc(law) or "").split("Attributes:")[0].split())
        keys = [str(each.serialization_alias or name) for name, each in law.model_fields.items()]
        listed = ", ".join(f"`{each}`" for each in keys)
        rows.append([f"`{key}`", says.replace("``", "`"), listed])
    return f"{text}\n\n{table(['law', 'what it says', 'keys'], rows)}"


_PARTLY = (Scene, Task, Apparatus, BenchMaterial, BenchAction, ActionParameter, ActionThing)
"""Models of which the fields that decide nothing are no matter of a look at things."""


def _told_only() -> str:
    rows = [
        [_spelt(model, field), _documented(model).get(field, "")]
        for model, fields in _FOLLOWS.items()
        for field in model.model_fields
        if field not in fields and model not in _PARTLY
    ]
    text = "Agents see them, goals and selectors ask for them, and no rule does."
    return f"{text}\n\n{table(['field', 'what it says'], rows)}"


def _states() -> str:
    rows = list(verb_table().values())
    ruled = [row for row in rows if row.attribute in _STATES_IN_RULES]
    names = ", ".join(f"`{state}`" for state in _STATES_IN_RULES)
    marks = ", ".join(f"`{mark}`" for mark in sorted(MARKS))
    return (
        f"Of the {len(rows)} [attribute verbs](attribute-verbs.md) {len(ruled)} change a state "
        f"that rules ask for by name: {names} (of what needs its plug). Any other state decides "
        "something where a tool names it under `needs`, and is otherwise a mark that a verb sets "
        "and a goal asks for. `earsim validate` warns of marks that in the world would follow from "
        f"something else: {marks}."
    )


def _spelt(model: type[BaseModel], field: str) -> str:
    if model is SceneObject and field == "quantities":
        return "object `volume_l`, `surface_m2`, `max_load_kg`, other quantities told only"
    name = str(model.model_fields[field].serialization_alias or field)
    return f"{_NAMES[model]} `{name}`"


_NAMES = {
    Scene: "scene",
    Mark: "mark",
    Apparatus: "apparatus",
    ApparatusNeeds: "apparatus `needs`:",
    ApparatusPrice: "apparatus `price`:",
    BenchMaterial: "bench material",
    BenchAction: "bench action",
    ActionParameter: "parameter of a bench action",
    ActionThing: "thing of a bench action",
    Task: "task",
    Room: "room",
    Connection: "connection",
    Door: "door",
    SceneObject: "object",
    Container: "container",
    Wheels: "wheels",
    AgentSpec: "agent",
}


def _documented(model: type[BaseModel]) -> dict[str, str]:
    """The fields with what their model's docstring says of them."""
    _, _, listed = (inspect.getdoc(model) or "").partition("Attributes:\n")
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=    \w)", "\n" + listed):
        field, _, said = entry.strip().partition(": ")
        found[field] = " ".join(said.replace("``", "`").split())
    return found


def _codes(reasons: str) -> str:
    return ", ".join(f"`{reason}`" for reason in reasons.split())
