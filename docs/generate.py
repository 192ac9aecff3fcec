"""Writes the reference pages that follow from the code: `python -m docs.generate`.

What a verb checks, why it refuses and what that sounds like is written once, in the rulesets. These
pages are read off them; a test fails when they are stale.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from docs.findings import findings_page
from docs.materials import materials_page
from docs.metrics import metrics_page
from docs.modelled import modelled_page
from docs.tables import table
from docs.verbs import refusals_page, verbs_page
from earsim.envs import (
    DiscreteActions,
    GraphArrays,
    OmniEAREnv,
    OmniEARTeamEnv,
    OmniEARVectorEnv,
    split_infos,
)
from earsim.envs.parallel import OmniEARParallelEnv
from earsim.schema import verb_table
from earsim.units import UNITS

FOLDER = Path(__file__).with_name("generated")
NOTE = "<!-- Written by `python -m docs.generate`. Do not edit. -->"


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    found = {
        "verbs-physical.md": verbs_page("physical"),
        "verbs-ear-bench.md": verbs_page("ear-bench"),
        "modelled.md": modelled_page(),
        "refusals.md": refusals_page(),
        "attribute-verbs.md": attribute_verbs_page(),
        "environment-classes.md": environments_page(),
        "findings.md": findings_page(),
        "materials.md": materials_page(),
        "metrics.md": metrics_page(),
        "units.md": units_page(),
    }
    return {name: f"{NOTE}\n\n{text.rstrip()}\n" for name, text in found.items()}


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
    text = (
        f"All {len(rows)} verbs that change one state each; both rulesets share them. A scene has "
        "those that it lists under `abilities`, by default every verb whose state one of its "
        "objects or doors has. *Needs a tool*: the agent holds an object whose `provides` names "
        "the verb (under `physical`, an object with a `key` is locked and unlocked with that key "
        "instead)."
    )
    head = ["verb", "state", "changes it from", "needs a tool"]
    return "\n\n".join(["# Attribute verbs", text, table(head, rows)])


def units_page() -> str:
    """The units that end the name of a quantity."""
    by_dimension: dict[str, list[str]] = {}
    for unit in UNITS.values():
        shown = f"`_{unit.suffix}`" + (f" {unit.symbol}" if unit.symbol else "")
        by_dimension.setdefault(unit.dimension or "without a unit", []).append(shown)
    rows = [[dimension, ", ".join(units)] for dimension, units in by_dimension.items()]
    text = (
        "A numeric key of a room or object whose name ends in one of these is a quantity: "
        "`pressure_bar: 90`. Nothing is converted: goals and selectors compare numbers of the "
        "same name."
    )
    return "\n\n".join(["# Units", text, table(["", "suffix and symbol"], rows)])


# -- environments --------------------------------------------------------------------------------

_FACES = (OmniEAREnv, OmniEARTeamEnv, OmniEARParallelEnv, DiscreteActions, GraphArrays)


def environments_page() -> str:
    """The docstrings of the environment classes, with their arguments and defaults."""
    text = (
        "The docstrings of the classes, as they stand in the code. "
        "[Environments](../environments.md) explains how they belong together."
    )
    parts = ["# Environment classes", text]
    for face in _FACES:
        parts += _class_section(face)
    parts += ["## OmniEARVectorEnv", _sections(inspect.getdoc(OmniEARVectorEnv) or "")]
    doc = inspect.getdoc(split_infos) or ""
    parts += ["## split_infos", f"`split_infos{inspect.signature(split_infos)}`", _sections(doc)]
    return "\n\n".join(parts)


def _class_section(face: type) -> Iterator[str]:
    yield f"## {face.__name__}"
    parameters = inspect.signature(face).parameters.values()
    own = [p for p in parameters if p.name != "env" and p.kind is not p.VAR_KEYWORD]
    rows = [[f"`{p.name}`", _default(p), _annotation(p)] for p in own]
    yield _sections(inspect.getdoc(face) or "")
    if any(p.name != "scenario" for p in own):
        yield table(["argument", "default", "values"], rows)


def _sections(doc: str) -> str:
    """A docstring one level lower, with Google's sections as paragraphs."""
    lines = []
    for line in doc.splitlines():
        if line.startswith("## "):
            lines.append(f"#{line}")
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
    return _CHOICES.get(annotation) or ", ".join(f"`{part}`" for part in annotation.split(" | "))


_CHOICES = {
    "Observability": '`"partial"`, `"full"`',
    "Observation": '`"full"`, `"delta"`, `"graph"`',
    "Reward": '`"sparse"`, `"progress"`',
    "EndOn": '`"done"`, `"goal"`',
}


# -- writing -------------------------------------------------------------------------------------


def main() -> None:
    """Write every page."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{FOLDER}: {', '.join(pages())}\n")


if __name__ == "__main__":
    main()
