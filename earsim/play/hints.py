"""Hints on request: the next command of a plan, and how few decisions a plan takes.

They come from the planner, which knows the whole scene: evaluator-side knowledge, so the record of
an attempt counts how often they were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import NamedTuple

from earsim.errors import UsageError
from earsim.planner import DEFAULT_NODE_LIMIT, Impossible, Plan, Result, Unknown, plan
from earsim.planner.acting.execution import awake, done_for_all
from earsim.planner.search.state_key import moment_key
from earsim.play.reading import Reader
from earsim.play.said import Said, doubt, hint, story
from earsim.play.session import Session
from earsim.render import proof
from earsim.world import World


class _Outlook(NamedTuple):
    """What a search found, seen from a state on the way.

    Attributes:
        found: from the state where the search began.
        taken: decisions of its plan that lead here.
    """

    found: Result
    taken: int = 0


class Hints:
    """Hints for one session."""

    def __init__(self, session: Session, *, nodes: int = DEFAULT_NODE_LIMIT) -> None:
        """Search nothing yet.

        Args:
            session: what is played; its world is left alone.
            nodes: states that one search may reach.
        """
        self._session = session
        self._episode = session.episode
        self._engine = session.episode.engine
        self._nodes = nodes
        self._reader = Reader(session.episode)
        self._outlooks: dict[Hashable, _Outlook] = {}

    def next_decision(self) -> Iterator[Said]:
        """The next decision of a plan from here."""
        self._session.notes["hints"] += 1
        return self._unless_stopped(self._next_decision)

    def least(self) -> Iterator[Said]:
        """How many decisions a plan takes, from the start and from here."""
        self._session.notes["least_asked"] += 1
        return self._unless_stopped(self._least)

    def _unless_stopped(self, answer: Callable[[], Iterator[Said]]) -> Iterator[Said]:
        try:
            yield from answer()
        except KeyboardInterrupt:
            yield doubt("The search was stopped.")
        except UsageError as error:  # a goal or a verb that the planner does not know
            yield doubt(f"There are no hints here: {error}.")

    def _next_decision(self) -> Iterator[Said]:
        world, holds = self._episode.world, self._engine.task.goal.holds
        if self._episode.success or holds(world):
            yield story(self._typed(done_for_all(world, holds)))
            yield hint("The goal is reached.")
            return
        yield from self._search(world)
        found, taken = self._outlooks[moment_key(world)]
        if isinstance(found, Plan):
            yield story(self._typed(found.decisions[taken]))
            yield hint(f"The first of {self._told(world)}")
            left = self._episode.budget - self._episode.decisions
            if len(found) - taken >= left:
                yield hint(f"With DONE, that is more than the {left} that are left.")
        else:
            told = self._told(world)
            yield hint(f"{told[0].upper()}{told[1:]}")
            if isinstance(found, Impossible) and self._episode.decisions:
                yield hint("undo takes decisions back.")

    def _least(self) -> Iterator[Said]:
        world, start = self._episode.world, self._session.start
        yield from self._search(start)
        yield story(f"From the start: {self._told(start)}")
        if moment_key(world) != moment_key(start):
            yield from self._search(world)
            yield story(f"From here: {self._told(world)}")
        left = self._episode.budget - self._episode.decisions
        yield hint(
            "DONE comes on top, and before it the setting down of what is still carried together. "
            f"You have taken {self._episode.decisions}, and {left} are left."
        )

    def _search(self, world: World) -> Iterator[Said]:
        """Plan, unless an earlier plan leads through this state, and remember what was found."""
        if moment_key(world) in self._outlooks:
            return
        yield hint(f"Searching, through {self._nodes:,} states at most at a time; Ctrl-C stops it.")
        found = plan(self._engine, world, agents=awake(world), nodes=self._nodes)
        self._outlooks[moment_key(world)] = _Outlook(found)
        if not isinstance(found, Plan):
            return
        ahead = world.copy()
        for taken, decision in enumerate(found.decisions, start=1):
            self._engine.step(ahead, decision)
            self._outlooks.setdefault(moment_key(ahead), _Outlook(found, taken))

    def _told(self, world: World) -> str:
        """How far it is to the goal, and how sure that is."""
        found, taken = self._outlooks[moment_key(world)]
        if isinstance(found, Plan):
            bound = max(0, found.bound - taken)
            return f"{proof.length(len(found) - taken, bound, least=found.least)}."
        if isinstance(found, Impossible):
            why = proof.impossible(found.why, found.facts, self._engine.blueprint)
            return f"there is no plan. {why}"
        return _not_found(found)

    def _typed(self, decision: Mapping[str, str]) -> str:
        """A decision as a line of the game."""
        texts = {agent: self._understood(agent, text) for agent, text in decision.items()}
        text = next(iter(texts.values()))
        if len(self._episode.agents) == 1:
            return text
        if len(texts) == len(awake(self._episode.world)) and len({*texts.values()}) == 1:
            return f"all: {text}"
        return " | ".join(f"{agent}: {text}" for agent, text in texts.items())

    def _understood(self, agent: str, command: str) -> str:
        """A command as it is to be typed: with a ! if it is about what nobody has seen before it.

        One of a team may walk up to what another finds in the same decision.
        """
        return command if self._reader.read(command, agent) == command else f"!{command}"


def _not_found(found: Unknown) -> str:
    bound = f"; if there is one, its decisions are {found.bound} or more" if found.bound else ""
    if found.workstation:
        return f"it takes code, and the planner writes none{bound}."
    return f"no plan was found within the limit of {found.limit:,} states{bound}."
