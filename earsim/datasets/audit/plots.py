"""The plots of an audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.loads import Fit
from earsim.datasets.audit.report import histogram
from earsim.datasets.audit.tables import grouped
from earsim.tables.document import ALL
from earsim.tables.plots import drawn, saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(folder: Path, entries: Sequence[AuditEntry]) -> tuple[Path, ...]:
    """Draw what there is to see; the files that were written.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    return saved(drawn(_PLOTS, entries), folder)


def _lengths(axes: Axes, entries: Sequence[AuditEntry]) -> bool:
    """How many decisions the plans take, categories on top of each other."""
    found = histogram(entries)
    longest = max((max(counts) for counts in found.values()), default=0)
    below = [0] * (longest + 1)
    for category, counts in found.items():
        heights = [counts.get(length, 0) for length in range(longest + 1)]
        axes.bar(range(longest + 1), heights, bottom=below, label=category.replace("_", " "))
        below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.set(xlabel="decisions of the plan", ylabel="scenarios")
    if found:
        axes.legend(frameon=False)
    return bool(found)


def _loads(axes: Axes, entries: Sequence[AuditEntry]) -> bool:
    """Masses to be moved against the limits of those who are to move them."""
    found = [each.load for each in entries if each.load is not None and each.load.mass_kg > 0]
    for fit in Fit:
        loads = [load for load in found if load.fit is fit]
        masses, limits = [load.mass_kg for load in loads], [load.strongest_kg for load in loads]
        axes.scatter(limits, masses, s=9, alpha=0.6, label=f"{fit.value} ({len(loads):,})")
    axes.set(xscale="log", yscale="log", xlabel="limit of the strongest agent, kg")
    axes.set_ylabel("heaviest thing to be moved, kg")
    axes.legend(frameon=False)
    return bool(found)


def _exploits(axes: Axes, entries: Sequence[AuditEntry]) -> bool:
    """Decisions as told against decisions by any command."""
    both = Counter(
        (len(each.solution.plan), len(each.any_command.plan))
        for each in entries
        if each.is_solvable and each.solution is not None
        if each.any_command is not None and each.any_command.found == "plan"
    )
    for (told, best), count in both.items():
        axes.scatter([told], [best], s=12 * count**0.5, color="C0", alpha=0.7)
    longest = max((told for told, _ in both), default=0)
    axes.plot([0, longest], [0, longest], color="0.7", linewidth=1)
    axes.set(xlabel="decisions as agents are told", ylabel="decisions by any command")
    return bool(both)


def _solving(axes: Axes, entries: Sequence[AuditEntry]) -> bool:
    """The share of scenarios that can be solved, by category."""
    groups = {name: group for name, group in grouped(entries).items() if name != ALL}
    names = [name.replace("_", " ") for name in groups]
    shares = [100 * sum(e.is_solvable for e in group) / len(group) for group in groups.values()]
    axes.barh(names[::-1], shares[::-1])
    axes.set(xlabel="solvable, % of scenarios", xlim=(0, 100))
    return bool(groups)


_PLOTS = (
    ("solving", "Solvable scenarios by category", _solving),
    ("lengths", "Decisions of the plans", _lengths),
    ("loads", "Masses to be moved against limits", _loads),
    ("exploits", "Decisions as told against decisions by any command", _exploits),
)
