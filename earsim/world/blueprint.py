"""The immutable part of a world: what a scene and its agents are before anybody acts.

A blueprint is compiled once per scenario and shared by every world made from it, so that a reset
copies only what can change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from earsim.pickled import Frozen
from earsim.schema import AgentSpec, Door, Room, Scene, SceneObject
from earsim.schema.scene_parts import Wheels
from earsim.schema.verb_table import verb_table
from earsim.world.live import LiveScene

HELD = "held"
"""The relation of an object to the agent that holds it."""


class Location(NamedTuple):
    """Where an object is: its relation to its direct holder (a room, an object or an agent)."""

    relation: str
    holder: str

    @property
    def text(self) -> str:
        """EAR-Bench's spelling: `on:table_1`, or the bare agent id while held (EAR-Bench 1.2)."""
        return self.holder if self.relation == HELD else f"{self.relation}:{self.holder}"


_MASS_ALONE = frozenset({"mass_kg"})
_ALWAYS_SEEN = frozenset({"mass_kg", "volume_l", "surface_m2", "max_load_kg"})
"""Numbers that the rules speak of, and that are not sensed because something senses them."""


@dataclass(frozen=True, slots=True)
class Thing(Frozen):
    """The unchanging facts about one object; masses in kg, lengths in m, volumes in litres."""

    id: str
    name: str
    kind: str
    mass_kg: float
    size_m: tuple[float, float, float] | None
    is_container: bool
    lid_on_top: bool
    capacity_l: float | None
    wheels: Wheels | None
    volume_l: float
    provides: tuple[str, ...]
    needs: tuple[str, ...]
    key: str | None
    people: int
    senses: Mapping[str, int]
    attributes: Mapping[str, Any]
    quantities: Mapping[str, float]

    @property
    def is_furniture(self) -> bool:
        """Whether it is a piece of furniture rather than an item."""
        return self.kind == "furniture"

    @staticmethod
    def of(spec: SceneObject) -> Thing:
        """Compile the object of a scene file."""
        return Thing(
            id=spec.id,
            name=spec.name,
            kind=spec.kind,
            mass_kg=spec.mass_kg,
            size_m=spec.size_m,
            is_container=spec.container is not None,
            lid_on_top=_lid_on_top(spec),
            capacity_l=spec.container.capacity_l if spec.container is not None else None,
            wheels=spec.wheels,
            volume_l=_volume_l(spec),
            provides=(*spec.provides, *spec.also_provides),
            needs=spec.needs,
            key=spec.key,
            people=spec.people,
            senses=spec.senses,
            attributes=spec.attributes,
            quantities=spec.quantities,
        )


def _lid_on_top(spec: SceneObject) -> bool:
    """Whether it is a container that opens at the top."""
    if spec.container is None:
        return False
    where = spec.container.opens
    return spec.kind == "item" if where is None else where == "top"


def _volume_l(spec: SceneObject) -> float:
    """The space an object takes up: its stated volume, else the box around it, else 0."""
    stated = spec.quantities.get("volume_l")
    if stated is not None:
        return float(stated)
    if spec.size_m is None:
        return 0.0
    length, width, height = spec.size_m
    return length * width * height * 1000.0


@dataclass(frozen=True, slots=True)
class Body(Frozen):
    """The unchanging facts about one agent: its name and its limits."""

    id: str
    name: str
    start_room: str
    max_mass_kg: float
    hands: int
    max_size_m: tuple[float, float, float] | None
    senses: Mapping[str, int]


class Passage(NamedTuple):
    """A way from one room to a neighbour.

    Attributes:
        room: the neighbour.
        door: the door in it; None where nothing can be closed.
        width_m: what is carried through is no wider; None where there is no limit.
        stairs: whether nothing rolls there.
    """

    room: str
    door: str | None
    width_m: float | None = None
    stairs: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Blueprint(Frozen):
    """Scene and agents, compiled for lookup by id; every mapping is in file order."""

    scene_id: str
    rooms: Mapping[str, Room]
    doors: Mapping[str, Door]
    things: Mapping[str, Thing]
    bodies: Mapping[str, Body]
    location: Mapping[str, Location]
    contents: Mapping[str, tuple[str, ...]]
    states: Mapping[str, Mapping[str, Any]]
    passages: Mapping[str, tuple[Passage, ...]]
    abilities: tuple[str, ...]
    channel: str = "room"
    knowledge: str = "shared"
    hidden: Mapping[str, frozenset[str]] = field(default_factory=dict)
    live: LiveScene | None = None
    gauges: Mapping[str, frozenset[str]] = field(default_factory=dict)
    reports: bool = False
    rank: Mapping[str, int] = field(init=False)
    has_instruments: bool = field(init=False)
    doors_of: Mapping[str, tuple[str, ...]] = field(init=False)
    keys: frozenset[str] = field(init=False)
    fallible_tools: frozenset[str] = field(init=False)
    load_limits: Mapping[str, float] = field(init=False)
    unreachable: Mapping[str, frozenset[str]] = field(init=False)
    wheeled: frozenset[str] = field(init=False)
    has_narrow_ways: bool = field(init=False)
    corded: frozenset[str] = field(init=False)
    takes_several: bool = field(init=False)
    has_small_hands: bool = field(init=False)
    has_lids_on_top: bool = field(init=False)
    names: Mapping[str, str] = field(init=False)
    names_with_ids: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        keep = object.__setattr__  # once: the class is frozen
        keep(self, "rank", _rank(self))
        keep(self, "has_instruments", _has_instruments(self))
        keep(self, "doors_of", _doors_of(self))
        keep(self, "keys", _keys(self))
        keep(self, "fallible_tools", _fallible_tools(self))
        keep(self, "load_limits", _load_limits(self))
        keep(self, "unreachable", _unreachable(self))
        keep(self, "wheeled", _wheeled(self))
        keep(self, "has_narrow_ways", _has_narrow_ways(self))
        keep(self, "corded", _corded(self))
        keep(self, "takes_several", _takes_several(self))
        keep(self, "has_small_hands", _has_small_hands(self))
        keep(self, "has_lids_on_top", _has_lids_on_top(self))
        keep(self, "names", _names(self))
        keep(self, "names_with_ids", _names_with_ids(self))

    @classmethod
    def compile(
        cls,
        scene: Scene,
        agents: tuple[AgentSpec, ...],
        *,
        channel: str = "room",
        knowledge: str = "shared",
        numbers_hide: bool = True,
        time_works: bool = True,
        reports: bool = False,
    ) -> Blueprint:
        """Compile a validated scene and its agents; both stay untouched.

        Args:
            scene: what there is.
            agents: who acts.
            channel: who hears what is said.
            knowledge: whose it is.
            numbers_hide: whether numbers can be felt or sensed rather than seen.
            time_works: whether numbers change while time passes.
            reports: whether agents may report that the task cannot be done, or is unclear.
        """
        compiled = _of_scene(scene)
        live = compiled["live"] if time_works else None
        return cls(
            **{**compiled, "live": live},
            bodies={agent.id: _body(agent, scene) for agent in agents},
            channel=channel,
            knowledge=knowledge,
            hidden=_hidden(scene, agents, live) if numbers_hide else {},
            gauges={} if live is None else _gauges(scene, agents, live),
            reports=reports,
        )

    def ids(self) -> Iterator[str]:
        """Every id of the world in file order: rooms, doors, objects, agents."""
        yield from self.rooms
        yield from self.doors
        yield from self.things
        yield from self.bodies

    def name(self, node: str) -> str:
        """The display name of any id; the id itself for one that does not exist."""
        return self.names.get(node, node)

    def named(self, node: str) -> str:
        """The display name of any id with the id, as descriptions show it: `Ward (ward)`."""
        return self.names_with_ids[node]


def _rank(blueprint: Blueprint) -> Mapping[str, int]:
    """Position of every id in file order, for sorting back into it."""
    return {node: i for i, node in enumerate(blueprint.ids())}


def _has_instruments(blueprint: Blueprint) -> bool:
    """Whether anything, or anybody, senses a number."""
    things = any(thing.senses for thing in blueprint.things.values())
    return things or any(body.senses for body in blueprint.bodies.values())


def _doors_of(blueprint: Blueprint) -> Mapping[str, tuple[str, ...]]:
    """The doors of every room."""
    doors = blueprint.doors.values()
    return {room: tuple([d.id for d in doors if room in d.between]) for room in blueprint.rooms}


def _keys(blueprint: Blueprint) -> frozenset[str]:
    """Ids of the objects that lock and unlock something."""
    keys = [door.key for door in blueprint.doors.values()]
    keys += [thing.key for thing in blueprint.things.values()]
    return frozenset(key for key in keys if key is not None)


def _fallible_tools(blueprint: Blueprint) -> frozenset[str]:
    """Ids of the tools that can be out of order: broken, or without what they need."""
    tools = [thing for thing in blueprint.things.values() if thing.provides or thing.senses]
    live = blueprint.live
    run_down = () if live is None else {*live.processes, *live.fittings}
    return frozenset(
        [
            t.id
            for t in tools
            if t.needs or "is_broken" in blueprint.states[t.id] or t.id in run_down
        ]
    )


def _load_limits(blueprint: Blueprint) -> Mapping[str, float]:
    """How many kg may stand on what has a limit."""
    limits = {t.id: t.quantities.get("max_load_kg") for t in blueprint.things.values()}
    return {thing: limit for thing, limit in limits.items() if limit is not None}


def _unreachable(blueprint: Blueprint) -> Mapping[str, frozenset[str]]:
    """By agent, the rooms that no way leads to from its first one, be doors open or not."""
    by_room: dict[str, frozenset[str]] = {}
    for start in {body.start_room for body in blueprint.bodies.values()}:
        reached, waiting = {start}, [start]
        while waiting:
            beside = {way.room for way in blueprint.passages[waiting.pop()]} - reached
            reached |= beside
            waiting += beside
        by_room[start] = frozenset(blueprint.rooms.keys() - reached)
    return {agent: by_room[body.start_room] for agent, body in blueprint.bodies.items()}


def _has_narrow_ways(blueprint: Blueprint) -> bool:
    """Whether what is carried, or rolled, may not get through everywhere."""
    ways = [way for ways in blueprint.passages.values() for way in ways]
    stairs = bool(blueprint.wheeled) and any(way.stairs for way in ways)
    return stairs or any(way.width_m is not None for way in ways)


def _wheeled(blueprint: Blueprint) -> frozenset[str]:
    """Ids of what one agent can roll."""
    return frozenset([thing.id for thing in blueprint.things.values() if thing.wheels is not None])


def _corded(blueprint: Blueprint) -> frozenset[str]:
    """Ids of what needs its plug, and so stays where it is plugged in."""
    corded = [t.id for t in blueprint.things.values() if "is_plugged_in" in t.needs]
    fitted = (
        () if blueprint.live is None else blueprint.live.fittings
    )  # a link keeps these in place
    return frozenset([node for node in corded if node not in fitted])


def _takes_several(blueprint: Blueprint) -> bool:
    """Whether anything is said to take several agents."""
    several = any(thing.people > 1 for thing in blueprint.things.values())
    if several or blueprint.live is None:
        return several
    benches = blueprint.live.benches.values()
    people = [action.people for bench in benches for action in bench.pool.actions.values()]
    people += [rig.needs.people for rig in blueprint.live.rigs.values()]
    return any(count > 1 for count in people)


def _has_small_hands(blueprint: Blueprint) -> bool:
    """Whether anybody cannot handle things of any size."""
    return any(body.max_size_m is not None for body in blueprint.bodies.values())


def _has_lids_on_top(blueprint: Blueprint) -> bool:
    """Whether any container opens at the top."""
    return any(thing.lid_on_top for thing in blueprint.things.values())


def _names(blueprint: Blueprint) -> Mapping[str, str]:
    """The display name of every id."""
    names = {room.id: room.name for room in blueprint.rooms.values()}
    names |= {door.id: door.name for door in blueprint.doors.values()}
    names |= {thing.id: thing.name for thing in blueprint.things.values()}
    return names | {body.id: body.name for body in blueprint.bodies.values()}


def _names_with_ids(blueprint: Blueprint) -> Mapping[str, str]:
    """The display name of every id with the id, as descriptions show it: `Ward (ward)`."""
    return {node: f"{name} ({node})" for node, name in blueprint.names.items()}


_latest: tuple[Scene, dict[str, Any]] | None = None


def _of_scene(scene: Scene) -> dict[str, Any]:
    """What is compiled of a scene alone; that of the last one is kept.

    Scenarios that follow each other in a suite mostly share their scene.
    """
    global _latest
    latest = _latest
    if latest is None or latest[0] is not scene:
        latest = _latest = scene, _compiled(scene)
    return latest[1]


def _compiled(scene: Scene) -> dict[str, Any]:
    location = {spec.id: Location(spec.relation, spec.holder) for spec in scene.objects}
    contents: dict[str, list[str]] = {}
    for object_id, place in location.items():
        contents.setdefault(place.holder, []).append(object_id)
    states: dict[str, Mapping[str, Any]] = {spec.id: spec.states for spec in scene.objects}
    states |= {d.id: {str(k): v for k, v in d.states.items()} for d in scene.doors}
    return {
        "scene_id": scene.id,
        "rooms": {room.id: room for room in scene.rooms},
        "doors": {door.id: door for door in scene.doors},
        "things": {spec.id: Thing.of(spec) for spec in scene.objects},
        "location": location,
        "contents": {holder: tuple(ids) for holder, ids in contents.items()},
        "states": states,
        "passages": _passages(scene),
        "live": LiveScene.of(scene),
        "abilities": scene.abilities if scene.abilities is not None else _fitting_verbs(states),
    }


def _fitting_verbs(states: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Attribute verbs for the states that occur in a scene that does not list its own."""
    present = {state for of_one in states.values() for state in of_one}
    return tuple(verb.name for verb in verb_table().values() if verb.attribute in present)


def _hidden(
    scene: Scene, agents: tuple[AgentSpec, ...], live: LiveScene | None
) -> dict[str, frozenset[str]]:
    """The numbers of things that are not known with the thing: they are felt, or sensed.

    What is too heavy for all agents together says so on its label. What changes by itself is known
    as it was when it was last seen.
    """
    usual = _usual_ways(scene, agents)
    all_lift_kg = sum([agent.max_mass_kg for agent in agents], 0.0)
    found = {}
    for spec in scene.objects:
        ways = usual | spec.perceived_by if spec.perceived_by else usual
        names = {name for name in spec.quantities if ways.get(name, "seen") != "seen"}
        if ways.get("mass_kg", "felt" if spec.mass_kg <= all_lift_kg else "seen") == "felt":
            names.add("mass_kg")
        if live is not None:
            names |= live.unlabelled(spec.id)
        if names:
            found[spec.id] = _MASS_ALONE if names == _MASS_ALONE else frozenset(names)
    return found


def _usual_ways(scene: Scene, agents: tuple[AgentSpec, ...]) -> dict[str, str]:
    """How numbers come to be known where their thing does not say, of those that are not seen."""
    sensed = {name for spec in scene.objects for name in spec.senses}
    sensed |= {name for agent in agents for name in agent.senses}
    sensed -= _ALWAYS_SEEN
    return {**dict.fromkeys(sensed, "sensed"), **scene.perceived_by}


def _gauges(
    scene: Scene, agents: tuple[AgentSpec, ...], live: LiveScene
) -> dict[str, frozenset[str]]:
    """The numbers that change and that who has a thing in view sees; its mass who holds it."""
    usual = _usual_ways(scene, agents)
    found = {}
    for spec in scene.objects:
        names = live.unlabelled(spec.id)
        ways = {**usual, **spec.perceived_by}
        seen = [n for n in names if ways.get(n, "seen") == "seen" or n == "mass_kg"]
        if seen:
            found[spec.id] = frozenset(seen)
    return found


def _body(agent: AgentSpec, scene: Scene) -> Body:
    return Body(
        id=agent.id,
        name=agent.name,
        start_room=agent.in_ if agent.in_ is not None else scene.rooms[0].id,
        max_mass_kg=agent.max_mass_kg,
        hands=agent.hands,
        max_size_m=agent.max_size_m,
        senses=agent.senses,
    )


def _passages(scene: Scene) -> dict[str, tuple[Passage, ...]]:
    """Open connections and doors, both ways, each once."""
    ways: dict[str, dict[Passage, None]] = {room.id: {} for room in scene.rooms}
    limits = {frozenset(way.between): (way.width_m, way.stairs) for way in scene.connections}
    for room in scene.rooms:
        for other in room.connects:
            limit = limits.get(frozenset((room.id, other)), (None, False))
            ways[room.id][Passage(other, None, *limit)] = None
            ways[other][Passage(room.id, None, *limit)] = None
    for door in scene.doors:
        first, second = door.between
        ways[first][Passage(second, door.id, door.width_m, door.stairs)] = None
        ways[second][Passage(first, door.id, door.width_m, door.stairs)] = None
    return {room: tuple(found) for room, found in ways.items()}
