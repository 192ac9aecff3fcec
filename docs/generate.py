"""Writes the reference pages that follow from the code: `python -m docs.generate`.

What a verb checks, why it refuses and what that sounds like is written once, in the rulesets. These
pages are read off them; a test fails when they are stale.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from docs.findings import findings_page
from earsim import RULESETS, Engine, Reason, Scenario
from earsim.actions.goto import SECONDS_PER_ROOM, SECONDS_TO_APPROACH
from earsim.actions.verb import Verb
from earsim.envs import DiscreteActions, GraphArrays, OmniEAREnv, OmniEARTeamEnv, split_infos
from earsim.envs.parallel import OmniEARParallelEnv
from earsim.render.refusals import refusal
from earsim.schema import verb_table
from earsim.units import UNITS
from tests.golden.reasons import reasons_in

FOLDER = Path(__file__).with_name("generated")
NOTE = "<!-- Written by `python -m docs.generate`. Do not edit. -->"

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
    "verb": "GRAB",
    "form": "GRAB {target}",
    "chars": 5000,
    "limit": 4096,
    "verbs": ["CORP_GRAB", "CORP_PLACE"],
}
"""Facts for the example sentences."""


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    found = {
        "verbs-physical.md": verbs_page("physical"),
        "verbs-ear-bench.md": verbs_page("ear-bench"),
        "refusals.md": refusals_page(),
        "attribute-verbs.md": attribute_verbs_page(),
        "environment-classes.md": environments_page(),
        "findings.md": findings_page(),
        "units.md": units_page(),
    }
    return {name: f"{NOTE}\n\n{text.rstrip()}\n" for name, text in found.items()}


def engine_of(ruleset: str) -> Engine:
    """The example under a ruleset."""
    return Engine(Scenario.model_validate(_EXAMPLE), ruleset)


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
        "A command is checked from the top of its table downwards, and the first check that objects decides "
        "how it is refused: `INVALID` means that it never began, `FAILURE` that the attempt failed. "
        "Before that, a text that is no command at all is refused with "
        f"{_codes(_parse_reasons(engine))}. A refused command changes nothing. "
        "The sentences are in [Refusals](refusals.md)."
    )


def _parse_reasons(engine: Engine) -> list[Reason]:
    return _in_order(reasons_in(type(engine)._parse))


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
        [str(number), _summary(check), f"`{status.value}`", _codes(_in_order(reasons_in(check)))]
        for number, (check, status) in enumerate(verb.checks, start=1)
    ]
    if rows:
        lines.append(table(["", "it must hold that", "else", "reason"], rows))
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
    inner = inspect.getclosurevars(verb.effect).nonlocals.get("effect")
    return inner if callable(inner) else verb.effect


def _summary(function: Callable[..., Any]) -> str:
    """The first paragraph of a docstring, without references for maintainers."""
    text = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    return text


def _in_order(reasons: Iterable[Reason]) -> list[Reason]:
    found = set(reasons)
    return [reason for reason in Reason if reason in found]


def _codes(reasons: Iterable[Reason]) -> str:
    return ", ".join(f"`{reason.value}`" for reason in reasons)


# -- refusals ------------------------------------------------------------------------------------


def refusals_page() -> str:
    """Every reason: who gives it, and what it sounds like."""
    blueprint = engine_of("physical").blueprint
    users = {name: _reasons_by_verb(name) for name in RULESETS}
    rows = []
    for reason in Reason:
        marks = ["yes" if reason in users[name] else "" for name in RULESETS]
        sentence = refusal(reason, _FACTS, blueprint).replace("|", "\\|")
        rows.append([f"`{reason.value}`", *marks, sentence])
    head = ["reason", *(f"`{name}`" for name in RULESETS), "what the agent is told"]
    return "\n\n".join(
        [
            "# Refusals",
            "`Outcome.reason` is one of these, and `Outcome.facts` holds the ids and numbers that the sentence is made "
            "of (kilograms, metres, litres). The sentences below are about an example: a crate of 62 kg, a chest, and Bo.",
            table(head, rows),
        ]
    )


def _reasons_by_verb(ruleset: str) -> set[Reason]:
    engine = engine_of(ruleset)
    checks = [check for verb in engine.verbs.values() for check, _ in verb.checks]
    functions = (*checks, type(engine)._parse, engine.ruleset.decide)
    return {reason for function in functions for reason in reasons_in(function)}


# -- attribute verbs, units ----------------------------------------------------------------------


def attribute_verbs_page() -> str:
    """The table of attribute verbs."""
    rows = [
        [
            f"`{row.name.upper()}`",
            f"`{row.attribute}`",
            f"{str(row.value).lower()} to {str(not row.value).lower()}",
            "yes" if row.requires_tool else "",
        ]
        for row in verb_table().values()
    ]
    return "\n\n".join(
        [
            "# Attribute verbs",
            f"All {len(rows)} verbs that change one state each; both rulesets share them. A scene has those that it lists "
            "under `abilities`, or else every verb whose state one of its objects or doors has. *Needs a tool*: one "
            "in hand whose `provides` names the verb (what has a `key` is locked and unlocked with that instead, under "
            "`physical`).",
            table(["verb", "state", "changes it from", "needs a tool"], rows),
        ]
    )


def units_page() -> str:
    """The units that end the name of a quantity."""
    by_dimension: dict[str, list[str]] = {}
    for unit in UNITS.values():
        shown = f"`_{unit.suffix}`" + (f" {unit.symbol}" if unit.symbol else "")
        by_dimension.setdefault(unit.dimension or "without a unit", []).append(shown)
    rows = [[dimension, ", ".join(units)] for dimension, units in by_dimension.items()]
    text = (
        "A numeric key of a room or object whose name ends in one of these is a quantity: `pressure_bar: 90`. Nothing is "
        "converted: goals and selectors compare numbers of the same name."
    )
    return "\n\n".join(["# Units", text, table(["", "suffix and symbol"], rows)])


# -- environments --------------------------------------------------------------------------------

_FACES = (OmniEAREnv, OmniEARTeamEnv, OmniEARParallelEnv, DiscreteActions, GraphArrays)


def environments_page() -> str:
    """The docstrings of the environment classes, with their arguments and defaults."""
    parts = [
        "# Environment classes",
        "The docstrings of the classes, as they stand in the code. [Environments](../environments.md) explains how "
        "they belong together.",
    ]
    for face in _FACES:
        parts += _class_section(face)
    doc = inspect.getdoc(split_infos) or ""
    parts += ["## split_infos", f"`split_infos{inspect.signature(split_infos)}`", _sections(doc)]
    return "\n\n".join(parts)


def _class_section(face: type) -> Iterator[str]:
    yield f"## {face.__name__}"
    parameters = list(inspect.signature(face).parameters.values())
    rows = [[f"`{p.name}`", _default(p), _annotation(p)] for p in parameters]
    yield _sections(inspect.getdoc(face) or "")
    if len(rows) > 2:
        yield table(["argument", "default", "values"], rows)


def _sections(doc: str) -> str:
    """A docstring one level lower, with Google's sections as paragraphs."""
    lines = []
    for line in doc.splitlines():
        if line.startswith("## "):
            lines.append(f"##{line}")
        elif line in ("Args:", "Attributes:"):
            lines += [f"**{line[:-1]}**", ""]
        elif line.startswith("    ") and not line.startswith("     "):
            name, _, rest = line.strip().partition(": ")
            lines.append(f"- `{name}`: {rest}" if rest else line.strip())
        else:
            lines.append(line)
    return "\n".join(lines)


def _default(parameter: inspect.Parameter) -> str:
    return "" if parameter.default is parameter.empty else f"`{parameter.default!r}`"


def _annotation(parameter: inspect.Parameter) -> str:
    annotation = str(parameter.annotation)
    choices = _CHOICES.get(annotation)
    return choices or f"`{annotation}`".replace("|", "\\|")


_CHOICES = {
    "Observability": '`"partial"`, `"full"`',
    "Observation": '`"full"`, `"delta"`, `"graph"`',
    "Reward": '`"sparse"`, `"progress"`',
    "EndOn": '`"done"`, `"goal"`',
}


# -- writing -------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    rule = ["---"] * len(head)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def main() -> None:
    """Write every page."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{FOLDER}: {', '.join(pages())}\n")


if __name__ == "__main__":
    main()
