"""Tables of scientific workflow tasks: by family, by domain, the joint score, votes on ideas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.measurement import by_workflow
from earsim.evaluation.metrics.metric import MetricEstimate
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.report import workflow_details
from earsim.evaluation.report.numbers import NOTHING, shown, with_bounds
from earsim.schema.workflow import IdeaDimension, WorkflowFamily
from earsim.tables.document import Table

_OF_FAMILY: Mapping[WorkflowFamily, tuple[tuple[str, str], ...]] = {
    WorkflowFamily.DEEP_RESEARCH: (("science.em", ""), ("science.sla", "")),
    WorkflowFamily.IDEA: tuple(("science.idea", dimension.value) for dimension in IdeaDimension),
    WorkflowFamily.DRY_EXPERIMENT: (
        *(("science.pass_all", f"k={k}") for k in (1, 3, 5)),
        ("science.ser", ""),
        ("science.aet", ""),
    ),
    WorkflowFamily.WET_EXPERIMENT: (("science.ss", ""), ("science.pa", "")),
    WorkflowFamily.FIGURE: (("science.mca", ""), ("science.rv", "")),
}
"""Metrics, and parts of them, that a family is reported by."""

_NAMES = tuple(family.replace("_", " ") for family in WorkflowFamily)


def all_tables(subjects: Sequence[ResultsGroup]) -> tuple[Table, ...]:
    """Those of these tables that have a row."""
    found = (
        joint(subjects), *families(subjects), domains(subjects), votes(subjects),
        workflow_details.ideas(subjects), workflow_details.protocols(subjects),
    )  # fmt: skip
    return tuple(table for table in found if table.rows)


def families(subjects: Sequence[ResultsGroup]) -> Iterator[Table]:
    """One table per family that was played: subjects in rows, the family's metrics in columns."""
    for family, metrics in _OF_FAMILY.items():
        head = ("subject", "measured", "success", *(_title(*metric) for metric in metrics))
        rows = []
        for subject in subjects:
            episodes = by_workflow(subject.episodes, "family").get(family.value)
            if episodes:
                cells = (_cell(*metric, episodes) for metric in metrics)
                rows.append((subject.label, *_counts(episodes), *cells))
        if rows:
            yield Table(family.value.replace("_", " "), head).with_rows(rows)


def domains(subjects: Sequence[ResultsGroup]) -> Table:
    """The number that each family counts by, domain by domain."""
    head = (
        "subject",
        "domain",
        "measured",
        "success",
        *_NAMES,
    )
    rows = []
    for subject in subjects:
        for domain, episodes in by_workflow(subject.episodes, "domain").items():
            parts = _families_of(episodes)
            unit = METRICS["science.sgi"].unit
            cells = (with_bounds(parts[family.value], unit) for family in WorkflowFamily)
            rows.append((subject.label, domain, *_counts(episodes), *cells))
    return Table("By domain", head, texts=2).with_rows(rows)


def joint(subjects: Sequence[ResultsGroup]) -> Table:
    """SGI-Score, the number of each family, and which families it lacks."""
    head = ("subject", "SGI-Score", *_NAMES, "missing")
    rows = []
    unit = METRICS["science.sgi"].unit
    for subject in subjects:
        if any(each.workflow for each in subject.episodes):
            parts = _families_of(subject.episodes)
            missing = [f.replace("_", " ") for f in WorkflowFamily if parts[f.value].value is None]
            score = with_bounds(parts["score"], unit) if not missing else "none"
            cells = (shown(parts[family.value], unit) for family in WorkflowFamily)
            rows.append((subject.label, score, *cells, ", ".join(missing) or NOTHING))
    note = (
        "Mean of the five families: EM, the mean of the dimensions of ideas, PassAll@5, the mean "
        "of SS and PA, MCA. It is never averaged over fewer: while a family is missing there is "
        "no score. Ideas count once judges have voted."
    )
    return Table("", head, note=note).with_rows(rows)


def votes(subjects: Sequence[ResultsGroup]) -> Table:
    """How far judges agree, and how many of their votes cannot be read."""
    agreed, lost = METRICS["science.kappa"], METRICS["science.unreadable"]
    head = ("subject", "judges", "Fleiss' kappa", "on", "votes", "unreadable", "of whom")
    rows = []
    for subject in subjects:
        judges = sorted({v.judge for e in subject.episodes for vs in e.votes.values() for v in vs})
        if not judges:
            continue
        whole, *each = lost(subject.episodes)
        kappa = agreed.one(subject.episodes)
        bad = [f"{e.part}: {shown(e, lost.unit)}" for e in each if e.value]
        rows.append(
            (subject.label, ", ".join(judges), shown(kappa, agreed.unit), f"{kappa.n:,}",
             f"{whole.n:,}", shown(whole, lost.unit), ", ".join(bad) or NOTHING)
        )  # fmt: skip
    note = (
        "A vote is a judge's answer in both orders of the two texts. One that cannot be read in "
        "an order does not count."
    )
    return Table("Votes on ideas", head, texts=2, note=note).with_rows(rows)


def _families_of(episodes: Sequence[CountedEpisode]) -> dict[str, MetricEstimate]:
    return {estimate.part: estimate for estimate in METRICS["science.sgi"](episodes)}


def _counts(episodes: Sequence[CountedEpisode]) -> tuple[str, str]:
    measured = sum(each.measured for each in episodes)
    success = METRICS["success"]
    return f"{measured:,}/{len(episodes):,}", with_bounds(success.one(episodes), success.unit)


def _title(metric: str, part: str) -> str:
    title = METRICS[metric].title
    return part if metric == "science.idea" else title.replace("@k", f"@{part[2:]}")


def _cell(metric: str, part: str, episodes: Sequence[CountedEpisode]) -> str:
    found = {estimate.part: estimate for estimate in METRICS[metric](episodes)}
    return with_bounds(found[part], METRICS[metric].unit)
