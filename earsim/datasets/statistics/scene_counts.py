"""The places of a suite: rooms, and what stands and lies in them. A scene counts once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import fmean

from earsim.schema.scene import Scene
from earsim.schema.scene_parts import SceneObject
from earsim.world import Blueprint, room_graph

UNSAID = "not said"
"""The domain of a scene that names none; EAR-Bench has no field for it."""

_MATERIAL = "material"


@dataclass(slots=True)
class SceneCounts:
    """Counts over the scenes of a suite, however many tasks are set in each.

    Attributes:
        objects: Of each scene; and so are `rooms` and `doors`.
        components: Of each scene, parts between which no way leads; open or not, a door is a way.
        diameters: Of each scene, the most ways on a shortest path from room to room.
        mean_paths: Of each scene with a way in it, the mean of the shortest paths between two rooms
            that are joined, in ways.
        kinds: Things by what they are. A container or tool is furniture or an item as well.
        materials: Things by what they are made of.
        properties: Things by what is said of them: descriptions, numbers, mass and size.
        numbers: Things by what is measured of them; mass and size not counted.
        states: Things by what verbs may change.
        names: Things by name.
        abilities: Tools by what they are good for; one that serves for two counts twice.
        verbs: Scenes by the attribute verbs that exist there.
    """

    rooms: list[int] = field(default_factory=list)
    doors: list[int] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)
    components: list[int] = field(default_factory=list)
    diameters: list[int] = field(default_factory=list)
    mean_paths: list[float] = field(default_factory=list)
    domains: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    materials: Counter[str] = field(default_factory=Counter)
    properties: Counter[str] = field(default_factory=Counter)
    numbers: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    abilities: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    _seen: set[str] = field(default_factory=set)

    @property
    def scenes(self) -> int:
        """Different scenes."""
        return len(self.objects)

    def note(self, scene: Scene) -> None:
        """Count a scene, unless one of its id was counted before."""
        if scene.id in self._seen:
            return
        self._seen.add(scene.id)
        self.rooms.append(len(scene.rooms))
        self.doors.append(len(scene.doors))
        self.objects.append(len(scene.objects))
        self.domains[scene.domain or UNSAID] += 1
        blueprint = Blueprint.compile(scene, ())
        self.verbs.update(blueprint.abilities)
        self._note_ways(blueprint)
        for thing in scene.objects:
            self._note(thing)

    def _note_ways(self, blueprint: Blueprint) -> None:
        import networkx as nx

        rooms = room_graph(blueprint)
        self.components.append(nx.number_connected_components(rooms))
        paths = [
            length
            for _, lengths in nx.all_pairs_shortest_path_length(rooms)
            for length in lengths.values()
            if length
        ]
        self.diameters.append(max(paths, default=0))
        if paths:
            self.mean_paths.append(fmean(paths))

    def _note(self, thing: SceneObject) -> None:
        self.kinds.update(_kinds(thing))
        self.names[thing.name] += 1
        self.states.update(list(thing.states))
        self.numbers.update(list(thing.quantities))
        self.properties.update([*thing.attributes, *thing.quantities])
        self.properties.update(("mass_kg",) if thing.size_m is None else ("mass_kg", "size_m"))
        self.abilities.update(thing.provides)
        material = thing.attributes.get(_MATERIAL)
        if isinstance(material, str) and material.strip():
            self.materials[material.strip().casefold()] += 1


def _kinds(thing: SceneObject) -> Iterator[str]:
    yield thing.kind
    if thing.container is not None:
        yield "container"
    if thing.provides:
        yield "tool"
    if thing.states:
        yield "can be changed"
