"""Best-first search over real decisions, in which time passes; it finds plans and proves nothing.

Two queues take turns: one by how much of a relaxed plan is left, one that favours states which show
something not seen before with so much left (best-first width search: Lipovetzky, Geffner 2017).
What the relaxed plan speaks of is tried first; everything else, later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from earsim.actions.outcome import Refusal
from earsim.actions.verb import joint_objection, objection
from earsim.engine import Engine
from earsim.planner.agent_command import AgentCommand
from earsim.planner.timed.keys import Keys
from earsim.planner.timed.regression import Regression, is_lost
from earsim.planner.timed.relaxed_plan import NOTHING, Steps
from earsim.planner.timed.replay import Witness, margin_ms, watched
from earsim.planner.timed.successors import TimedSuccessors
from earsim.planner.timed.task import TimedTask
from earsim.planner.timed.waits import (
    MARGIN_MS,
    moments,
    seconds_before,
    seconds_past,
    until_states,
)
from earsim.world import World

_LATER = 3
"""How many steps further off a state counts when everything is tried in it."""

_UNGUIDED = 1_000
"""Steps that a state counts for which the relaxation knows no way."""


class TimedNode(NamedTuple):
    """A state that was reached.

    Attributes:
        world: the state.
        steps: what is left of a relaxed plan.
        arrivals: moments at which numbers come where that needs them.
        above: where it was reached from.
        said: the commands of the decision that led here.
        depth: decisions from the start.
    """

    world: World
    steps: Steps
    arrivals: frozenset[int]
    above: TimedNode | None
    said: Mapping[str, str]
    depth: int

    @property
    def left(self) -> int:
        """Steps left; many where none are known."""
        return _UNGUIDED if self.steps is None else len(self.steps)

    def decisions(self) -> list[Mapping[str, str]]:
        """What led here."""
        found: list[Mapping[str, str]] = []
        node: TimedNode | None = self
        while node is not None and node.above is not None:
            found.append(node.said)
            node = node.above
        return found[::-1]


class TimedSearch:
    """One search.

    Attributes:
        nodes: states generated so far.
        limit: so many it may generate; it may be lowered meanwhile.
    """

    def __init__(self, task: TimedTask, keys: Keys, *, limit: int, in_parallel: bool) -> None:
        self._task = task
        self._keys = keys
        self.limit = limit
        self._in_parallel = in_parallel
        self._engine: Engine = task.problem.engine
        self._witness = Witness(task.problem.engine, task.goal)
        self._regression: Regression = task.regression
        self._successors: TimedSuccessors = task.successors
        self._seen: dict[Hashable, int] = {}
        self._novel: dict[int, set[Hashable]] = {}
        self._queues: tuple[list[tuple[int, int, int, bool, TimedNode]], ...] = ([], [])
        self._done: set[tuple[int, bool]] = set()
        self._serial = 0
        self.nodes = 0

    def solutions(self) -> Iterator[list[Mapping[str, str]]]:
        """Plans, as they are found, until the limit; whether one is proved, others say."""
        start = watched(self._engine, self._task.problem.start)
        self._reach(self._keys.of(start), self._node(start, None, {}))
        turn = 0
        while any(self._queues) and self.nodes < self.limit:
            turn = 1 - turn
            queue = self._queues[turn] or self._queues[1 - turn]
            _, _, serial, late, node = heappop(queue)
            if (serial, late) in self._done:
                continue
            self._done.add((serial, late))
            yield from self._expand(node, late=late)

    def _node(self, world: World, above: TimedNode | None, said: Mapping[str, str]) -> TimedNode:
        steps = self._regression.steps(world)
        depth = 0 if above is None else above.depth + 1
        return TimedNode(world, steps, frozenset(self._regression.arrivals), above, said, depth)

    def _reach(self, key: Hashable, node: TimedNode) -> None:
        self._serial += 1
        novel = self._is_novel(key, node.left)
        self._push(node, novel=novel, late=False)
        self._push(node, novel=novel, late=True)

    def _push(self, node: TimedNode, *, novel: bool, late: bool) -> None:
        left, serial = node.left + _LATER * late, self._serial
        heappush(self._queues[0], (left, node.depth, serial, late, node))
        heappush(self._queues[1], ((not novel) + late, left, serial, late, node))

    def _is_novel(self, key: Hashable, left: int) -> bool:
        """Whether it shows something that no state with so much left has shown."""
        seen = self._novel.setdefault(left, set())
        atoms = set(_atoms(key))
        novel = not atoms <= seen
        seen |= atoms
        return novel

    def _expand(self, node: TimedNode, *, late: bool) -> Iterator[list[Mapping[str, str]]]:
        for said in self._decisions(node, late=late):
            world = node.world.copy()
            crossings = self._witness.step(world, said)
            self.nodes += 1
            if margin_ms(crossings, _ends_ms(node.world, world)) < MARGIN_MS:
                continue
            if self._task.problem.holds(world):
                yield TimedNode(world, NOTHING, frozenset(), node, said, node.depth + 1).decisions()
                continue
            if is_lost(self._task.goal, world):
                continue
            key = self._keys.of(world)
            before = self._seen.get(key)
            if before is not None and (before <= world.clock or not self._task.reads_clock):
                continue
            self._seen[key] = world.clock
            child = self._node(world, node, said)
            if child.steps is not None or self._keys.exact:
                self._reach(key, child)

    # -- decisions ---------------------------------------------------------------------------------

    def _decisions(self, node: TimedNode, *, late: bool) -> Iterator[Mapping[str, str]]:
        world, steps = node.world, node.steps or NOTHING
        if late:
            orders = self._successors.everything(world)
        else:
            orders = self._successors.following(world, sorted(steps))
        accepted = [order for order in dict.fromkeys(orders) if self._is_accepted(world, order)]
        yield from [dict(order.said) for order in accepted]
        if self._in_parallel and not late:
            yield from _parallel(accepted)
        yield from self._waits(node, late=late)

    def _is_accepted(self, world: World, order: AgentCommand) -> bool:
        call = self._engine.parse(order.text)
        if isinstance(call, Refusal):
            return False
        if order.partners:
            call = call.given_by(order.partners)
            return joint_objection(world, order.partners, call) is None
        return objection(world, order.agent, call) is None

    def _waits(self, node: TimedNode, *, late: bool) -> Iterator[Mapping[str, str]]:
        world, task = node.world, self._task
        timeline, actors = world.timeline, task.problem.actors
        awake = [actor for actor in actors if not world.agents[actor].idle]
        if timeline is None or not awake:
            return
        for order in () if late else until_states(world, awake, task.relevant):
            if self._is_accepted(world, order):
                yield dict(order.said)
        seconds: dict[int, None] = {}
        for at_ms in moments(world, task.relevant, node.arrivals):
            find = seconds_before if late else seconds_past
            seconds[find(timeline.now_ms, at_ms)] = None
        yield from [{awake[0]: f"WAIT {s}"} for s in seconds if s >= 1]


def _ends_ms(before: World, after: World) -> tuple[int, int]:
    return before.clock * 1000, after.clock * 1000


def _atoms(key: Hashable) -> Iterator[Hashable]:
    """The parts of a key, each with its place."""
    for place, part in enumerate(key if isinstance(key, tuple) else (key,)):
        if isinstance(part, tuple):
            yield from [(place, atom) for atom in _atoms(part)]
        else:
            yield (place, part)


def _parallel(orders: list[AgentCommand]) -> Iterator[Mapping[str, str]]:
    """Two at once, by different agents, who need nobody else."""
    single = [order for order in orders if not order.partners]
    for index, order in enumerate(single):
        for other in single[index + 1 :]:
            if other.agent != order.agent:
                yield {order.agent: order.text, other.agent: other.text}
