"""Episodes that were planned and are not in the run: they count, as not measured."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.errors import EarSimError
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.runs.jobs import jobs_of, suites_of
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.store.manifest import RunManifest
from earsim.evaluation.summary import UNKNOWN, category_of

NOT_PLAYED = "not_played"
"""Termination of such an episode."""


def not_played(
    cell: RunConfig, found: Sequence[CountedEpisode], missing: int, manifest: RunManifest
) -> list[CountedEpisode]:
    """The planned episodes that the run lacks; by name where the suite is at hand."""
    known = {each.id for each in found}
    named = [each for each in _planned(cell, manifest) if each.id not in known]
    if len(named) == missing:
        return named
    suite = found[0].suite if found else cell.suite
    ids = (f"{cell.name}/{NOT_PLAYED}/{index}" for index in range(missing))
    return [_absent(suite, id, id, UNKNOWN, 0) for id in ids]


def _planned(cell: RunConfig, manifest: RunManifest) -> list[CountedEpisode]:
    try:
        suites = suites_of(manifest.settings.model_copy(update={"suites": (cell.suite,)}))
    except EarSimError:
        return []
    jobs = list(jobs_of(manifest.settings, [cell], suites))
    suite = suites[cell.suite].suite
    categories = {id: category_of(suite, id) for id in suite.ids}
    return [
        _absent(suite.name, job.episode, job.scenario_id, categories[job.scenario_id], job.repeat)
        for job in jobs
    ]


def _absent(suite: str, id: str, scenario_id: str, category: str, repeat: int) -> CountedEpisode:
    return CountedEpisode(
        id=id,
        suite=suite,
        scenario_id=scenario_id,
        scenario_hash="",
        category=category,
        level=UNKNOWN,
        ruleset="",
        measured=False,
        succeeded=False,
        termination=NOT_PLAYED,
        repeat=repeat,
    )
