"""Shorter plans from a plan: what can be left out, done at once, or waited for in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from earsim.actions.wait import LONGEST_S

Decision = Mapping[str, str]
Reaches = Callable[[Sequence[Decision]], int | None]
"""After how many decisions a plan reaches the goal, with margin; None where it does not."""


def shortened(plan: Sequence[Decision], reaches: Reaches) -> list[Decision]:
    """A plan no longer than the one given, as far as single changes go.

    Args:
        plan: reaches the goal.
        reaches: tells whether a plan does.
    """
    found = list(plan)
    changed = True
    while changed:
        changed = False
        for shorter in _shorter(found):
            reached = reaches(shorter)
            if reached is not None:
                found, changed = shorter[:reached], True
                break
    return found


def _shorter(plan: list[Decision]) -> Iterator[list[Decision]]:
    for start in range(len(plan)):
        yield plan[:start] + plan[start + 1 :]
    for start in range(len(plan) - 1):
        merged = _merged(plan[start], plan[start + 1])
        if merged is not None:
            yield [*plan[:start], merged, *plan[start + 2 :]]
    for start in range(len(plan)):
        for end in range(start + 2, min(len(plan), start + 8) + 1):
            yield plan[:start] + plan[end:]


def _merged(first: Decision, second: Decision) -> Decision | None:
    """Two decisions as one: two waits, or what different agents do."""
    waits = [_seconds(each) for each in (first, second)]
    if None not in waits:
        seconds = sum(each for each in waits if each is not None)
        return {next(iter(first)): f"WAIT {seconds}"} if seconds <= LONGEST_S else None
    return None if any(agent in second for agent in first) else {**first, **second}


def _seconds(decision: Decision) -> int | None:
    """How long a decision waits that does nothing else; None for others."""
    if len(decision) != 1:
        return None
    words = next(iter(decision.values())).split()
    is_wait = len(words) == 2 and words[0] == "WAIT" and words[1].isdigit()
    return int(words[1]) if is_wait else None
