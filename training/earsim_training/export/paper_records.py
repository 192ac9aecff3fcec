"""The records that came with the OmniEAR paper: JSON arrays of {system, instruction, output}.

They become rows of the form `decisions`; where they come from, nobody has noted but the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from earsim.errors import FileError, Finding
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.text import read_text
from earsim.schema.model import FileModel
from earsim_training.export.rows import Row

_MAX_BYTES = 2_000_000_000


class PaperRecord(FileModel):
    """One prompt with its reply."""

    system: str = ""
    instruction: str = Field(min_length=1)
    output: str = Field(min_length=1)


def is_records(source: Path) -> bool:
    """True if a path may hold such records: a JSON file that begins with a list."""
    if source.suffix != ".json" or not source.is_file():
        return False
    with source.open(encoding="utf-8", errors="replace") as text:
        return text.read(64).lstrip().startswith("[")


def read_records(source: Path) -> Iterator[Row]:
    """The records of a file, as rows.

    Raises:
        FileError: It holds something else.
    """
    document = parse_json(read_text(source, max_bytes=_MAX_BYTES), str(source))
    if not isinstance(document.value, list) or not document.value:
        raise FileError(str(source), [Finding(str(source), "", "no records", "expected a list")])
    for number, value in enumerate(document.value):
        yield _row(_record(value, f"[{number}]", source), number, source)


def _record(value: Any, place: str, source: Path) -> PaperRecord:
    try:
        return PaperRecord.model_validate(value)
    except ValidationError as error:
        found = [
            Finding(str(source), f"{place}.{'.'.join(map(str, each['loc']))}", each["msg"])
            for each in error.errors(include_input=False)
        ]
        raise FileError(str(source), found) from None


def _row(record: PaperRecord, number: int, source: Path) -> Row:
    system = [{"role": "system", "content": record.system}] if record.system else []
    return {
        "prompt": [*system, {"role": "user", "content": record.instruction}],
        "completion": [{"role": "assistant", "content": record.output}],
        "id": f"{source.stem}/{number}",
        "source": source.name,
        "category": source.stem,
    }
