"""One line per object, agent and room: what there is to know about it.

A line is complete in itself: it says where the thing is, so that a list of changed lines is enough
to keep a picture of the world up to date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from earsim.apparatus.dry_bench.model import DryBench
from earsim.apparatus.dry_bench.problem import MAIN
from earsim.apparatus.lookup import usage
from earsim.apparatus.wet_bench.pool import described
from earsim.prose import ACCOUNT_UNITS, listing, number, value
from earsim.schema import Door
from earsim.schema.scene_parts import Wheels
from earsim.units import format_field
from earsim.world import HELD, Blueprint, Location, World
from earsim.world.belief import NOWHERE, UNSEEN
from earsim.world.blueprint import Passage
from earsim.world.hands import CARRIED
from earsim.world.links import links
from earsim.world.live import LiveScene
from earsim.world.perceived import MASS, is_alike_wherever_read, is_perceived, states_shown
from earsim.world.reading import Reading, SeenNow
from earsim.world.remembered import run_shown, settings_shown

_KNOWLEDGE = {
    "shared": " What one agent perceives, all know.",
    "own": " Each agent knows what it perceived or was told (SAY, TELL).",
}
"""What an observation says of who knows what."""

_NOTHING_READ: Mapping[str, Reading] = {}

_KEPT = 8192
"""Texts of each kind that an engine's episodes keep together."""


class SceneLines:
    """Lines about the rooms and objects of a scene, kept by what they say.

    All worlds of an engine share them: things are much the same in many worlds.

    `Tool cart (cart_1, furniture), in Store (store): is_open false; 38 kg; container 60 l`.

    Attributes:
        rooms: the line of every room.
        counts: how many of what there are.
    """

    def __init__(self, blueprint: Blueprint, *, perceived: bool) -> None:
        """Prepare the lines.

        Args:
            blueprint: what the worlds are made from.
            perceived: tell the ways between rooms, which matter where walls do, and not how many
                objects there are, which nobody has seen; otherwise as EAR-Bench 6.2 lists it.
        """
        self.rooms = {room: room_line(blueprint, room, ways=perceived) for room in blueprint.rooms}
        counts = [("room", len(blueprint.rooms)), ("agent", len(blueprint.bodies))]
        if not perceived:
            counts.insert(1, ("object", len(blueprint.things)))
        self.counts = ", ".join(f"{n} {what}{'s' * (n != 1)}" for what, n in counts) + "."
        if perceived and len(blueprint.bodies) > 1:
            self.counts += _KNOWLEDGE[blueprint.knowledge]
        self._gauges = blueprint.gauges
        self._heads = {
            node: f"{thing.name} ({node}, {thing.kind})" for node, thing in blueprint.things.items()
        }
        self._at_first = {
            node: (states, _states_text(states, None)) for node, states in blueprint.states.items()
        }
        self._last_states: dict[str, tuple[Mapping[str, Any], tuple[str, ...] | None, str]] = {}
        self._places: dict[Location, str] = {}
        self._states: dict[tuple[str, tuple[str, ...] | None], str] = {}
        self._facts_at_first: dict[str, str] = {}
        self._facts_once_felt: dict[str, str] = {}
        self._facts: dict[tuple[str, str], str] = {}
        self._firm: dict[tuple[object, ...], tuple[str, str]] = {}
        self._joined: dict[tuple[str, ...], str] = {}
        self._items: dict[tuple[object, ...], str] = {}
        self._stands: dict[tuple[str, str, str], str] = {}

    def standing(self, world: World, agent_id: str) -> str:
        """Who an agent is, and where it stands."""
        agent = world.agents[agent_id]
        key = agent_id, agent.room, agent.focus
        return self._stands.get(key) or _keep(self._stands, key, agent_place(world, agent_id))

    def line(self, world: World, object_id: str) -> str:
        """The line of an object as it is now."""
        states, facts = self._states_of(world, object_id), self._facts_of(world, object_id)
        return self._put_together(world, object_id, states, facts)

    def _put_together(self, world: World, object_id: str, states: str, facts: str) -> str:
        place = world.location[object_id]
        where = self._places.get(place) or _keep(self._places, place, _where(world, place))
        told = f"{states}{facts}".removesuffix("; ")
        return f"{self._heads[object_id]}{where}{': ' if told else ''}{told}"

    def item(self, world: World, object_id: str, depth: int) -> str:
        """The line of an object as an item of an indented list, with a line break before it."""
        states, facts = self._states_of(world, object_id), self._facts_of(world, object_id)
        if object_id in self._gauges:  # seldom the same again
            return f"\n{'  ' * depth}- {self._put_together(world, object_id, states, facts)}"
        key = object_id, depth, world.location[object_id], states, facts
        kept = self._items.get(key)
        if kept is None:
            line = self._put_together(world, object_id, states, facts)
            kept = _keep(self._items, key, f"\n{'  ' * depth}- {line}")
        return kept

    def joined(self, pieces: tuple[str, ...]) -> str:
        """Pieces of text, one after the other: the text of a room or of a thing with contents."""
        return self._joined.get(pieces) or _keep(self._joined, pieces, "".join(pieces))

    def _states_of(self, world: World, object_id: str) -> str:
        states, marks = world.states[object_id], world.jointly.get(object_id)
        if world.timeline is not None:
            states = states_shown(world, object_id)
        first, text = self._at_first[object_id]
        if states is first and not marks:
            return text
        last = self._last_states.get(object_id)
        if last is not None and last[0] is states and last[1] == marks:
            return last[2]
        key = repr(states), marks
        kept = self._states.get(key)
        if kept is None:
            kept = _keep(self._states, key, _states_text(states, marks))
        self._last_states[object_id] = states, marks, kept
        return kept

    def _facts_of(self, world: World, object_id: str) -> str:
        altered = world.altered.get(object_id)
        read = world.readings.get(object_id)
        if world.blueprint.live is not None and (
            object_id in self._gauges
            or links_told(world, object_id)
            or apparatus_told(world, object_id)
        ):
            return self._live_facts(world, object_id, altered)
        if altered is None and (read is None or is_alike_wherever_read(read)):
            alike = self._facts_at_first if read is None else self._facts_once_felt
            kept = alike.get(object_id)
            if kept is None:
                kept = alike[object_id] = thing_facts(world, object_id)
            return kept
        key = object_id, repr((altered, read))
        return self._facts.get(key) or _keep(self._facts, key, thing_facts(world, object_id))

    def _live_facts(self, world: World, object_id: str, altered: Mapping[str, Any] | None) -> str:
        """With numbers that move: only what stands firm is kept."""
        mass = world.readings.get(object_id, _NOTHING_READ).get(MASS)
        attributes = None if altered is None else repr(altered)
        key = object_id, attributes, mass, isinstance(mass, SeenNow)
        kept = self._firm.get(key)
        if kept is None:
            head = "; ".join(_firm_facts(world, object_id, sized=True))
            kept = head, "; ".join(_described(world, object_id))
            if len(self._firm) >= _KEPT:
                self._firm.clear()
            self._firm[key] = kept
        head, described = kept
        moving = quantities_told(world, object_id)
        live = world.blueprint.live
        if (live is not None and live.rigs) or links(world):
            moving = _moving_facts(world, object_id)
        return "; ".join([part for part in (head, *moving, described) if part])


Key = TypeVar("Key")


def _keep(kept: dict[Key, str], key: Key, text: str) -> str:
    if len(kept) >= _KEPT:
        kept.clear()
    kept[key] = text
    return text


def thing_facts(world: World, object_id: str, *, sized: bool = True) -> str:
    """The part of an object's line that its states do not touch; perhaps without its size."""
    return "; ".join((*_facts(world, object_id, sized=sized), *_described(world, object_id)))


def _where(world: World, place: Location) -> str:
    if place.relation == UNSEEN:
        return ", out of sight"
    by = " by" if place.relation in (HELD, CARRIED) else ""
    return f", {place.relation}{by} {world.blueprint.named(place.holder)}"


def _states_text(states: Mapping[str, Any], marks: tuple[str, ...] | None) -> str:
    parts = [f"{state} {value(now)}" for state, now in states.items()]
    if marks:
        parts.append(f"changed together {value(marks)}")
    return f"{', '.join(parts)}; " if parts else ""


def _facts(world: World, object_id: str, *, sized: bool) -> Iterator[str]:
    yield from _firm_facts(world, object_id, sized=sized)
    yield from _moving_facts(world, object_id)


def _moving_facts(world: World, object_id: str) -> Iterator[str]:
    """What may change by itself, or with what is connected."""
    yield from apparatus_told(world, object_id)
    yield from quantities_told(world, object_id)
    yield from links_told(world, object_id)


def _firm_facts(world: World, object_id: str, *, sized: bool) -> Iterator[str]:
    thing = world.blueprint.things[object_id]
    if is_perceived(world, object_id, MASS):
        yield mass_told(world, object_id)
    if sized and thing.size_m is not None:
        yield f"{' x '.join(number(edge) for edge in thing.size_m)} m"
    if thing.wheels is not None:
        yield wheels_told(thing.wheels)
    if thing.people > 1:
        yield f"takes {thing.people} people"
    if thing.provides:
        yield f"can {value(thing.provides)}"
    if thing.senses:
        yield f"senses {value(tuple(thing.senses))}"
    if thing.needs:
        yield f"needs {value(thing.needs)}"
    live = world.blueprint.live
    if thing.is_container:
        limit = f" {number(thing.capacity_l)} l" if thing.capacity_l is not None else ""
        is_vessel = live is not None and object_id in live.vessels
        yield f"{'vessel' if is_vessel else 'container'}{limit}"
    if live is not None:
        yield from live_told(live, object_id)


def mass_told(world: World, object_id: str) -> str:
    """`2.6 kg (at 20 s)`: what is perceived of it; of a vessel with what was in it then."""
    read = world.readings.get(object_id, {}).get(MASS)
    if object_id not in world.blueprint.gauges or read is None:
        return f"{number(world.blueprint.things[object_id].mass_kg)} kg"
    return f"{number(read.value)} kg{_when(read)}"


def quantities_told(world: World, object_id: str) -> Iterator[str]:
    """`pressure 3 bar`, `temperature 4.2 °C (at 35 s)`: what is perceived; what is past, when."""
    thing = world.blueprint.things[object_id]
    read = world.readings.get(object_id, {})
    for name, amount in thing.quantities.items():
        if name in read:
            yield f"{format_field(name, read[name].value)}{_when(read[name])}"
        elif is_perceived(world, object_id, name):
            yield format_field(name, amount)
    for name, reading in read.items():
        if name not in thing.quantities and name != MASS:
            yield f"{format_field(name, reading.value)}{_when(reading)}"


def readings_told(world: World, object_id: str) -> Iterator[str]:
    """`temperature 72 °C (at 40 s)`: of numbers that change by themselves those once perceived."""
    if object_id in world.blueprint.gauges:
        for name, reading in world.readings.get(object_id, {}).items():
            if name != MASS:
                yield f"{format_field(name, reading.value)}{_when(reading)}"


def _when(reading: Reading) -> str:
    return "" if isinstance(reading, SeenNow) else f" (at {reading.clock} s)"


def live_told(live: LiveScene, object_id: str) -> Iterator[str]:
    """`gives water`, `marks full (content 1.5 L)`, `passes 60 L/min`: what a thing is made for."""
    if object_id in live.sources:
        yield f"gives {live.sources[object_id]}"
    if object_id in live.drains:
        yield "drain"
    if object_id in live.fittings:
        yield f"fits {listing(f'{n} {kind}' for kind, n in live.fittings[object_id].items())}"
    if object_id in live.supplies:
        yield f"supplies {listing(sorted(live.supplies[object_id]))}"
    if object_id in live.marks:
        marks = (f"{m.name} ({format_field(m.of, m.at)})" for m in live.marks[object_id])
        yield f"marks {listing(marks)}"
    for process in live.processes.get(object_id, ()):
        if process.flow is not None and process.flow.lpm is not None:
            yield f"passes {number(process.flow.lpm)} L/min"


def accounts_told(world: World) -> str:
    """`4 of 8 EUR left.`: what runs may still cost; empty where the task sets no limits."""
    told = [
        f"{number(left)} of {number(limit)} {ACCOUNT_UNITS[account]}"
        for account, (left, limit) in accounts(world).items()
        if account != "clock_s"
    ]
    return f"{listing(told)} left." if told else ""


def accounts(world: World) -> dict[str, tuple[float, float]]:
    """What is left of every account that the task limits, and the limit."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or timeline.lab is None:
        return {}
    return timeline.lab.accounts(live.rigs, world.clock)


def apparatus_told(world: World, object_id: str) -> tuple[str, ...]:
    """`runs maglev/1: Kp 5, topology p`, and its last run where that is seen or remembered."""
    live = world.blueprint.live
    rig = None if live is None else live.rigs.get(object_id)
    if rig is None:
        return ()
    settings = settings_shown(world, object_id)
    shown = ", ".join(f"{p.name} {value(settings[p.name])}" for p in rig.parameters)
    told = [f"runs {rig.model.id}{': ' if shown else ''}{shown}"]
    if live is not None and object_id in live.lookups:
        told += [f"operations {' | '.join(map(usage, live.actions[object_id].values()))}"]
    elif live is not None and object_id in live.benches:
        told += [f"actions {' | '.join(map(described, live.actions[object_id].values()))}"]
    if isinstance(rig.model, DryBench):
        tested = rig.model.problem.function or "what is printed"
        told += [f"tests {tested} in {MAIN}: READ tells the problem"]
    run = run_shown(world, object_id)
    if run is not None:
        how_far = "" if run.percent is None else f", {number(run.percent)} %"
        told.append(f"{run.operation} {run.status.replace('_', ' ')}{how_far}")
    return tuple(told)


def links_told(world: World, object_id: str) -> tuple[str, ...]:
    """`connected to Pump (pump)`."""
    joined = links(world)
    if not joined:
        return ()
    ends = [b if object_id == a else a for a, b, _ in joined if object_id in (a, b)]
    return (f"connected to {listing(map(world.blueprint.named, ends))}",) if ends else ()


def _described(world: World, object_id: str) -> Iterator[str]:
    for attribute, what in world.attributes(object_id).items():
        yield f"{attribute} {value(what)}"


def door_line(world: World, door_id: str, *, seen: bool) -> str:
    """`Store door (store_door, door), between Ward (ward) and Store (store): is_open false`."""
    door = world.blueprint.doors[door_id]
    first, second = map(world.blueprint.named, door.between)
    head = f"{door.name} ({door_id}, door), between {first} and {second}{way_told(door)}"
    if not seen:
        return f"{head}: not looked at yet"
    states = ", ".join(f"{state} {value(now)}" for state, now in world.states[door_id].items())
    return f"{head}: {states}"


def wheels_told(wheels: Wheels) -> str:
    """`on wheels`; `on wheels for 120 kg`."""
    most = wheels.max_load_kg
    return "on wheels" if most is None else f"on wheels for {number(most)} kg"


def way_told(way: Passage | Door) -> str:
    """`, 0.9 m wide, stairs`; empty where nothing limits what is taken through."""
    width = "" if way.width_m is None else f", {number(way.width_m)} m wide"
    return f"{width}, stairs" if way.stairs else width


def room_line(blueprint: Blueprint, room_id: str, *, ways: bool = False) -> str:
    """`Store room (store, room): area 12 m2; lighting dim; open to Corridor (corridor)`."""
    room = blueprint.rooms[room_id]
    parts = [format_field("area_m2", room.area_m2)] if room.area_m2 is not None else []
    parts += [format_field(name, amount) for name, amount in room.quantities.items()]
    parts += [f"{attribute} {value(what)}" for attribute, what in room.attributes.items()]
    if ways:
        parts += [
            f"open to {blueprint.named(way.room)}{way_told(way)}"
            for way in blueprint.passages[room_id]
            if way.door is None
        ]
    if parts:
        return f"{room.name} ({room_id}, room): {'; '.join(parts)}"
    return f"{room.name} ({room_id}, room)"


def agent_place(world: World, agent_id: str) -> str:
    """`Porter (porter, agent), in Ward (ward), at Trolley (trolley)`."""
    agent = world.agents[agent_id]
    blueprint = world.blueprint
    room = agent.room
    text = f"{blueprint.bodies[agent_id].name} ({agent_id}, agent), "
    if room == NOWHERE:
        return f"{text}out of sight"
    text += f"in {blueprint.named(room)}"
    if agent.focus == room or world.physics.keeps_near_set:
        return text
    return f"{text}, at {blueprint.named(agent.focus)}"


def hands_in_use(world: World, agent_id: str) -> int:
    """Hands that hold something; a load carried together takes one, but not in `ear-bench`."""
    agent = world.agents[agent_id]
    shared = agent.carrying is not None and not world.physics.keeps_near_set
    return len(agent.inventory) + shared


def tells_load(blueprint: Blueprint, viewer: str, agent_id: str) -> bool:
    """Whether a viewer is told what an agent's load weighs: nobody sees that in another's hands."""
    return blueprint.knowledge == "shared" or viewer == agent_id


def agent_facts(world: World, agent_id: str, *, loaded: bool = True) -> str:
    """`load 3/45 kg; hands 1/2; can clean (with rag_1); holds Rag (rag_1)`.

    The load is what the agent holds alone; unless it is `loaded`, its limit alone is told.
    """
    agent = world.agents[agent_id]
    body = world.blueprint.bodies[agent_id]
    named = world.blueprint.named
    load = f"load {number(agent.load)}/" if loaded else "lifts "
    text = f"{load}{number(body.max_mass_kg)} kg; "
    text += f"hands {hands_in_use(world, agent_id)}/{body.hands}"
    if body.max_size_m is not None:
        text += f"; handles up to {' x '.join(map(number, body.max_size_m))} m"
    if agent.abilities:
        text += f"; can {', '.join(_with_sources(world, agent_id))}"
    if body.senses:
        text += f"; senses {', '.join(body.senses)}"
    if agent.inventory:
        text += f"; holds {', '.join(map(named, agent.inventory))}"
    if agent.carrying is not None:
        text += f"; carries {named(agent.carrying)} together"
    return f"{text}; is done" if agent.idle else text


def _with_sources(world: World, agent_id: str) -> Iterator[str]:
    agent = world.agents[agent_id]
    things = world.blueprint.things
    for ability in agent.abilities:
        tools = [held for held in agent.inventory if ability in things[held].provides]
        yield f"{ability} (with {', '.join(tools)})"
