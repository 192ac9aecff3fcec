"""Tables of a report: subjects in rows, metrics in columns, and for each subject its groups."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.measurement import by_category, groups
from earsim.evaluation.metrics.metric import MetricEstimate
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.report.numbers import NOTHING, shown, with_bounds
from earsim.tables.document import ALL, Table, TableRow

_MOST_REASONS = 12
_VERIFICATION = (
    *("science.score", "science.gap", "science.stable", "science.zero_zone"),
    *("science.interventions", "science.saved", "science.accuracy", "science.error_causes"),
)


def overview(subjects: Sequence[ResultsGroup]) -> Table:
    """What is measured: who, on what, under which rules, by which version, and how much of it."""
    head = ("subject", "run", "suite", "rules", "earsim", "episodes", "measured")
    rows = []
    for each in subjects:
        played, rules = (", ".join(names) or NOTHING for names in (each.played_on, each.rulesets))
        count, measured = f"{len(each.episodes):,}", value("coverage", each.episodes)
        rows.append((each.label, each.run, played, rules, each.version, count, measured))
    return Table("", head, texts=5).with_rows(rows)


def summary(subjects: Sequence[ResultsGroup]) -> Table:
    """The numbers that everybody asks for first."""
    ids = ("coverage", "steps.success", "step_ratio.median", "spl", "commands.accepted")
    others = (*ids, "claims.precision")
    head = ("subject", *(METRICS[id].title for id in (*_RATES, *others)))
    return Table("", head).with_rows(
        (each.label, *_rates(each.episodes), *(value(id, each.episodes) for id in others))
        for each in subjects
    )


def categories(subject: ResultsGroup) -> Table:
    """One subject, category by category, and over all."""
    groups = {**by_category(subject.episodes), ALL: subject.episodes}
    table = Table(subject.label, ("category", *_GROUP_HEAD))
    return table.with_rows(itertools.starmap(_group_row, groups.items()), whole=ALL)


def levels(subject: ResultsGroup) -> Table:
    """One subject, level by level."""
    found = groups(subject.episodes).items()
    rows = [_group_row(name, episodes) for (kind, name), episodes in found if kind == "level"]
    return Table(subject.label, ("level", *_GROUP_HEAD)).with_rows(rows)


_RATES = ("success", "success.latched", "success.final")
_OTHERS = ("steps.success", "step_ratio.median", "spl")
_GROUP_HEAD = ("measured", *(METRICS[id].title for id in (*_RATES, *_OTHERS)))


def _group_row(name: str, episodes: Sequence[CountedEpisode]) -> tuple[str, ...]:
    measured = sum(each.measured for each in episodes)
    others = (value(id, episodes) for id in _OTHERS)
    return (name, f"{measured:,}/{len(episodes):,}", *_rates(episodes), *others)


def claims(subjects: Sequence[ResultsGroup]) -> Table:
    """Claim against truth."""
    table, others = METRICS["claims.table"], ("claims.precision", "claims.recall")
    parts = [estimate.part for estimate in table(())]
    head = ("subject", *parts, *(METRICS[id].title for id in others))
    return Table("", head).with_rows(
        (
            each.label,
            *(shown(estimate, table.unit) for estimate in table(each.episodes)),
            *(value(id, each.episodes) for id in others),
        )
        for each in subjects
    )


def designs(subjects: Sequence[ResultsGroup]) -> Table:
    """Cost-aware design: subjects whose tasks ask for an error at a cost; no row for others."""
    ids = ("science.r0", "science.rm", "science.p", "science.efficiency", "science.best")
    return _by_metric(ids, [s for s in subjects if any(each.designs for each in s.episodes)])


def thresholds(subjects: Sequence[ResultsGroup]) -> Table:
    """Threshold questions: subjects whose tasks ask some; no row for others."""
    ids = ("answers", "simulations", "violations", "transitions")
    asked = [s for s in subjects if any(each.thresholds for each in s.episodes)]
    return _by_metric([f"science.{id}" for id in ids], asked)


def _by_metric(ids: Sequence[str], subjects: Sequence[ResultsGroup]) -> Table:
    """A column for every part of some metrics, whose parts are always the same."""
    parts = [(METRICS[id], estimate.part) for id in ids for estimate in METRICS[id](())]
    head = ("subject", *(f"{metric.title} {part}".strip() for metric, part in parts))
    return Table("", head).with_rows(
        (
            each.label,
            *(
                shown(estimate, METRICS[id].unit)
                for id in ids
                for estimate in METRICS[id](each.episodes)
            ),
        )
        for each in subjects
    )


def verification(subjects: Sequence[ResultsGroup]) -> Table:
    """Scores of repeated runs, interventions and numeric answers, a subject a column."""
    there = [each for each in subjects if any(e.stopped is not None for e in each.episodes)]
    found = [_parts_of(_VERIFICATION, each.episodes) for each in there]
    rows = (
        (
            " ".join(filter(None, (METRICS[id].title, part))),
            *(
                with_bounds(each.get((id, part), MetricEstimate(None, 0)), METRICS[id].unit)
                for each in found
            ),
        )
        for id, part in dict.fromkeys(key for each in found for key in each)
        if any(each[id, part].value is not None for each in found if (id, part) in each)
    )
    return Table("", ("", *(each.label for each in there))).with_rows(rows)


def rejections(subjects: Sequence[ResultsGroup]) -> Table:
    """Refusals by reason, the most frequent first over all subjects."""
    return _by_part("commands.rejections", "reason", subjects, most=_MOST_REASONS)


def failures(subjects: Sequence[ResultsGroup]) -> Iterator[Table]:
    """Main failure modes, and all that fit."""
    for id in ("failures.main", "failures.any"):
        table = _by_part(id, "mode", subjects, in_order=True)
        explained = TableRow(("failures explained", *map(_of, subjects)), strong=True)
        yield table._replace(title=METRICS[id].title, rows=(*table.rows, explained))


def _of(subject: ResultsGroup) -> str:
    estimate = METRICS["failures.determined"].one(subject.episodes)
    return f"{round((estimate.value or 0) * estimate.n):,}/{estimate.n:,}"


def usage(subjects: Sequence[ResultsGroup]) -> Table:
    """Calls, tokens and cost per episode, for all roles and for each."""
    ids = ("calls", "calls.retries", "tokens.prompt", "tokens.completion", "tokens.total", "cost")
    whole = ("tokens.cached", "tokens.untold")
    rows = []
    for subject in subjects:
        if not any(each.usage for each in subject.episodes):
            continue
        per_role = {id: _parts(id, subject.episodes) for id in ids}
        for role in per_role["calls"]:
            cells = (
                shown(per_role[id].get(role, MetricEstimate(None, 0)), METRICS[id].unit)
                for id in ids
            )
            others = (value(id, subject.episodes) if role == ALL else "" for id in whole)
            rows.append(TableRow((subject.label, role, *cells, *others), strong=role == ALL))
    head = ("subject", "role", *(METRICS[id].title for id in (*ids, *whole)))
    return Table("", head, tuple(rows), texts=2)


def repeats(subjects: Sequence[ResultsGroup]) -> Table:
    """pass@k and pass^k; without rows where no scenario was played twice."""
    most = max((len(METRICS["pass@k"](each.episodes)) for each in subjects), default=0)
    if most < 2:
        return Table("", ())
    ks = sorted({1, 2, *(k for k in (3, 4, 8, 16, 32) if k <= most), most})
    rows = []
    for subject in subjects:
        for id in ("pass@k", "pass^k"):
            found = _parts(id, subject.episodes)
            cells = (
                with_bounds(found.get(f"k={k}", MetricEstimate(None, 0)), METRICS[id].unit)
                for k in ks
            )
            rows.append((subject.label, id, *cells))
    return Table("", ("subject", "", *(f"k={k}" for k in ks)), texts=2).with_rows(rows)


def definitions() -> Table:
    """Every metric with its formula and its denominator."""
    table = Table("", ("metric", "formula", "denominator", "what it says"), texts=4)
    return table.with_rows(
        (metric.id, metric.formula, metric.denominator, metric.doc.split("\n\n")[0])
        for metric in METRICS.values()
    )


# -- cells ---------------------------------------------------------------------------------------


def value(metric: str, episodes: Sequence[CountedEpisode]) -> str:
    """A metric with one number, as shown."""
    return shown(METRICS[metric].one(episodes), METRICS[metric].unit)


def _rates(episodes: Sequence[CountedEpisode]) -> Iterator[str]:
    for id in _RATES:
        yield with_bounds(METRICS[id].one(episodes), METRICS[id].unit)


def _parts(metric: str, episodes: Sequence[CountedEpisode]) -> dict[str, MetricEstimate]:
    return {estimate.part: estimate for estimate in METRICS[metric](episodes)}


def _parts_of(
    ids: Sequence[str], episodes: Sequence[CountedEpisode]
) -> dict[tuple[str, str], MetricEstimate]:
    return {(id, part): each for id in ids for part, each in _parts(id, episodes).items()}


def _by_part(
    metric: str,
    what: str,
    subjects: Sequence[ResultsGroup],
    *,
    most: int | None = None,
    in_order: bool = False,
) -> Table:
    """Parts in rows, those left out that never occur, and subjects in columns."""
    found = [_parts(metric, each.episodes) for each in subjects]
    parts = list(dict.fromkeys(part for each in found for part in each if each[part].value))
    if not in_order:
        parts.sort(key=lambda part: -sum((each[part].value or 0) for each in found if part in each))
    unit = METRICS[metric].unit
    rows = (
        (part, *(with_bounds(each[part], unit) if part in each else NOTHING for each in found))
        for part in parts[:most]
    )
    note = f"{len(parts) - most} more in CSV." if most and len(parts) > most else ""
    return Table("", (what, *(each.label for each in subjects)), note=note).with_rows(rows)
