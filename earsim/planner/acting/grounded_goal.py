"""The goal under partial knowledge: selectors grounded in what a team has perceived.

The team is told the goal with its selectors, never the answers. A selector is answered from what
has been perceived, and the answer is relied on only once nothing that might be a better one can be
left unseen. A thing that the goal names by its id is nowhere until it has been perceived; that it
is not in a certain place is relied on once nothing can be left unseen there.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from earsim.errors import NoSingleAnswer
from earsim.goals.grounding import ground, is_quantified
from earsim.goals.selectors import among_of, decisive, pick
from earsim.goals.tree import resolved
from earsim.planner.acting.exploration_memory import Frontier
from earsim.planner.acting.known_world import KnownWorld
from earsim.planner.literals import is_live
from earsim.schema import At, Goal, HeldBy, InsideRoom, Task
from earsim.schema.goal import (
    EACH,
    ContentsFact,
    ContentsOf,
    CountOf,
    Each,
    EachFact,
    Exactly,
    NeverHolds,
    Not,
    NumberOf,
    QuantityFact,
    Trips,
    Unchanged,
    UnchangedFact,
)
from earsim.schema.goal_tree import FALSE, TRUE, leaf_of, map_leaves, with_fact, with_parts
from earsim.schema.selector import Filter, Only
from earsim.schema.task_references import goal_references
from earsim.world.live import MELTED, TEMPERATURE
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
        if is_quantified(goal):
            seen = self._of_seen(goal, True)
            goal = ground(seen, self._known_world.first, self._answers)
        return map_leaves(goal, self._known)

    def _of_seen(self, goal: Goal, wanted: bool) -> Goal:
        """What the goal says of many things, only where it can be relied on.

        The others that `exactly` speaks of, and things of which one is enough, need not all be
        seen: what nobody has seen, nobody has touched.
        """
        if isinstance(goal, Trips):
            return self._trips_of_seen(goal)
        fact = leaf_of(goal).fact if isinstance(goal, _OF_MANY) else None
        if fact is None:
            parts = with_parts(goal, lambda part: self._of_seen(part, wanted ^ _denies(goal)))
            return goal if parts is None else parts
        if not self._are_known([name for name in _named(goal) if name != f"${EACH}"]):
            hoped = self._unseen is UnseenAssumption.AS_WISHED
            return TRUE if hoped is wanted else FALSE
        where: set[str] = set()
        unread: dict[tuple[str, str], None] = {}
        for among in _among(fact):
            unread |= dict.fromkeys(self._unread(Only(only=among)))
            if _asks_for_all(fact, wanted):
                where.update(self._hiding_places(among, ()))
        doubts = bool(where) or bool(unread)
        if doubts and self._unseen is UnseenAssumption.NOTHING:
            self.missing.update(where)
            self.unread |= unread
            return FALSE if wanted else TRUE
        self.guessed = self.guessed or doubts
        return goal

    def _trips_of_seen(self, goal: Trips) -> Goal:
        """Trips with what is known; nobody has carried anything else."""
        fact, update = goal.trips, dict[str, Any]()
        if fact.among is None:
            update["of"] = tuple([each for each in fact.of if self._are_known([each])])
        elif not self._are_known(_references(fact.among)):
            update["among"] = None
        return Trips(trips=fact.model_copy(update=update)) if update else goal

    def _known(self, leaf: Goal, wanted: bool) -> Goal:
        fact = leaf_of(leaf).fact
        if not wanted and self._is_nowhere_near(leaf):
            return FALSE
        if self._are_known(_named_in(fact)):
            found = resolved(fact, self._answers)
            if isinstance(found, QuantityFact):
                self._ask_for(found.object, found.of)
            return with_fact(leaf, found)
        holds = wanted if self._unseen is UnseenAssumption.AS_WISHED else not wanted
        return TRUE if holds else FALSE

    def _is_nowhere_near(self, leaf: Goal) -> bool:
        """Whether a thing that nobody knows cannot be where the goal denies that it is.

        Where it may be there, that place is noted as one to look at.
        """
        if isinstance(leaf, HeldBy):
            return self._is_unknown(leaf.held_by.object)
        if isinstance(leaf, InsideRoom):
            node, place = leaf.inside_room.object, leaf.inside_room.room
        elif isinstance(leaf, At):
            node, place = leaf.at.object, leaf.at.on or leaf.at.in_ or ""
        else:
            return False
        holder = self._id(place)
        rank = self._known_world.first.blueprint.rank
        if holder is None or holder not in rank or not self._is_unknown(node):
            return False
        hidden = [each.place for each in self._frontiers if self._may_be_at(each, holder)]
        self.missing.update(hidden)
        return not hidden

    def _is_unknown(self, reference: str) -> bool:
        """Whether it is the id of a thing that nobody knows."""
        rank = self._known_world.first.blueprint.rank
        return not reference.startswith("$") and reference not in rank

    def _may_be_at(self, frontier: Frontier, holder: str) -> bool:
        """Whether what is unseen there may be in the room, or in or on the thing."""
        first = self._known_world.first
        if frontier.unlikely:
            return False
        if holder in first.blueprint.rooms:
            return frontier.home == holder
        return frontier.place in (holder, first.room_of(holder))

    def _ask_for(self, node: str, name: str) -> None:
        """A number that changes by itself must have been perceived once to be planned with."""
        live = self._known_world.live
        for each in (name, TEMPERATURE, MASS) if name in (TEMPERATURE, MELTED) else (name,):
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


_OF_MANY = Each | CountOf | Exactly | ContentsOf | Unchanged


def _denies(goal: Goal) -> bool:
    return isinstance(goal, Not | NeverHolds)


def _named(goal: Goal) -> Iterator[str]:
    """The ids and `$names` of a node that speaks of many things."""
    return (reference.name for reference in goal_references(goal) if reference.role != "room")


def _asks_for_all(fact: Any, wanted: bool) -> bool:
    """Whether a thing that nobody has seen may make the difference for the worse."""
    if isinstance(fact, EachFact):
        return wanted
    if isinstance(fact, NumberOf):
        return (fact.most < math.inf) if wanted else fact.least > 0
    return False


def _among(fact: Any) -> Iterator[Filter]:
    """What things have to meet of which all must be seen."""
    if isinstance(fact, UnchangedFact):
        return
    if not isinstance(fact, ContentsFact):
        yield fact.among
        return
    for relation, place in (("in", "in_"), ("on", "on")):
        if fact.relation in (None, relation):
            yield fact.among.model_copy(update={place: fact.of})


def _named_in(fact: Any) -> Iterator[str]:
    """The ids and `$names` that a fact speaks of."""
    for field in ("object", "in_", "on", "room", "agent"):
        value = getattr(fact, field, None)
        if value is not None:
            yield str(value)
    place = getattr(fact, "place", None)
    if place is not None:
        yield str(place).rpartition(":")[2]  # EAR-Bench's text: `in:x`, `on:x`, `:x`, `x`
