"""The pages on verbs and refusals, read off the rulesets."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from docs.tables import table
from earsim import RULESETS, Engine, Reason, Scenario
from earsim.actions.goto import SECONDS_PER_ROOM, SECONDS_TO_APPROACH
from earsim.actions.verb import Verb
from earsim.engine import PARSE_REASONS
from earsim.render.refusals import refusal

_EXAMPLE = {
    "id": "example",
    "scene": {
        "schema": "earsim.scene/1",
        "id": "example",
        "rooms": [{"id": "hall", "name": "Hall"}, {"id": "attic", "name": "Attic"}],
        "doors": [{"id": "attic_door", "name": "Attic door", "between": ["hall", "attic"]}],
        "objects": [
            {"id": "crate", "name": "Crate", "kind": "item", "in": "hall", "mass_kg": 62},
            {"id": "chest", "name": "Chest", "kind": "furniture", "in": "hall", "mass_kg": 30},
            {
                "id": "jug",
                "name": "Jug",
                "kind": "item",
                "in": "hall",
                "mass_kg": 0.5,
                "container": {"capacity_l": 2},
                "liquids": {},
                "marks": [{"name": "half", "of": "content_l", "at": 1}],
            },
            {"id": "tap", "name": "Tap", "kind": "furniture", "in": "hall", "mass_kg": 1}
            | {"source": "water", "drains": True},
            {"id": "lamp", "name": "Lamp", "kind": "item", "in": "hall", "mass_kg": 1}
            | {"fittings": {"mains": 1}, "states": {"is_on": False}},
            {"id": "rig", "name": "Rig", "kind": "furniture", "in": "hall", "mass_kg": 41}
            | {"apparatus": {"model": "maglev/1"}},
            {"id": "desk", "name": "Desk", "kind": "furniture", "in": "hall", "mass_kg": 30}
            | {"apparatus": {"model": "python/1"}},
            {"id": "bench", "name": "Bench", "kind": "furniture", "in": "hall", "mass_kg": 90}
            | {"apparatus": {"model": "wet_bench/1", "pool": {"actions": [{"name": "spin"}]}}},
            {
                "id": "thermometer",
                "kind": "item",
                "in": "hall",
                "mass_kg": 0.1,
                "senses": {"temperature_c": 1},
            },
        ],
        "abilities": ["open", "lock", "clean"],
    },
    "agents": [
        {"id": "ada", "name": "Ada", "max_mass_kg": 50},
        {"id": "bo", "name": "Bo", "max_mass_kg": 40},
    ],
    "task": {
        "id": "example",
        "category": "direct_command",
        "instruction": "Nothing.",
        "right_claim": "done",
        "goal": {"all": [{"inside_room": {"object": "crate", "room": "attic"}}]},
    },
}
"""A scenario in which the verbs are looked at; nobody plays it."""

_FACTS: dict[str, Any] = {
    "id": "crate",
    "agent": "bo",
    "holder": "bo",
    "carrying": "chest",
    "container": "chest",
    "destination": "chest",
    "room": "attic",
    "door": "attic_door",
    "mass_kg": 62.0,
    "load_kg": 5.0,
    "limit_kg": 50.0,
    "size_m": [1.2, 0.8, 0.7],
    "limit_m": [1.0, 1.0, 0.5],
    "held": 2,
    "hands": 2,
    "volume_l": 12.0,
    "free_l": 4.5,
    "capacity_l": 40.0,
    "attribute": "is_open",
    "value": True,
    "needed": False,
    "ability": "clean",
    "property": "temperature_c",
    "verb": "PLACE",
    "form": "PLACE {target} {relation} {destination}",
    "chars": 5000,
    "limit": 4096,
    "verbs": ["CORP_GRAB", "CORP_PLACE"],
    "people": 2,
    "load": "cup",
    "receiver": "bo",
    "given": 1,
    "plugged": "crate",
    "width_m": 0.9,
    "surface": "chest",
    "seconds": "4000",
    "mark": "half",
    "joined": "lamp",
    "more_kg": 2.0,
    "operation": "op_2",
    "name": "Kp",
    "known": ["Kp", "Ki", "Kd"],
    "near": ["Kp"],
    "low": 0.0,
    "high": 12.0,
    "unit": "1/s",
    "account": "eur",
    "price": 2.0,
    "left": 1.5,
}
"""Facts for the example sentences."""


def engine_of(ruleset: str) -> Engine:
    """The example under a ruleset."""
    return Engine(Scenario.model_validate(_EXAMPLE), ruleset)


_FOR_MAINTAINERS = re.compile(
    r"\s*\([^()]*(?:EAR-Bench \d|\bQ\d)[^()]*\)|: EAR-Bench Q?\d[^.]*\.\d+[^.]*"
)
"""References to the rules of the published benchmark."""


# -- verbs ---------------------------------------------------------------------------------------


def verbs_page(ruleset: str) -> str:
    """Every verb of a ruleset: how it is written, its checks in order, its effect, its time."""
    engine = engine_of(ruleset)
    parts = [f"# The verbs of `{RULESETS[ruleset].id}`", _verbs_introduction(engine)]
    shown: set[str] = set()
    for verb in engine.verbs.values():
        title = _title(verb)
        if title not in shown:
            shown.add(title)
            parts.append(_verb_section(title, verb))
    return "\n\n".join(parts)


def _verbs_introduction(engine: Engine) -> str:
    return (
        "The checks of a command run in the order of its table, and the first that fails gives "
        "its status and reason: `INVALID` means that the command was not attempted, `FAILURE` "
        "that the attempt failed. Before that, text that is not a command is refused with "
        f"{_codes(PARSE_REASONS)}. A refused command changes nothing. "
        "[Refusals](refusals.md) has the sentence of each reason."
        + (_OVER_TIME if "POUR" in engine.verbs else "")
    )


_OVER_TIME = (
    " A scene has the verbs that it has a use for: `POUR`, `FILL`, `EMPTY`, `CONNECT` and "
    "`DISCONNECT` where it has vessels, sources and fittings, `EXEC` and `SAVE` where it has a "
    "workstation, `REPORT` where its task says which claim is right. Where nothing in it changes "
    "by itself, `WAIT` stands alone and lets 10 s pass."
)


def _title(verb: Verb) -> str:
    if verb.attribute is None:
        return verb.name
    return "Attribute verbs together" if verb.joint else "Attribute verbs"


def _verb_section(title: str, verb: Verb) -> str:
    row = verb.attribute
    form = verb.grammar.form.replace("{", "<").replace("}", ">")
    if row is not None:
        form = form.replace(row.name.upper(), "<VERB>")
    seconds = _seconds(verb)
    lines = [f"## {title}", f"`{form}`{seconds}"]
    if row is None:
        lines.append(f"{verb.says[:1].upper()}{verb.says[1:]}.")
    else:
        lines.append("One for every verb of [the table](attribute-verbs.md) that the scene has.")
    rows = [
        [str(number), _summary(rule.test), f"`{status.value}`", _codes(_in_order(rule.reasons))]
        for number, (rule, status) in enumerate(verb.checks, start=1)
    ]
    if rows:
        lines.append(table(["", "rule", "else", "reason"], rows))
    lines.append(f"**Effect.** {_summary(_effect(verb))}")
    return "\n\n".join(lines)


def _seconds(verb: Verb) -> str:
    if "GOTO" in verb.name and verb.seconds == 0 and _takes_time(verb):
        return f" · {SECONDS_PER_ROOM} s per room entered, {SECONDS_TO_APPROACH} s within a room"
    return f" · {verb.seconds} s" if verb.seconds else ""


def _takes_time(verb: Verb) -> bool:
    return inspect.getmodule(_effect(verb)) is not None and "walk" in _effect(verb).__name__


def _effect(verb: Verb) -> Callable[..., Any]:
    """The verb's own effect, without what bystanders see of it."""
    return verb.effect.args[0] if isinstance(verb.effect, partial) else verb.effect


def _summary(function: Callable[..., Any]) -> str:
    """The first paragraph of a docstring, without references for maintainers."""
    text = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    return _FOR_MAINTAINERS.sub("", text)


def _in_order(reasons: Iterable[Reason]) -> list[Reason]:
    found = set(reasons)
    return [reason for reason in Reason if reason in found]


def _codes(reasons: Iterable[Reason]) -> str:
    return ", ".join(f"`{reason.value}`" for reason in reasons)


# -- refusals ------------------------------------------------------------------------------------


def refusals_page() -> str:
    """Every reason: who gives it, and what it sounds like."""
    blueprint = engine_of("physical").blueprint
    users = {name: engine_of(name).reasons for name in RULESETS}
    rows = []
    for reason in Reason:
        marks = ["yes" if reason in users[name] else "" for name in RULESETS]
        told = [_escaped(refusal(reason, facts, blueprint)) for facts in _examples(reason)]
        rows.append([f"`{reason.value}`", *marks, "<br>".join(dict.fromkeys(told))])
    head = ["reason", *(f"`{name}`" for name in RULESETS), "feedback"]
    text = (
        "`Outcome.reason` is one of these, and `Outcome.facts` holds the ids and numbers that the "
        "sentence is made of (kilograms, metres, litres). The sentences below are about an "
        "example: a crate of 62 kg, a chest, and Bo."
    )
    return "\n\n".join(["# Refusals", text, table(head, rows)])


def _escaped(text: str) -> str:
    """Plain text for a cell of a table."""
    return text.replace("<", "&lt;").replace(">", "&gt;").replace("|", "\\|")


_OTHER_FACTS: dict[Reason, dict[str, Any]] = {
    Reason.UNKNOWN_VERB: {"verb": "DANCE"},
    Reason.NO_SUCH_AGENT: {"agent": "cy"},
    Reason.NO_SUCH_TARGET: {"id": "crat"},
    Reason.NO_SUCH_OBJECT: {"id": "crat"},
    Reason.NO_SUCH_LOCATION: {"id": "celar"},
    Reason.EXPLORE_OTHER_ROOM: {"room": "hall"},
    Reason.NOT_CONTAINER: {"id": "crate"},
    Reason.ON_ROOM: {"id": "attic"},
    Reason.ATTR_MISSING: {"attribute": "is_dirty"},
    Reason.NO_KEY: {"id": "attic_door"},
    Reason.LOCKED: {"id": "attic_door"},
    Reason.STILL_OPEN: {"id": "attic_door"},
    Reason.COOP_MOVE_FAILED: {"id": "chest"},
    Reason.CONNECTED: {"id": "chest"},
    Reason.NOT_CONNECTABLE: {"id": "jug", "destination": "lamp"},
    Reason.NOT_CONNECTED: {"id": "jug", "destination": "lamp"},
    Reason.NO_SOURCE: {"id": "jug"},
    Reason.NOTHING_TO_POUR: {"id": "jug"},
    Reason.VESSEL_FULL: {"id": "jug"},
    Reason.NO_SUCH_MARK: {"id": "jug", "mark": "brim"},
    Reason.ALREADY_SO: {"id": "jug"},
    Reason.NOT_PERCEIVED: {"id": "jug"},
    Reason.TOO_LONG_A_WAIT: {"limit_s": 3600},
    Reason.DERIVED: {"id": "lamp", "attribute": "is_plugged_in"},
    Reason.NOT_APPARATUS: {"id": "chest"},
    Reason.NO_POWER: {"id": "rig"},
    Reason.BUSY: {"id": "rig"},
    Reason.UNKNOWN_SETTING: {"id": "rig", "name": "Kq"},
    Reason.BAD_VALUE: {"id": "rig", "value": "much", "kind": "number"},
    Reason.OUT_OF_BOUNDS: {"id": "rig", "name": "Ki", "value": 20.0},
    Reason.NOT_LOADED: {"id": "rig", "load": "jug"},
    Reason.LIMIT_REACHED: {"name": "settling"},
    Reason.NOT_RUNNING: {"id": "rig"},
    Reason.NO_OUTPUT: {"id": "rig", "page": 9, "pages": 8},
    Reason.UNKNOWN_ACTION: {"id": "bench", "name": "spn", "near": ["spin"], "known": ["spin"]},
    Reason.INCOMPLETE: {"id": "bench", "action": "spin", "missing": ["time"]},
    Reason.MISSING_INPUT: {
        "id": "bench",
        "action": "spin",
        "input": "lysate",
        "wanted": {"is_clear": False},
        "has": {"is_clear": True},
    },
    Reason.UNKNOWN_QUESTION: {"name": "setling", "near": ["settling"], "known": ["settling"]},
    Reason.NOT_WORKSTATION: {"id": "rig"},
    Reason.NEEDS_CODE: {"id": "desk"},
    Reason.NO_SANDBOX: {"level": 1, "needed": 2, "lacks": ["Landlock is not in this kernel"]},
    Reason.NO_INTERPRETER: {"language": "Octave"},
    Reason.BAD_NAME: {"name": "../notes.txt"},
    Reason.FOLDER_FULL: {"id": "desk", "limit": 100},
}
"""Facts for sentences that the common ones would make odd."""

_DROPPED: dict[Reason, tuple[tuple[str, ...], ...]] = {
    Reason.WRONG_ROOM: ((), ("room",)),
    Reason.OVERWEIGHT: (("more_kg",), ("more_kg", "mass_kg"), ()),
    Reason.CONNECTED: ((), ("joined",)),
    Reason.VESSEL_FULL: ((), ("mark",)),
    Reason.UNKNOWN_SETTING: ((), ("near",)),
    Reason.NOT_LOADED: ((), ("load",)),
    Reason.LIMIT_REACHED: (("name",), ()),
    Reason.NO_OUTPUT: (("pages",), ()),
    Reason.UNKNOWN_QUESTION: ((), ("near",), ("near", "known")),
    Reason.NO_SANDBOX: ((), ("lacks",)),
    Reason.UNKNOWN_ACTION: ((), ("near",), ("near", "known")),
    Reason.INCOMPLETE: ((), ("action",)),
    Reason.MISSING_INPUT: ((), ("wanted", "has")),
    Reason.TOO_LARGE: ((), ("destination",), ("destination", "size_m")),
    Reason.PLUGGED_IN: ((), ("plugged",)),
    Reason.TOO_NARROW: ((), ("id",)),
    Reason.LID_BLOCKED: ((), ("load",)),
    Reason.OVERLOADED: (("more_kg",), ("more_kg", "mass_kg", "load_kg"), ()),
    Reason.NO_INSTRUMENT: ((), ("property",)),
    Reason.NOTHING_TO_MEASURE: ((), ("property",)),
    Reason.CLOSED_CONTAINER: (("destination",), ()),
    Reason.PARTNER_MISSING: (("agent", "receiver"), ("receiver",), ()),
    Reason.COOP_NOT_CARRYING: ((), ("id",)),
}
"""Sentences that have several forms: the facts that each goes without."""

_WITH_ACTORS = (Reason.OVERWEIGHT, Reason.NO_ABILITY, Reason.NO_KEY)
"""Sentences that have a form for several agents."""


def _examples(reason: Reason) -> Iterator[dict[str, Any]]:
    """Facts for every form of a sentence."""
    facts = {**_FACTS, **_OTHER_FACTS.get(reason, {})}
    for dropped in _DROPPED.get(reason, ((),)):
        yield {key: value for key, value in facts.items() if key not in dropped}
    if reason in _WITH_ACTORS:
        facts.pop("more_kg", None)
        yield {**facts, "actors": ["ada", "bo"]}
