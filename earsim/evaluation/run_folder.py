"""The folder of a run: a manifest, and one trajectory file per finished episode.

Nothing in it depends on when or in how many goes the run was made: the same settings give the same
bytes, interrupted or not.
"""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

from earsim.errors import FileError, UsageError
from earsim.rulesets import RULESETS
from earsim.schema import Scenario, Trajectory, load_trajectory, save_trajectory
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.records.manifest import Manifest, RunSettings

MANIFEST = "manifest.json"
TRAJECTORIES = "trajectories"


class RunFolder:
    """A run on disk.

    Attributes:
        path: the folder; made by `open`.
        replaced: ids of episodes whose recording was of an older scenario or ruleset, and was
            therefore played again.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.replaced: list[str] = []
        self._manifest: Manifest | None = None
        self._scenarios: dict[str, str] = {}
        self._not_measured: dict[str, str] = {}

    def open(self, settings: RunSettings) -> None:
        """Begin or resume a run.

        Raises:
            UsageError: The folder holds a run with other settings.
            FileError: Its manifest cannot be read.
        """
        if self.manifest_path.exists():
            found = load_manifest(self.path)
            if found.settings != settings:
                differ = _differences(found.settings, settings)
                raise UsageError(f"{self.path} holds another run: {differ}; choose another folder")
            self._scenarios = dict(found.scenarios)
            self._not_measured = dict(found.not_measured)
        self._manifest = Manifest(settings=settings, versions=_versions())
        self.path.mkdir(parents=True, exist_ok=True)
        self._write()

    @property
    def manifest_path(self) -> Path:
        """Where the manifest lies."""
        return self.path / MANIFEST

    def trajectory_path(self, scenario_id: str) -> Path:
        """Where the episode of a scenario lies; ids never leave the folder."""
        return self.path / TRAJECTORIES / f"{scenario_id}.jsonl"

    def finished(self, scenario: Scenario, ruleset: str | None) -> Trajectory | None:
        """The recording of a scenario, if it is complete and still of this scenario and ruleset."""
        path = self.trajectory_path(scenario.id)
        if not path.exists():
            return None
        try:
            found = load_trajectory(path)
        except FileError:
            found = None
        in_force = RULESETS[ruleset or scenario.ruleset].id
        if found and (found.scenario_hash, found.ruleset) == (scenario.hash, in_force):
            return found
        self.replaced.append(scenario.id)
        return None

    def save(self, trajectory: Trajectory) -> None:
        """Write an episode; the file appears complete or not at all."""
        path = self.trajectory_path(trajectory.scenario_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        save_trajectory(trajectory, path)

    def note(self, scenario_id: str, trajectory: Trajectory | None, problem: str) -> None:
        """Remember for the manifest what became of a scenario."""
        self._scenarios.pop(scenario_id, None)
        self._not_measured.pop(scenario_id, None)
        if trajectory is None:
            self._not_measured[scenario_id] = problem
        else:
            self._scenarios[scenario_id] = trajectory.scenario_hash

    def close(self) -> None:
        """Write the manifest with everything that was noted."""
        self._write()

    def _write(self) -> None:
        assert self._manifest is not None, "open comes first"
        manifest = self._manifest.model_copy(
            update={
                "scenarios": dict(sorted(self._scenarios.items())),
                "not_measured": dict(sorted(self._not_measured.items())),
            }
        )
        partial = self.path / f".{MANIFEST}.{os.getpid()}.partial"
        partial.write_text(manifest.model_dump_json(by_alias=True, indent=2) + "\n", "utf-8")
        partial.replace(self.manifest_path)


def load_manifest(folder: Path) -> Manifest:
    """The manifest of a run folder.

    Raises:
        FileError: It is missing or wrong.
    """
    path = folder / MANIFEST
    return validated(parse_json(read_text(path), str(path)), Manifest)


def version(distribution: str) -> str:
    """The installed version of a distribution; `0+unknown` in a checkout never installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "0+unknown"


def _versions() -> dict[str, str]:
    return {"earsim": version("earsim"), "python": platform.python_version()}


def _differences(there: RunSettings, here: RunSettings) -> str:
    old, new = there.model_dump(), here.model_dump()
    old |= old.pop("episode")
    new |= new.pop("episode")
    return ", ".join(
        f"{key} {old[key]!r} there, {new[key]!r} here" for key in old if old[key] != new[key]
    )
