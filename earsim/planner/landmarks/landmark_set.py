"""Disjunctive action landmarks of a state, and the lower bound that they give.

A *landmark action* is something that commands do: enter this room, take that cup. A *landmark* is
a set of landmark actions of which every plan from here contains at least one. Landmarks that share
none are achieved by different commands, so their number is a lower bound on the commands that are
left; and a command that does none of those counted leaves all of them to be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

LandmarkAction = tuple[str, ...]
"""Kind and ids: ``("goto", room)``, ``("near", object)``, ``("flip", object, state)`` ..."""

GOTO, NEAR, DOOR, EXPLORE, GRAB, DROP, FREE, FLIP = (
    "goto",
    "near",
    "door",
    "explore",
    "grab",
    "drop",
    "free",
    "flip",
)

_ON_ONE_SIDE = frozenset({GOTO, NEAR, EXPLORE, GRAB, DROP, FREE})
"""Of these, the node is on one side of a door; who goes up to a door may be on either."""


class Confinement(NamedTuple):
    """Actors whom doors that can never be opened keep apart for good.

    What lies on one side of such doors is done by those who are there, and by nobody else.

    Attributes:
        side_of: Side of each room and each thing.
        actors: How many there are on each side.
    """

    side_of: Mapping[str, int]
    actors: Mapping[int, int]

    def side(self, actions: Sequence[LandmarkAction]) -> int | None:
        """The only side on which one of these can be done; None if there are several."""
        sides = {
            self.side_of.get(node) if kind in _ON_ONE_SIDE else None for kind, node, *_ in actions
        }
        return sides.pop() if len(sides) == 1 else None


class LandmarkSet:
    """The landmarks found for one state of the world.

    Attributes:
        sure: landmark actions that no plan can do without, and how often at least.
        makespan: decisions that must follow each other, whoever acts.
        partners: turns that joint landmark actions take beside the one of who orders them.
        turns: agents that take part in a landmark action, or do it one by one; at least so many.
        uninformed: nothing is known about some part of the goal, so anything may help.
    """

    __slots__ = ("_choices", "makespan", "partners", "sure", "turns", "uninformed")

    def __init__(self) -> None:
        self.turns: dict[LandmarkAction, int] = {}
        self.sure: dict[LandmarkAction, int] = {}
        self._choices: list[tuple[tuple[LandmarkAction, ...], int]] = []
        self.makespan = 0
        self.partners = 0
        self.uninformed = False

    def copy(self) -> LandmarkSet:
        """Another one that holds the same."""
        found = LandmarkSet()
        found.turns, found.sure, found._choices = {**self.turns}, {**self.sure}, [*self._choices]
        found.makespan, found.partners = self.makespan, self.partners
        found.uninformed = self.uninformed
        return found

    def must(self, landmark_action: LandmarkAction, times: int = 1) -> None:
        """No plan does without this."""
        if self.sure.get(landmark_action, 0) < times:
            self.sure[landmark_action] = times

    def must_by(self, landmark_action: LandmarkAction, agents: int) -> None:
        """No plan does without this, and so many agents spend a turn on it, together or not."""
        if agents > 0:
            self.must(landmark_action)
            self.turns[landmark_action] = max(self.turns.get(landmark_action, 0), agents)

    def one_of(
        self, landmark_actions: Iterable[LandmarkAction], times: int = 1, *, ranked: bool = False
    ) -> None:
        """Every plan contains at least `times` of these.

        Args:
            landmark_actions: in any order, unless they are ranked.
            times: how many of them at least.
            ranked: they are given best first, which decides between plans of equal length.
        """
        unique = dict.fromkeys(landmark_actions)
        found = tuple(unique if ranked else sorted(unique))  # the order of a set must not decide
        if not found:
            return
        if len(found) == 1:
            self.must(found[0], times)
        else:
            self._choices.append((found, times))

    def bound(self, confinement: Confinement | None = None) -> LandmarkBound:
        """The bound, with what it counts: sure landmark actions, and choices disjoint from them.

        With a confinement, those on one side have decisions enough for all that is done there.

        A walk that stops at a closed door enters a room and goes up to the door in one command, so
        of landmarks of these two kinds those of the rarer kind are not counted.
        """
        counted = dict(self.sure)
        chosen: list[tuple[tuple[LandmarkAction, ...], int]] = []
        total = sum(counted.values())
        entering = sum([times for action, times in counted.items() if action[0] == GOTO])
        stopping = sum([times for action, times in counted.items() if action[0] == DOOR])
        for landmark_actions, times in sorted(self._choices, key=lambda choice: len(choice[0])):
            if counted.keys().isdisjoint(landmark_actions):
                total += times
                chosen.append((landmark_actions, times))
                counted |= dict.fromkeys(landmark_actions, 0)
                kinds = {action[0] for action in landmark_actions}
                entering += times * (GOTO in kinds)
                stopping += times * (DOOR in kinds)
        turns = [max(0, self.turns[action] - counted[action]) for action in self.turns]
        more = sum([n for n, action in zip(turns, self.turns, strict=True) if action[0] == GOTO])
        if confinement is not None:
            self._divide(confinement, chosen)
        return LandmarkBound(
            commands=total - min(entering, stopping),
            agent_turns=total - min(entering + more, stopping) + self.partners + sum(turns, 0),
            landmark_actions=counted,
            landmarks=self,
        )

    def _divide(
        self, confinement: Confinement, chosen: Iterable[tuple[tuple[LandmarkAction, ...], int]]
    ) -> None:
        """Raise the makespan to what the actors on each side have to do at least."""
        sure = [
            ((action,), max(times, self.turns.get(action, 0)))
            for action, times in self.sure.items()
        ]
        load = dict.fromkeys(confinement.actors, 0)
        for actions, times in (*sure, *chosen):
            side = confinement.side(actions)
            if side in load:
                load[side] += times
        for side, actors in confinement.actors.items():
            self.makespan = max(self.makespan, -(-load[side] // actors))


class LandmarkBound:
    """A bound on what is left, and what it counts.

    Attributes:
        commands: commands that are left at least.
        agent_turns: turns of agents left at least: a joint command counts once for each partner.
        landmark_actions: everything counted; what achieves none of it brings the goal no nearer.
        makespan: decisions that are left at least, for reasons of order.
        uninformed: anything may help.
    """

    __slots__ = ("agent_turns", "commands", "landmark_actions", "makespan", "uninformed")

    def __init__(
        self,
        commands: int,
        agent_turns: int,
        landmark_actions: dict[LandmarkAction, int],
        landmarks: LandmarkSet,
    ) -> None:
        self.commands = commands
        self.agent_turns = agent_turns
        self.landmark_actions = landmark_actions
        self.makespan = landmarks.makespan
        self.uninformed = landmarks.uninformed
