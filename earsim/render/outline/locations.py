"""Where things are for an agent, and behind which door, in the words of `compact`."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world import HELD, Passage, World
from earsim.world.belief import NOWHERE, view
from earsim.world.blueprint import Location
from earsim.world.hands import CARRIED
from earsim.world.paths import Route, is_passable, routes_from


class Locations:
    """Says where something is, as an agent believes.

    To an agent that is alone what is in its room is "here", and what lies beyond a door that it
    does not know to be open is "behind" that door: the one that a refused GOTO would name, if it is
    shut. What is said to a team is true wherever one stands.

    Attributes:
        here: the room of an agent that is alone; empty in a team.
        rooms: all of them, for an agent that is alone by the length of the way to them, those with
            a free way first.
    """

    def __init__(self, world: World, viewer: str) -> None:
        self._seen = view(world, viewer)
        self._known = world.known[viewer]
        alone = len(world.agents) == 1
        self.here = world.agents[viewer].room if alone else NOWHERE
        self._ways = self._found_ways() if alone else {}
        far = (True, len(world.blueprint.rooms))
        order = {room: (way.door is not None, way.hops) for room, way in self._ways.items()}
        self.rooms = sorted(world.blueprint.rooms, key=lambda room: order.get(room, far))

    def of(self, node: str) -> str:
        """`on shelf in cellar behind hatch here`: where it is, and what is in the way."""
        return f"{self.place(node)}{self.behind(self._outermost(node))}"

    def place(self, node: str) -> str:
        """`on shelf in hall`; `on shelf here` where that is the hall."""
        return self._place(node, self.here)

    def place_by_name(self, node: str) -> str:
        """`on shelf in hall`, wherever the agent is."""
        return self._place(node, NOWHERE)

    def holder(self, node: str) -> str:
        """What something is in or on, or who has it; empty if that is not known."""
        return next((place.holder for place in self._around(node)), NOWHERE)

    def behind(self, room: str) -> str:
        """` behind hatch here`, ` behind hatch in kitchen`; empty if nothing is in the way."""
        way = self._ways.get(room)
        if way is None or way.door is None:
            return ""
        return f" behind {way.door} {'here' if way.near == self.here else f'in {way.near}'}"

    def _found_ways(self) -> dict[str, Route]:
        if not self._seen.physics.doors_stop:
            return {}
        return routes_from(self._seen, self.here, self._may_be_open)

    def _may_be_open(self, world: World, way: Passage) -> bool:
        """As GOTO has it: a door that was not seen counts as open."""
        return way.door is None or way.door not in self._known or is_passable(world, way.door)

    def _outermost(self, node: str) -> str:
        """The room that something is in, or the agent that has it."""
        return [place.holder for place in self._around(node)][-1]

    def _place(self, node: str, here: str) -> str:
        words = []
        for place in self._around(node):
            if place.holder == NOWHERE:
                words.append("out of sight")
            elif place.relation in (HELD, CARRIED):
                words.append(f"{place.relation} by {place.holder}")
            else:
                words.append("here" if place.holder == here else f"{place.relation} {place.holder}")
        return " ".join(words)

    def _around(self, node: str) -> Iterator[Location]:
        """What something is in or on, from within; in `ear-bench` that may be the thing itself."""
        passed: set[str] = set()
        while node in self._seen.location and node not in passed:
            passed.add(node)
            yield self._seen.location[node]
            node = self._seen.location[node].holder
