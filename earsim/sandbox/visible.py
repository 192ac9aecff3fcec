"""What a body may read: the system's programs and libraries, and the running interpreter's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/fonts", "/etc/localtime", "/etc/octave", "/etc/octave.conf",
    "/nix/store", "/opt/homebrew", "/System", "/Library",
)  # fmt: skip


def readable(reads: Iterable[str | Path]) -> tuple[str, ...]:
    """Files and folders, sorted; for a path through links, each link too.

    Args:
        reads: what is readable beside the system and the interpreter.

    Raises:
        FileNotFoundError: One of ``reads`` does not exist.
    """
    named = [Path(path).absolute() for path in reads]
    for path in named:
        path.stat()
    wanted = [*map(Path, _SYSTEM), *interpreter(), *named]
    found = {str(part) for path in wanted if path.exists() for part in _with_links(path)}
    return tuple(sorted(found))


def interpreter() -> tuple[Path, ...]:
    """Folders of the running interpreter: its own, and its environment's with all packages."""
    return tuple(path for prefix in prefixes() for path in _parts(prefix))


def prefixes() -> tuple[Path, ...]:
    """Where the running interpreter and its environment are installed."""
    return tuple(map(Path, dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix))))


def home() -> Path:
    """The user's home folder; some path that is none where the system knows of no home."""
    return Path(os.path.expanduser("~")).absolute()  # noqa: PTH111 - Path's own raises without one


def _parts(prefix: Path) -> tuple[Path, ...]:
    """An installation; of one that fills a home folder, or a whole system, what is Python's."""
    if home().is_relative_to(prefix):
        return tuple(prefix / name for name in ("bin", "lib", "lib64", "pyvenv.cfg"))
    return (prefix,)


def _with_links(path: Path) -> Iterator[Path]:
    """The links on the way of an absolute path, and where it leads."""
    at, left = Path(path.anchor), list(path.parts[1:])
    while left:
        at /= left.pop(0)
        if at.is_symlink():
            yield at
            target = Path(os.path.normpath(at.parent / at.readlink()))
            at, left = Path(target.anchor), [*target.parts[1:], *left]
    yield at
