"""Labels that people gave to episodes, and how far two annotators agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from earsim.evaluation.annotations import Annotation, agreement_on_labels, load_annotations
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.tables.document import Table, share

_NOTE = (
    "Over the episodes that both have annotated; an episode has a label where it or one of its "
    "decisions has. No kappa where chance alone would make two agree on all of them."
)


def all_tables(subjects: Sequence[ResultsGroup]) -> tuple[Table, ...]:
    """Episodes by label, and agreement; without rows where nobody has annotated anything."""
    runs = {name: load_annotations(Path(name)) for name in dict.fromkeys(s.run for s in subjects)}
    return labels(subjects, runs), agreement(runs.values())


def labels(subjects: Sequence[ResultsGroup], runs: dict[str, tuple[Annotation, ...]]) -> Table:
    """Labels in rows, subjects in columns: episodes that anybody gave the label."""
    found = [dict(_episodes_by_label(each, runs[each.run])) for each in subjects]
    names = sorted({label for each in found for label in each})
    return Table("Episodes by label", ("label", *(each.label for each in subjects))).with_rows(
        (name, *(len(each.get(name, ())) for each in found)) for name in names
    )


def _episodes_by_label(
    subject: ResultsGroup, annotations: Iterable[Annotation]
) -> Iterator[tuple[str, set[str]]]:
    ids = {each.id for each in subject.episodes}
    found: dict[str, set[str]] = {}
    for each in annotations:
        for label in each.labels if each.episode in ids else ():
            found.setdefault(label, set()).add(each.episode)
    yield from found.items()


def agreement(runs: Iterable[Iterable[Annotation]]) -> Table:
    """Every two annotators on each of their labels."""
    head = ("label", "first", "second", "episodes", "both", "only first", "only second", "neither")
    table = Table("Agreement of annotators", (*head, "agree", "Cohen's kappa"), texts=3, note=_NOTE)
    return table.with_rows(
        (
            each.label,
            *each.annotators,
            each.episodes,
            each.both,
            each.first,
            each.second,
            each.neither,
            share(each.both + each.neither, each.episodes),
            None if each.kappa is None else f"{each.kappa:.3f}",
        )
        for each in agreement_on_labels(runs)
    )
