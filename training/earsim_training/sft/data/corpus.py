"""Reading rows: an export, a file of rows, or the paper's records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import FileError, Finding, MissingExtra
from earsim.schema.files.text import read_text
from earsim_training.export.exporter import MANIFEST
from earsim_training.export.paper_records import is_records, read_records
from earsim_training.sft.recipe import DataSettings

Row = dict[str, Any]

_COLUMNS = {"decisions": ("prompt", "completion"), "episodes": ("messages",)}


class Corpus(NamedTuple):
    """Rows to learn from.

    Attributes:
        validation: rows to measure on; empty where there are none.
        hash: of the files, so that a model can say what it was made from.
        manifest: what the export says about itself; empty for other files.
    """

    train: list[Row]
    validation: list[Row]
    hash: str
    manifest: dict[str, Any]


def read_corpus(settings: DataSettings) -> Corpus:
    """The rows that a recipe asks for.

    Raises:
        FileError: There are none, or they are of another form.
        MissingExtra: They are Parquet, and pyarrow is not installed.
    """
    whole = _read(Path(settings.path), settings)
    for path in settings.more:
        whole = _joined(whole, _read(Path(path), settings), path)
    return whole


def _joined(whole: Corpus, more: Corpus, path: str) -> Corpus:
    words = [corpus.manifest.get("settings", {}).get("telling") for corpus in (whole, more)]
    if words[0] != words[1]:
        expected = "the style, prompt and grammar of the first"
        finding = Finding(path, "", "its prompts are told in other words", expected)
        raise FileError(path, [finding])
    return Corpus(
        train=whole.train + more.train,
        validation=whole.validation + more.validation,
        hash=hashlib.sha256(f"{whole.hash} {more.hash}".encode()).hexdigest(),
        manifest=whole.manifest,
    )


def _read(path: Path, settings: DataSettings) -> Corpus:
    if not path.is_dir():
        rows = _checked(list(_rows(path)), path, settings)
        return Corpus(rows, [], _sha256(path), {})
    manifest = _manifest(path)
    train = _split(path, settings, "train")
    validation = _split(path, settings, "validation") if settings.validation else None
    rows = _checked(list(_rows(train)) if train else [], path, settings)
    held_out = list(_rows(validation)) if validation else []
    return Corpus(rows, held_out, str(manifest.get("hash", "")), manifest)


def _split(folder: Path, settings: DataSettings, split: str) -> Path | None:
    """The file of a split; JSON lines need nothing to be read, so they come first."""
    for ending in ("jsonl", "parquet"):
        path = folder / settings.form / f"{split}.{ending}"
        if path.is_file():
            return path
    return None


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    if not path.is_file():
        expected = "a folder that `earsim export-sft` made, or a file of rows"
        raise FileError(str(folder), [Finding(str(folder), "", f"no {MANIFEST}", expected)])
    try:
        found = json.loads(read_text(path))
    except ValueError as error:
        raise FileError(str(path), [Finding(str(path), "", f"not JSON: {error}")]) from None
    return found if isinstance(found, dict) else {}


def _rows(path: Path) -> Iterator[Row]:
    if path.suffix == ".parquet":
        yield from _of_parquet(path)
    elif is_records(path):
        yield from read_records(path)
    else:
        yield from _of_lines(path)


def _of_lines(path: Path) -> Iterator[Row]:
    if not path.is_file():
        raise FileError(str(path), [Finding(str(path), "", "there is no such file")])
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                raise FileError(str(path), [Finding(str(path), "", "no row", "JSON", number)])
            yield row


def _of_parquet(path: Path) -> Iterator[Row]:
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "pyarrow", "train") from error
    with pyarrow.parquet.ParquetFile(path) as file:
        for batch in file.iter_batches():
            yield from batch.to_pylist()


def _checked(rows: list[Row], path: Path, settings: DataSettings) -> list[Row]:
    """The rows, if there are any and they have the columns of their form."""
    if not rows:
        reason = f"no rows of the form {settings.form} to train on"
        raise FileError(str(path), [Finding(str(path), "", reason, "export some first")])
    for column in _COLUMNS[settings.form]:
        if not isinstance(rows[0].get(column), list):
            expected = f"{settings.form} have {' and '.join(_COLUMNS[settings.form])}"
            raise FileError(str(path), [Finding(str(path), column, "missing", expected)])
    return rows if settings.episodes is None else _first(rows, settings.episodes)


def _first(rows: list[Row], episodes: int) -> list[Row]:
    known: dict[str, None] = {}
    kept = []
    for row in rows:
        episode = str(row.get("episode", row.get("id", "")))
        if episode in known or len(known) < episodes:
            known[episode] = None
            kept.append(row)
    return kept


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
