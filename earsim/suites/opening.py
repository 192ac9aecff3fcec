"""Opening a suite by name or path."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from earsim.errors import FileError, Finding, UnknownName
from earsim.schema.files.load import SUFFIXES
from earsim.schema.lookup import SIDECAR_SUFFIXES
from earsim.suites.folder import FolderSuite
from earsim.suites.packed import PACKED_SUFFIXES, PackedSuite
from earsim.suites.suite import Suite

CERTIFICATES = "certificates.jsonl"
"""Ending of files that hold no scenarios, but what is proved about those of a suite."""

EAR_BENCH_VARIABLE = "EAR_BENCH_DIR"
_DEFAULT_EAR_BENCH = "../shared/ear-bench"

_MANY_FILES = 100

_SPLITS = {
    "eval-single": "eval/single-independent",
    "eval-multi": "eval/multi-independent",
    "data-all": "data-all",
}
"""EAR-Bench's splits and their folders below ``EAR_BENCH_DIR``."""


def open_suite(name_or_path: str | Path) -> Suite:
    """Opens a suite: one of `suite_names`, or the path of a folder or file.

    A path may be a scene or scenario file, a packed suite or the folder of one, a folder of
    scenes, or a folder of EAR-Bench with ``scene/`` and ``task/``. Nothing is loaded yet.

    Raises:
        UnknownName: It is neither a known name nor an existing path.
        FileError: It exists but is no suite.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, str):
        if name in _SPLITS:
            return _open_split(name)
        shipped = _shipped()
        if name in shipped:
            return _open_path(shipped[name])
    path = Path(name_or_path)
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if exists:
        return _open_path(path)
    raise UnknownName("suite", name, suite_names())


def suite_path(name_or_path: str | Path) -> Path | None:
    """The folder or file that `open_suite` would open; None where there is none."""
    name = str(name_or_path)
    if isinstance(name_or_path, str) and name in _SPLITS:
        path = ear_bench_dir() / _SPLITS[name]
    else:
        path = (_shipped() if isinstance(name_or_path, str) else {}).get(name, Path(name))
    try:
        return (_packed_in(path) or path) if path.exists() else None
    except (OSError, ValueError):
        return None


def files_of(path: Path) -> tuple[tuple[str, int, int], ...] | None:
    """Every file of a suite with its time and size, to see whether one changed.

    None for a suite of many files, where looking would cost more than it saves.
    """
    path = _packed_in(path) or path
    files = [path] if path.is_file() else [*islice(path.rglob("*"), _MANY_FILES)]
    if len(files) == _MANY_FILES:
        return None
    found = [(str(file), file.stat()) for file in files]
    return tuple([(name, stat.st_mtime_ns, stat.st_size) for name, stat in found])


def suite_names() -> tuple[str, ...]:
    """Names that `open_suite` knows."""
    return (*_shipped(), *_SPLITS)


def scenes_root() -> Path:
    """The folder of our own scenes: inside an installed package, or in a checkout beside it."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_scenes"
    # Looked for first: beside an installed package, a folder `scenes` is someone else's.
    return installed if installed.is_dir() else package.parent / "scenes"


def ear_bench_dir() -> Path:
    """The folder of EAR-Bench, which is not ours to ship: the variable ``EAR_BENCH_DIR``."""
    return Path(os.environ.get(EAR_BENCH_VARIABLE) or _DEFAULT_EAR_BENCH)


def _open_split(name: str) -> Suite:
    folder = ear_bench_dir() / _SPLITS[name]
    if not folder.is_dir():
        expected = f"set {EAR_BENCH_VARIABLE} to the folder that holds EAR-Bench"
        raise FileError(str(folder), [Finding(str(folder), "", "does not exist", expected)])
    return _ear_bench_suite(name, folder)


def _ear_bench_suite(name: str, folder: Path) -> Suite:
    from earsim.suites.ear_suite import EarBenchSuite

    return EarBenchSuite(name, folder, one_task_per_file=name.startswith("eval"))


def _open_path(path: Path) -> Suite:
    if path.name.endswith(PACKED_SUFFIXES):
        return PackedSuite(path)
    if (path / "scene").is_dir() and (path / "task").is_dir():
        return _ear_bench_suite(_split_name(path), path)
    packed = _packed_in(path)
    if packed is not None:
        return PackedSuite(packed, name=path.resolve().name)
    if path.is_dir() or path.suffix in SUFFIXES:
        return FolderSuite(path)
    expected = f"expected a folder, or a file ending in {', '.join((*SUFFIXES, *PACKED_SUFFIXES))}"
    raise FileError(str(path), [Finding(str(path), "", "is no suite", expected)])


def _packed_in(folder: Path) -> Path | None:
    """The packed suite that a folder is about, as `earsim generate` writes them.

    Raises:
        FileError: It holds several.
    """
    if not folder.is_dir():
        return None
    files = _visible(folder)
    if any(path.suffix in (".yaml", ".yml") for path in files):
        return None  # scenes that somebody wrote; what is packed beside them is opened by name
    names = [path.name for path in files if _is_packed(path)]
    if len(names) > 1:
        reason = f"holds several suites: {', '.join(names)}"
        expected = f"open one of them: {folder / names[0]}"
        raise FileError(str(folder), [Finding(str(folder), "", reason, expected)])
    return folder / names[0] if names else None


def _is_packed(path: Path) -> bool:
    return path.name.endswith(PACKED_SUFFIXES) and not path.name.endswith(
        (CERTIFICATES, *SIDECAR_SUFFIXES)
    )


def _split_name(path: Path) -> str:
    """The split that a folder holds by its name, or else that name."""
    folder = path.resolve().name
    return next((name for name, at in _SPLITS.items() if at.endswith(folder)), folder)


def _shipped() -> dict[str, Path]:
    """Suites in our own scenes by name: folders of scenes, single files and packed files."""
    root = scenes_root()
    if not root.is_dir():
        return {}
    found = {_suite_name(suite): suite for path in _visible(root) for suite in _suites_in(path)}
    return dict(sorted(found.items()))


def _suites_in(path: Path) -> list[Path]:
    """The path itself, if it is a suite, or the packed suites in it."""
    if path.is_dir():
        return [each for each in _visible(path) if _is_packed(each)] or [path]
    return [path] if path.suffix in SUFFIXES or _is_packed(path) else []


def _visible(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _suite_name(path: Path) -> str:
    return path.name.split(".")[0]
