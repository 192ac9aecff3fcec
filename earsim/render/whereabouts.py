"""Where things are for an agent, and behind which door, in the words of `compact`."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import NamedTuple

from earsim.world import HELD, World
from earsim.world.belief import NOWHERE, view
from earsim.world.hands import CARRIED


class Whereabouts:
    """Says where something is, as an agent believes.

    To an agent that is alone what is in its room is "here", and what lies beyond a door that it
    does not know to be open is "behind" that door. What is said to a team is true wherever one
    stands.

    Attributes:
        here: the room of an agent that is alone; empty in a team.
        ways: to the rooms that it can get to, the nearest first; empty in a team.
    """

    def __init__(self, world: World, viewer: str) -> None:
        self._seen = view(world, viewer)
        alone = len(world.agents) == 1
        self.here = world.agents[viewer].room if alone else NOWHERE
        self.ways = ways_from(self._seen, viewer) if alone else {}

    def of(self, node: str) -> str:
        """`on shelf in cellar behind hatch here`: where it is, and what is in the way."""
        return f"{self.place(node)}{self.behind(self._seen.room_of(node) or NOWHERE)}"

    def place(self, node: str) -> str:
        """`on shelf in hall`; `on shelf here` where that is the hall."""
        return self._place(node, self.here)

    def place_by_name(self, node: str) -> str:
        """`on shelf in hall`, wherever the agent is."""
        return self._place(node, NOWHERE)

    def behind(self, room: str) -> str:
        """` behind hatch here`, ` behind hatch in kitchen`; empty if nothing is in the way."""
        way = self.ways.get(room)
        if way is None or way.door is None:
            return ""
        return f" behind {way.door} {'here' if way.near == self.here else f'in {way.near}'}"

    def _place(self, node: str, here: str) -> str:
        place = self._seen.location[node]
        if place.holder == NOWHERE:
            return "out of sight"
        if place.relation in (HELD, CARRIED):
            return f"{place.relation} by {place.holder}"
        if place.holder == here:
            return "here"
        further = ""
        if place.holder in self._seen.location:
            further = f" {self._place(place.holder, here)}"
        return f"{place.relation} {place.holder}{further}"


class Beyond(NamedTuple):
    """How one gets to a room.

    Attributes:
        doors: on the way that are not known to be open; as few as possible.
        hops: rooms entered; of ways with as many doors, the fewest.
        door: the first of these doors; None where there is none.
        near: the room on this side of it.
    """

    doors: int
    hops: int
    door: str | None = None
    near: str | None = None


def ways_from(world: World, viewer: str) -> Mapping[str, Beyond]:
    """The rooms that an agent can get to, the nearest first; its own room is one of them.

    Of equally long ways, one that begins with open passages comes first.

    Args:
        world: what the agent believes.
        viewer: who has to know of an open door for it to count as open.
    """
    start = world.agents[viewer].room
    rank = {room: place for place, room in enumerate(world.blueprint.rooms)}
    found: dict[str, Beyond] = {}
    queue = [(0, 0, rank[start], start, Beyond(0, 0))]
    while queue:
        *_, room, way = heapq.heappop(queue)
        if room in found:
            continue
        found[room] = way
        for passage in world.blueprint.passages[room]:
            shut = passage.door is not None and not _is_known_open(world, viewer, passage.door)
            further = way._replace(doors=way.doors + shut, hops=way.hops + 1)
            if shut and way.door is None:
                further = further._replace(door=passage.door, near=room)
            heapq.heappush(
                queue, (further.doors, further.hops, rank[passage.room], passage.room, further)
            )
    return found


def _is_known_open(world: World, viewer: str, door: str) -> bool:
    return door in world.known[viewer] and world.states[door].get("is_open") is True
