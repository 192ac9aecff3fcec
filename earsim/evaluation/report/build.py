"""A whole report from the folders of runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from earsim.errors import MissingExtra
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.report import annotation_tables, links, paper_tables, tables, workflow_tables
from earsim.evaluation.report.comparison_tables import (
    category_tables,
    compared,
    comparison_table,
    comparison_warnings,
)
from earsim.evaluation.report.plots import pictures
from earsim.tables.document import Picture, Report, Section, Table

INTERVALS = (
    "Intervals are 95 %: Wilson for rates, Newcombe for differences of rates in pairs, bootstrap "
    "over scenarios for everything else. Repeats of a scenario are no independent trials and do "
    "not count as such. Rates count every episode that was planned."
)


def report(
    subjects: Sequence[ResultsGroup], *, compare: bool = False, plots: Sequence[Picture] = ()
) -> Report:
    """Everything that is known about some subjects: what to read in a minute, then details.

    Args:
        subjects: at least one.
        compare: add every two subjects, scenario by scenario.
        plots: as `drawn` has made them.
    """
    pairs = compared(subjects) if compare else []
    refused = tables.rejections(subjects)
    lead = [
        Section("Summary", (links.by_subject(tables.summary(subjects), 1),), text=INTERVALS),
        Section("Compared", (comparison_table(pairs),)),
        Section("At a glance", pictures=tuple(plots)),
    ]
    details = [
        Section("What was measured", (links.by_subject(tables.overview(subjects)),)),
        Section("Compared by category", tuple(category_tables(pairs))),
        Section("By category", tuple(_categories(subjects))),
        Section("By level", tuple(map(tables.levels, subjects))),
        Section("In the layout of the paper's Table 1", tuple(paper_tables.table_1(subjects))),
        Section("In the layout of the paper's Table 2", tuple(paper_tables.table_2(subjects))),
        Section("Relative step ratio", (paper_tables.step_ratios(subjects),)),
        Section("Designs and their cost", (tables.designs(subjects),)),
        Section("Scientific workflow tasks", workflow_tables.all_tables(subjects)),
        Section("Verification at apparatus", (tables.verification(subjects),)),
        Section("Thresholds", (tables.thresholds(subjects),)),
        Section("Claims", (tables.claims(subjects),)),
        Section("Refused commands", (links.across_subjects(refused, "reason"),)),
        Section("Why episodes failed", tuple(_failures(subjects))),
        Section("Annotations", annotation_tables.all_tables(subjects)),
        Section("Tokens and cost per episode", (tables.usage(subjects),)),
        Section("Repeats", (tables.repeats(subjects),)),
        Section("Definitions", (tables.definitions(),)),
    ]
    sections = (*lead, *(each._replace(folded=True) for each in details))
    shown = tuple(s for s in sections if s.pictures or any(table.rows for table in s.tables))
    found = (*warnings(subjects), *comparison_warnings(pairs))
    return Report("Evaluation report", shown, tuple(found))


def _categories(subjects: Sequence[ResultsGroup]) -> Iterator[Table]:
    for k, subject in enumerate(subjects):
        yield links.of_subject(tables.categories(subject), k)


def _failures(subjects: Sequence[ResultsGroup]) -> Iterator[Table]:
    for table, key in zip(tables.failures(subjects), ("mode", "also"), strict=True):
        yield links.across_subjects(table, key)


def drawn(subjects: Sequence[ResultsGroup]) -> tuple[Picture, ...] | None:
    """The plots; None where matplotlib is not installed."""
    try:
        return tuple(pictures(subjects))
    except MissingExtra:
        return None


def warnings(subjects: Sequence[ResultsGroup]) -> Iterator[str]:
    """What stands against reading the rows of one table together."""
    rules = dict.fromkeys(name for each in subjects for name in each.rulesets)
    versions = dict.fromkeys(each.version for each in subjects)
    if len(rules) > 1:
        yield f"the rules differ ({', '.join(rules)}): numbers under them are not comparable"
    if len(versions) > 1:
        yield f"the versions of earsim differ ({', '.join(versions)}): compare with care"
    for each in subjects:
        lost = sum(not episode.measured for episode in each.episodes)
        if lost:
            yield f"{each.label}: {lost:,} of {len(each.episodes):,} episodes were not measured"
