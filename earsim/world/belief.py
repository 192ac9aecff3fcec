"""What each agent remembers of a world in which others act out of its sight.

A belief is a world of its own that holds only what its agent has perceived, as it was then. Where
one agent acts alone, or a team shares what it knows, the live world is everybody's belief.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from earsim.world.blueprint import Location
from earsim.world.containment import ancestors
from earsim.world.live import CONTENT
from earsim.world.perception import things_in_room
from earsim.world.reading import Reading, SeenNow
from earsim.world.remembered import remember
from earsim.world.world import World

UNSEEN = "unseen"
"""Relation of an object that is no longer where its agent last saw it."""

NOWHERE = ""
"""Holder of such objects."""


def has_beliefs(world: World) -> bool:
    """Whether agents can be wrong about this world."""
    return world.blueprint.knowledge == "own" and len(world.agents) > 1


def view(world: World, agent_id: str) -> World:
    """The world as an agent believes it to be; read only."""
    return world.beliefs.get(agent_id, world)


def form_beliefs(world: World) -> None:
    """Give every agent the belief it starts with: the plan, its colleagues, and what it knows."""
    if not has_beliefs(world):
        return
    for agent_id, known in world.known.items():
        belief = world.copy()
        belief.beliefs = {}
        belief.timeline = None  # it knows of numbers by readings alone
        belief.location = {n: place for n, place in world.location.items() if n in known}
        belief.states = {n: states for n, states in world.states.items() if n in known}
        belief.contents = {
            holder: tuple([child for child in children if child in known])
            for holder, children in world.contents.items()
        }
        world.beliefs[agent_id] = belief


def see_doors(world: World, agent_id: str, rooms: Iterable[str]) -> None:
    """Whoever enters rooms sees their doors."""
    doors_of = world.blueprint.doors_of
    seen = [door for room in rooms for door in doors_of[room]]
    known = world.known[agent_id]
    new = tuple([door for door in seen if door not in known])
    if new:
        world.discover(agent_id, new)
    belief = world.beliefs.get(agent_id)
    if belief is not None:
        belief.known[agent_id] = world.known[agent_id]
        for door in seen:
            _renew(belief, world, door)


def tell(world: World, speaker: str, hearer: str, node: str) -> None:
    """Pass on a speaker's picture of a thing, and of what it lies in or on, to a hearer."""
    source = view(world, speaker)
    nodes = [node, *ancestors(source, node)] if node in source.location else [node]
    told = [each for each in reversed(nodes) if each in world.known[speaker]]
    world.discover(hearer, tuple(told))
    belief = world.beliefs.get(hearer)
    if belief is None:
        return
    belief.known[hearer] = world.known[hearer]
    for each in told:
        if each in source.location:
            _remember(belief, source, each)
            _pass_on_readings(belief, source, each, world.clock)
        elif each in source.states:
            _renew(belief, source, each)


def _pass_on_readings(belief: World, source: World, node: str, clock: int) -> None:
    """The hearer keeps what it read later itself, and what it sees."""
    own = belief.readings.get(node, {})
    told = {
        name: Reading(reading.value, clock) if isinstance(reading, SeenNow) else reading
        for name, reading in source.readings.get(node, {}).items()
    }
    new = {
        name: reading
        for name, reading in told.items()
        if name not in own
        or not (isinstance(own[name], SeenNow) or own[name].clock >= reading.clock)
    }
    if CONTENT in new:  # what was in a vessel before and is not told of is gone
        vessels = belief.blueprint.live
        substances = () if vessels is None else vessels.substances
        gone = {f"{substance}_kg" for substance in substances}.difference(told)
        belief.readings[node] = {n: reading for n, reading in own.items() if n not in gone}
    if new:
        belief.read(node, new)


def perceive(world: World, room: str) -> None:
    """Everybody in a room sees what is there now, of the things they know."""
    if not world.beliefs:
        return
    here = [agent_id for agent_id, agent in world.agents.items() if agent.room == room]
    if not here:
        return
    shown = tuple(things_in_room(world, room))
    doors = [door.id for door in world.blueprint.doors.values() if room in door.between]
    for agent_id in here:
        _recognise(world, agent_id, shown)
        known = world.known[agent_id]
        belief = world.beliefs[agent_id]
        belief.known[agent_id] = known
        _see_agents(belief, world, room, here)
        seen = [node for node in shown if node in known]
        for node in seen:
            _remember(belief, world, node)
        _lose_sight(belief, room, set(seen))
        for door in doors:
            if door in known:
                _renew(belief, world, door)


def _see_agents(belief: World, world: World, room: str, here: Sequence[str]) -> None:
    """Who stands in a room, and that others have left it."""
    for agent_id in here:
        now = world.agents[agent_id]
        if not now.equals(belief.agents[agent_id]):
            belief.agents[agent_id] = now.copy()
            belief.touch(agent_id)
    for agent_id, agent in belief.agents.items():
        if agent.room == room and agent_id not in here:
            agent.room = agent.focus = NOWHERE
            belief.touch(agent_id)


def _recognise(world: World, agent_id: str, shown: Sequence[str]) -> None:
    """Nobody sees a thing without what it lies in or on; outermost things are shown first."""
    known = world.known[agent_id]
    around: set[str] = set()
    for node in reversed(shown):
        if node in known or node in around:
            around.add(world.location[node].holder)
    new = [node for node in shown if node in around and node not in known]
    if new:
        world.discover(agent_id, tuple(new))


def _remember(belief: World, world: World, node: str) -> None:
    """Bring one object up to date; its holder is up to date already."""
    place = world.location[node]
    if belief.location.get(node) != place:
        if node in belief.location:
            belief.move_object(node, place)
        else:
            belief.location[node] = place
            belief.contents[place.holder] = (*belief.contents.get(place.holder, ()), node)
        belief.touch(node)
    _renew(belief, world, node)


def _renew(belief: World, world: World, node: str) -> None:
    """Bring what can be seen of an object or door itself up to date."""
    states = world.states[node]
    stale = belief.states.get(node) is not states
    if stale:
        belief.states[node] = states
    if node in world.altered and belief.altered.get(node) is not world.altered[node]:
        belief.altered[node] = world.altered[node]
        stale = True
    marks = world.jointly.get(node, ())
    if belief.jointly.get(node, ()) is not marks:
        belief.jointly[node] = marks
        stale = True
    if remember(belief, world, node) or stale:
        belief.touch(node)


def _lose_sight(belief: World, room: str, seen: set[str]) -> None:
    """What should be in plain sight here and is not has gone somewhere.

    What lay in a container that is closed now need not be in sight: it may be there still.
    """
    gone = [node for node in things_in_room(belief, room) if node not in seen]
    for node in gone:
        if belief.location[node].holder not in gone:
            belief.move_object(node, Location(UNSEEN, NOWHERE))
