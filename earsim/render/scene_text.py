"""The `full` observation: everything an agent may know, as an indented text (EAR-Bench 6.2).

Lines and rooms are cached and rendered again only when something in them changed, so a step does
not pay for objects in other rooms.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from earsim.render.things import SceneLines, accounts_told, agent_facts, door_line, tells_load
from earsim.world import Blueprint, World
from earsim.world.belief import NOWHERE, view

_NOTHING_SEEN = "\n  Nothing discovered here yet."
_LOST_HEAD = "Not where you last saw it:"
_MESSAGES_SHOWN = 8
_NOT_YET = (0, "")
"""A room that was not told of; no change has the stamp 0."""


class SceneText:
    """Renders one agent's (or one team's) picture of a world, again and again.

    Belongs to one world and its history: after going back in time, call `forget`.
    """

    def __init__(self, blueprint: Blueprint, viewer: str, lines: SceneLines) -> None:
        """Render for one viewer.

        Args:
            blueprint: what the world is made from.
            viewer: the agent that is told.
            lines: of the scene; other pictures may share them.
        """
        self.blueprint = blueprint
        self.viewer = viewer
        self._shared = lines
        self.forget()

    def forget(self) -> None:
        """Drop everything cached."""
        self._now = (-1, -1)
        self._pieces: list[str] = []
        self._changed = self._shows = -1
        self._placed: list[str] = []
        self._lines: dict[str, tuple[int, str]] = {}
        self._blocks: dict[str, str] = {}
        self._block_stamps: dict[str, int] = {}
        self._rooms: dict[str, tuple[int, str]] = {}
        self._touched: list[tuple[int, str]] = []
        self._stamps = -1
        self._parts: list[str] = []
        self._agents: dict[str, tuple[tuple[object, ...], str, str]] = {}

    def full(self, world: World) -> str:
        """The whole picture."""
        now = (world.stamp, world.clock)
        if now != self._now:
            self._now = now
            self._pieces = self._render(world)
        return "\n".join(self._pieces)

    def lines(self, world: World) -> Iterator[tuple[str, str]]:
        """Every line of the picture with its id; all of them together are what `full` shows."""
        seen = view(world, self.viewer)
        yield "world", self._head(world)
        for room, head in self._shared.rooms.items():
            yield room, head
            yield from self._lines_inside(seen, room)
        for door in self.blueprint.doors:
            yield door, self._door(seen, door)
        yield from self._lines_inside(seen, NOWHERE)
        for agent_id in world.agents:
            yield agent_id, self._agent(seen, agent_id)[0]
            yield from self._lines_inside(seen, agent_id)
        yield from self._messages(world)

    def _render(self, world: World) -> list[str]:
        seen = world if not world.beliefs else view(world, self.viewer)
        if seen.changed != self._changed or seen.shows != self._shows:
            self._changed, self._shows = seen.changed, seen.shows
            self._placed = self._everything_placed(seen)
        parts = [self._head(world), *self._placed]
        for agent_id in world.agents:
            line, inside = self._agent(seen, agent_id)
            parts.append(line + inside)
        if world.messages:
            parts += [line for _, line in self._messages(world)]
        return parts

    def _head(self, world: World) -> str:
        head = self._shared.counts
        if world.clock:
            head = f"{head} Clock {world.clock} s."
        left = accounts_told(world) if world.timeline is not None else ""
        return f"{head} {left}" if left else head

    def _everything_placed(self, seen: World) -> list[str]:
        """Rooms with what is in them, those in which nothing changed as they were; then doors."""
        stamps, rooms = seen.told, self._rooms
        if len(stamps) != self._stamps:
            self._stamps = len(stamps)
            self._divide(seen)
        for position, room in self._touched:
            stamp = stamps[room]
            if rooms[room][0] != stamp:
                self._parts[position] = text = self._room(seen, room)
                rooms[room] = (stamp, text)
        parts = self._parts.copy()
        parts += [self._door(seen, door) for door in self.blueprint.doors]
        if seen.contents.get(NOWHERE):
            parts.append("".join((_LOST_HEAD, *self._inside(seen, NOWHERE, 1))))
        return parts

    def _divide(self, seen: World) -> None:
        """Make every room that ever changed a part, and those in a row that never did one part.

        In a room that never changed nothing was ever discovered.
        """
        stamps, kept = seen.told, self._rooms
        if self._parts and sum(map(stamps.__contains__, self._shared.rooms)) == len(kept):
            return
        self._touched, self._parts = [], []
        for is_touched, group in groupby(self._shared.rooms, stamps.__contains__):
            rooms = list(group)
            if is_touched:
                self._touched += enumerate(rooms, start=len(self._parts))
                self._parts += [kept.setdefault(room, _NOT_YET)[1] for room in rooms]
            else:
                heads = [self._shared.rooms[room] + _NOTHING_SEEN for room in rooms]
                self._parts.append("\n".join(heads))

    def _room(self, seen: World, room: str) -> str:
        pieces = self._inside(seen, room, 1) or (_NOTHING_SEEN,)
        whole = (self._shared.rooms[room], *pieces)
        if seen.told is not seen.revision:  # with numbers that move, seldom the same again
            return "".join(whole)
        return self._shared.joined(whole)

    def _inside(self, seen: World, holder: str, depth: int) -> list[str]:
        """What is known in a holder; what is unknown hides what it holds."""
        known, stamp_of = seen.known[self.viewer], seen.told.get
        blocks, stamps = self._blocks, self._block_stamps
        kept_of, found = stamps.get, []
        for child in seen.contents.get(holder, ()):
            if child in known:
                stamp = stamp_of(child, 0)
                if kept_of(child) != stamp:
                    stamps[child] = stamp
                    blocks[child] = self._block(seen, child, depth)
                found.append(blocks[child])
        return found

    def _block(self, seen: World, object_id: str, depth: int) -> str:
        line = self._shared.item(seen, object_id, depth)
        inside = self._inside(seen, object_id, depth + 1) if seen.contents.get(object_id) else ()
        return self._shared.joined((line, *inside)) if inside else line

    def _line(self, seen: World, object_id: str) -> str:
        stamp = seen.told_alone.get(object_id, 0)
        cached = self._lines.get(object_id)
        if cached is not None and cached[0] == stamp:
            return cached[1]
        text = self._shared.line(seen, object_id)
        self._lines[object_id] = (stamp, text)
        return text

    def _lines_inside(self, seen: World, holder: str) -> Iterator[tuple[str, str]]:
        known = seen.known[self.viewer]
        for child in seen.contents.get(holder, ()):
            if child in known:
                yield child, self._line(seen, child)
                yield from self._lines_inside(seen, child)

    def _door(self, seen: World, door: str) -> str:
        stamp = seen.revision.get(door, 0)
        cached = self._lines.get(door)
        if cached is not None and cached[0] == stamp:
            return cached[1]
        text = door_line(seen, door, seen=door in seen.known[self.viewer])
        self._lines[door] = (stamp, text)
        return text

    def _agent(self, seen: World, agent_id: str) -> tuple[str, str]:
        """An agent's line, and what is known of the things in its hands."""
        agent = seen.agents[agent_id]
        key = (seen.told.get(agent_id, 0), agent.load, agent.idle)
        cached = self._agents.get(agent_id)
        if cached is None or cached[0] != key:
            loaded = tells_load(self.blueprint, self.viewer, agent_id)
            facts = agent_facts(seen, agent_id, loaded=loaded)
            cached = (key, facts, "".join(self._inside(seen, agent_id, 1)))
            self._agents[agent_id] = cached
        return f"{self._shared.standing(seen, agent_id)}: {cached[1]}", cached[2]

    def _messages(self, world: World) -> Iterator[tuple[str, str]]:
        """The last messages that the viewer heard or said."""
        heard = [
            (number, message)
            for number, message in enumerate(world.messages)
            if self.viewer in message.heard_by or self.viewer == message.speaker
        ]
        for number, message in heard[-_MESSAGES_SHOWN:]:
            speaker = self.blueprint.name(message.speaker)
            node = f"message_{number}"
            yield node, f"{speaker} ({node}) said at {message.clock} s: {message.text}"
