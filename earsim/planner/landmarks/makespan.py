"""A makespan bound: decisions that must follow each other, however many agents act at once.

Of what one agent does with one thing, nothing shares a decision: going up to it, taking it, walking
with it, going up to where it belongs, putting it there. Handing it over takes a decision as well.
What others do meanwhile (exploring, opening doors) is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class PlacementView(Protocol):
    """Where things are, as the ruleset in force sees it.

    Attributes:
        swept_along: a partner's order moves an agent that acts in the same decision, so that
            walking takes no turn of its own (EAR-Bench Q11).
    """

    swept_along: bool

    def present(self, room: str) -> bool:
        """Whether an actor is in the room."""
        ...

    def reached(self, node: str) -> bool:
        """Whether an actor is near enough to take it."""
        ...

    def unseen(self, node: str) -> bool:
        """Whether it must be found, in a room that nobody is in."""
        ...

    def sought_on_arrival(self, dest: str) -> bool:
        """Whether who takes something to `dest` must wait there until it is found."""
        ...

    def held(self, node: str) -> bool:
        """Whether an actor has it in hand."""
        ...

    def room(self, node: str) -> str:
        """The room it is in; a room is in itself."""
        ...

    def next_to(self, node: str, dest: str) -> bool:
        """Whether who takes `node` from its place is near `dest`."""
        ...

    def moving(self, node: str) -> Sequence[str]:
        """What could be taken to move it."""
        ...


def until_held(view: PlacementView, node: str) -> int:
    """Decisions until somebody has it in hand."""
    if view.held(node):
        return 0
    swept = view.swept_along
    arrive = view.unseen(node) if swept else not view.present(view.room(node))
    return arrive + (not view.reached(node)) + 1


def until_placed(view: PlacementView, node: str, dest: str, *, at_once: bool) -> int:
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


def until_used(view: PlacementView, tools: Sequence[str], node: str, *, touching: bool) -> int:
    """Decisions until one of the tools, none of them in hand, was used on it."""
    found = []
    for tool in tools:
        apart = view.room(tool) != view.room(node) and not view.swept_along
        walk = apart + (touching and not view.next_to(tool, node))
        found.append(until_held(view, tool) + walk + 1)
        found += [until_held(view, mover) + apart + 1 for mover in view.moving(node)]
    return min(found, default=1)
