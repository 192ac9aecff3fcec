"""Every metric over every group of a subject's episodes: the tidy form that files hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Literal, NamedTuple

from earsim.evaluation import summary
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.schema.workflow import ScientificDomain, WorkflowFamily
from earsim.tables.document import ALL


class Measurement(NamedTuple):
    """One number of one subject, with all that is needed to read it alone.

    Attributes:
        source: `measured`, or `published` for what is quoted.
        group: what the episodes have in common: `all`, `category`, `level`, `suite`, `family` or
            `domain`.
        value_of: which one of the group.
        part: which of several numbers of the metric.
        n: the metric's denominator.
    """

    source: str
    subject: str
    run: str
    version: str
    ruleset: str
    group: str
    value_of: str
    metric: str
    part: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    unit: str


def measurements(subjects: Sequence[ResultsGroup]) -> Iterator[Measurement]:
    """Every metric of every subject, over all episodes and each group of them."""
    for subject in subjects:
        for (group, name), episodes in groups(subject.episodes).items():
            for metric in METRICS.values():
                for estimate in metric(episodes):
                    yield _measurement(subject, group, name, metric, estimate)


def groups(
    episodes: Sequence[CountedEpisode],
) -> Mapping[tuple[str, str], Sequence[CountedEpisode]]:
    """The episodes by what they have in common, whole first."""
    found: dict[tuple[str, str], list[CountedEpisode]] = {(ALL, ALL): list(episodes)}
    for name, each in by_category(episodes).items():
        found["category", name] = list(each)
    for key in ("level", "suite"):
        for name in sorted({getattr(each, key) for each in episodes}):
            found[key, name] = [each for each in episodes if getattr(each, key) == name]
    found |= {("family", name): list(g) for name, g in by_workflow(episodes, "family").items()}
    found |= {("domain", name): list(g) for name, g in by_workflow(episodes, "domain").items()}
    return found


def by_workflow(
    episodes: Sequence[CountedEpisode], key: Literal["family", "domain"]
) -> Mapping[str, Sequence[CountedEpisode]]:
    """The episodes of scientific workflow tasks by family or domain, in the order of the schema."""
    order = WorkflowFamily if key == "family" else ScientificDomain
    found: dict[str, list[CountedEpisode]] = {each.value: [] for each in order}
    for each in episodes:
        if each.workflow is not None:
            found.setdefault(getattr(each.workflow, key), []).append(each)
    return {name: group for name, group in found.items() if group}


def by_category(episodes: Sequence[CountedEpisode]) -> Mapping[str, Sequence[CountedEpisode]]:
    """The episodes of each category that occurs, in the order of `Category`."""
    return summary.by_category(episodes, attrgetter("category"))


def _measurement(
    subject: ResultsGroup, group: str, name: str, metric: Metric, estimate: MetricEstimate
) -> Measurement:
    return Measurement(
        source="measured",
        subject=subject.label,
        run=subject.run,
        version=subject.version,
        ruleset=" ".join(subject.rulesets),
        group=group,
        value_of=name,
        metric=metric.id,
        part=estimate.part,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n,
        unit=metric.unit.value,
    )
