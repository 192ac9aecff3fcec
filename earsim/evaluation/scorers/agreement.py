"""Agreement beyond chance of two raters (Cohen's kappa) and of several (Fleiss' kappa)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def cohen_kappa(pairs: Sequence[tuple[T, T]]) -> float | None:
    """Cohen's kappa (1960) of two raters: (observed - expected) / (1 - expected).

    Args:
        pairs: what both said of each item.

    Returns:
        None without items, or where chance alone would make them agree on all.
    """
    if not pairs:
        return None
    count = len(pairs)
    observed = sum(one == other for one, other in pairs) / count
    first, second = (Counter(column) for column in zip(*pairs, strict=True))
    expected = sum(first[each] * second[each] for each in first) / count**2
    return _beyond(observed, expected)


def fleiss_kappa(counts: Sequence[Counter[T]]) -> float | None:
    """Fleiss' kappa (1971) of equally many raters per item.

    Args:
        counts: of each item, how many raters said what.

    Returns:
        None for fewer than two raters, without items, or where all said the same.
    """
    raters = counts[0].total() if counts else 0
    if raters < 2:
        return None
    pairs = raters * (raters - 1)
    alike = sum(sum(n * (n - 1) for n in count.values()) / pairs for count in counts)
    totals = Counter[T]()
    for count in counts:
        totals.update(count)
    expected = sum((n / (raters * len(counts))) ** 2 for n in totals.values())
    return _beyond(alike / len(counts), expected)


def _beyond(observed: float, expected: float) -> float | None:
    """Kappa; None where everything is expected to agree, for then nothing can be shown."""
    return None if expected >= 1 else (observed - expected) / (1 - expected)
