"""How the instructions of a suite agree with its goals, counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import NamedTuple

from docs.studies.ear_bench_audit.agreement import AgreementVerdict, Aspect, Claim, claims
from earsim.engine import Engine
from earsim.schema import Category, Scenario
from earsim.schema.verb_table import verb_table
from earsim.suites import Suite
from earsim.tables.document import ALL, Cell, Table, share

_SHOWN = 3
_WIDTH = 120


class Compared(NamedTuple):
    """A scenario, and what can be decided about its instruction and its goal."""

    scenario: Scenario
    claims: tuple[Claim, ...]


def compared(suite: Suite) -> list[Compared]:
    """Every scenario of a suite."""
    return [Compared(scenario, claims(Engine(scenario))) for scenario in suite]


def by_category(found: Sequence[Compared]) -> Table:
    """Scenarios by category; one counts once, by the worst of its claims."""
    head = ("category", "scenarios", "coverage", *(verdict.value for verdict in AgreementVerdict))
    rows = [_scenarios(name, group) for name, group in _grouped(found).items()]
    return Table("", head, name="agreement_by_category", spaced=True).with_rows(rows, whole=ALL)


def _grouped(found: Sequence[Compared]) -> Mapping[str, Sequence[Compared]]:
    groups = {c.value: [e for e in found if e.scenario.task.category is c] for c in Category}
    return {name: group for name, group in groups.items() if group} | {ALL: found}


def _scenarios(name: str, group: Sequence[Compared]) -> tuple[Cell, ...]:
    order = list(AgreementVerdict)
    decided = [each.claims for each in group if each.claims]
    worst = Counter(max((claim.verdict for claim in each), key=order.index) for each in decided)
    counts = (worst[verdict] for verdict in order)
    return (name, len(group), share(len(decided), len(group)), *counts)


def swapped(found: Sequence[Compared]) -> str:
    """The finding about instructions that ask for another state than the goal checks."""
    counts: Counter[tuple[str, str]] = Counter()
    inside = 0
    for each in found:
        for claim in each.claims:
            if (claim.aspect, claim.verdict) == (Aspect.STATE, AgreementVerdict.DISAGREES):
                asked, _, checked = claim.detail.removeprefix("says ").partition(", checks ")
                counts[asked, checked] += 1
                inside += _is_inside_a_word(each.scenario.task.instruction.lower(), checked)
    shown = ", ".join(
        f"*{asked}* where `{checked.replace(' ', ': ').lower()}` is checked ({count:,})"
        for (asked, checked), count in counts.most_common(_SHOWN)
    )
    text = (
        f"- **{counts.total():,} instructions ask for another state than the goal checks**, most "
        f"often {shown}. In {inside:,} of them a verb for what is checked is part of a longer word "
        "of the instruction."
    )
    return fill(text, _WIDTH, subsequent_indent="  ")


def _is_inside_a_word(said: str, checked: str) -> bool:
    """Whether a verb of the state is a part of the instruction that is no word of its own."""
    state, _, value = checked.partition(" ")
    rows = verb_table().values()
    verbs = [row.name for row in rows if row.attribute == state and str(not row.value) == value]
    return any(verb in said and not re.search(rf"\b{verb}\b", said) for verb in verbs)
