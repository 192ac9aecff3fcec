"""Runs of `earsim run` and `earsim play`: folders of trajectories, read as rows of a store.

So a person's attempts stand in the same tables as a model's episodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from earsim.errors import EarSimError
from earsim.evaluation.metrics.level import LEVELS
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.replay import BY_THE_RULES, settings_of
from earsim.evaluation.run_folder import RunFolder, load_manifest
from earsim.evaluation.runs.recorder import begin
from earsim.evaluation.store.rows import EpisodeRow, StepRow
from earsim.evaluation.termination import EpisodeOutcome
from earsim.schema import Category, Scenario, StepRecord, Trajectory, load_trajectory
from earsim.schema.records.manifest import Manifest

NO_RECORD = "no_record"
"""Termination of an episode whose trajectory is missing or broken."""


def rows_of(
    run: Path, manifest: Manifest, library: SuiteLookup
) -> Iterator[tuple[EpisodeRow, list[StepRow]]]:
    """Every episode that the manifest of a run names, with its decisions."""
    folder = RunFolder(run)
    for scenario_id in (*manifest.scenarios, *manifest.not_measured):
        problem = manifest.not_measured.get(scenario_id)
        try:
            found = load_trajectory(folder.trajectory_path(scenario_id), partial=True)
        except (EarSimError, OSError) as error:
            yield _absent(manifest, scenario_id, problem or str(error)), []
            continue
        yield _row(manifest, found, library), [_step(found, each) for each in found.steps]


def is_folder(run: Path) -> bool:
    """Whether a folder is such a run."""
    try:
        load_manifest(run)
    except EarSimError:
        return False
    return True


def _row(manifest: Manifest, found: Trajectory, library: SuiteLookup) -> EpisodeRow:
    row = _absent(manifest, found.scenario_id, None)._replace(
        scenario_hash=found.scenario_hash,
        category=str(found.extra.get("category", "")),
        ruleset=found.ruleset,
        extra=dict(found.extra),
    )
    row = row._replace(level=_level(row.category))
    result = found.result
    if result is None or result.termination not in BY_THE_RULES:
        return row
    success = EpisodeOutcome.SUCCESS if result.success_final else EpisodeOutcome.FAILURE
    return row._replace(
        outcome=success.value,
        termination=result.termination,
        success_latched=result.success_latched,
        success_final=result.success_final,
        claimed_done=result.claimed_done,
        decisions=result.decisions,
        first_true=_first_true(found, library.scenario(row)) if result.success_latched else None,
        score=result.score,
    )


def _absent(manifest: Manifest, scenario_id: str, problem: str | None) -> EpisodeRow:
    """A row that says nothing yet, apart from what the manifest says."""
    policy, suite = manifest.settings.policy, manifest.settings.suite
    fields: dict[str, Any] = dict.fromkeys(EpisodeRow._fields)
    fields |= {
        "episode": f"{policy}/{scenario_id}/0",
        "cell": policy,
        "suite": Path(suite).stem,
        "scenario_id": scenario_id,
        "scenario_hash": manifest.scenarios.get(scenario_id, ""),
        "category": "",
        "ruleset": "",
        "policy": policy,
        "seed": manifest.settings.seed,
        "outcome": EpisodeOutcome.NO_MEASUREMENT.value,
        "termination": NO_RECORD,
        "error": problem,
        "extra": {},
    }
    for name in ("repeat", "agents", "decisions", "score", "started_at", "wall_ms"):
        fields[name] = 0
    for name in ("success_latched", "success_final", "claimed_done"):
        fields[name] = False
    return EpisodeRow(**fields)


def _level(category: str) -> str | None:
    return LEVELS[Category(category)] if category in {*Category} else None


def _first_true(found: Trajectory, scenario: Scenario | None) -> int | None:
    """The first decision after which the goal held, which a trajectory does not say: replayed."""
    if scenario is None:
        return None
    episode = begin(scenario, settings_of(found, found.scenario_id))
    for step in found.steps:
        episode.step(step.commands or None)
    return episode.verdict.since


def _step(found: Trajectory, step: StepRecord) -> StepRow:
    return StepRow(
        found.scenario_id,
        step.decision,
        step.commands or None,
        step.outcomes,
        step.digest or "",
        step.clock,
    )
