"""The commands worth trying where numbers change by themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from earsim.planner.agent_command import AgentCommand
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.successors.physical import PhysicalSuccessors
from earsim.planner.timed.apparatus import PlannedApparatus
from earsim.planner.timed.conditions import AmountCondition, Condition, Fact, parts_of
from earsim.planner.timed.relaxed_plan import (
    CONNECT,
    DISCONNECT,
    EMPTY,
    FILL,
    POUR,
    PUT,
    WAIT,
    Step,
)
from earsim.schema.goal import DoneJointlyFact
from earsim.world import World
from earsim.world.live import CONTENT


class TimedSuccessors(PhysicalSuccessors):
    """See `SuccessorGenerator`; waits aside, which depend on when something comes."""

    def __init__(
        self,
        problem: Problem,
        relaxation: PhysicalRelaxation,
        apparatus: PlannedApparatus | None,
        goal: Condition,
    ) -> None:
        self._apparatus = apparatus
        self._goal = goal
        super().__init__(problem, relaxation)

    # -- what a plan may have to do with -----------------------------------------------------------

    def _find_goal_nodes(self) -> Mapping[str, None]:
        """What the goal speaks of, and every thing that bears on its numbers, at any remove."""
        rank = self.problem.engine.blueprint.rank
        queue = [node for node in self._spoken_of() if node in rank]
        found: dict[str, None] = {}
        for node in queue:  # grows while it is read
            if node not in found and node in rank:
                found[node] = None
                queue += self._bearing_on(node)
        return found

    def _spoken_of(self) -> Iterator[str]:
        for part in parts_of(self._goal):
            if isinstance(part, AmountCondition):
                yield part.node
            elif isinstance(part, Fact):
                fact = part.fact
                names = ("object", "in_", "on", "room", "agent")
                found = [getattr(fact, name, None) for name in names]
                yield from [node for node in found if node is not None]

    def _bearing_on(self, node: str) -> Iterator[str]:
        apparatus = self._apparatus
        if apparatus is None:
            return
        yield from apparatus.boundary(node)
        yield from apparatus.fitting(node)
        for through, flow in apparatus.flows:
            if node in (flow.from_, flow.to):
                yield through
        if node in apparatus.bodies or node in apparatus.compartments:
            yield from [heater for heater, _ in apparatus.heaters]
            yield from apparatus.compartments
        if node in apparatus.live.vessels:
            yield from (*apparatus.live.sources, *apparatus.live.vessels, *apparatus.live.drains)

    def _switches(self) -> frozenset[tuple[str, str]]:
        """The states that processes ask for."""
        if self._apparatus is None:
            return frozenset()
        each = [
            (process.active.of or node, state)
            for node, own in self._apparatus.live.processes.items()
            for process in own
            if process.active is not None
            for state in process.active.while_
        ]
        return frozenset(each)

    def _find_goal_states(self) -> Mapping[tuple[str, str], None]:
        facts = [part.fact for part in parts_of(self._goal) if isinstance(part, Fact)]
        named = [(fact.object, fact.state) for fact in facts if hasattr(fact, "state")]
        return {key: None for key in (*named, *sorted(self._switches())) if self._has(*key)}

    def _find_relevant(self) -> tuple[str, ...]:
        """Rooms of other temperatures belong to it where bodies do."""
        found = super()._find_relevant()
        bodies = () if self._apparatus is None else self._apparatus.bodies
        if any(node in bodies for node in found):
            rank = self.problem.engine.blueprint.rank
            found = tuple(
                sorted({*found, *self.problem.engine.blueprint.rooms}, key=rank.__getitem__)
            )
        return found

    def _find_joint_states(self) -> frozenset[tuple[str, str]]:
        facts = [part.fact for part in parts_of(self._goal) if isinstance(part, Fact)]
        marks = [fact for fact in facts if isinstance(fact, DoneJointlyFact)]
        return frozenset([(mark.object, mark.state) for mark in marks])

    # -- commands ----------------------------------------------------------------------------------

    def following(self, world: World, steps: Collection[Step]) -> Iterator[AgentCommand]:
        """Commands that do one of the steps of a relaxed plan."""
        for step in steps:
            kind = step[0]
            if kind == WAIT:
                continue
            if kind == PUT:
                yield from self._put_there(world, *step[1:])
            elif kind in _LIQUID:
                yield from self._about(kind, *step[1:])
            else:
                yield from self.achieving(world, [step])

    def _put_there(
        self, world: World, node: str, relation: str, holder: str
    ) -> Iterator[AgentCommand]:
        yield from self._put(world, node, relation, holder)
        if holder in world.blueprint.rooms:
            for agent in self.problem.actors:
                if node in world.agents[agent].inventory:
                    yield AgentCommand(agent, f"RELEASE {node}")

    def everything(self, world: World) -> Iterator[AgentCommand]:
        """Every command about relevant things."""
        yield from self.all_relevant(world)
        apparatus = self._apparatus
        if apparatus is None:
            return
        live = apparatus.live
        near = [node for node in self.relevant if self._is_close(world, node)]
        vessels = [node for node in near if node in live.vessels]
        for vessel in vessels:
            for other in near:
                if other != vessel and (other in live.vessels or other in live.drains):
                    yield from self._about(POUR, vessel, other)
                if other in live.sources:
                    yield from self._about(FILL, vessel, other)
            yield from self._about(EMPTY, vessel)
        yield from self._connecting(world, near)

    def _is_close(self, world: World, node: str) -> bool:
        room = world.room_of(node) if node in world.location else None
        return any(world.agents[actor].room == room for actor in self.problem.actors)

    def _connecting(self, world: World, near: Iterable[str]) -> Iterator[AgentCommand]:
        apparatus, timeline = self._apparatus, world.timeline
        assert apparatus is not None
        near = set(near)
        for first, second, _ in () if timeline is None else timeline.links:
            yield from self._about(DISCONNECT, first, second)
        rank = world.blueprint.rank
        for node in sorted(near.intersection(apparatus.live.fittings), key=rank.__getitem__):
            for other in apparatus.fitting(node):
                if other in near and rank[node] < rank[other]:
                    yield from self._about(CONNECT, node, other)

    def _about(self, kind: str, *nodes: str) -> Iterator[AgentCommand]:
        texts = [_LIQUID[kind].format(*nodes)]
        if kind == POUR and self._apparatus is not None:
            marks = self._apparatus.live.marks.get(nodes[1], ())
            texts += [f"{texts[0]} TO {mark.name}" for mark in marks if mark.of == CONTENT]
        for text in texts:
            for agent in self.problem.actors:
                yield AgentCommand(agent, text)


_LIQUID = {
    POUR: "POUR {} INTO {}",
    FILL: "FILL {} FROM {}",
    EMPTY: "EMPTY {}",
    CONNECT: "CONNECT {} {}",
    DISCONNECT: "DISCONNECT {} {}",
}
