"""The tables of an audit: entries counted by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from statistics import fmean, median
from typing import NamedTuple

from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.labels import Label
from earsim.datasets.audit.loads import Fit
from earsim.evaluation import summary
from earsim.schema.certificate import Search
from earsim.tables.document import ALL, Cell, Table, share

Group = Sequence[AuditEntry]


def tables(entries: Group) -> list[Table]:
    """Every table that has something to tell."""
    groups = grouped(entries)
    made = [each.of(groups) for each in _TABLES]
    return [table for table in made if table.rows]


def grouped(entries: Group) -> dict[str, Group]:
    """Entries by category, in the order of `Category`, and all of them at last."""
    return {**summary.by_category(entries, attrgetter("category")), ALL: entries}


class _ByCategory(NamedTuple):
    """A table with one row per category; none where there is nothing to be said of one."""

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    cells: Callable[[Group], Iterable[Cell] | None]

    def of(self, groups: Mapping[str, Group]) -> Table:
        found = {name: self.cells(group) for name, group in groups.items()}
        head = ("category", *self.columns)
        table = Table(self.title, head, note=self.note, name=self.name, spaced=True)
        rows: list[tuple[Cell, ...]] = []
        rows += ((name, *told) for name, told in found.items() if told is not None)
        return table.with_rows(rows, whole=ALL)


class _Crosstab(NamedTuple):
    """A table with one row per kind and one column per category, the most frequent first."""

    name: str
    title: str
    note: str
    what: str
    kinds: Callable[[AuditEntry], Iterable[str]]

    def of(self, groups: Mapping[str, Group]) -> Table:
        counts = {
            name: Counter(kind for each in group for kind in self.kinds(each))
            for name, group in groups.items()
        }
        ordered = sorted(counts[ALL].items(), key=lambda one: (-one[1], one[0]))
        head = (self.what, *groups)
        table = Table(self.title, head, note=self.note, name=self.name, spaced=True)
        return table.with_rows(
            (kind, *(counts[name][kind] for name in groups)) for kind, _ in ordered
        )


# -- what can be solved, how fast, and what that takes -------------------------------------------

_STANDINGS = ("solvable", "impossible", "true at start", "unknown", "not audited")


def _standings(group: Group) -> Iterable[Cell]:
    found = Counter(map(_standing, group))
    decided = len(group) - found["unknown"] - found["not audited"]
    return (len(group), *(found[each] for each in _STANDINGS), share(decided, len(group)))


def _standing(each: AuditEntry) -> str:
    if each.certificate is None:
        return "not audited"
    if each.certificate.goal_at_start:
        return "true at start"
    return "solvable" if each.is_solvable else each.certificate.solution.found


def _reason(each: AuditEntry) -> Iterator[str]:
    if each.solution is not None and each.solution.why is not None:
        yield each.solution.why.replace("_", " ")


def _lengths(group: Group) -> Iterable[Cell] | None:
    certificates = [each.certificate for each in group if each.is_solvable and each.certificate]
    if not certificates:
        return None
    plans = [certificate.solution for certificate in certificates]
    taken = sorted(len(found.plan) for found in plans)
    return (
        len(plans),
        share(sum(found.least for found in plans), len(plans)),
        fmean(taken),
        median(taken),
        taken[min(len(taken) - 1, int(0.9 * len(taken)))],
        taken[-1],
        fmean(found.commands or 0 for found in plans),
        sum(len(each.solution.plan) > each.budget for each in certificates),
    )


def _labels(group: Group) -> Iterable[Cell]:
    found = Counter(each.label for each in group if each.certificate is not None)
    return (len(group), *(found[label] for label in Label))


def _shown(each: AuditEntry) -> Iterator[str]:
    for of, how in each.shown:
        yield f"{of.value}: {how.value.replace('_', ' ')}"


def _gains(group: Group) -> Iterable[Cell] | None:
    looked = [each for each in group if each.any_command is not None]
    if not looked:
        return None
    found = [each for each in looked if each.is_exploitable]
    shorter = [each for each in found if each.is_solvable]
    teams = [each for each in looked if each.is_for_team]
    alone = sum(each.done_alone is True for each in teams)
    return (
        len(looked),
        len(found),
        share(len(found), len(looked)),
        len(found) - len(shorter),
        _mean_length(each.solution for each in shorter),
        _mean_length(each.any_command for each in shorter),
        alone if teams else None,
        share(alone, len(teams)),
    )


def _mean_length(searches: Iterable[Search | None]) -> float | None:
    found = [len(search.plan) for search in searches if search is not None]
    return fmean(found) if found else None


# -- what is odd in the data ---------------------------------------------------------------------


def _loads(group: Group) -> Iterable[Cell] | None:
    found = [each.load for each in group if each.load is not None]
    if not found:
        return None
    fits = Counter(load.fit for load in found)
    masses = [load.mass_kg for load in found]
    limits = [load.strongest_kg for load in found]
    return (len(found), median(masses), median(limits), *(fits[fit] for fit in Fit))


_TABLES = (
    _ByCategory(
        "solving",
        "What can be solved",
        "Solvable: there is a plan. Impossible: proved to have none. True at start: the goal holds "
        "before anything is done. Unknown: neither was found within the node limit.",
        ("scenarios", *_STANDINGS, "decided"),
        _standings,
    ),
    _Crosstab(
        "reasons",
        "Why not",
        "What proves that there is no plan; where several things do, the first that was found.",
        "reason",
        _reason,
    ),
    _ByCategory(
        "lengths",
        "How long it takes at least",
        "Decisions of the plans, and the commands in them; a joint command counts once. A plan "
        "knows the scene and sends the EXPLOREs that the rules ask for. DONE is not counted.",
        ("plans", "proved least", "mean", "median", "nine in ten", "longest", "commands",
         "over budget"),
        _lengths,
    ),
    _ByCategory(
        "labels",
        "Whether it needs what its label says",
        "A tool is needed if there is no plan once its ability is taken from every object; a team, "
        "if no agent succeeds while the others stand and wait. By mark: only because the goal asks "
        "that it be done jointly. Open: neither, mostly because the goal does not say how its "
        "object is to be picked.",
        ("scenarios", *(label.value for label in Label)),
        _labels,
    ),
    _Crosstab(
        "means",
        "What was shown of each means",
        "The attempts at proofs behind the labels.",
        "means",
        _shown,
    ),
    _ByCategory(
        "exploits",
        "What commands gain that agents are not told of",
        "Any command that the rules accept, against those that the prompts speak of. Exploitable: "
        "proved to be shorter, or possible only so. Told, any: mean decisions where it is shorter. "
        "Alone: one agent of a team does all of it, with any command, while the others wait.",
        ("scenarios", "exploitable", "share", "only so", "told", "any", "alone", "of teams"),
        _gains,
    ),
    _ByCategory(
        "loads",
        "What is to be moved, and who can lift it",
        "The heaviest thing that the goal wants elsewhere, by its own mass. Medians are in kg; the "
        "limit is that of the strongest agent.",
        ("to be moved", "median mass", "median limit", *(fit.value for fit in Fit)),
        _loads,
    ),
    _Crosstab(
        "repairs",
        "What had to be repaired to load",
        "Scenarios in which the importer had to change something, by what it was.",
        "repair",
        lambda each: each.repairs,
    ),
)  # fmt: skip
