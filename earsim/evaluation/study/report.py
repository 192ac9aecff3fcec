"""Stage 4 of a study: one document with what was chosen, measured and graded, and what failed."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup, read_groups
from earsim.evaluation.study.expression import Expression, Numbers
from earsim.evaluation.study.files import RUN, StudyMetric, StudyMetrics, StudySelection
from earsim.evaluation.study.score import EpisodeScores, StudyScores
from earsim.evaluation.summary import Interval, by_category
from earsim.tables.document import Cell, Report, Section, Table

_RESAMPLES, _SEED = 1_000, 20260101
_SHOWN = 20


def report(
    folder: Path, selection: StudySelection, metrics: StudyMetrics, scores: StudyScores
) -> Report:
    """The report of a study.

    Args:
        folder: of the study, whose run is there.
        selection: of stage 1.
        metrics: of stage 2.
        scores: of stage 3.

    Raises:
        FileError: The run cannot be read.
        UsageError: An expression reads a number that no episode has.
    """
    players = list(dict.fromkeys(episode.player for episode in scores.episodes))
    by_player = {p: [e for e in scores.episodes if e.player == p] for p in players}
    sections = (
        Section("Scenarios", (_choices(selection),)),
        Section("One's own metrics", (_custom(metrics.custom, by_player), _grades(by_player))),
        Section("Metrics", (_builtin(metrics, read_groups([folder / RUN])),)),
        Section("By family", (_families(by_player),)),
        Section("Tools", (_tools(by_player),)),
        Section("Failures", (_failures(folder, scores.episodes),)),
    )
    shown = tuple(each for each in sections if any(table.rows for table in each.tables))
    lost = sum(episode.numbers is None for episode in scores.episodes)
    total = len(scores.episodes)
    warnings = (f"{lost:,} of {total:,} episodes were not measured",) if lost else ()
    text = f"Question: {selection.question}" if selection.question else ""
    return Report("Study", shown, warnings)._replace(text=text)


def _choices(selection: StudySelection) -> Table:
    head = ("scenario", "why", "fit")
    rows = [(each.scenario, each.why, each.score) for each in selection.chosen]
    note = f"{len(rows)} of {selection.searched} scenarios that were searched."
    return Table("", head, texts=2, note=note, name="scenarios").with_rows(rows)


def _custom(custom: Sequence[StudyMetric], by_player: dict[str, list[EpisodeScores]]) -> Table:
    head = ("player", "metric", "expression", "value", "low", "high", "episodes")
    rows = []
    for player, episodes in by_player.items():
        measured = [e for e in episodes if e.numbers is not None]
        for metric in custom:
            if metric.expression is not None:
                expression = Expression(metric.expression)
                expression.require({name for e in measured for name in e.numbers or ()})
                value, interval = estimate(expression, measured)
                low, high = interval or (None, None)
                rows.append((player, metric.name, metric.expression, value, low, high,
                             len(measured)))  # fmt: skip
    note = f"95 % intervals: bootstrap over scenarios, {_RESAMPLES:,} resamples."
    return Table("", head, texts=3, note=note, name="custom").with_rows(rows)


def estimate(
    expression: Expression, episodes: Sequence[EpisodeScores]
) -> tuple[float | None, Interval | None]:
    """The value of a metric over episodes, with its 95 % interval.

    The interval is None with fewer than two scenarios, or where resamples have no value.
    """
    by_scenario: dict[str, list[Numbers]] = defaultdict(list)
    for episode in episodes:
        if episode.numbers is not None:
            by_scenario[episode.scenario].append(episode.numbers)
    groups = list(by_scenario.values())
    value = expression.over([row for group in groups for row in group])
    if value is None or len(groups) < 2:
        return value, None
    draws = np.random.default_rng(_SEED).integers(len(groups), size=(_RESAMPLES, len(groups)))
    found = [expression.over([row for at in drawn for row in groups[at]]) for drawn in draws]
    known = [each for each in found if each is not None]
    if len(known) < _RESAMPLES:
        return value, None
    low, high = np.quantile(known, [0.025, 0.975])
    return value, Interval(float(low), float(high))


def _grades(by_player: dict[str, list[EpisodeScores]]) -> Table:
    head = ("player", "rubric", "criterion", "mean of 10", "graded", "not graded")
    rows = []
    for player, episodes in by_player.items():
        grades = [(name, grade) for e in episodes for name, grade in e.grades.items()]
        for name in dict.fromkeys(name for name, _ in grades):
            of_it = [grade for other, grade in grades if other == name]
            known = [grade.score for grade in of_it if grade.score is not None]
            mean = statistics.fmean(known) if known else None
            lost = len(of_it) - len(known)
            rows.append((player, name, of_it[0].criterion, mean, len(known), lost))
    return Table("", head, texts=3, name="grades").with_rows(rows)


def _builtin(metrics: StudyMetrics, groups: Sequence[ResultsGroup]) -> Table:
    head = ("player", "metric", "part", "value", "low", "high", "n")
    rows = [
        (label, _title(METRICS[id]), *_shown(METRICS[id], found))
        for label, episodes in _subjects(groups).items()
        for id in metrics.builtin
        for found in METRICS[id](episodes)
    ]
    return Table("", head, texts=3, name="metrics").with_rows(rows)


def _title(metric: Metric) -> str:
    return f"{metric.title}, %" if metric.unit is MetricUnit.SHARE else metric.title


def _shown(metric: Metric, found: MetricEstimate) -> tuple[Cell, ...]:
    """Part, value, bounds and denominator; shares in percent."""
    scale = 100 if metric.unit is MetricUnit.SHARE else 1
    numbers = (found.value, found.low, found.high)
    return (found.part, *(None if n is None else scale * n for n in numbers), found.n)


def _subjects(groups: Sequence[ResultsGroup]) -> dict[str, list[CountedEpisode]]:
    found: dict[str, list[CountedEpisode]] = defaultdict(list)
    for group in groups:
        found[group.model or group.policy] += group.episodes
    return found


def _families(by_player: dict[str, list[EpisodeScores]]) -> Table:
    head = ("player", "family", "episodes", "measured", "success %")
    rows = []
    for player, episodes in by_player.items():
        for name, group in by_category(episodes, lambda episode: episode.category).items():
            measured = [e.numbers["success"] for e in group if e.numbers is not None]
            share = 100 * sum(measured) / len(group)
            rows.append((player, name, len(group), len(measured), share))
    return Table("", head, texts=2, name="families").with_rows(rows)


def _tools(by_player: dict[str, list[EpisodeScores]]) -> Table:
    head = ("player", "tool", "uses", "share %", "mean s")
    rows = []
    for player, episodes in by_player.items():
        uses: Counter[str] = Counter()
        seconds: Counter[str] = Counter()
        for episode in episodes:
            for kind, record in episode.tools.items():
                uses[kind] += record.uses
                seconds[kind] += record.seconds  # type: ignore[assignment] # counters of seconds
        total = sum(uses.values())
        for kind, count in uses.most_common():
            rows.append((player, kind, count, 100 * count / total, seconds[kind] / count))
    note = "Verbs in seconds of the world's clock; models in seconds of waiting for a reply."
    return Table("", head, texts=2, note=note, name="tools").with_rows(rows)


def _failures(folder: Path, episodes: Sequence[EpisodeScores]) -> Table:
    head = ("episode", "what happened", "to see it")
    rows = [(e.episode, _what(e), f"earsim view {folder / RUN}")
            for e in episodes if e.numbers is None or not e.numbers["success"]]  # fmt: skip
    note = f"... and {len(rows) - _SHOWN:,} more." if len(rows) > _SHOWN else ""
    return Table("", head, texts=3, note=note, name="failures").with_rows(rows[:_SHOWN])


def _what(episode: EpisodeScores) -> str:
    if episode.numbers is None:
        return f"not measured: {episode.error or 'no reason is known'}"
    numbers = episode.numbers
    claimed = "said DONE" if numbers["claimed"] else "did not say DONE"
    return (
        f"{claimed} after {numbers['decisions']:.0f} decisions, {numbers['refused']:.0f} refused, "
        f"{100 * numbers['score']:.0f} % of the goal"
    )
