"""The goal under partial knowledge: selectors grounded in what a team has perceived.

The team is told the goal with its selectors, never the answers. A selector is answered from what
has been perceived, and the answer is relied on only once nothing that might be a better one can be
left unseen. A thing that the goal names by its id is nowhere until it has been perceived.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from earsim.errors import NoSingleAnswer
from earsim.goals.selectors import among_of, decisive, pick
from earsim.goals.tree import resolved
from earsim.planner.acting.exploration_memory import Frontier
from earsim.planner.acting.known_world import KnownWorld
from earsim.planner.literals import is_live
from earsim.schema import Goal, Task
from earsim.schema.goal import QuantityFact
from earsim.schema.goal_tree import FALSE, TRUE, leaf_of, map_leaves, with_fact
from earsim.schema.selector import Filter, Only
from earsim.world.live import TEMPERATURE
from earsim.world.numbers import number_of
from earsim.world.perceived import MASS


class UnseenAssumption(Enum):
    """What is taken for granted of things unseen.

    NOTHING: they may be anything. NO_BETTER: none of them is a better answer than the best one
    seen. AS_WISHED: moreover, what the goal says of them is so already.
    """

    NOTHING = 0
    NO_BETTER = 1
    AS_WISHED = 2


class GroundedGoal(NamedTuple):
    """A task in terms of what is known.

    Attributes:
        goal: the goal, speaking of known things alone; what it says of others cannot hold.
        missing: the frontier where what a selector means may be.
        anywhere: something that the task names is not known, and may be anywhere.
        guessed: the goal relies on an answer that something unseen may prove wrong.
        unread: known things, and numbers of them that decide what a selector means and that
            nobody has felt or measured.
    """

    goal: Goal
    missing: frozenset[str]
    anywhere: bool
    guessed: bool
    unread: tuple[tuple[str, str], ...] = ()


def ground_goal(
    task: Task,
    known_world: KnownWorld,
    frontiers: Sequence[Frontier],
    *,
    unseen: UnseenAssumption = UnseenAssumption.NOTHING,
    numberless: Collection[tuple[str, str]] = (),
) -> GroundedGoal:
    """Read a task.

    Args:
        task: with its selectors.
        known_world: what is known.
        frontiers: where something unseen may be.
        unseen: what is taken for granted.
        numberless: things, and numbers that they turned out not to have.
    """
    reader = _Reader(known_world, frontiers, unseen, numberless)
    for name in _asked_for(task):
        reader.answer(name, task.select[name])
    goal = reader.known(task.goal)
    unread = tuple(reader.unread)
    return GroundedGoal(goal, frozenset(reader.missing), reader.anywhere, reader.guessed, unread)


class _Reader:
    """Reads one task; see `GroundedGoal` for what it gathers."""

    def __init__(
        self,
        known_world: KnownWorld,
        frontiers: Sequence[Frontier],
        unseen: UnseenAssumption,
        numberless: Collection[tuple[str, str]],
    ) -> None:
        self.missing: set[str] = set()
        self.unread: dict[tuple[str, str], None] = {}
        self.anywhere = False
        self.guessed = False
        self._known_world = known_world
        self._frontiers = frontiers
        self._unseen = unseen
        self._numberless = numberless
        self._answers: dict[str, str] = {}

    # -- selectors ---------------------------------------------------------------------------------

    def answer(self, name: str, selector: Any) -> None:
        """Answer a selector, or note where its answer may be."""
        if not self._are_known(_references(among_of(selector))):
            return
        try:
            found = pick(selector, self._known_world.first, self._answers)
        except NoSingleAnswer:
            found = None
        # There is exactly one, as the task says "the only one": the first that is seen is it.
        sure = found is not None and isinstance(selector, Only)
        seen = found.candidates if found is not None else ()
        where = () if sure else tuple(self._hiding_places(among_of(selector), seen))
        unread = dict.fromkeys(self._unread(selector))
        doubts = bool(where) or bool(unread)
        if found is not None and (not doubts or self._unseen is not UnseenAssumption.NOTHING):
            self._answers[name] = found.answer
            self.guessed = self.guessed or doubts
        else:
            self.missing.update(where)
            self.unread |= unread

    def _unread(self, selector: Any) -> Iterator[tuple[str, str]]:
        """Numbers that decide, of known things that may be meant, and that nobody has read."""
        known_world = self._known_world
        if not known_world.unread and not known_world.sensed:
            return
        for node, name in decisive(selector, known_world.first, self._answers):
            if self._is_unread(node, name):
                yield node, name

    def _is_unread(self, node: str, name: str) -> bool:
        """Whether a number may be there that nobody has read: one that something known senses."""
        if (node, name) in self._numberless:
            return False
        known_world = self._known_world
        if name == MASS:
            return name in known_world.unread.get(node, ())
        return name in known_world.sensed and number_of(known_world.first, node, name) is None

    def _hiding_places(self, among: Filter, seen: Iterable[str]) -> Iterator[str]:
        """Where something that meets a filter may be unseen; it is no smaller than those seen."""
        things = self._known_world.first.blueprint.things
        least_l = min((things[node].volume_l for node in seen), default=0.0)
        for frontier in self._frontiers:
            if frontier.unlikely or self._space_l(frontier.place) < least_l:
                continue
            if self._may_hold(frontier, among):
                yield frontier.place

    def _space_l(self, place: str) -> float:
        """How large a thing may be there: no larger than the box itself, or than it is to take."""
        thing = self._known_world.first.blueprint.things.get(place)
        if thing is None:
            return math.inf
        told = math.inf if thing.capacity_l is None else thing.capacity_l
        return min(told, thing.volume_l or math.inf)

    def _may_hold(self, frontier: Frontier, among: Filter) -> bool:
        """Whether what the filter says of places leaves this one open."""
        if among.inside_room is not None and frontier.home != self._id(among.inside_room):
            return False
        if among.in_ is not None and frontier.place != self._id(among.in_):
            return False
        # A lid hides what is in a thing, not what is on it.
        return among.on is None or (
            frontier.place == self._id(among.on) and frontier.lid != frontier.place
        )

    # -- the goal ----------------------------------------------------------------------------------

    def known(self, goal: Goal) -> Goal:
        """The goal without what it says, or denies, of things that are not known."""
        return map_leaves(goal, self._known)

    def _known(self, leaf: Goal, wanted: bool) -> Goal:
        fact = leaf_of(leaf).fact
        if self._are_known(_named_in(fact)):
            found = resolved(fact, self._answers)
            if isinstance(found, QuantityFact):
                self._ask_for(found.object, found.of)
            return with_fact(leaf, found)
        holds = wanted if self._unseen is UnseenAssumption.AS_WISHED else not wanted
        return TRUE if holds else FALSE

    def _ask_for(self, node: str, name: str) -> None:
        """A number that changes by itself must have been perceived once to be planned with."""
        live = self._known_world.live
        for each in (name, MASS) if name == TEMPERATURE else (name,):
            if is_live(live, node, name) and self._is_unread(node, each):
                self.unread[node, each] = None

    def _are_known(self, references: Iterable[str]) -> bool:
        """Whether everything referred to is known; what is not may be anywhere."""
        ids = [self._id(reference) for reference in references]
        unknown = [node for node in ids if node not in self._known_world.first.blueprint.rank]
        self.anywhere |= any(node is not None for node in unknown)
        return not unknown

    def _id(self, reference: str) -> str | None:
        """What a reference stands for; None where its selector has no answer yet."""
        return self._answers.get(reference[1:]) if reference.startswith("$") else reference


def _asked_for(task: Task) -> list[str]:
    """The selectors that the goal speaks of and those that they refer to, in file order."""
    told = task.goal.model_dump_json()
    found = [name for name in task.select if f'"${name}"' in told]
    for name in found:  # grows while it is read
        references = _references(among_of(task.select[name]))
        found += [said[1:] for said in references if said.startswith("$")]
    return [name for name in task.select if name in found]


def _references(among: Filter) -> Iterator[str]:
    """The ids and `$names` that a filter speaks of."""
    yield from filter(None, (among.inside_room, among.in_, among.on))
    for compared in (among.more_than, among.less_than):
        if compared is not None:
            yield compared.object
    if among.not_ is not None:
        yield from _references(among.not_)


def _named_in(fact: Any) -> Iterator[str]:
    """The ids and `$names` that a fact speaks of."""
    for field in ("object", "in_", "on", "room", "agent"):
        value = getattr(fact, field, None)
        if value is not None:
            yield str(value)
    place = getattr(fact, "place", None)
    if place is not None:
        yield str(place).rpartition(":")[2]  # EAR-Bench's text: `in:x`, `on:x`, `:x`, `x`
