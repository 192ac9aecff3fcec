"""Every two subjects compared scenario by scenario, by the tests of `earsim report --compare`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from earsim.errors import UsageError
from earsim.evaluation.metrics.comparison import (
    PairedComparison,
    compare,
    compare_by_category,
    unequal,
    warnings,
)
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.metrics.statistics import holm
from earsim.evaluation.report.comparison_tables import NOTE

MOST = 24
"""Subjects that are compared: every two of them are."""


def comparisons(subjects: Sequence[ResultsGroup]) -> dict[str, Any]:
    """All pairs that share a scenario, over everything and by category.

    P-values are also adjusted (Holm): of the pairs for all pairs, of the categories of one pair for
    its categories.

    Raises:
        UsageError: There are more subjects than `MOST`.
    """
    if len(subjects) > MOST:
        raise UsageError(
            f"{len(subjects)} subjects are too many to compare every two of them: "
            f"open runs of at most {MOST}"
        )
    found = [
        (a, b, whole)
        for (a, first), (b, second) in combinations(enumerate(subjects), 2)
        if (whole := compare(first.episodes, second.episodes)).pairs or whole.changed
    ]
    adjusted = _adjusted([whole for _, _, whole in found])
    return {
        "note": NOTE,
        "pairs": [
            {"first": a, "second": b, **_told(whole, p), **_parts(subjects[a], subjects[b])}
            for (a, b, whole), p in zip(found, adjusted, strict=True)
        ],
    }


def _parts(first: ResultsGroup, second: ResultsGroup) -> dict[str, Any]:
    parts = [
        (category, part)
        for category, part in compare_by_category(first.episodes, second.episodes)
        if part.pairs
    ]
    adjusted = _adjusted([part for _, part in parts])
    better, worse = unequal(first.episodes, second.episodes)
    versions = (first.version, second.version)
    return {
        "warnings": warnings(first.episodes, second.episodes, versions),
        "categories": [
            {"category": category, **_told(part, p)}
            for (category, part), p in zip(parts, adjusted, strict=True)
        ],
        "better_in": better,
        "worse_in": worse,
    }


def _adjusted(found: Sequence[PairedComparison]) -> list[float | None]:
    adjusted = iter(holm([each.p for each in found if each.p is not None]))
    return [None if each.p is None else next(adjusted) for each in found]


def _told(found: PairedComparison, holm_p: float | None) -> dict[str, Any]:
    return {
        "pairs": found.pairs,
        "rates": [found.first, found.second],
        "difference": found.difference,
        "interval": None if found.interval is None else list(found.interval),
        "better": found.better,
        "worse": found.worse,
        "p": found.p,
        "holm": holm_p,
        "test": found.test,
    }
