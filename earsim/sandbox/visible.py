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
    for path in reads:
        os.stat(path)
    wanted = [*_SYSTEM, *interpreter(), *(os.path.abspath(path) for path in reads)]
    found = {part for path in wanted if os.path.exists(path) for part in _with_links(path)}
    return tuple(sorted(found))


def interpreter() -> tuple[str, ...]:
    """Folders of the running interpreter: its own, and its environment's with all packages."""
    return tuple(dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix)))


def _with_links(path: str) -> Iterator[str]:
    """The links on the way of an absolute path, and where it leads."""
    at = "/"
    parts = [part for part in path.split("/") if part]
    while parts:
        at = os.path.join(at, parts.pop(0))
        if os.path.islink(at):
            yield at
            target = os.path.join(os.path.dirname(at), os.readlink(at))
            parts = [part for part in os.path.normpath(target).split("/") if part] + parts
            at = "/"
    yield at
