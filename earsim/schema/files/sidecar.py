"""Sidecar files of a scene: the texts and figures that an apparatus names by a file's name.

They are read when the scene file is, and stand in its place from then on: a scenario holds all of
what it is about, and its hash covers it. A name leads to a file in the scene's own folder, and to
no other: there is no way up or down in it, and a link that leads elsewhere is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from earsim.errors import FileError, Finding
from earsim.schema.files.document import Document, show_path
from earsim.schema.files.document import Path as Place
from earsim.schema.files.findings import findings_of
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.text import read_text
from earsim.schema.lookup import (
    FILE_NAME,
    LONGEST_NAME,
    MOST_FIGURES,
    MOST_TEXTS,
    CorpusText,
    FigureSpec,
)

MAX_BYTES = 4 << 20
"""Size of the largest such file."""

_BLOCKS: Mapping[str, tuple[str, type[BaseModel], int]] = {
    "library": ("texts", CorpusText, MOST_TEXTS),
    "figures": ("figures", FigureSpec, MOST_FIGURES),
}
"""For each block of an apparatus: the key that gets what the file has, and what that is."""

MOST_FILES = 8
"""How many such names a scene has at most: a short scene file shall not become a huge scene."""

_FILE = re.compile(r"""\bfile["']?\s*:\s*["']?([\w.-]+)""")
_MANY = 20


def sidecar_texts(folder: Path | None, text: str) -> tuple[tuple[str, str], ...]:
    """Names and texts of the files that a scene's text may name, so that a change is noticed.

    Raises:
        FileError: One of them is too large, or no text.
    """
    if folder is None or "file" not in text:
        return ()
    found = [_inside(folder, name) for name in dict.fromkeys(_FILE.findall(text))]
    paths = [path for path in found if path is not None][:MOST_FILES]
    return tuple([(path.name, read_text(path, max_bytes=MAX_BYTES)) for path in paths])


def with_files(document: Document, folder: Path) -> Document:
    """A scene or scenario with what the files beside it hold in place of their names.

    Args:
        document: parsed, not validated yet.
        folder: in which it lies.

    Raises:
        FileError: A file is not there, is no file of this folder, or is broken.
    """
    findings = list[Finding]()
    for count, (place, block, key) in enumerate(_named(document.value), start=1):
        if count > MOST_FILES:
            reason, hint = f"more than {MOST_FILES} files", "fewer, or the texts themselves"
            findings.append(_finding(document, place, reason, hint))
            break
        name = block.pop("file")
        if block.get(key):
            reason, hint = f"both {key!r} and a file", "one of them"
            findings.append(_finding(document, place, reason, hint))
            continue
        path = _inside(folder, name)
        if path is None:
            hint = "the name of a file in the folder of the scene, no path and no link out of it"
            findings.append(_finding(document, place, f"no such file: {name!r}", hint))
            continue
        block[key] = _rows(path, *_BLOCKS[str(place[-2])][1:])
    if findings:
        raise FileError(document.source, findings)
    return document


def _named(value: Any) -> Iterator[tuple[Place, dict[str, Any], str]]:
    """The blocks that name a file, with their places."""
    scenes: list[tuple[Place, Any]] = [((), value)]
    if isinstance(value, dict) and isinstance(value.get("scene"), dict):
        scenes.append((("scene",), value["scene"]))
    for start, scene in scenes:
        objects = scene.get("objects") if isinstance(scene, dict) else None
        for index, thing in enumerate(objects if isinstance(objects, list) else ()):
            spec = thing.get("apparatus") if isinstance(thing, dict) else None
            for name, (key, *_) in _BLOCKS.items():
                block = spec.get(name) if isinstance(spec, dict) else None
                if isinstance(block, dict) and isinstance(block.get("file"), str):
                    yield (*start, "objects", index, "apparatus", name, "file"), block, key


def _inside(folder: Path, name: str) -> Path | None:
    """The file of that name; None where there is none, or where it lies elsewhere."""
    path = folder / name
    if not re.fullmatch(FILE_NAME, name) or len(name) > LONGEST_NAME:
        return None
    if not path.is_file():
        return None
    return path if path.resolve().parent == folder.resolve() else None


def _rows(path: Path, model: type[BaseModel], most: int) -> list[Any]:
    """The JSON objects of a file, one a line, each checked where it stands.

    Raises:
        FileError: With the lines that are wrong, the first of many.
    """
    source, findings, rows = str(path), list[Finding](), list[Any]()
    for number, line in enumerate(read_text(path, max_bytes=MAX_BYTES).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(_validated_row(parse_json(line, source), model))
        except FileError as error:
            findings += [replace(finding, line=number) for finding in error.findings]
    if len(rows) > most:
        findings.append(Finding(source, "", f"{len(rows)} lines", f"{most} at most"))
    if findings:
        raise FileError(source, findings[:_MANY])
    return rows


def _validated_row(document: Document, model: type[BaseModel]) -> Any:
    """The value of one line, if it is what a model wants.

    Raises:
        FileError: With everything that is wrong in it.
    """
    findings = list(document.findings)
    try:
        model.model_validate(document.value, by_alias=True, by_name=False)
    except ValidationError as error:
        findings += findings_of(error, document, model)
    if findings:
        raise FileError(document.source, findings)
    return document.value


def _finding(document: Document, place: Place, reason: str, hint: str) -> Finding:
    return Finding(document.source, show_path(place), reason, hint, document.line(place))
