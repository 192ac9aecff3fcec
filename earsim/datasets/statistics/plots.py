"""The plots of a census."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from earsim.datasets.statistics.suite_statistics import SuiteStatistics
from earsim.schema import Category
from earsim.tables.plots import drawn, plain, saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Plot: TypeAlias = "Callable[[Axes, Sequence[SuiteStatistics]], bool]"

_MOST_BARS = 14


def draw(folder: Path, suites: Sequence[SuiteStatistics]) -> tuple[Path, ...]:
    """Draw what there is to see; the files that were written.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    return saved(drawn(_PLOTS, suites), folder)


def _bars(
    counted: Callable[[SuiteStatistics], Counter[str]], unit: str, order: Sequence[str] = ()
) -> Plot:
    """Shares of kinds, a bar per suite; suites that have none of it are left out."""

    def draw_bars(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
        shown = [(suite, c) for suite in suites if (c := counted(suite)).total()]
        if not shown:
            return False
        shares = [{kind: 100 * n / c.total() for kind, n in c.items()} for _, c in shown]
        kinds = [str(k) for k in order] or _most_frequent(shares)
        thick = 0.8 / len(shown)
        for index, (suite, _) in enumerate(shown):
            places = [at + index * thick for at in range(len(kinds))]
            widths = [shares[index].get(kind, 0.0) for kind in kinds]
            axes.barh(places, widths, thick, label=plain(suite.name))
        middles = [at + (len(shown) - 1) * thick / 2 for at in range(len(kinds))]
        axes.set_yticks(middles, [plain(kind.replace("_", " ")) for kind in kinds])
        axes.invert_yaxis()
        axes.set_xlabel(unit)
        axes.legend(frameon=False)
        return True

    return draw_bars


def _most_frequent(shares: Sequence[dict[str, float]]) -> list[str]:
    kinds = dict.fromkeys(kind for each in shares for kind in each)
    weight = {kind: sum(each.get(kind, 0.0) for each in shares) for kind in kinds}
    return sorted(kinds, key=lambda kind: (-weight[kind], kind))[:_MOST_BARS]


def _lines(numbers_of: Callable[[SuiteStatistics], Sequence[int]], what: str, unit: str) -> Plot:
    """Shares of numbers, a line per suite; suites that have none are left out."""

    def draw_lines(axes: Axes, suites: Sequence[SuiteStatistics]) -> bool:
        shown = [(suite, numbers) for suite in suites if (numbers := numbers_of(suite))]
        for suite, numbers in shown:
            counts = Counter(numbers)
            span = range(min(numbers), max(numbers) + 1)
            heights = [100 * counts[number] / len(numbers) for number in span]
            axes.step(list(span), heights, where="mid", label=plain(suite.name))
        axes.set(xlabel=what, ylabel=unit)
        axes.set_ylim(bottom=0)
        if shown:
            axes.legend(frameon=False)
        return bool(shown)

    return draw_lines


def _categories(suite: SuiteStatistics) -> Counter[str]:
    return Counter(task.category.value for task in suite.tasks)


def _bands(suite: SuiteStatistics) -> Counter[str]:
    return Counter(task.band for task in suite.tasks if task.band)


def _labels(suite: SuiteStatistics) -> Counter[str]:
    return Counter(proved.label.value for proved in suite.proved)


_PLOTS = (
    ("categories", "Tasks by category", _bars(_categories, "tasks, %", order=list(Category))),
    ("domains", "Scenes by domain", _bars(lambda suite: suite.scenery.domains, "scenes, %")),
    (
        "objects",
        "Objects of a scene",
        _lines(lambda suite: suite.scenery.objects, "objects", "scenes, %"),
    ),
    (
        "materials",
        "Things by material",
        _bars(lambda suite: suite.scenery.materials, "things that tell a material, %"),
    ),
    ("tools", "Tools by ability", _bars(lambda suite: suite.scenery.abilities, "abilities, %")),
    (
        "difficulty",
        "Tasks by difficulty",
        _bars(_bands, "tasks, %", order=("easy", "medium", "hard")),
    ),
    (
        "lengths",
        "Decisions of the plans",
        _lines(SuiteStatistics.decisions, "decisions of the plan", "plans, %"),
    ),
    ("labels", "What certificates say of labels", _bars(_labels, "certificates, %")),
)
