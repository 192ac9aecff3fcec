"""What a goal says of many things, or of how they were, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.prose import listing
from earsim.render.words.instruction import Phrases
from earsim.render.words.names import indefinite
from earsim.schema import goal as schema
from earsim.schema.selector import Filter
from earsim.world import Blueprint

Named = Callable[[str], str]
Said = Callable[[schema.Goal], str]

IT = {f"${schema.EACH}": "it"}
"""What a sentence calls the thing that it is about."""


def sentence(
    key: str, fact: Any, named: Named, said: Said, answer: Mapping[str, str], blueprint: Blueprint
) -> str:
    """One node in words.

    Args:
        key: of the node.
        fact: what it holds.
        named: the name of what a reference stands for.
        said: another goal in words.
        answer: the id that each `$name` stands for.
        blueprint: where names come from.
    """
    if key == "unchanged":
        return f"{named(fact.object)} is where and as it was at the start"
    if key == "trips":
        return _trips(fact, named, answer, blueprint)
    who = _described(fact.among, answer, blueprint)
    if key == "contents":
        return _contents(fact, who, named)
    what = said(fact.goal)
    if key == "each":
        return f"of every {who}: {what}"
    if key == "count":
        return f"of {_bounds(fact)}, each {indefinite(who)}: {what}"
    meant = listing([named(each) for each in fact.these])
    return f"of {meant}: {what}; every other {who} is as it was"


def _trips(
    fact: schema.TripsFact, named: Named, answer: Mapping[str, str], blueprint: Blueprint
) -> str:
    things = (
        listing([named(each) for each in fact.of])
        if fact.among is None
        else f"any {_described(fact.among, answer, blueprint)}"
    )
    trips = "trip" if fact.at_most == 1 else "trips"
    return f"at most {fact.at_most} {trips} into {named(fact.room)} with {things}"


def _contents(fact: schema.ContentsFact, who: str, named: Named) -> str:
    where = f"{fact.relation or 'in or on'} {named(fact.of)}"
    kind = "" if fact.among == Filter() else f", each {indefinite(who)}"
    if not fact.most:
        return f"nothing is {where}{kind and f' that is {indefinite(who)}'}"
    return f"{_bounds(fact)} {'thing is' if fact.equals == 1 else 'things are'} {where}{kind}"


def _bounds(fact: schema.NumberOf) -> str:
    if fact.equals is not None:
        return f"exactly {fact.equals}"
    low = [] if fact.at_least is None else [f"at least {fact.at_least}"]
    high = [] if fact.at_most is None else [f"at most {fact.at_most}"]
    return listing(low + high)


def _described(among: Filter, answer: Mapping[str, str], blueprint: Blueprint) -> str:
    return Phrases(blueprint, {}).described(_answered(among, answer))


def _answered(among: Filter, answer: Mapping[str, str]) -> Filter:
    """A filter that names ids alone, but for `$each`."""
    found: dict[str, Any] = {}
    for field in ("inside_room", "in_", "on"):
        value = getattr(among, field)
        if value is not None:
            found[field] = _id(value, answer)
    for field in ("more_than", "less_than"):
        compared = getattr(among, field)
        if compared is not None:
            chosen = _id(compared.object, answer)
            found[field] = compared.model_copy(update={"object": chosen})
    if among.not_ is not None:
        found["not_"] = _answered(among.not_, answer)
    return among.model_copy(update=found) if found else among


def _id(reference: str, answer: Mapping[str, str]) -> str:
    return answer.get(reference[1:], reference) if reference.startswith("$") else reference
