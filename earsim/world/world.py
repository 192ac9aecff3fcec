"""The live state of a scenario: plain dictionaries whose values are replaced, never edited.

That makes a copy a handful of flat `dict.copy` calls, and lets two worlds share everything that has
not changed in either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from earsim.apparatus.parameter import Settings
from earsim.errors import ContainmentCycle
from earsim.pickled import Frozen, reduced
from earsim.world.agent_state import AgentState
from earsim.world.blueprint import HELD, Blueprint, Location
from earsim.world.reading import Reading
from earsim.world.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Physics(Frozen):
    """What a ruleset decides about the world itself, before any verb.

    Attributes:
        own_knowledge: a scenario may say that every agent keeps a picture of its own; otherwise
            what one discovers all know.
        numbers_hide: a scene may say that numbers are felt or sensed; otherwise all are seen.
        held_things_stay_behind: an object in hand counts as being in its holder's first room
            (EAR-Bench Q1).
        closed_containers_hide: exploring a room does not show what lies in closed containers.
        keeps_near_set: reach is a set of ids replaced at certain events (EAR-Bench 2.4) rather than
            what the agent's focus gives.
        doors_stop: one cannot walk through a closed door.
        time_works: numbers change while time passes, where a scene says so.
    """

    own_knowledge: bool = True
    numbers_hide: bool = True
    held_things_stay_behind: bool = False
    closed_containers_hide: bool = True
    keeps_near_set: bool = False
    doors_stop: bool = True
    time_works: bool = True


class Message(NamedTuple):
    """One utterance on the message channel; `heard_by` in file order, the speaker not included."""

    clock: int
    speaker: str
    text: str
    heard_by: tuple[str, ...]


class RunSeen(NamedTuple):
    """A run of an apparatus, as one sees it there: `percent` of it is done, where that is known."""

    operation: str
    status: str
    percent: float | None


class Remembered(NamedTuple):
    """How things were set up when an agent last saw them; see `earsim.world.remembered`.

    Attributes:
        links: pairs of things that are joined by a hose or cable, and its kind.
        settings: of apparatus that were set to something else than at first.
        runs: the last of each apparatus.
        seen: the second in which each thing was last looked at.
    """

    links: tuple[tuple[str, str, str], ...] = ()
    settings: Mapping[str, Settings] = {}
    runs: Mapping[str, RunSeen] = {}
    seen: Mapping[str, int] = {}


NOTHING_REMEMBERED = Remembered()


class World:
    """Rooms, objects and agents as they are now.

    Attributes:
        location: where every object is.
        contents: ids directly in, on or held by a room, object or agent, oldest first.
        states: the changeable attributes of objects and doors; the inner mappings are immutable.
        altered: open attributes of objects that no longer stand as the scene says.
        jointly: attributes of an object last changed by a joint command.
        agents: live state by agent id, in file order.
        known: what each agent has discovered; where knowledge is shared all have one set.
        carriers: who carries an object together, in file order.
        beliefs: what each agent remembers, where it can differ from what is; see `belief`.
        clock: world time in seconds.
        messages: everything said so far.
        readings: the numbers of things that were felt or measured, by name; in a world that is
            an agent's belief, those that it knows of.
        timeline: what time bears on; None where nothing changes by itself.
        remembered: in a belief, how things were set up when last seen; else empty.
        revision: a stamp per id that grows whenever the id, or anything inside or around it,
            changes; absent means untouched. Caches compare stamps; they are no part of the state.
        standing: likewise, but blind to what happens inside the id.
        told: like `revision`, but grows as well when a number in view shows something else, which
            allows and forbids nothing; the same dictionary where no number changes by itself.
        stamp: the newest stamp; equal ones of one world mean that only the clock moved.
        changed: likewise, but blind to where in its room an agent stands and to what is said.
        shows: how often numbers in view have shown something else.
    """

    __slots__ = (
        "agents",
        "altered",
        "beliefs",
        "blueprint",
        "carriers",
        "changed",
        "claim",
        "clock",
        "contents",
        "jointly",
        "known",
        "location",
        "messages",
        "physics",
        "readings",
        "remembered",
        "revision",
        "shows",
        "stamp",
        "standing",
        "states",
        "timeline",
        "told",
    )

    def __init__(
        self, blueprint: Blueprint, physics: Physics, *, source: World | None = None
    ) -> None:
        if source is not None:  # `copy` asks for it: compiled classes cannot be made empty
            self._take(source)
            return
        self.blueprint = blueprint
        self.physics = physics
        self.location: dict[str, Location] = dict(blueprint.location)
        self.contents: dict[str, tuple[str, ...]] = dict(blueprint.contents)
        self.states: dict[str, Mapping[str, Any]] = dict(blueprint.states)
        self.altered: dict[str, Mapping[str, Any]] = {}
        self.jointly: dict[str, tuple[str, ...]] = {}
        self.agents = {body.id: AgentState.start(body) for body in blueprint.bodies.values()}
        nothing: frozenset[str] = frozenset()
        self.known: dict[str, frozenset[str]] = dict.fromkeys(self.agents, nothing)
        self.carriers: dict[str, tuple[str, ...]] = {}
        self.beliefs: dict[str, World] = {}
        self.claim = ""
        self.clock = 0
        self.messages: tuple[Message, ...] = ()
        self.readings: dict[str, Mapping[str, Reading]] = {}
        self.timeline: Timeline | None = None
        self.remembered = NOTHING_REMEMBERED
        self.revision: dict[str, int] = {}
        self.told = self.revision
        self.standing: dict[str, int] = {}
        self.stamp = self.changed = self.shows = 0

    def copy(self) -> World:
        """An independent copy that shares the blueprint and every unchanged value."""
        return World(self.blueprint, self.physics, source=self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its attributes."""
        return reduced(self, self.blueprint, self.physics)

    def _take(self, source: World) -> None:
        """Become a copy of another."""
        self.blueprint = source.blueprint
        self.physics = source.physics
        self.location = source.location.copy()
        self.contents = source.contents.copy()
        self.states = source.states.copy()
        self.altered = source.altered.copy()
        self.jointly = source.jointly.copy()
        self.agents = {agent_id: agent.copy() for agent_id, agent in source.agents.items()}
        self.known = source.known.copy()
        self.carriers = source.carriers.copy()
        self.beliefs = {agent_id: belief.copy() for agent_id, belief in source.beliefs.items()}
        self.claim = source.claim
        self.clock = source.clock
        self.messages = source.messages
        self.readings = source.readings.copy()
        self.timeline = None if source.timeline is None else source.timeline.copy()
        self.remembered = source.remembered
        self.revision = source.revision.copy()
        is_alike = source.told is source.revision
        self.told = self.revision if is_alike else source.told.copy()
        self.standing = source.standing.copy()
        self.stamp = source.stamp
        self.changed = source.changed
        self.shows = source.shows

    # -- reading -------------------------------------------------------------------------------

    def room_of(self, node: str) -> str | None:
        """The room that holds `node`, however deep; None for an id that is nowhere.

        Raises:
            ContainmentCycle: The object lies inside itself (only where a ruleset lets it).
        """
        location = self.location
        start = node
        place = location.get(node)
        for _ in location:  # no chain of holders is longer
            if place is None:
                return self._room_around(node)
            node = place.holder
            place = location.get(node)
        if place is None:
            return self._room_around(node)
        raise ContainmentCycle(start)

    def _room_around(self, node: str) -> str | None:
        """The room itself, or the one an agent is in or counts as being in."""
        if node in self.blueprint.rooms:
            return node
        if node not in self.agents:
            return None
        if self.physics.held_things_stay_behind:
            return self.blueprint.bodies[node].start_room
        return self.agents[node].room

    def is_held(self, object_id: str) -> bool:
        """Whether an agent has the object in hand."""
        return self.location[object_id].relation == HELD

    def attributes(self, object_id: str) -> Mapping[str, Any]:
        """The open attributes of an object as they are now."""
        found = self.altered.get(object_id)
        return self.blueprint.things[object_id].attributes if found is None else found

    # -- changing ------------------------------------------------------------------------------

    def touch(self, node: str) -> None:
        """Mark `node`, everything in it and everything around it as changed."""
        self.stamp = self.changed = stamp = self.stamp + 1
        self.standing[node] = stamp
        if self.contents.get(node):
            self._touch_inside(node, stamp)
        self._touch_around(node, stamp)

    def _touch_around(self, node: str, stamp: int) -> None:
        revision, told, location = self.revision, self.told, self.location
        apart = told is not revision
        while True:
            revision[node] = stamp
            if apart:
                told[node] = stamp
            place = location.get(node)
            if place is None or revision.get(place.holder) == stamp:
                return
            node = place.holder

    def _touch_inside(self, node: str, stamp: int) -> None:
        revision, told = self.revision, self.told
        for child in self.contents[node]:
            if revision.get(child) != stamp:
                told[child] = revision[child] = self.standing[child] = stamp
                if self.contents.get(child):
                    self._touch_inside(child, stamp)

    def tell_numbers_apart(self) -> None:
        """Let numbers in view change without a change of anything that can be done."""
        self.told = self.revision.copy()

    def show(self, node: str, readings: Mapping[str, Reading]) -> None:
        """Numbers of an object in view show something else; that allows and forbids nothing."""
        self.readings[node] = readings
        if self.told is self.revision:
            self.touch(node)
            return
        self.shows += 1
        stamp = -self.shows  # unlike every stamp of a change
        told, location = self.told, self.location
        while True:
            told[node] = stamp
            place = location.get(node)
            if place is None:
                return
            node = place.holder

    @property
    def told_alone(self) -> Mapping[str, int]:
        """Like `standing`, but grows with `told`."""
        return self.standing if self.told is self.revision else self.told

    def move_object(self, object_id: str, place: Location) -> None:
        """Put an object elsewhere; what is inside travels along."""
        self.touch(object_id)
        contents = self.contents
        old = self.location[object_id].holder
        contents[old] = tuple([other for other in contents[old] if other != object_id])
        self.location[object_id] = place
        contents[place.holder] = (*contents.get(place.holder, ()), object_id)
        self._touch_around(object_id, self.stamp)

    def set_state(self, node: str, attribute: str, value: Any) -> None:
        """Change one state of an object or a door."""
        self.states[node] = {**self.states[node], attribute: value}
        self.touch(node)

    def set_attribute(self, object_id: str, attribute: str, value: Any) -> None:
        """Change one open attribute of an object."""
        self.altered[object_id] = {**self.attributes(object_id), attribute: value}
        self.touch(object_id)

    def mark_joint(self, object_id: str, attribute: str, *, joint: bool) -> None:
        """Remember, or forget, that an attribute was last changed by several agents together."""
        marks = self.jointly.get(object_id, ())
        if joint == (attribute in marks):
            return
        if joint:
            self.jointly[object_id] = (*marks, attribute)
        else:
            self.jointly[object_id] = tuple([mark for mark in marks if mark != attribute])
        self.touch(object_id)

    def discover(self, agent_id: str, ids: tuple[str, ...]) -> None:
        """Let an agent, and its whole team where knowledge is shared, know of `ids`."""
        if self.blueprint.knowledge == "shared":
            known = self.known[agent_id].union(ids)
            self.known = dict.fromkeys(self.known, known)
        else:
            self.known[agent_id] = self.known[agent_id].union(ids)
        for node in ids:
            self.touch(node)

    def walk(self, agent_id: str, room: str) -> None:
        """Bring an agent to a room; rooms do not count as changed by who stands in them."""
        self.stamp = self.changed = self.stamp + 1
        agent = self.agents[agent_id]
        agent.room = room
        agent.focus = room

    def stand_at(self, agent_id: str, near: frozenset[str], focus: str) -> None:
        """Change what an agent can reach from where it stands."""
        self.stamp += 1
        agent = self.agents[agent_id]
        agent.near = near
        agent.focus = focus

    def read(self, node: str, readings: Mapping[str, Reading]) -> None:
        """Take note of numbers of an object; those read before give way."""
        self.readings[node] = {**self.readings.get(node, {}), **readings}
        self.touch(node)

    def say(self, message: Message) -> None:
        """Add a message to the channel."""
        self.stamp += 1
        self.messages = (*self.messages, message)

    def advance(self, seconds: int) -> None:
        """Let time pass."""
        self.clock += seconds
