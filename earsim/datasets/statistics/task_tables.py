"""Suites side by side: their tasks, and what is proved about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from earsim.datasets.statistics.side_by_side import (
    Row,
    Value,
    mean,
    measured,
    part,
    parts,
    quantile,
    side_by_side,
)
from earsim.datasets.statistics.suite_statistics import SuiteStatistics
from earsim.datasets.statistics.task_facts import MEASURES
from earsim.schema import Category
from earsim.schema.certificate import LabelProof
from earsim.tables.document import Table, share


def categories(suites: Sequence[SuiteStatistics]) -> Table:
    """Tasks by what they demand."""
    found = [Counter(task.category.value for task in suite.tasks) for suite in suites]
    rows = parts(found, [len(suite.tasks) for suite in suites], order=list(Category))
    return side_by_side("categories", "Categories", "Tasks by category.", suites, rows)


def actions(suites: Sequence[SuiteStatistics]) -> Table:
    """What plans command."""
    found = [verbs_of_plans(suite) for suite in suites]
    note = "Commands of the plans in the certificates, by verb; the most frequent."
    rows = parts(found, [each.total() for each in found])
    return side_by_side("actions", "Actions", note, suites, rows)


def demands(suites: Sequence[SuiteStatistics]) -> Table:
    """What tasks consist of."""
    note = "Tasks by the size of the team, by how they pick their objects, by what they check."
    wholes = [len(suite.tasks) for suite in suites]
    teams = [Counter(_team(task.agents) for task in suite.tasks) for suite in suites]
    picks = [Counter(k for t in suite.tasks for k in set(t.selectors)) for suite in suites]
    checks = [Counter(k for t in suite.tasks for k in set(t.checks)) for suite in suites]
    rows = [
        *parts(teams, wholes),
        *_named("picks", picks, wholes),
        *_named("checks", checks, wholes),
    ]
    return side_by_side("demands", "What tasks consist of", note, suites, rows)


def difficulty(suites: Sequence[SuiteStatistics]) -> Table:
    """How hard tasks are, where their maker measured it."""
    note = (
        "Bands of difficulty, and medians of what they rest on: decisions of the plan, accepted "
        "commands per decision, things of the name that a selector picks among, rooms searched, "
        "conditions. Only scenarios that carry these measures."
    )
    bands = [Counter(task.band for task in suite.tasks if task.band) for suite in suites]
    rows = [*parts(bands, [each.total() for each in bands], order=("easy", "medium", "hard"))]
    for name in MEASURES:
        found = [[t.measures[name] for t in suite.tasks if name in t.measures] for suite in suites]
        if any(found):
            rows.append(
                (f"median {name}", *(float(median(each)) if each else None for each in found))
            )
    return side_by_side("difficulty", "Difficulty", note, suites, rows)


def proofs(suites: Sequence[SuiteStatistics]) -> Table:
    """What can be solved."""
    found = [Counter(each.standing for each in suite.proved) for suite in suites]
    wholes = [len(suite.proved) for suite in suites]
    covered: Row = (
        "certificates",
        *(part(n, s.scenarios) for n, s in zip(wholes, suites, strict=True)),
    )
    rows = parts(found, wholes, order=("solvable", "impossible", "true at start", "unknown"))
    note = (
        "Of scenarios with a certificate for their own ruleset. Impossible: proved to have no "
        "plan. Unknown: neither was found within the limit of the search."
    )
    return side_by_side(
        "proofs", "What can be solved", note, suites, [covered, *rows] if any(wholes) else ()
    )


def lengths(suites: Sequence[SuiteStatistics]) -> Table:
    """How many decisions plans take."""
    note = (
        "Decisions of the plans of certificates, which know the scene; DONE is not counted. Where "
        "a plan is not proved to be the shortest, a shorter one may exist."
    )
    rows = measured(_LENGTHS, suites)
    rows += [
        (f"mean {category.value}", *(mean(suite.decisions(category)) for suite in suites))
        for category in Category
    ]
    return side_by_side(
        "lengths", "Plan lengths", note, suites, rows if any(s.proved for s in suites) else ()
    )


_LENGTHS: dict[str, Value] = {
    "plans": lambda suite: len(suite.decisions()) or None,
    "proved least": lambda suite: share(
        sum(each.least for each in suite.proved), len(suite.decisions())
    ),
    "over budget": lambda suite: share(
        sum(not each.in_budget for each in suite.proved), len(suite.decisions())
    ),
    "mean": lambda suite: mean(suite.decisions()),
    "least": lambda suite: quantile(suite.decisions(), 0),
    "one in four up to": lambda suite: quantile(suite.decisions(), 0.25),
    "median": lambda suite: quantile(suite.decisions(), 0.5),
    "three in four up to": lambda suite: quantile(suite.decisions(), 0.75),
    "longest": lambda suite: quantile(suite.decisions(), 1),
}


def labels(suites: Sequence[SuiteStatistics]) -> Table:
    """Whether tasks need what their category says."""
    note = (
        "Of scenarios with a certificate: whether it is proved that the task needs what its "
        "category promises (a choice, a tool, a team). By mark: only because the goal asks that it "
        "be done jointly. Which of the others are refuted is told by `earsim audit`."
    )
    rows: list[Row] = []
    for category in Category:
        found = [
            Counter(t.proved.label for t in suite.of(category) if t.proved) for suite in suites
        ]
        rows += [
            (
                f"{category.value}: {_LABELS[label]}",
                *(part(each[label], each.total()) for each in found),
            )
            for label in _LABELS
            if any(each[label] for each in found)
        ]
    return side_by_side("labels", "Whether labels are true", note, suites, rows)


_LABELS = {
    LabelProof.PROVED: "proved",
    LabelProof.MARKED: "by mark",
    LabelProof.NOT_PROVED: "not proved",
}


def _named(what: str, found: Sequence[Counter[str]], wholes: Sequence[int]) -> Iterator[Row]:
    for kind, *cells in parts(found, wholes):
        yield f"{what}: {kind}", *cells


def _team(agents: int) -> str:
    return "one agent" if agents == 1 else f"{agents} agents"


def verbs_of_plans(suite: SuiteStatistics) -> Counter[str]:
    """How often the plans of its certificates command each verb."""
    found: Counter[str] = Counter()
    for each in suite.proved:
        found.update(each.verbs)
    return found
