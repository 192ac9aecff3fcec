"""Every two subjects compared scenario by scenario, by the tests of `earsim report --compare`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from earsim.evaluation.metrics.comparison import (
    PairedComparison,
    compare,
    compare_by_category,
    compare_by_team,
    unequal,
    warnings,
)
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.metrics.statistics import holm
from earsim.evaluation.report.comparison_tables import NOTE


def comparisons(subjects: Sequence[ResultsGroup]) -> dict[str, Any]:
    """All pairs that share a scenario, over everything; p-values also adjusted for all (Holm)."""
    found = [
        (a, b, whole)
        for (a, first), (b, second) in combinations(enumerate(subjects), 2)
        if (whole := compare(first.episodes, second.episodes)).pairs or whole.changed
    ]
    adjusted = _adjusted([whole for _, _, whole in found])
    return {
        "note": NOTE,
        "pairs": [
            {"first": a, "second": b, **_told(whole, p)}
            for (a, b, whole), p in zip(found, adjusted, strict=True)
        ],
    }


def comparison(first: ResultsGroup, second: ResultsGroup) -> dict[str, Any]:
    """One pair by team and by category, p-values also adjusted in either, and where they differ."""
    better, worse = unequal(first.episodes, second.episodes)
    versions = (first.version, second.version)
    return {
        "warnings": warnings(first.episodes, second.episodes, versions),
        "teams": _parts("team", compare_by_team(first.episodes, second.episodes)),
        "categories": _parts("category", compare_by_category(first.episodes, second.episodes)),
        "better_in": better,
        "worse_in": worse,
    }


def _parts(key: str, found: Iterable[tuple[str, PairedComparison]]) -> list[dict[str, Any]]:
    parts = [(name, part) for name, part in found if part.pairs]
    adjusted = _adjusted([part for _, part in parts])
    return [{key: name, **_told(part, p)} for (name, part), p in zip(parts, adjusted, strict=True)]


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
