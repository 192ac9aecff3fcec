"""Writing rows to JSON lines, Parquet or the paper's records; files appear complete or not at all.

Rows are written as they come, so an export may be larger than the memory.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self

from earsim.errors import MissingExtra
from earsim_training.export.rows import Row

_ROWS_PER_GROUP = 2_000


class RowWriter(Protocol):
    """A file in progress."""

    def add(self, row: Row) -> None:
        """Write a row."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...


def formats_at_hand() -> tuple[str, ...]:
    """The formats that can be written here: Parquet needs pyarrow."""
    return ("parquet", "jsonl") if find_spec("pyarrow") else ("jsonl",)


class JsonLines:
    """One JSON object per line."""

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")

    def add(self, row: Row) -> None:
        """Write a row."""
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Write what is left."""
        self._file.close()


class JsonArray:
    """One JSON array of objects, as the paper's records come."""

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")
        self._opened = False

    def add(self, row: Row) -> None:
        """Write a row."""
        self._file.write(",\n" if self._opened else "[\n")
        self._file.write(json.dumps(row, ensure_ascii=False))
        self._opened = True

    def close(self) -> None:
        """Write what is left."""
        self._file.write("\n]\n" if self._opened else "[]\n")
        self._file.close()


class Parquet:
    """A Parquet file; every column has a type of its own, whatever its values are."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        try:
            import pyarrow
            import pyarrow.parquet
        except ModuleNotFoundError as error:
            raise MissingExtra(error.name or "pyarrow", "report") from error
        self._arrow: Any = pyarrow
        self._path = path
        self._writer: Any = None
        self._waiting: list[Row] = []

    def add(self, row: Row) -> None:
        """Write a row."""
        self._waiting.append(row)
        if len(self._waiting) == _ROWS_PER_GROUP:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        if self._waiting:
            self._flush()
        if self._writer is not None:
            self._writer.close()

    def _flush(self) -> None:
        schema = self._schema(self._waiting[0])
        table = self._arrow.Table.from_pylist(self._waiting, schema=schema)
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._path, schema, compression="zstd")
        self._writer.write_table(table)
        self._waiting = []

    def _schema(self, row: Row) -> Any:
        return self._arrow.schema([(name, self._type(name, row[name])) for name in row])

    def _type(self, name: str, value: Any) -> Any:
        arrow = self._arrow
        if name in ("prompt", "completion", "messages"):
            return arrow.list_(
                arrow.struct([("role", arrow.string()), ("content", arrow.string())])
            )
        if name == "supervised":
            return arrow.list_(arrow.bool_())
        if isinstance(value, bool):
            return arrow.bool_()
        return arrow.string() if isinstance(value, str) else arrow.int64()


_WRITERS: dict[str, type[JsonLines | Parquet]] = {"jsonl": JsonLines, "parquet": Parquet}


class ExportFiles:
    """The files of an export, one for each form, split and format; a context manager.

    They get their names when all is written; whoever breaks off leaves none.
    """

    def __init__(self, folder: Path, formats: Sequence[str]) -> None:
        self._folder = folder
        self._formats = formats
        self._writers: dict[Path, RowWriter] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._open.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._open.close()
        finally:
            for path in self._writers:
                partial = _partial(path)
                if kind is None:
                    partial.replace(path)
                else:
                    partial.unlink(missing_ok=True)

    def add(self, row: Row, form: str, split: str) -> None:
        """Write a row into every file that it belongs to."""
        for path in self._paths(form, split):
            writer = self._writers.get(path)
            if writer is None:
                writer = self._writers[path] = self._opened(path)
            writer.add(row)

    @property
    def paths(self) -> list[Path]:
        """All files, sorted."""
        return sorted(self._writers)

    def _paths(self, form: str, split: str) -> list[Path]:
        if form == "records":
            return [self._folder / form / f"{split}.json"]
        return [self._folder / form / f"{split}.{ending}" for ending in self._formats]

    def _opened(self, path: Path) -> RowWriter:
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = _WRITERS.get(path.suffix[1:], JsonArray)
        writer = kind(_partial(path))
        self._open.callback(writer.close)
        return writer


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")
