"""A folder of scene and scenario files, or one such file, as a suite."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from weakref import WeakValueDictionary

from earsim.errors import FileError, Finding, UnknownName, UsageError
from earsim.schema.files.load import SUFFIXES, parse_file, scenarios_of
from earsim.schema.files.sidecar import sidecar_texts
from earsim.schema.files.text import read_text
from earsim.schema.scenario import Scenario
from earsim.suites.suite import Suite


@dataclass(frozen=True)
class _File:
    """A file that was read, and the scenarios in it."""

    path: Path
    scenarios: tuple[Scenario, ...]

    @classmethod
    def read(cls, path: Path) -> _File:
        """Read a file; what another suite of this process holds of the same text is shared."""
        text = read_text(path)
        key = (path, text, sidecar_texts(path.parent, text))
        found = _FILES.get(key)
        if found is None:
            found = _FILES[key] = cls(path, scenarios_of(parse_file(path, text)))
        return found


_FILES: WeakValueDictionary[tuple[Path, str, tuple[tuple[str, str], ...]], _File] = (
    WeakValueDictionary()
)
"""The files that suites read last, by path, text, and their sidecar files."""


class FolderSuite(Suite):
    """Scenarios of the YAML and JSON files in a folder and the folders below, by file name.

    A scenario is found fastest when its file is named after its scene: ``clinic_night.yaml``
    holds ``clinic_night/move_fullest_cylinder``. A file that cannot be loaded is listed under its
    name without the ending.
    """

    def __init__(self, path: str | Path, *, name: str | None = None) -> None:
        super().__init__(name or Path(path).stem)
        self._path = Path(path)
        self._latest: _File | None = None

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids in the order of the file names; opens all files."""
        return tuple(self._index)

    def load(self, id: str) -> Scenario:
        """Looks into the file that has the right name, and only then into all."""
        for stem in dict.fromkeys((id.split("/")[0], id.rsplit("/")[-1])):
            for path in self._files.get(stem, ()):
                found = self._find(path, id)
                if found is not None:
                    return found
        if id not in self._index:
            raise UnknownName(f"scenario of {self.name}", id, self._index)
        found = self._find(self._index[id], id)
        assert found is not None, "indexed: the file holds it"
        return found

    def has_file_for(self, id: str) -> bool:
        """Whether a file is named after the scene of a scenario; opens none."""
        return id.split("/")[0] in self._files

    @cached_property
    def _files(self) -> dict[str, tuple[Path, ...]]:
        """Files by name without ending."""
        paths = [self._path] if self._path.is_file() else sorted(self._path.rglob("*"))
        files: dict[str, tuple[Path, ...]] = {}
        for path in paths:
            if path.suffix in SUFFIXES and not path.name.startswith(".") and path.is_file():
                files[path.stem] = (*files.get(path.stem, ()), path)
        if not files:
            expected = f"expected files of scenes or scenarios ({', '.join(SUFFIXES)})"
            raise UsageError(f"{self._path}: there is no scenario in it; {expected}")
        return files

    @cached_property
    def _index(self) -> dict[str, Path]:
        """The file of every scenario; opens all files."""
        index: dict[str, Path] = {}
        for path in (path for paths in self._files.values() for path in paths):
            try:
                found = [scenario.id for scenario in self._scenarios(path)]
            except FileError:
                found = [path.stem]
            for id in found:
                if id in index:
                    raise FileError(str(path), [_repeated(id, path, index[id])])
                index[id] = path
        return index

    def _find(self, path: Path, id: str) -> Scenario | None:
        return next((found for found in self._scenarios(path) if found.id == id), None)

    def _scenarios(self, path: Path) -> tuple[Scenario, ...]:
        if self._latest is None or self._latest.path != path:
            self._latest = _File.read(path)
        return self._latest.scenarios


def _repeated(id: str, path: Path, first: Path) -> Finding:
    return Finding(str(path), "", f"the scenario {id!r} is also in {first}", "ids are unique")
