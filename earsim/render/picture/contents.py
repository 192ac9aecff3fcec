"""What is to be drawn in a room: the things somebody may see there, as a tree of labels."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from earsim.render.picture.typeface import clean
from earsim.render.words.names import whose_knowledge
from earsim.world import World
from earsim.world.belief import view
from earsim.world.containment import is_closed


class Lid(Enum):
    """Whether a container can be closed, and is."""

    NONE = "none"
    OPEN = "open"
    CLOSED = "closed"


class Content(NamedTuple):
    """One thing with what is on and in it.

    Attributes:
        watcher: place in file order of the agent that turned to it last, or None.
        on: what lies on it; of what one holds, this is everything that is no container's content.
        inside: what lies in it.
    """

    id: str
    label: str
    furniture: bool
    known: bool
    lid: Lid
    watcher: int | None
    on: tuple[Content, ...]
    inside: tuple[Content, ...]

    @property
    def size(self) -> int:
        """How many things it stands for, itself included."""
        return 1 + sum(child.size for child in (*self.on, *self.inside))


class View:
    """One look at a world: as `viewer` knows it, or as it is when `viewer` is None.

    Attributes:
        world: the viewer's belief where it may be wrong, else the world itself.
        clock: the time in the world itself.
        known: what the viewer, or anybody where there is none, has come across.
        whose: whose knowledge is shown; empty where that is not in question.
    """

    def __init__(self, world: World, viewer: str | None) -> None:
        self.clock = world.clock
        self.whose = "" if viewer is None else clean(whose_knowledge(world.blueprint, viewer))
        world = world if viewer is None else view(world, viewer)
        self.world = world
        self.known = _known(world, viewer)
        self.shows_unknown = viewer is None
        self.joint = joint_loads(world)
        self._found: dict[tuple[str, tuple[str, ...]], tuple[Content, ...]] = {}
        self.watchers: dict[str, int] = {}
        for place, agent in enumerate(world.agents.values()):
            self.watchers.setdefault(agent.focus, place)

    def inside(self, holder: str, relations: tuple[str, ...] = ("in", "on")) -> tuple[Content, ...]:
        """The visible things directly in a holder; what lies in something unseen counts too."""
        key = (holder, relations)
        if key not in self._found:
            self._found[key] = tuple(self._visible(holder, relations, frozenset((holder,))))
        return self._found[key]

    def alone(self, thing_id: str) -> Content:
        """One thing, seen or not."""
        return self._content(thing_id, frozenset((thing_id,)))

    def _visible(
        self, holder: str, relations: tuple[str, ...], above: frozenset[str]
    ) -> Iterator[Content]:
        for child in self.world.contents.get(holder, ()):
            # Only a ruleset that replays recordings lets a thing lie in itself.
            if child in above or self.world.location[child].relation not in relations:
                continue
            if child in self.joint:
                continue
            if child in self.known or self.shows_unknown:
                yield self._content(child, above | {child})
            else:
                yield from self._visible(child, ("in", "on"), above | {child})

    def _content(self, thing_id: str, above: frozenset[str]) -> Content:
        thing = self.world.blueprint.things[thing_id]
        return Content(
            id=thing_id,
            label=clean(thing.name) or thing_id,
            furniture=thing.is_furniture,
            known=thing_id in self.known,
            lid=_lid(self.world, thing_id),
            watcher=self.watchers.get(thing_id),
            on=tuple(self._visible(thing_id, ("on",), above)),
            inside=tuple(self._visible(thing_id, ("in",), above)),
        )


def _known(world: World, viewer: str | None) -> frozenset[str]:
    if viewer is not None:
        return world.known[viewer]
    if not world.agents:
        return frozenset(world.blueprint.things)
    return frozenset().union(*world.known.values())


def _lid(world: World, thing_id: str) -> Lid:
    if not world.blueprint.things[thing_id].is_container:
        return Lid.NONE
    if is_closed(world, thing_id):
        return Lid.CLOSED
    return Lid.OPEN if "is_open" in world.states.get(thing_id, ()) else Lid.NONE


def joint_loads(world: World) -> dict[str, tuple[str, ...]]:
    """What is carried together and by whom, in file order."""
    loads: dict[str, list[str]] = {}
    for agent_id, agent in world.agents.items():
        carried = agent.carrying
        if carried is not None and carried in world.blueprint.things:
            loads.setdefault(carried, []).append(agent_id)
    return {thing_id: tuple(carriers) for thing_id, carriers in loads.items()}
