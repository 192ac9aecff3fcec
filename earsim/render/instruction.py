"""The instruction of a task, with every `{name}` told in words from the tree that the goal uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from earsim.render.words import listing, value
from earsim.schema.selector import Filter, Largest, Only, Rank, Smallest
from earsim.schema.task import Task
from earsim.units import UNITS, format_quantity, split_quantity
from earsim.world import Blueprint

_PLACEHOLDER = re.compile(r"\{(\w+)\}")

_SUPERLATIVES: Mapping[str, tuple[str, str]] = {
    "mass_kg": ("heaviest", "lightest"),
    "length_m": ("longest", "shortest"),
    "width_m": ("widest", "narrowest"),
    "height_m": ("tallest", "lowest"),
    "temperature_c": ("warmest", "coldest"),
    "price_eur": ("most expensive", "cheapest"),
}
_COMPARATIVES: Mapping[str, tuple[str, str]] = {
    "mass_kg": ("heavier", "lighter"),
    "length_m": ("longer", "shorter"),
    "width_m": ("wider", "narrower"),
    "height_m": ("taller", "lower"),
    "temperature_c": ("warmer", "colder"),
    "price_eur": ("more expensive", "cheaper"),
}
_ORDINALS = ("", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def instruction(task: Task, blueprint: Blueprint) -> str:
    """What agents are told: `{target}` becomes its selector's phrase, `{ward}` that room's name."""

    def told(match: re.Match[str]) -> str:
        name = match.group(1)
        selector = task.select.get(name)
        return blueprint.name(name) if selector is None else phrase(selector, blueprint)

    return _PLACEHOLDER.sub(told, task.instruction)


def phrase(selector: Any, blueprint: Blueprint) -> str:
    """`oxygen cylinder with the highest pressure`, to be put behind "the"."""
    if isinstance(selector, Only):
        return described(selector.only, blueprint)
    if isinstance(selector, Largest):
        return _superlative(selector.largest, 1, selector.among, blueprint, largest=True)
    if isinstance(selector, Smallest):
        return _superlative(selector.smallest, 1, selector.among, blueprint, largest=False)
    assert isinstance(selector, Rank)
    rank = selector.rank
    largest = rank.order == "largest"
    return _superlative(rank.of, rank.k, selector.among, blueprint, largest=largest)


def _superlative(
    of: str, k: int, among: Filter, blueprint: Blueprint, *, largest: bool
) -> str:
    place = f"{_ordinal(k)} " if k > 1 else ""
    words = _SUPERLATIVES.get(of)
    if words is not None:
        return described(among, blueprint, f"{place}{words[not largest]} ")
    extreme = f"with the {place}{'highest' if largest else 'lowest'} {quantity(of)}"
    return described(among, blueprint, after=extreme)


def _ordinal(k: int) -> str:
    return _ORDINALS[k] if k < len(_ORDINALS) else f"{k}th"


def quantity(name: str) -> str:
    """`pressure_bar` as `pressure`, `pages_count` as `number of pages`."""
    parts = split_quantity(name)
    if parts is None:
        return name.replace("_", " ")
    words = parts.quantity.replace("_", " ")
    return f"number of {words}" if parts.unit == "count" else words


def described(among: Filter, blueprint: Blueprint, before: str = "", after: str = "") -> str:
    """A noun phrase for what meets a filter: `red toolbox in the yard that is heavier than 5 kg`."""
    adjectives = "".join(f"{value(what)} " for what in among.attribute.values())
    noun = among.name[:1].lower() + among.name[1:] if among.name else among.kind or "thing"
    where = _where(among, blueprint)
    clauses = [*_states(among), *_numbers(among), *_comparisons(among, blueprint)]
    if among.not_ is not None:
        clauses.append(f"is not the {described(among.not_, blueprint)}")
    that = f"that {listing(clauses)}" if clauses else ""
    return " ".join(filter(None, (f"{before}{adjectives}{noun}", where, after, that)))


def _where(among: Filter, blueprint: Blueprint) -> str:
    for relation, node in (("in", among.inside_room), ("in", among.in_), ("on", among.on)):
        if node is not None and not node.startswith("$"):
            name = blueprint.name(node)
            return f"{relation} the {name[:1].lower() + name[1:]}"
    return ""


def _states(among: Filter) -> list[str]:
    found = [
        f"is {'' if what else 'not '}{state.removeprefix('is_').replace('_', ' ')}"
        for state, what in among.has_state.items()
    ]
    if among.provides is not None:
        found.append(f"can {among.provides.replace('_', ' ')}")
    return found


def _numbers(among: Filter) -> list[str]:
    least = [f"has at least {_amount(of, bound)}" for of, bound in among.at_least.items()]
    most = [f"has at most {_amount(of, bound)}" for of, bound in among.at_most.items()]
    return least + most


def _amount(of: str, bound: float) -> str:
    parts = split_quantity(of)
    if parts is None or parts.unit not in UNITS:
        return f"{bound:g} {quantity(of)}"
    if parts.unit == "count":
        return f"{bound:g} {parts.quantity.replace('_', ' ')}"
    return f"{format_quantity(bound, parts.unit)} of {quantity(of)}"


def _comparisons(among: Filter, blueprint: Blueprint) -> list[str]:
    found = []
    for comparison, largest in ((among.more_than, True), (among.less_than, False)):
        if comparison is None:
            continue
        name = blueprint.name(comparison.object)
        other = f"the {name[:1].lower() + name[1:]}"
        words = _COMPARATIVES.get(comparison.of)
        if words is not None:
            found.append(f"is {words[not largest]} than {other}")
        else:
            more = "more" if largest else "less"
            found.append(f"has {more} {quantity(comparison.of)} than {other}")
    return found
