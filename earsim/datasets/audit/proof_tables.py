"""What was proved of a suite: what can be solved, how fast, and what that takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, median

from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.labels import Label
from earsim.datasets.audit.table import AuditTable, Cell, Groups, by_category, crosstab, share
from earsim.schema.certificate import Search


def solving(groups: Groups) -> AuditTable:
    """What can be solved, cannot be, or is done already."""
    table = AuditTable(
        "solving",
        "What can be solved",
        "Solvable: there is a plan. Impossible: proved to have none. True at start: the goal holds "
        "before anything is done. Unknown: neither was found within the node limit.",
        ("category", "scenarios", *_STANDINGS, "decided"),
    )
    return by_category(table, groups, _standings)


_STANDINGS = ("solvable", "impossible", "true at start", "unknown", "not audited")


def _standings(group: Sequence[AuditEntry]) -> Iterable[Cell]:
    found = Counter(map(_standing, group))
    decided = len(group) - found["unknown"] - found["not audited"]
    return (len(group), *(found[each] for each in _STANDINGS), share(decided, len(group)))


def _standing(each: AuditEntry) -> str:
    if each.certificate is None:
        return "not audited"
    if each.certificate.goal_at_start:
        return "true at start"
    return "solvable" if each.is_solvable else each.certificate.solution.found


def reasons(groups: Groups) -> AuditTable:
    """Why the impossible is impossible."""
    table = AuditTable(
        "reasons",
        "Why not",
        "What proves that there is no plan; where several things do, the first that was found.",
        ("reason",),
    )
    return crosstab(table, groups, _reason)


def _reason(each: AuditEntry) -> Iterator[str]:
    if each.solution is not None and each.solution.why is not None:
        yield each.solution.why.replace("_", " ")


def lengths(groups: Groups) -> AuditTable:
    """How many decisions the plans take."""
    table = AuditTable(
        "lengths",
        "How long it takes at least",
        "Decisions of the plans, and the commands in them; a joint command counts once. A plan "
        "knows the scene and sends the EXPLOREs that the rules ask for. DONE is not counted.",
        ("category", "plans", "proved least", "mean", "median", "nine in ten", "longest",
         "commands", "over budget"),
    )  # fmt: skip
    return by_category(table, groups, _lengths)


def _lengths(group: Sequence[AuditEntry]) -> Iterable[Cell] | None:
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


def labels(groups: Groups) -> AuditTable:
    """Whether scenarios need what their labels say."""
    table = AuditTable(
        "labels",
        "Whether it needs what its label says",
        "A tool is needed if there is no plan once its ability is taken from every object; a team, "
        "if no agent succeeds while the others stand and wait. By mark: only because the goal asks "
        "that it be done jointly. Open: neither, mostly because the goal does not say how its "
        "object is to be picked.",
        ("category", "scenarios", *(label.value for label in Label)),
    )

    def standings(group: Sequence[AuditEntry]) -> Iterable[Cell]:
        found = Counter(each.label for each in group if each.certificate is not None)
        return (len(group), *(found[label] for label in Label))

    return by_category(table, groups, standings)


def means(groups: Groups) -> AuditTable:
    """The attempts at proofs behind the labels."""
    table = AuditTable(
        "means",
        "What was shown of each means",
        "The attempts at proofs behind the labels.",
        ("means",),
    )
    return crosstab(table, groups, _shown)


def _shown(each: AuditEntry) -> Iterator[str]:
    for of, how in each.shown:
        yield f"{of.value}: {how.value.replace('_', ' ')}"


def exploits(groups: Groups) -> AuditTable:
    """What the rules accept beyond what agents are told of."""
    table = AuditTable(
        "exploits",
        "What commands gain that agents are not told of",
        "Any command that the rules accept, against those that the prompts speak of. Exploitable: "
        "proved to be shorter, or possible only so. Told, any: mean decisions where it is shorter. "
        "Alone: one agent of a team does all of it, with any command, while the others wait.",
        ("category", "scenarios", "exploitable", "share", "only so", "told", "any", "alone",
         "of teams"),
    )  # fmt: skip
    return by_category(table, groups, _gains)


def _gains(group: Sequence[AuditEntry]) -> Iterable[Cell] | None:
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
