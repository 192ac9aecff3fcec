"""The bound of a state over all alternatives of the goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from earsim.planner.guide import Guide
from earsim.planner.needs import Counted, Deed, Needs
from earsim.planner.problem import Way
from earsim.world import World


class Estimate:
    """What is left to be done, whichever alternative of the goal is pursued.

    Attributes:
        commands: commands left at least.
        turns: likewise, a joint command counted for each that takes part.
        rounds: decisions left at least, for reasons of order.
        deeds: what the bounds of all alternatives count.
        blind: anything may help.
    """

    __slots__ = ("blind", "commands", "deeds", "rounds", "turns")

    def __init__(self, counted: Sequence[Counted]) -> None:
        self.commands = min([one.commands for one in counted])
        self.turns = min([one.turns for one in counted])
        self.rounds = min([one.rounds for one in counted])
        self.blind = any(one.blind for one in counted)
        deeds: dict[Deed, int] = {}
        for one in counted:
            deeds |= one.deeds
        self.deeds: Mapping[Deed, int] = deeds


def estimate(guide: Guide, ways: Sequence[Way] | None, world: World) -> Estimate:
    """The bound of a state; nothing is known of a goal with too many alternatives."""
    if ways is None:
        needs = Needs()
        needs.blind = True
        return Estimate([needs.settled()])
    return Estimate([guide.needs(world, way) for way in ways])
