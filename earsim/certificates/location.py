"""Where the certificates of a suite lie: beside it, or in the user's cache."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from earsim.suites.opening import CERTIFICATES, suite_path
from earsim.suites.suite import Suite


def place_to_write(suite: Suite, source: str, out: Path | None = None) -> Path:
    """The file into which the certificates of a suite go.

    Args:
        suite: the suite; its name names the file where that does not lie beside it.
        source: name or path under which it was opened.
        out: a folder to put it in, whatever else there is.
    """
    if out is not None:
        return out / f"{suite.name}.{CERTIFICATES}"
    beside = _beside(source)
    if beside is not None and _is_writable(beside):
        return beside
    return _cached(suite, source)


def places_to_read(suite: Suite, source: str, out: Path | None = None) -> tuple[Path, ...]:
    """The files in which certificates of a suite may lie, the first with precedence."""
    places = [] if out is None else [place_to_write(suite, source, out)]
    beside = _beside(source)
    if beside is not None:
        # A scene file is part of the folder around it, whose certificates may be its own.
        places += [beside, beside.parent / CERTIFICATES]
    places.append(_cached(suite, source))
    return tuple(dict.fromkeys(place for place in places if place.is_file()))


def user_cache() -> Path:
    """The folder where this user's programs keep what they could make again."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "earsim" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "earsim"
    asked = os.environ.get("XDG_CACHE_HOME", "")
    # The specification says that a relative path is to be ignored.
    return (Path(asked) if Path(asked).is_absolute() else Path.home() / ".cache") / "earsim"


def _beside(source: str) -> Path | None:
    """The file beside a suite; None for a benchmark that is not ours, whose folder we leave be."""
    path = suite_path(source)
    if path is None or (path / "scene").is_dir():
        return None
    if path.is_dir():
        return path / CERTIFICATES
    name = Path(path.name.removesuffix(".gz")).stem
    return path.with_name(f"{name}.{CERTIFICATES}")


def _is_writable(path: Path) -> bool:
    if path.exists() and not os.access(path, os.W_OK):
        return False
    return os.access(path.parent, os.W_OK)


def _cached(suite: Suite, source: str) -> Path:
    path = suite_path(source)
    where = str(path.resolve()) if path is not None else source
    digest = hashlib.sha256(where.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return user_cache() / "certificates" / f"{suite.name}-{digest}.{CERTIFICATES}"
