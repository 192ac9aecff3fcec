"""Tables in the layout of the paper's Tables 1 and 2, with its published rows beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import EAR_BENCH, ResultsGroup
from earsim.evaluation.report import published
from earsim.evaluation.report.numbers import NOTHING, points
from earsim.schema import Category
from earsim.tables.document import Table, TableRow

_RULES = "ear-bench/"
_HEAD = tuple(published.COLUMNS.values())
_MEASURED = "measured"
_REFERENCE_FILES = "measured, reference's files"


def is_ear_bench(subject: ResultsGroup) -> bool:
    """Whether published rows say anything about it: the evaluation set under its own rules."""
    rules = subject.rulesets
    return (
        bool(rules)
        and all(name.startswith(_RULES) for name in rules)
        and set(subject.suites) <= set(EAR_BENCH)
    )


def table_1(subjects: Sequence[ResultsGroup]) -> Iterator[Table]:
    """Success in percent and mean steps on success by category; one table per suite and rules."""
    for (suites, rules), members in _families(subjects).items():
        rows = [row for subject in members for row in _rows_of(subject)]
        quoted = [*_published_rows()] if is_ear_bench(members[0]) else []
        yield Table(
            f"{suites}, {rules}: success % / mean steps on success",
            ("model", "source", *_HEAD),
            (*rows, *quoted),
            texts=2,
            note=published.NOTE if quoted else "",
        )


def table_2(subjects: Sequence[ResultsGroup]) -> Iterator[Table]:
    """Change of success, in points, when everything is shown from the start."""
    for (suites, rules), members in _families(subjects).items():
        rows = list(_changes(members))
        quoted = _published_changes() if is_ear_bench(members[0]) else ()
        if rows:
            yield Table(
                f"{suites}, {rules}: success with global knowledge minus success with exploration",
                ("model", "source", *_HEAD),
                (*rows, *quoted),
                texts=2,
            )


def step_ratios(subjects: Sequence[ResultsGroup]) -> Table:
    """Relative step ratio by category: median and mean."""
    rows = [
        TableRow((each.label, _MEASURED, *(_ratio_cell(each, kind) for kind in _categories())))
        for each in subjects
    ]
    ratios = (f"{median:.2f}/{mean:.2f}" for median, mean in published.STEP_RATIO.values())
    quoted = _quoted("all models", ratios)
    ours = any(map(is_ear_bench, subjects))
    return Table(
        "L_plan / L_run on successes: median / mean",
        ("model", "source", *_HEAD),
        (*rows, *((quoted,) if ours else ())),
        texts=2,
        note=published.STEP_RATIO_NOTE if ours else "",
    )


# -- ours ----------------------------------------------------------------------------------------


def _families(subjects: Sequence[ResultsGroup]) -> Mapping[tuple[str, str], list[ResultsGroup]]:
    """Subjects whose numbers may stand in one table: same suite, same version of the same rules."""
    found: dict[tuple[str, str], list[ResultsGroup]] = {}
    for each in subjects:
        suites = "EAR-Bench" if set(each.suites) <= set(EAR_BENCH) else ", ".join(each.suites)
        rules = ", ".join(each.rulesets) or "rules unknown"
        found.setdefault((suites, f"{rules}, earsim {each.version}"), []).append(each)
    return found


def _rows_of(subject: ResultsGroup) -> Iterator[TableRow]:
    yield TableRow((subject.label, _MEASURED, *_scores(subject.episodes, "success")))
    if is_ear_bench(subject) and any(e.loads_in_reference is False for e in subject.episodes):
        loaded = [each for each in subject.episodes if each.loads_in_reference]
        yield TableRow((subject.label, _REFERENCE_FILES, *_scores(loaded, "success")))


def _scores(episodes: Sequence[CountedEpisode], metric: str) -> Iterator[str]:
    for category in _categories():
        found = [each for each in episodes if each.category == category]
        rate = METRICS[metric].one(found).value
        steps = METRICS["steps.success"].one(found).value
        if rate is None:
            yield NOTHING
        else:
            yield f"{100 * rate:.1f}/{NOTHING if steps is None else f'{steps:.1f}'}"


def _ratio_cell(subject: ResultsGroup, category: Category) -> str:
    found = [each for each in subject.episodes if each.category == category]
    median, mean = (METRICS[f"step_ratio.{id}"].one(found).value for id in ("median", "mean"))
    return NOTHING if median is None or mean is None else f"{median:.2f}/{mean:.2f}"


def _changes(subjects: Sequence[ResultsGroup]) -> Iterator[TableRow]:
    """One row per subject that has a twin which knows everything, and differs in nothing else."""
    for explorer in subjects:
        for knower in subjects:
            if (explorer.knowledge, knower.knowledge) != ("explore", "global"):
                continue
            if _without_knowledge(explorer) == _without_knowledge(knower):
                yield TableRow((explorer.label, _MEASURED, *_differences(explorer, knower)))


def _without_knowledge(subject: ResultsGroup) -> str:
    return subject.identity.replace('"knowledge": "global"', '"knowledge": "explore"')


def _differences(explorer: ResultsGroup, knower: ResultsGroup) -> Iterator[str]:
    for category in _categories():
        rates = [
            METRICS["success"].one([e for e in each.episodes if e.category == category]).value
            for each in (explorer, knower)
        ]
        before, after = rates
        yield NOTHING if before is None or after is None else points(after - before)


def _categories() -> tuple[Category, ...]:
    return tuple(published.COLUMNS)


# -- theirs --------------------------------------------------------------------------------------


def _published_rows() -> Iterator[TableRow]:
    for model, scores in published.TABLE_1.items():
        yield _quoted(model, (f"{s.success:.1f}/{s.steps:.1f}" for s in scores.values()))


def _published_changes() -> Iterator[TableRow]:
    for model, changes in published.WORLD_GRAPH.items():
        yield _quoted(model, (f"{change:+.1f}" for change in changes.values()))


def _quoted(model: str, cells: Iterable[str]) -> TableRow:
    return TableRow((model, published.SOURCE, *cells), published=True)
