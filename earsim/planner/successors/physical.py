"""The successor generator of `physical`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from earsim.actions.goto import walk_ahead
from earsim.actions.offers import teams
from earsim.planner.agent_command import AgentCommand
from earsim.planner.successors.generator import SuccessorGenerator
from earsim.world import World
from earsim.world.containment import standing_piece
from earsim.world.paths import is_passable


class PhysicalSuccessors(SuccessorGenerator):
    """See `SuccessorGenerator`."""

    def _find_teams(self) -> tuple[tuple[str, ...], ...]:
        return teams(self.problem.actors, 2) if self.relaxation.is_team else ()

    def _changeable(self, world: World, node: str) -> Iterator[str]:
        """As everywhere; and what a tool needs, and plugs, which keep things where they are."""
        found = dict.fromkeys(super()._changeable(world, node))
        thing = self.problem.things.get(node)
        if thing is not None and (thing.needs or thing.provides):
            needs = ("is_broken", *thing.needs)
            states = world.states[node]
            found |= dict.fromkeys([n for n in needs if isinstance(states.get(n), bool)])
        yield from found

    def _ways_to(self, nodes: Iterable[str]) -> Iterator[str]:
        """Doors, and what rolls: it takes more than can be carried."""
        yield from super()._ways_to(nodes)
        wheeled = self.problem.engine.blueprint.wheeled
        yield from (node for node in self.problem.things if node in wheeled)

    def _goto(self, world: World, room: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            state = world.agents[agent]
            if state.room != room and state.carrying is None:
                yield AgentCommand(agent, f"GOTO {room}")
                yield from self._stopping(world, (agent,), room=room)
        for load, team in world.carriers.items():
            if room != world.room_of(load):
                yield from self._jointly(team, "CORP_GOTO", room)
                yield from self._stopping(world, team, room=room)

    def _near(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        is_door = node in world.blueprint.doors
        piece = node if is_door else standing_piece(world, node)
        for agent in self.problem.actors:
            state = world.agents[agent]
            if state.focus != piece and state.carrying is None:
                yield AgentCommand(agent, f"GOTO {piece}")
                if is_door:
                    yield from self._stopping(world, (agent,), door=node)
        for team in world.carriers.values():
            yield from self._jointly(team, "CORP_GOTO", piece)
            if is_door:
                yield from self._stopping(world, team, door=node)

    def _stopping(
        self, world: World, team: tuple[str, ...], *, room: str = "", door: str = ""
    ) -> Iterator[AgentCommand]:
        """Walks that stop in a room, or at a door, because a door is closed."""
        if all(is_passable(world, each) for each in world.blueprint.doors):
            return
        found: dict[tuple[str, str], str] = {}
        for goal in self._rooms(world):
            walk = walk_ahead(world, team[0], goal)
            if walk is None or walk.door is None or not walk.entered:
                continue
            if walk.room == room or walk.door == door:
                found.setdefault((walk.room, walk.door), goal)
        for goal in found.values():
            if len(team) > 1:
                yield from self._jointly(team, "CORP_GOTO", goal)
            else:
                yield AgentCommand(team[0], f"GOTO {goal}")

    def _grab(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            yield AgentCommand(agent, f"GRAB {node}")
        if self.relaxation.can_lift(node):
            for team in self.teams:
                yield from self._jointly(team, "CORP_GRAB", node)
        yield from self._give(world, node)

    def _give(self, world: World, node: str) -> Iterator[AgentCommand]:
        """Handing it over to any other actor in the room."""
        for giver in self.problem.actors:
            if node in world.agents[giver].inventory:
                room = world.agents[giver].room
                for receiver in self.problem.actors:
                    if receiver != giver and world.agents[receiver].room == room:
                        both = (giver, receiver)
                        yield AgentCommand(giver, f"GIVE {node} {receiver}", both, f"GRAB {node}")

    def _free(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            state = world.agents[agent]
            if node in state.inventory or node == state.carrying:
                yield AgentCommand(agent, f"RELEASE {node}")
                yield from self._give(world, node)
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
