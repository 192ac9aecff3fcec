"""From what a person types to scenarios: an id, a path, a path with a task, or a suite."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from earsim.errors import FileError, Finding, UnknownName
from earsim.schema.files.load import SUFFIXES, load_file, load_scene
from earsim.schema.scenario import Scenario
from earsim.schema.scene import Scene
from earsim.suites.folder import FolderSuite
from earsim.suites.opening import open_suite, suite_names
from earsim.suites.packed import PackedSuite
from earsim.suites.suite import Selection, Suite


class Found(NamedTuple):
    """What a text stands for.

    Attributes:
        suite: The suite, or the one scenario of it that was named.
        source: Name or path under which `open_suite` opens the whole suite.
    """

    suite: Suite
    source: str


def find_suite(text: str) -> Found:
    """A suite by name or path, or one scenario as a suite of one.

    Raises:
        UnknownName: It names neither.
        FileError: It names a file that is no suite.
    """
    try:
        return Found(open_suite(text), text)
    except UnknownName:
        found = _find(text)
    if found is None:
        known = [*suite_names(), *_known_ids()]
        raise UnknownName("suite or scenario", text, known)
    return Found(Selection(found.suite, (found.id,)), found.source)


def find_scenario(text: str, *, suite: str | None = None) -> Scenario:
    """A scenario by id, by the path of its file, or as ``scene.yaml/task``.

    Ids are looked for in ``suite``, or else in every suite there is.

    Raises:
        UnknownName: There is no such scenario.
        FileError: It cannot be loaded, or the file holds several.
    """
    if suite is not None:
        return open_suite(suite).load(text)
    if _is_file(Path(text)):
        return _only(open_suite(Path(text)), text)
    found = _find(text)
    if found is None:
        raise UnknownName("scenario", text, _known_ids())
    return found.suite.load(found.id)


def find_scene(text: str) -> Scene | None:
    """A scene by the path of its file, with or without tasks, or by the id of a shipped one.

    Raises:
        FileError: The file cannot be loaded.
    """
    if _is_file(Path(text)):
        return load_scene(text)
    for name in suite_names():
        suite = _opened(name)
        if isinstance(suite, FolderSuite | PackedSuite):
            first = next((id for id in suite.ids if id.partition("/")[0] == text), None)
            if first is not None:
                return suite.load(first).scene
    return None


def _only(suite: Suite, path: str) -> Scenario:
    if len(suite.ids) == 1:
        return suite.load(suite.ids[0])
    if not suite.ids:
        raise FileError(path, [Finding(path, "tasks", "no tasks, so no scenario")])
    tasks = ", ".join(id.rpartition("/")[2] for id in suite.ids)
    expected = f"say which: {path}/TASK, where TASK is one of {tasks}"
    raise FileError(path, [Finding(path, "", f"holds {len(suite.ids)} scenarios", expected)])


class _Place(NamedTuple):
    """Where a scenario is: its suite, how to open that, and its id there."""

    suite: Suite
    source: str
    id: str


def _find(text: str) -> _Place | None:
    """The scenario that a text names, by path and task or by id."""
    path = Path(text)
    if _is_file(path.parent):
        suite = open_suite(path.parent)
        wanted = [id for id in suite.ids if id == text or id.rpartition("/")[2] == path.name]
        if len(wanted) == 1:
            return _Place(suite, str(path.parent), wanted[0])
        if path.parent.suffix in SUFFIXES:
            load_file(path.parent)  # what is wrong in it, rather than that it has no such task
        known = [f"{path.parent}/{id.rpartition('/')[2]}" for id in suite.ids]
        raise UnknownName("scenario", text, known)
    for name in _likely_suites(text):
        candidate = _opened(name)
        if candidate is not None and _has(candidate, text):
            return _Place(candidate, name, text)
    return None


def _likely_suites(scenario_id: str) -> tuple[str, ...]:
    """The suite that an id names in its first word, or else all of them, the likely ones first."""
    names = suite_names()
    first = scenario_id.partition("/")[0]
    if first in names:
        return (first,)
    return tuple(sorted(names, key=lambda name: not _has_file(name, scenario_id)))


def _has_file(name: str, scenario_id: str) -> bool:
    """Whether a file of the suite is named after the scene; to read packed ones takes longer."""
    suite = _opened(name)
    return isinstance(suite, FolderSuite) and suite.has_file_for(scenario_id)


def _opened(name: str) -> Suite | None:
    try:
        return open_suite(name)
    except FileError:  # EAR-Bench is not on this machine
        return None


def _has(suite: Suite, scenario_id: str) -> bool:
    try:
        suite.load(scenario_id)
    except UnknownName:
        return False
    except FileError:
        return scenario_id in suite.ids
    return True


def _known_ids() -> list[str]:
    """Ids to find near misses among: of the suites that are ours, for the others are long."""
    suites = [_opened(name) for name in suite_names()]
    return [id for suite in suites if suite is not None and len(suite) < 5000 for id in suite.ids]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or a NUL in it: no path, perhaps an id
        return False
