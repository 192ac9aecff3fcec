"""From a path to the text of a file, refusing what is no readable text of a sane size."""

from __future__ import annotations

import os
from pathlib import Path

from earsim.errors import FileError, FileTooLarge, Finding, did_you_mean, near_misses

MAX_BYTES = 20_000_000
"""Size above which a file is refused unread."""


def read_text(path: str | Path, *, max_bytes: int = MAX_BYTES) -> str:
    """The text of a file.

    Raises:
        FileTooLarge: It has more than ``max_bytes`` bytes.
        FileError: It is missing, a folder, or not UTF-8.
    """
    return decode(read_bytes(path, max_bytes=max_bytes), str(path))


def read_bytes(path: str | Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a file.

    Raises:
        FileTooLarge: It has more than ``max_bytes`` bytes.
        FileError: It is missing, or a folder.
    """
    path = Path(path)
    try:
        if not path.is_file():
            raise FileError(str(path), [_not_a_file(path)])
        with path.open("rb") as file:
            # A read of so many bytes begins by making room for them all: only where they are there.
            found = os.fstat(file.fileno()).st_size
            data = file.read(max_bytes + 1) if found > max_bytes else file.read()
    except OSError as error:
        raise FileError(str(path), [Finding(str(path), "", error.strerror or str(error))]) from None
    except ValueError:  # a NUL in the path
        raise FileError(repr(path), [Finding(repr(path), "", "not a path")]) from None
    if len(data) > max_bytes:
        reason = f"larger than {max_bytes:,} bytes, not read"
        raise FileTooLarge(str(path), [Finding(str(path), "", reason, "split it, or pack a suite")])
    return data


def decode(data: bytes, source: str) -> str:
    """``data`` as UTF-8 text, without a byte order mark.

    Raises:
        FileError: It is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"byte 0x{data[error.start]:02x} is not UTF-8"
        finding = Finding(source, "", reason, "expected a UTF-8 text file", line)
        raise FileError(source, [finding]) from None


def _not_a_file(path: Path) -> Finding:
    if path.is_dir():
        return Finding(str(path), "", "is a folder", "expected a file")
    if path.exists():
        return Finding(str(path), "", "is not a regular file", "expected a file")
    siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    near = near_misses(path.name, siblings)
    return Finding(str(path), "", "does not exist", did_you_mean(near))
