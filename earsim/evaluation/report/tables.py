"""Tables of a report: subjects in rows, metrics in columns, and for each subject its groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.measurement import by_category, groups
from earsim.evaluation.metrics.metric import MetricEstimate
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.report.numbers import NOTHING, shown, with_bounds
from earsim.tables.document import ALL, Table, TableRow

_MOST_REASONS = 12


def overview(subjects: Sequence[ResultsGroup]) -> Table:
    """What is measured: who, on what, under which rules, by which version, and how much of it."""
    head = ("subject", "run", "suite", "rules", "earsim", "episodes", "measured")
    rows = [
        TableRow(
            (
                each.label,
                each.run,
                ", ".join(each.played_on) or NOTHING,
                ", ".join(each.rulesets) or NOTHING,
                each.version,
                f"{len(each.episodes):,}",
                value("coverage", each.episodes),
            )
        )
        for each in subjects
    ]
    return Table("", head, tuple(rows), texts=5)


def summary(subjects: Sequence[ResultsGroup]) -> Table:
    """The numbers that everybody asks for first."""
    return _compared(
        "",
        subjects,
        ("success", "success.latched", "success.final"),
        ("coverage", "steps.success", "step_ratio.median", "commands.accepted", "claims.precision"),
    )


def categories(subject: ResultsGroup) -> Table:
    """One subject, category by category, and over all."""
    rows = [_group_row(name, episodes) for name, episodes in by_category(subject.episodes).items()]
    whole = _group_row(ALL, subject.episodes)._replace(strong=True)
    return Table(subject.label, ("category", *_GROUP_HEAD), (*rows, whole))


def levels(subject: ResultsGroup) -> Table:
    """One subject, level by level."""
    found = groups(subject.episodes).items()
    rows = [_group_row(name, episodes) for (kind, name), episodes in found if kind == "level"]
    return Table(subject.label, ("level", *_GROUP_HEAD), tuple(rows))


_RATES = ("success", "success.latched", "success.final")
_OTHERS = ("steps.success", "step_ratio.median")
_GROUP_HEAD = ("measured", *(METRICS[id].title for id in (*_RATES, *_OTHERS)))


def _group_row(name: str, episodes: Sequence[CountedEpisode]) -> TableRow:
    rates = (with_bounds(METRICS[id].one(episodes), METRICS[id].unit) for id in _RATES)
    measured = sum(each.measured for each in episodes)
    others = (value(id, episodes) for id in _OTHERS)
    return TableRow((name, f"{measured:,}/{len(episodes):,}", *rates, *others))


def claims(subjects: Sequence[ResultsGroup]) -> Table:
    """Claim against truth."""
    rows = [
        TableRow(
            (
                each.label,
                *(_part(estimate) for estimate in METRICS["claims.table"](each.episodes)),
                *(value(f"claims.{id}", each.episodes) for id in ("precision", "recall")),
            )
        )
        for each in subjects
    ]
    parts = [estimate.part for estimate in METRICS["claims.table"](())]
    head = ("subject", *parts, *(METRICS[f"claims.{id}"].title for id in ("precision", "recall")))
    return Table("", head, tuple(rows))


def rejections(subjects: Sequence[ResultsGroup]) -> Table:
    """Refusals by reason, the most frequent first over all subjects."""
    return _by_part("commands.rejections", "reason", subjects, most=_MOST_REASONS)


def failures(subjects: Sequence[ResultsGroup]) -> Iterator[Table]:
    """Main failure modes, and all that fit."""
    for id in ("failures.main", "failures.any"):
        table = _by_part(id, "mode", subjects, in_order=True)
        explained = (
            TableRow(
                ("failures explained", *(_of(each) for each in subjects)),
                strong=True,
            ),
        )
        yield table._replace(title=METRICS[id].title, rows=(*table.rows, *explained))


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


def repeats(subjects: Sequence[ResultsGroup]) -> Table | None:
    """pass@k and pass^k; None where no scenario was played twice."""
    most = max((len(METRICS["pass@k"](each.episodes)) for each in subjects), default=0)
    if most < 2:
        return None
    ks = sorted({1, 2, *(k for k in (4, 8, 16, 32) if k <= most), most})
    rows = []
    for subject in subjects:
        for id in ("pass@k", "pass^k"):
            found = _parts(id, subject.episodes)
            cells = (
                with_bounds(found.get(f"k={k}", MetricEstimate(None, 0)), METRICS[id].unit)
                for k in ks
            )
            rows.append(TableRow((subject.label, id, *cells)))
    return Table("", ("subject", "", *(f"k={k}" for k in ks)), tuple(rows), texts=2)


def definitions() -> Table:
    """Every metric with its formula and its denominator."""
    rows = [
        TableRow((metric.id, metric.formula, metric.denominator, metric.doc.split("\n\n")[0]))
        for metric in METRICS.values()
    ]
    return Table("", ("metric", "formula", "denominator", "what it says"), tuple(rows), texts=4)


# -- cells ---------------------------------------------------------------------------------------


def value(metric: str, episodes: Sequence[CountedEpisode]) -> str:
    """A metric with one number, as shown."""
    return shown(METRICS[metric].one(episodes), METRICS[metric].unit)


def _part(estimate: MetricEstimate) -> str:
    return shown(estimate, METRICS["claims.table"].unit)


def _parts(metric: str, episodes: Sequence[CountedEpisode]) -> dict[str, MetricEstimate]:
    return {estimate.part: estimate for estimate in METRICS[metric](episodes)}


def _compared(
    title: str, subjects: Sequence[ResultsGroup], with_interval: Sequence[str], plain: Sequence[str]
) -> Table:
    rows = []
    for subject in subjects:
        cells = [
            with_bounds(METRICS[id].one(subject.episodes), METRICS[id].unit) for id in with_interval
        ]
        cells += [value(id, subject.episodes) for id in plain]
        rows.append(TableRow((subject.label, *cells)))
    head = ("subject", *(METRICS[id].title for id in (*with_interval, *plain)))
    return Table(title, head, tuple(rows))


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
    rows = [
        TableRow(
            (
                part,
                *(
                    with_bounds(each[part], METRICS[metric].unit) if part in each else NOTHING
                    for each in found
                ),
            )
        )
        for part in parts[:most]
    ]
    note = f"{len(parts) - most} more in CSV." if most and len(parts) > most else ""
    return Table("", (what, *(each.label for each in subjects)), tuple(rows), note=note)
