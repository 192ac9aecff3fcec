"""What must still be done, as a lower bound and as a hint what to try.

A *deed* is something that commands do: enter this room, take that cup. A *landmark* is a set of
deeds of which every plan from here contains at least one. Landmarks that share no deed are done by
different commands, so their number is a lower bound on the commands that are left; and a command
that does none of the deeds counted leaves all of them to be done.
"""

from __future__ import annotations

from collections.abc import Iterable

Deed = tuple[str, ...]
"""Kind and ids: ``("goto", room)``, ``("near", object)``, ``("flip", object, state)`` ..."""

GOTO, NEAR, EXPLORE, GRAB, DROP, FREE, FLIP = (
    "goto",
    "near",
    "explore",
    "grab",
    "drop",
    "free",
    "flip",
)


class Needs:
    """The landmarks found for one state of the world.

    Attributes:
        sure: deeds that no plan can do without, and how often at least.
        rounds: decisions that must follow each other, whoever acts.
        partners: turns that joint deeds take beside the one of who orders them.
        blind: nothing is known about some part of the goal, so anything may help.
    """

    __slots__ = ("_choices", "blind", "partners", "rounds", "sure")

    def __init__(self) -> None:
        self.sure: dict[Deed, int] = {}
        self._choices: list[tuple[tuple[Deed, ...], int]] = []
        self.rounds = 0
        self.partners = 0
        self.blind = False

    def must(self, deed: Deed, times: int = 1) -> None:
        """No plan does without this."""
        if self.sure.get(deed, 0) < times:
            self.sure[deed] = times

    def one_of(self, deeds: Iterable[Deed], times: int = 1, *, ranked: bool = False) -> None:
        """Every plan contains at least `times` of these.

        Args:
            deeds: in any order, unless they are ranked.
            times: how many of them at least.
            ranked: they are given best first, which decides between plans of equal length.
        """
        unique = dict.fromkeys(deeds)
        found = tuple(unique if ranked else sorted(unique))  # the order of a set must not decide
        if not found:
            return
        if len(found) == 1:
            self.must(found[0], times)
        else:
            self._choices.append((found, times))

    def settled(self) -> Counted:
        """The bound, with the deeds it counts: those that are sure, and choices apart from them."""
        counted = dict(self.sure)
        total = sum(counted.values())
        for deeds, times in sorted(self._choices, key=lambda choice: len(choice[0])):
            if counted.keys().isdisjoint(deeds):
                total += times
                counted |= dict.fromkeys(deeds, 0)
        return Counted(total, counted, self)


class Counted:
    """A bound on what is left, and what it counts.

    Attributes:
        commands: commands that are left at least.
        turns: likewise, a joint command counted once for each that takes part.
        deeds: everything counted; a command that does none of it brings the goal no nearer.
        rounds: decisions that are left at least, for reasons of order.
        blind: anything may help.
    """

    __slots__ = ("blind", "commands", "deeds", "rounds", "turns")

    def __init__(self, commands: int, deeds: dict[Deed, int], needs: Needs) -> None:
        self.commands = commands
        self.turns = commands + needs.partners
        self.deeds = deeds
        self.rounds = needs.rounds
        self.blind = needs.blind
