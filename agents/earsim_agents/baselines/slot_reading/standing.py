"""What is understood with a change: a vessel that is filled keeps its place, and none runs dry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from earsim.schema.selector import Largest, Rank, Smallest
from earsim_agents.baselines.references import References

Goal = dict[str, Any]

_DRY = 0.5
"""How much of the least that may be left is never to be gone below."""


def understood(parts: Sequence[Goal], references: References) -> list[Goal]:
    """What a goal asks for besides, where it is about what a vessel is to hold.

    Args:
        parts: of the goal.
        references: what its names stand for.
    """
    facts = [part["quantity"] for part in parts if "quantity" in part]
    told = {fact["of"] for fact in facts}
    found: list[Goal] = []
    for fact in facts:
        is_content = fact["of"] == "content_l"
        if is_content and "at_least" in fact and "temperature_c" in told:
            dry = {"object": fact["object"], "of": "content_l", "at_most": _DRY * fact["at_least"]}
            found.append({"never": {"quantity": dry}})
        is_filled = is_content or fact["of"] == "water_kg"
        if is_filled and "equals" in fact:
            found += _stays(fact["object"], references)
    return found


def _stays(reference: str, references: References) -> Iterator[Goal]:
    """That a thing is where it is."""
    node = _picked(reference, references.select, references)
    holder = None if node is None else references.lexicon.holder_of(node)
    if holder is not None and holder in references.lexicon.names:
        yield {"at": {"object": reference, "on": holder}}


def _picked(reference: str, select: Mapping[str, Any], references: References) -> str | None:
    """The thing that a rank picks, among what has been perceived."""
    if not reference.startswith("$"):
        return reference
    name = reference.removeprefix("$")
    rank = _rank_of(select[name])
    if rank is None:
        return None
    number, place, is_largest = rank
    lexicon = references.lexicon
    values = [
        (lexicon.value(node, number), node) for node in lexicon.called(references.nouns[name])
    ]
    known = sorted([(value, node) for value, node in values if value is not None])
    if len(known) < place:
        return None
    return known[-place if is_largest else place - 1][1]


def _rank_of(selector: Any) -> tuple[str, int, bool] | None:
    if isinstance(selector, Largest):
        return selector.largest, 1, True
    if isinstance(selector, Smallest):
        return selector.smallest, 1, False
    if isinstance(selector, Rank):
        return selector.rank.of, selector.rank.k, selector.rank.order == "largest"
    return None
