"""The successor generator of `physical`."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.actions.offers import teams
from earsim.planner.agent_command import AgentCommand
from earsim.planner.successors.generator import SuccessorGenerator
from earsim.world import World
from earsim.world.containment import standing_piece


class PhysicalSuccessors(SuccessorGenerator):
    """See `SuccessorGenerator`."""

    def _find_teams(self) -> tuple[tuple[str, ...], ...]:
        return teams(self.problem.actors, 2) if self.relaxation.is_team else ()

    def _goto(self, world: World, room: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            state = world.agents[agent]
            if state.room != room and state.carrying is None:
                yield AgentCommand(agent, f"GOTO {room}")
        yield from self._walk_together(world, room, elsewhere=room)

    def _near(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        piece = node if node in world.blueprint.doors else standing_piece(world, node)
        for agent in self.problem.actors:
            state = world.agents[agent]
            if state.focus != piece and state.carrying is None:
                yield AgentCommand(agent, f"GOTO {piece}")
        yield from self._walk_together(world, piece, elsewhere="")

    def _walk_together(self, world: World, where: str, *, elsewhere: str) -> Iterator[AgentCommand]:
        """Those who carry something go together."""
        for load, team in world.carriers.items():
            if elsewhere != world.room_of(load):
                yield from self._jointly(team, "CORP_GOTO", where)

    def _grab(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            yield AgentCommand(agent, f"GRAB {node}")
        if self.relaxation.can_lift(node):
            for team in self.teams:
                yield from self._jointly(team, "CORP_GRAB", node)

    def _free(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            state = world.agents[agent]
            if node in state.inventory or node == state.carrying:
                yield AgentCommand(agent, f"RELEASE {node}")
                for place in self.relevant:
                    thing = self.problem.things.get(place)
                    if thing is not None and place != node:
                        yield from self._put(world, node, "on", place)
                        if thing.is_container:
                            yield from self._put(world, node, "in", place)

    def _put(self, world: World, node: str, relation: str, dest: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            if node in world.agents[agent].inventory:
                yield AgentCommand(agent, f"PLACE {node} {relation} {dest}")
        team = world.carriers.get(node)
        if team is not None:
            yield from self._jointly(team, "CORP_PLACE", f"{node} {relation} {dest}")

    def _by_enough(self, node: str, text: str) -> Iterator[AgentCommand]:
        """By each, or by as many together as the thing takes."""
        thing = self.problem.things.get(node)
        if thing is None or thing.people < 2:
            yield from super()._by_enough(node, text)
            return
        for team in self.teams:
            if len(team) >= thing.people:
                yield AgentCommand(team[0], text, team)

    def _jointly(self, team: tuple[str, ...], verb: str, rest: str) -> Iterator[AgentCommand]:
        yield AgentCommand(team[0], f"{verb} {rest}", team)
