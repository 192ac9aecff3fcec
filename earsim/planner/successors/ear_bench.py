"""The successor generator of `ear-bench`, for the class of commands that the problem allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from earsim.actions.offers import teams
from earsim.planner.agent_command import AgentCommand
from earsim.planner.literals import Denied
from earsim.planner.successors.generator import SuccessorGenerator
from earsim.world import World
from earsim.world.containment import ancestors


class EarBenchSuccessors(SuccessorGenerator):
    """See `SuccessorGenerator`."""

    def _find_teams(self) -> tuple[tuple[str, ...], ...]:
        """Class `plain`: all agents of the task are listed."""
        actors = self.problem.actors
        if not self.relaxation.is_team:
            return ()
        return teams(actors, len(actors) if self.problem.plain else 1)

    def _goto(self, world: World, room: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            if world.agents[agent].room != room:
                yield AgentCommand(agent, f"GOTO {room}")
        for team in self.teams:
            rooms = {world.agents[agent].room for agent in team}
            if rooms != {room} and (len(rooms) == 1 or not self.problem.plain):
                yield from self._jointly(team, "CORP_GOTO", room)

    def _near(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        room = world.room_of(node)
        for agent in self.problem.actors:
            if world.agents[agent].room == room:
                yield AgentCommand(agent, f"GOTO {node}")

    def _grab(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            if node in world.agents[agent].near:
                yield AgentCommand(agent, f"GRAB {node}")
        if self.relaxation.can_lift(node) and (not self.problem.plain or self._known(world, node)):
            for team in self.teams:
                yield from self._jointly(team, "CORP_GRAB", node)

    def _free(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            state = world.agents[agent]
            if state.carrying == node:
                yield from self._put_anywhere(world, node, state.room)
            if node in state.inventory:
                yield AgentCommand(agent, f"PLACE {node} in {state.room}")
                for place in self.relevant:
                    if place in state.near and place != node:
                        yield from self._set_down(world, agent, node, place)

    def _set_down(self, world: World, agent: str, node: str, place: str) -> Iterator[AgentCommand]:
        thing = self.problem.things.get(place)
        if thing is not None and self._may_hold(world, place):
            yield AgentCommand(agent, f"PLACE {node} on {place}")
            if thing.is_container:
                yield AgentCommand(agent, f"PLACE {node} in {place}")
            if not self.problem.plain:
                yield AgentCommand(agent, f"PLACE {node} IN {place}")  # unchecked: EAR-Bench Q5

    def _put_anywhere(self, world: World, node: str, room: str) -> Iterator[AgentCommand]:
        """What is carried jointly; in class `any` nobody need be there (EAR-Bench Q13)."""
        yield from self._put(world, node, "in", room)
        if not self.problem.plain or self._is_denied(node):
            places = (*self._rooms(world), *self.relevant, *world.agents)
            for place in dict.fromkeys(places):
                if place not in world.blueprint.doors:
                    yield from self._put(world, node, "in", place)
                    yield from self._put(world, node, "on", place)

    def _is_denied(self, node: str) -> bool:
        """Whether the goal says where it must not be, so that a room may not do."""
        disjuncts = self.problem.disjuncts
        return disjuncts is None or any(
            isinstance(literal.fact, Denied) and getattr(literal.fact.fact, "object", None) == node
            for disjunct in disjuncts
            for literal in disjunct.denials
        )

    def _put(self, world: World, node: str, relation: str, dest: str) -> Iterator[AgentCommand]:
        if not self._may_hold(world, dest):
            return
        for agent in self.problem.actors:
            if node in world.agents[agent].inventory:
                yield AgentCommand(agent, f"PLACE {node} {relation} {dest}")
        for team in self.teams:
            carried = all(world.agents[agent].carrying == node for agent in team)
            if carried and (not self.problem.plain or self._all_at(world, team, dest)):
                yield from self._jointly(team, "CORP_PLACE", f"{node} {relation} {dest}")

    def _jointly(self, team: tuple[str, ...], verb: str, rest: str) -> Iterator[AgentCommand]:
        """Who gives the order matters for what else is done in a decision (EAR-Bench 5.3)."""
        anybody = not self.problem.plain and verb in ("CORP_GRAB", "CORP_GOTO", "CORP_PLACE")
        for agent in self.problem.actors if anybody else team:
            yield AgentCommand(agent, f"{verb} {','.join(team)} {rest}")

    def _all_at(self, world: World, team: tuple[str, ...], dest: str) -> bool:
        """Class `plain`: a joint placing happens where everybody is, at something known."""
        room = world.room_of(dest)
        known = dest in world.blueprint.rooms or self._known(world, dest)
        return known and all(world.agents[agent].room == room for agent in team)

    def _may_hold(self, world: World, place: str) -> bool:
        """Class `plain`: nothing is put into or onto what somebody holds."""
        if not self.problem.plain:
            return True
        return all(holder not in world.agents for holder in (place, *ancestors(world, place)))

    def _value(self, world: World, node: str, attribute: str) -> Any:
        states = world.states[node]
        return states[attribute] if attribute in states else world.attributes(node)[attribute]

    def _has(self, node: str, attribute: str) -> bool:
        start = self.problem.start
        return super()._has(node, attribute) or (
            node in start.location and attribute in start.attributes(node)
        )

    def _known(self, world: World, node: str) -> bool:
        return node in world.known[self.problem.actors[0]]
