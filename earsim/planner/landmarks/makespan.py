"""A makespan bound: decisions that must follow each other, however many agents act at once.

Of what one agent does with one thing, nothing shares a decision: going up to it, taking it, walking
with it, going up to where it belongs, putting it there. Handing it over takes a decision as well.
What others do meanwhile (exploring, opening doors) is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from earsim.planner.models.state_view import StateView


def until_held(view: StateView, node: str) -> int:
    """Decisions until somebody has it in hand."""
    if view.held(node):
        return 0
    swept = view.swept_along
    arrive = view.unseen(node) if swept else not view.present(view.room(node))
    return arrive + (not view.reached(node)) + 1


def until_placed(view: StateView, node: str, dest: str, *, at_once: bool) -> int:
    """Decisions until it is put there; `at_once`: it is in hand, and the hand is there."""
    if at_once:
        return 1
    straight = until_held(view, node) + 1
    if not view.held(node):
        apart = view.room(node) != view.room(dest)
        go_up = view.room(dest) != dest and (apart or not view.next_to(node, dest))
        straight += go_up + (apart and not view.swept_along)
        straight += go_up and apart and view.sought_on_arrival(dest)
    return min([straight, *(until_held(view, mover) + 2 for mover in view.moving(dest))])


def until_used(view: StateView, tools: Sequence[str], node: str, *, touching: bool) -> int:
    """Decisions until one of the tools, none of them in hand, was used on it."""
    found = []
    for tool in tools:
        apart = view.room(tool) != view.room(node) and not view.swept_along
        walk = apart + (touching and not view.next_to(tool, node))
        found.append(until_held(view, tool) + walk + 1)
        found += [until_held(view, mover) + apart + 1 for mover in view.moving(node)]
    return min(found, default=1)
