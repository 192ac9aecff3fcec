"""The plots of a census."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from earsim.datasets.statistics.suite_statistics import SuiteStatistics
from earsim.schema import Category
from earsim.tables.plots import drawn, plain, saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BARS = 14


def draw(folder: Path, suites: Sequence[SuiteStatistics]) -> tuple[Path, ...]:
    """Draw what there is to see; the files that were written.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    return saved(drawn(_PLOTS, suites), folder)


def _categories(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    found = [Counter(task.category.value for task in suite.tasks) for suite in suites]
    return _bars(axes, suites, found, "tasks, %", order=list(Category))


def _domains(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    return _bars(axes, suites, [suite.scenery.domains for suite in suites], "scenes, %")


def _materials(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    found = [suite.scenery.materials for suite in suites]
    return _bars(axes, suites, found, "things that tell a material, %")


def _tools(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    return _bars(axes, suites, [suite.scenery.abilities for suite in suites], "abilities, %")


def _objects(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    return _lines(axes, suites, [s.scenery.objects for s in suites], "objects", "scenes, %")


def _lengths(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    found = [[p.decisions for p in s.proved if p.decisions is not None] for s in suites]
    return _lines(axes, suites, found, "decisions of the plan", "plans, %")


def _difficulty(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    found = [Counter(task.band for task in suite.tasks if task.band) for suite in suites]
    return _bars(axes, suites, found, "tasks, %", order=("easy", "medium", "hard"))


def _labels(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
    found = [
        Counter(task.proved.label.value for task in suite.tasks if task.proved) for suite in suites
    ]
    return _bars(axes, suites, found, "certificates, %")


def _bars(
    axes: Axes,
    suites: Sequence[SuiteStatistics],
    found: Sequence[Counter[str]],
    unit: str,
    *,
    order: Sequence[str] = (),
) -> bool:
    """Shares of kinds, a bar per suite; suites that have none of it are left out."""
    shown = [(s, c) for s, c in zip(suites, found, strict=True) if c.total()]
    if not shown:
        return False
    shares = [{kind: 100 * n / c.total() for kind, n in c.items()} for _, c in shown]
    kinds = [str(k) for k in order] or _most_frequent(shares)
    thick = 0.8 / len(shown)
    for index, (suite, _) in enumerate(shown):
        places = [at + index * thick for at in range(len(kinds))]
        widths = [shares[index].get(kind, 0.0) for kind in kinds]
        axes.barh(places, widths, thick, label=plain(suite.name))
    middle = (len(shown) - 1) * thick / 2
    axes.set_yticks(
        [at + middle for at in range(len(kinds))], [plain(k) for k in map(_said, kinds)]
    )
    axes.invert_yaxis()
    axes.set_xlabel(unit)
    axes.legend(frameon=False)
    return True


def _most_frequent(shares: Sequence[dict[str, float]]) -> list[str]:
    kinds = dict.fromkeys(kind for each in shares for kind in each)
    weight = {kind: sum(each.get(kind, 0.0) for each in shares) for kind in kinds}
    return sorted(kinds, key=lambda kind: (-weight[kind], kind))[:_MOST_BARS]


def _lines(
    axes: Axes,
    suites: Sequence[SuiteStatistics],
    found: Sequence[Sequence[int]],
    what: str,
    unit: str,
) -> bool:
    """Shares of numbers, a line per suite; suites that have none are left out."""
    if not any(map(len, found)):
        return False
    for suite, numbers in zip(suites, found, strict=True):
        if numbers:
            counts = Counter(numbers)
            span = range(min(numbers), max(numbers) + 1)
            heights = [100 * counts[number] / len(numbers) for number in span]
            axes.step(list(span), heights, where="mid", label=plain(suite.name))
    axes.set(xlabel=what, ylabel=unit)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return True


def _said(name: str) -> str:
    return name.replace("_", " ")


_PLOTS = (
    ("categories", "Tasks by category", _categories),
    ("domains", "Scenes by domain", _domains),
    ("objects", "Objects of a scene", _objects),
    ("materials", "Things by material", _materials),
    ("tools", "Tools by what they are good for", _tools),
    ("difficulty", "Tasks by difficulty", _difficulty),
    ("lengths", "Decisions of the plans", _lengths),
    ("labels", "What certificates say of labels", _labels),
)
