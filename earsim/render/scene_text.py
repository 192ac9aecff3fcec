"""The `full` observation: everything an agent may know, as an indented text (RULES.md 6.2).

Lines and rooms are cached and rendered again only when something in them changed, so a step does
not pay for objects in other rooms.
"""

from __future__ import annotations

from collections.abc import Iterator

from earsim.render.things import agent_line, room_line, thing_line
from earsim.world import Blueprint, World

_NOTHING_SEEN = "\n  Nothing discovered here yet."


class SceneText:
    """Renders one agent's (or one team's) picture of a world, again and again.

    Belongs to one world and its history: after going back in time, call `forget`.
    """

    def __init__(self, blueprint: Blueprint, viewer: str) -> None:
        self.blueprint = blueprint
        self.viewer = viewer
        self._heads = {room: room_line(blueprint, room) for room in blueprint.rooms}
        self._counts = f"{len(blueprint.rooms)} rooms, {len(blueprint.things)} objects, "
        self._counts += f"{len(blueprint.bodies)} agent{'s' * (len(blueprint.bodies) > 1)}."
        self.forget()

    def forget(self) -> None:
        """Drop everything cached."""
        self._lines: dict[str, tuple[int, str]] = {}
        self._blocks: dict[tuple[str, int], tuple[int, str]] = {}
        self._rooms: dict[str, tuple[int, str]] = {}
        self._agents: dict[str, tuple[tuple[object, ...], str, str]] = {}

    def full(self, world: World) -> str:
        """The whole picture."""
        parts = [self._counts]
        for room in self.blueprint.rooms:
            parts.append(self._room(world, room))
        for agent_id in world.agents:
            parts.append(self._agent(world, agent_id))
        return "\n".join(parts)

    def line(self, world: World, object_id: str) -> str:
        """The line of one object."""
        stamp = world.revision.get(object_id, 0)
        cached = self._lines.get(object_id)
        if cached is not None and cached[0] == stamp:
            return cached[1]
        text = thing_line(world, object_id)
        self._lines[object_id] = (stamp, text)
        return text

    def lines(self, world: World) -> Iterator[tuple[str, str]]:
        """Every line of the picture with its id; all of them together are what `full` shows."""
        for room, head in self._heads.items():
            yield room, head
            yield from self._lines_inside(world, room)
        for agent_id in world.agents:
            yield agent_id, self._agent_line(world, agent_id)
            yield from self._lines_inside(world, agent_id)

    def _lines_inside(self, world: World, holder: str) -> Iterator[tuple[str, str]]:
        known = world.known[self.viewer]
        for child in world.contents.get(holder, ()):
            if child in known:
                yield child, self.line(world, child)
                yield from self._lines_inside(world, child)

    def _room(self, world: World, room: str) -> str:
        stamp = world.revision.get(room, 0)
        cached = self._rooms.get(room)
        if cached is not None and cached[0] == stamp:
            return cached[1]
        text = self._heads[room] + (self._inside(world, room, 1) or _NOTHING_SEEN)
        self._rooms[room] = (stamp, text)
        return text

    def _inside(self, world: World, holder: str, depth: int) -> str:
        known = world.known[self.viewer]
        return "".join(
            [
                self._block(world, child, depth)
                for child in world.contents.get(holder, ())
                if child in known
            ]
        )

    def _block(self, world: World, object_id: str, depth: int) -> str:
        """An object with everything known in it; what is unknown hides what it holds."""
        stamp = world.revision.get(object_id, 0)
        cached = self._blocks.get((object_id, depth))
        if cached is not None and cached[0] == stamp:
            return cached[1]
        text = f"\n{'  ' * depth}- {self.line(world, object_id)}"
        if object_id in world.contents:
            text += self._inside(world, object_id, depth + 1)
        self._blocks[object_id, depth] = (stamp, text)
        return text

    def _agent(self, world: World, agent_id: str) -> str:
        return self._cached_agent(world, agent_id)[0]

    def _agent_line(self, world: World, agent_id: str) -> str:
        return self._cached_agent(world, agent_id)[1]

    def _cached_agent(self, world: World, agent_id: str) -> tuple[str, str]:
        agent = world.agents[agent_id]
        key = (world.revision.get(agent_id, 0), agent.room, agent.focus, agent.load, agent.carrying)
        cached = self._agents.get(agent_id)
        if cached is not None and cached[0] == key:
            return cached[1], cached[2]
        line = agent_line(world, agent_id)
        text = line + self._inside(world, agent_id, 1)
        self._agents[agent_id] = (key, text, line)
        return text, line
