"""What is odd in the data of a suite: loads, instructions, repairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from earsim.datasets.audit.agreement import AgreementVerdict, Aspect
from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.loads import Fit
from earsim.datasets.audit.table import AuditTable, Cell, Groups, by_category, crosstab, share
from earsim.evaluation.summary import ALL


def loads(groups: Groups) -> AuditTable:
    """Masses against limits."""
    table = AuditTable(
        "loads",
        "What is to be moved, and who can lift it",
        "The heaviest thing that the goal wants elsewhere, by its own mass. Medians are in kg; the "
        "limit is that of the strongest agent.",
        ("category", "to be moved", "median mass", "median limit", *(fit.value for fit in Fit)),
    )
    return by_category(table, groups, _loads)


def _loads(group: Sequence[AuditEntry]) -> Iterable[Cell] | None:
    found = [each.load for each in group if each.load is not None]
    if not found:
        return None
    fits = Counter(load.fit for load in found)
    masses = [load.mass_kg for load in found]
    limits = [load.strongest_kg for load in found]
    return (len(found), median(masses), median(limits), *(fits[fit] for fit in Fit))


def agreement(groups: Groups) -> AuditTable:
    """How instructions agree with goals, aspect by aspect."""
    table = AuditTable(
        "agreement",
        "Whether the instruction says what the goal checks",
        "Only what can be decided from names, verbs and numbers. Target: the thing that is named. "
        "Destination, relation: where to, in or on. State: a verb asks for what is checked. "
        "Complete: what is asked for is checked. Superlative: the heaviest is the heaviest, and a "
        "tie is ambiguous.",
        (
            "aspect",
            "decided",
            *(verdict.value for verdict in AgreementVerdict),
            "share that disagrees",
        ),
    )
    return table._replace(rows=tuple(_aspects(groups[ALL])))


def _aspects(entries: Sequence[AuditEntry]) -> Iterator[tuple[Cell, ...]]:
    claims = [claim for each in entries for claim in each.claims]
    for aspect in Aspect:
        found = Counter(claim.verdict for claim in claims if claim.aspect is aspect)
        if found:
            wrong = share(found[AgreementVerdict.DISAGREES], found.total())
            yield (
                aspect.value,
                found.total(),
                *(found[verdict] for verdict in AgreementVerdict),
                wrong,
            )


def agreement_by_category(groups: Groups) -> AuditTable:
    """How instructions agree with goals, scenario by scenario."""
    table = AuditTable(
        "agreement_by_category",
        "The same by scenario",
        "Coverage: scenarios of which something is decided. A scenario counts once, by its worst.",
        ("category", "scenarios", "coverage", *(verdict.value for verdict in AgreementVerdict)),
    )
    return by_category(table, groups, _coverage)


def _coverage(group: Sequence[AuditEntry]) -> Iterable[Cell]:
    order = list(AgreementVerdict)
    decided = [each.claims for each in group if each.claims]
    worst = Counter(max((claim.verdict for claim in claims), key=order.index) for claims in decided)
    counts = (worst[verdict] for verdict in AgreementVerdict)
    return (len(group), share(len(decided), len(group)), *counts)


def repairs(groups: Groups) -> AuditTable:
    """What an importer had to change."""
    table = AuditTable(
        "repairs",
        "What had to be repaired to load",
        "Scenarios in which the importer had to change something, by what it was.",
        ("repair",),
    )
    return crosstab(table, groups, lambda each: each.repairs)
