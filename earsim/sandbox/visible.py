"""What a body may read: the system's programs and libraries, and the running interpreter's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/fonts", "/etc/localtime", "/etc/octave", "/etc/octave.conf",
    "/nix/store", "/opt/homebrew", "/System", "/Library",
)  # fmt: skip

_PACKAGES = ("earsim", "earsim_agents", "earsim_generators", "earsim_training")

OWN_PACKAGES = tuple(Path(__file__).absolute().parents[2] / name for name in _PACKAGES)
"""Where EAR-Sim is installed: scenes with their answers, and the solvers and generators that these
come from. No body may read them."""

_COPIES = tuple(
    f"{lib}/python*/{kind}-packages/{name}"
    for lib in ("lib", "lib64", "local/lib")
    for kind in ("site", "dist")
    for name in _PACKAGES
)
"""Where other installations of the same package have them, below the folder of an interpreter."""


class Visible(NamedTuple):
    """What a body may read.

    Attributes:
        readable: files and folders with all below them, sorted; for a path through links, each
            link too.
        listed: folders around the hidden ones: their names may be listed, and no more.
    """

    readable: tuple[str, ...]
    listed: tuple[str, ...]


def visible(reads: Iterable[str | Path]) -> Visible:
    """The system, the interpreter without EAR-Sim itself, and what is named.

    Args:
        reads: what is readable beside the system and the interpreter.

    Raises:
        FileNotFoundError: One of ``reads`` does not exist.
    """
    named = [Path(path).absolute() for path in reads]
    for path in named:
        path.stat()
    hidden = _hidden()
    found: set[Path] = set()
    listed: set[Path] = set()
    for path in [*map(Path, _SYSTEM), *interpreter(), *named]:
        if not path.exists():
            continue
        *links, whole = _with_links(path)
        around = _around(whole, hidden)
        kept = [child for folder in around for child in folder.iterdir()] if around else [whole]
        found.update(links)
        found.update(part for child in kept for part in _with_links(child))
        listed.update(around)
    shown = sorted(map(str, found - listed - hidden))
    return Visible(tuple(shown), tuple(sorted(map(str, listed))))


def _hidden() -> set[Path]:
    """Folders of EAR-Sim's packages, whether this installation's or another's."""
    roots = {Path("/usr"), *prefixes()}
    copies = (path for root in roots for pattern in _COPIES for path in root.glob(pattern))
    return {path.resolve() for path in (*OWN_PACKAGES, *copies) if path.exists()}


def _around(whole: Path, hidden: Iterable[Path]) -> set[Path]:
    """The folders from one down to what holds hidden ones; none where they are elsewhere."""
    return {
        above
        for path in hidden
        if path.is_relative_to(whole)
        for above in path.parents
        if above.is_relative_to(whole)
    }


def interpreter() -> tuple[Path, ...]:
    """Folders of the running interpreter: its own, and its environment's with all packages."""
    return tuple(path for prefix in prefixes() for path in _parts(prefix))


def prefixes() -> tuple[Path, ...]:
    """Where the running interpreter and its environment are installed."""
    return tuple(map(Path, dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix))))


def executable() -> str:
    """The running interpreter, by a path without `..`: inside, not all of such a way is there.

    It may be a link itself, and stays one: an environment is looked for beside it.
    """
    path = Path(sys.executable)
    return str(path.parent.resolve() / path.name)


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
        part = left.pop(0)
        at = at.parent if part == ".." else at / part  # no link is left on the way to `at`
        if at.is_symlink():
            yield at
            target = Path(os.path.normpath(at.parent / at.readlink()))
            at, left = Path(target.anchor), [*target.parts[1:], *left]
    yield at
