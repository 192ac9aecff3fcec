"""The plots of a report."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.measurement import by_category
from earsim.evaluation.metrics.metric import MetricEstimate
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.tables.document import Cell, Picture, Table
from earsim.tables.plots import drawn, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pictures(subjects: Sequence[ResultsGroup]) -> Iterator[Picture]:
    """Every plot that these subjects have numbers for.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    return drawn(
        (
            ("success", "Success rate by category with 95 % intervals", _draw_success),
            ("step-ratio", "Distribution of the step ratio", _draw_ratios),
            ("tokens", "Success rate against tokens per episode", _draw_tokens),
            ("failures", "Main failure modes", _draw_failures),
        ),
        subjects,
    )


def _draw_success(axes: Axes, subjects: Sequence[ResultsGroup]) -> Table:
    names = list(dict.fromkeys(name for each in subjects for name in by_category(each.episodes)))
    width = 0.8 / len(subjects)
    for index, subject in enumerate(subjects):
        groups = by_category(subject.episodes)
        shown = [
            (at, METRICS["success"].one(groups[n])) for at, n in enumerate(names) if n in groups
        ]
        places = [at + (index - (len(subjects) - 1) / 2) * width for at, _ in shown]
        heights = [100 * (estimate.value or 0) for _, estimate in shown]
        axes.bar(places, heights, width, label=_name(subject), yerr=_bars(shown), capsize=2)
    axes.set_xticks(range(len(names)), [n.replace("_", "\n") for n in map(plain, names)])
    axes.set_ylim(0, 100)
    axes.set_ylabel("success, %")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, fontsize="small")
    return Table("", ("subject", "category", *_RATE), texts=2).with_rows(
        (subject.label, name, *_rate(METRICS["success"].one(episodes)))
        for subject in subjects
        for name, episodes in by_category(subject.episodes).items()
    )


_RATE = ("success, %", "low", "high", "episodes")


def _rate(found: MetricEstimate) -> tuple[Cell, ...]:
    """A rate in percent with the ends of its interval, and of how many."""
    shares = (found.value, found.low, found.high)
    return (*(None if each is None else 100 * each for each in shares), found.n)


def _bars(shown: Sequence[tuple[int, MetricEstimate]]) -> list[list[float]]:
    """Lengths of the error bars below and above."""
    below = [100 * max(0, (e.value or 0) - (e.low or 0)) for _, e in shown]
    above = [100 * max(0, (e.high or 0) - (e.value or 0)) for _, e in shown]
    return [below, above]


def _draw_ratios(axes: Axes, subjects: Sequence[ResultsGroup]) -> Table | None:
    ratios = [(each, _ratios(each.episodes)) for each in subjects]
    shown = [(subject, values) for subject, values in ratios if values]
    if not shown:
        return None
    axes.boxplot(
        [values for _, values in shown], showmeans=True, whis=(5, 95), **_lying(axes.boxplot)
    )
    axes.set_yticks(range(1, len(shown) + 1), [_name(subject) for subject, _ in shown])
    axes.axvline(1, linestyle=":", color="gray")
    axes.set_xlabel("L_plan / L_run on successes (box: quartiles, whiskers: 5 to 95 %)")
    return Table("", ("subject", "scenario", "L_plan / L_run"), texts=2).with_rows(
        (subject.label, each.scenario_id, f"{each.step_ratio:.4f}")
        for subject in subjects
        for each in subject.episodes
        if each.step_ratio is not None
    )


def _lying(boxplot: Callable[..., Any]) -> dict[str, Any]:
    """Boxes that lie: matplotlib 3.10 has another word for it than those before."""
    is_new = "orientation" in inspect.signature(boxplot).parameters
    return {"orientation": "horizontal"} if is_new else {"vert": False}


def _ratios(episodes: Sequence[CountedEpisode]) -> list[float]:
    return [each.step_ratio for each in episodes if each.step_ratio is not None]


def _draw_tokens(axes: Axes, subjects: Sequence[ResultsGroup]) -> Table | None:
    if not any(each.usage for subject in subjects for each in subject.episodes):
        return None
    rows: list[tuple[Cell, ...]] = []
    for subject in subjects:
        tokens = METRICS["tokens.total"].one(subject.episodes).value
        rate = METRICS["success"].one(subject.episodes)
        if tokens is not None and rate.value is not None:
            bars = _bars([(0, rate)])
            axes.errorbar([tokens], [100 * rate.value], yerr=bars, fmt="o", label=_name(subject))
            rows.append((subject.label, tokens, *_rate(rate)))
    axes.set_ylim(0, 100)
    axes.set_xlabel("tokens per episode")
    axes.set_ylabel("success, %")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, fontsize="small")
    return Table("", ("subject", "tokens per episode", *_RATE)).with_rows(rows)


def _draw_failures(axes: Axes, subjects: Sequence[ResultsGroup]) -> Table | None:
    if not any(each.modes for subject in subjects for each in subject.episodes):
        return None
    left = [0.0] * len(subjects)
    places = list(range(len(subjects)))
    found = [
        {e.part: 100 * (e.value or 0) for e in METRICS["failures.main"](each.episodes)}
        for each in subjects
    ]
    for mode in dict.fromkeys(part for each in found for part in each):
        widths = [each.get(mode, 0.0) for each in found]
        axes.barh(places, widths, left=left, label=plain(mode))
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.set_yticks(places, [_name(each) for each in subjects])
    axes.set_xlim(0, 100)
    axes.set_xlabel("failed episodes, %")
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    return Table("", ("subject", "main mode", "failed episodes, %"), texts=2).with_rows(
        (subject.label, mode, share)
        for subject, shares in zip(subjects, found, strict=True)
        for mode, share in shares.items()
    )


def _name(subject: ResultsGroup) -> str:
    # matplotlib leaves out of a legend whatever begins with an underscore
    return plain(subject.label).lstrip("_") or "-"
