"""Goals about apparatus as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from earsim.prose import listing, number, value
from earsim.schema import goal as schema

Named = Callable[[str], str]


def _measured(fact: schema.MeasuredFact, named: Named) -> str:
    which = "the last completed run" if fact.from_ == "last" else "a completed run"
    return f"{which} of {named(fact.apparatus)} has {fact.result} {listing(_bounds(fact))}"


def _bounds(fact: schema.MeasuredFact) -> Iterator[str]:
    if fact.at_least is not None:
        yield f"at least {number(fact.at_least)}"
    if fact.at_most is not None:
        yield f"at most {number(fact.at_most)}"
    if fact.equals is not None:
        yield value(fact.equals) + (f", give or take {number(fact.within)}" if fact.within else "")


def _operation(fact: schema.OperationFact, named: Named) -> str:
    ended = {"halted": "stopped", "completed": "completed", "failed": "failed"}[fact.status]
    runs = f"{fact.count} runs of {named(fact.apparatus)} were"
    one = f"a run of {named(fact.apparatus)} was"
    if fact.status == "failed":
        runs, one = runs.removesuffix(" were"), one.removesuffix(" was")
    found = f"{one if fact.count == 1 else f'at least {runs}'} {ended}"
    if fact.warned is not None:
        found += f" after {fact.warned} was warned of"
    if fact.settings:
        found += f" with {listing(f'{name} {value(each)}' for name, each in fact.settings.items())}"
    return found


def _spent(fact: schema.SpentFact, named: Named) -> str:
    most = number(fact.at_most)
    return _SPENT.get(fact.account, f"runs have cost at most {{}} {fact.account}").format(most)


_SPENT = {
    "eur": "runs have cost at most {} euros",
    "kwh": "runs have cost at most {} kWh",
    "flop": "runs have cost at most {} floating-point operations",
    "runs": "at most {} runs were started",
    "clock_s": "the clock shows at most {} s",
}


def _submitted(fact: schema.SubmittedFact, named: Named) -> str:
    """Without the answer."""
    return f"the last answer to {fact.name} is right"


def _performed(fact: schema.PerformedFact, named: Named) -> str:
    """Without the protocol."""
    right = f"order of actions {number(fact.ss_at_least)}" if fact.ss_at_least else ""
    exact = f"parameters {number(fact.pa_at_least)}" if fact.pa_at_least else ""
    asked = listing(filter(None, (right, exact)))
    return f"the protocol performed at {named(fact.apparatus)} is near enough to be right: {asked}"


SENTENCES: dict[str, Callable[[Any, Named], str]] = {
    "measured": _measured,
    "operation": _operation,
    "spent": _spent,
    "submitted": _submitted,
    "performed": _performed,
}
"""By the key of the goal's part."""
