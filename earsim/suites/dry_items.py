"""Dry problems from a file of JSON lines that the user has, as scenes with a desk each.

Two kinds of lines are read. One is the key ``desk`` of a dry bench with an ``id`` and a ``domain``,
and perhaps a ``solution``. The other is a row of the published dry experiments of SGI
(arXiv 2512.16969), exported as JSON lines: a program with functions to fill in, five files of data,
and what the whole program prints with each. No item comes along with EAR-Sim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from earsim.apparatus.dry_bench.problem import MAIN
from earsim.errors import FileError, Finding
from earsim.ids import is_id, printable
from earsim.schema.files.document import Document, show_path
from earsim.schema.files.findings import show_value
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.scenario import SceneFile
from earsim.schema.workflow import ScientificDomain
from earsim.world.desks import desk_problems

MAX_BYTES = 500_000_000
"""Size above which a file of items is refused unread."""

PUBLISHED = (
    "idx",
    "question",
    "main_code",
    "incomplete_main_code",
    *(f"unit_test_{number}_{part}" for number in range(5) for part in ("data", "output")),
)
"""Columns of a published row that are read, all of them texts; `discipline` may be missing."""

_DATA = "data_en.py"
_DISCIPLINES = {"material": "materials"}
"""Their names of domains where ours differ."""

_RUNS = 6
_BUDGET = 40


def dry_items(path: str | Path) -> Iterator[SceneFile | FileError]:
    """The scene of every line, or what is wrong with the line.

    Raises:
        FileError: The file cannot be read.
    """
    seen = set[str]()
    for number, text in enumerate(read_text(path, max_bytes=MAX_BYTES).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            scene = _scene(_row(text, str(path)))
            if scene.scene.id in seen:
                reason = f"there is an item {scene.scene.id!r} already"
                raise FileError(str(path), [Finding(str(path), "id", reason, "ids are unique")])
        except FileError as error:
            yield FileError(str(path), [replace(each, line=number) for each in error.findings])
            continue
        seen.add(scene.scene.id)
        yield scene


def _row(text: str, source: str) -> Document:
    """A line as a document about a desk.

    Raises:
        FileError: It is no JSON, or lacks columns.
    """
    document = parse_json(text, source)
    if not isinstance(document.value, dict):
        finding = Finding(source, "", show_value(document.value), "expected a dictionary")
        raise FileError(source, [*document.findings, finding])
    if "idx" in document.value:
        return replace(document, value=_published(document.value, source))
    return document


def _published(row: Mapping[str, Any], source: str) -> dict[str, Any]:
    missing = [name for name in PUBLISHED if name not in row]
    if missing:
        reason, expected = f"missing: {', '.join(missing)}", "the columns of a published row"
        raise FileError(source, [Finding(source, "", reason, expected)])
    found = [
        Finding(source, name, show_value(row[name]), "expected a text")
        for name in PUBLISHED
        if not isinstance(row[name], str)
    ]
    if found:
        raise FileError(source, found)
    discipline = row.get("discipline", ScientificDomain.INFORMATION.value)
    return {
        "id": row["idx"],
        "domain": _DISCIPLINES.get(discipline, discipline),
        "problem": row["question"],
        "files": {MAIN: row["incomplete_main_code"], _DATA: row["unit_test_0_data"]},
        "programs": [
            {
                "files": {_DATA: row[f"unit_test_{number}_data"]},
                "prints": row[f"unit_test_{number}_output"],
            }
            for number in range(5)
        ],
        "solution": row["main_code"],
    }


def _scene(document: Document) -> SceneFile:
    """A room with the desk in it.

    Raises:
        FileError: With everything that is wrong in the item.
    """
    source, item = document.source, dict(document.value)
    name = item.pop("id", None)
    if not (isinstance(name, str) and is_id(name)):
        finding = Finding(source, "id", show_value(name), "expected letters, digits and _")
        raise FileError(source, [*document.findings, finding])
    domain, solution = item.pop("domain", None), item.pop("solution", None)
    count = len(item.get("tests") or item.get("programs") or ())
    value = _laid_out(name, domain, item, count, solution)
    try:
        scene = validated(Document(source, value, {}, document.findings), SceneFile)
    except FileError as error:
        raise FileError(source, [_of_the_item(each) for each in error.findings]) from None
    (thing,) = scene.scene.objects
    assert thing.apparatus is not None, "it is the desk"
    problems = [
        Finding(source, show_path(each.loc[1:]), each.reason, each.expected)
        for each in desk_problems(thing.apparatus)
    ]
    if problems:
        raise FileError(source, problems)
    return scene


_PLACES = {
    "objects[0].apparatus.desk.": "",
    "tasks[0].workflow.": "",
    "tasks[0].walkthrough[2]": "solution",
}
"""Where an item's keys stand in its scene."""


def _of_the_item(finding: Finding) -> Finding:
    for inside, own in _PLACES.items():
        if finding.place.startswith(inside):
            return replace(finding, place=own + finding.place.removeprefix(inside))
    return finding


def _laid_out(
    name: str, domain: object, desk: Mapping[str, Any], count: int, solution: object
) -> dict[str, Any]:
    task = {
        "id": "solve",
        "category": "direct_command",
        "workflow": {"family": "dry_experiment", "domain": domain},
        "agents": [{"id": "ada", "name": "Ada", "max_mass_kg": 20, "hands": 2}],
        "limits": {"runs": _RUNS},
        "goal": {"measured": {"apparatus": "desk", "result": "passed", "equals": count}},
        "instruction": (
            "Solve the problem that lies on the {desk}, so that all of its tests pass. You have "
            f"{_RUNS} runs there; RUN and EXEC count alike."
        ),
        "budget": _BUDGET,
    }
    if solution is not None:
        save = f"SAVE desk {MAIN}\n{solution}"
        steps = ["EXPLORE", "GOTO desk", save, "RUN desk", "WAIT UNTIL desk done"]
        task["walkthrough"] = steps
    return {
        "schema": "earsim.scene/1",
        "id": name,
        "title": printable(name),
        "domain": "laboratory",
        "rooms": [{"id": "room", "name": "Room", "temperature_c": 21}],
        "objects": [
            {
                "id": "desk",
                "name": "Desk",
                "kind": "furniture",
                "in": "room",
                "mass_kg": 38,
                "size_m": [1.4, 0.7, 0.75],
                "apparatus": {"model": "dry_bench/1", "desk": dict(desk)},
            }
        ],
        "tasks": [task],
    }
