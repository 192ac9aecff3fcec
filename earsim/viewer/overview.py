"""What the runs amount to: a row for every subject, its categories, and how its episodes count.

A subject is what a row of `earsim report` is, and the numbers are those of its metrics. Every
episode is told with the verdict that counts it, so that a number leads to the episodes behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from earsim.evaluation.metrics.counters import CountedEpisodes
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.failure import MODES, UNEXPLAINED
from earsim.evaluation.metrics.measurement import by_category
from earsim.evaluation.metrics.not_played import NOT_PLAYED
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup, labelled, read_groups
from earsim.evaluation.report.build import warnings
from earsim.viewer.run import Run

_NUMBERS = ("success", "coverage", "steps.success", "cost", "tokens.total")


class Overview:
    """The subjects of some runs; episodes are counted once, however often it is asked for."""

    def __init__(self, runs: Sequence[Run]) -> None:
        """Nothing is read yet."""
        self._runs = runs
        self._counted = CountedEpisodes()

    def subjects(self) -> tuple[ResultsGroup, ...]:
        """Every subject as it is now."""
        found = [
            subject
            for run in self._runs
            for subject in read_groups(
                [run.path], certificates=run.certificates, known=self._counted
            )
        ]
        return tuple(labelled(found))

    def data(self) -> dict[str, Any]:
        """Subjects, failure modes and warnings as JSON values."""
        subjects = self.subjects()
        places = {str(run.path): number for number, run in enumerate(self._runs)}
        walls = [
            {row.episode: row.wall_ms for row in self._runs[places[subject.run]].rows()}
            for subject in subjects
        ]
        return {
            "subjects": [
                _subject(subject, places[subject.run], wall)
                for subject, wall in zip(subjects, walls, strict=True)
            ],
            "modes": [[mode.id, mode.doc] for mode in MODES]
            + [[UNEXPLAINED, "No rule fits."], [UNDETERMINED, _UNDETERMINED]],
            "warnings": list(warnings(subjects)),
        }


_MOST_SIGNS = 6
"""Places of an episode that are told for one of its failure modes."""

UNDETERMINED = "not_determined"
"""What stands for the mode of a failure that could not be looked at."""

_UNDETERMINED = "Its scenario is not here, has changed, or the replay leaves the record."


def _subject(subject: ResultsGroup, run: int, wall: dict[str, float]) -> dict[str, Any]:
    episodes = subject.episodes
    times = [wall[each.id] for each in episodes if each.id in wall]
    return {
        "label": subject.label,
        "run": run,
        "policy": subject.policy,
        "model": subject.model,
        "style": subject.style,
        "knowledge": subject.knowledge,
        "suite": ", ".join(subject.played_on),
        "rules": ", ".join(subject.rulesets),
        "version": subject.version,
        "planned": len(episodes),
        "missing": sum(each.termination == NOT_PLAYED for each in episodes),
        "numbers": {id: _estimate(id, episodes) for id in _NUMBERS},
        "seconds": sum(times) / len(times) / 1000 if times else None,
        "categories": [
            [category, len(part), _estimate("success", part)]
            for category, part in by_category(episodes).items()
        ],
        "episodes": [_counted(each) for each in episodes if each.termination != NOT_PLAYED],
    }


def _estimate(metric: str, episodes: Sequence[CountedEpisode]) -> list[float | None]:
    """Value, denominator, and the ends of the 95 % interval."""
    found = METRICS[metric].one(episodes)
    return [found.value, found.n, found.low, found.high]


def _counted(episode: CountedEpisode) -> list[Any]:
    """Id, verdict, failure modes with the main one first, refusals by reason, and signs."""
    verdict = "no_measurement"
    modes: list[str] = []
    if episode.measured:
        verdict = "success" if episode.succeeded else "failure"
        modes = [] if episode.succeeded else list(episode.modes or (UNDETERMINED,))
    signs = {mode: list(found[:_MOST_SIGNS]) for mode, found in (episode.signs or {}).items()}
    return [episode.id, verdict, modes, dict(episode.rejections), signs if modes else {}]
