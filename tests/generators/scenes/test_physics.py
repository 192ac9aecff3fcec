"""What is made could be real: masses, places and space."""

import math

from earsim.engine import Engine
from earsim.schema import AgentSpec, Scenario, Task
from earsim.world.containment import ancestors
from tests.generators.scenes.rig import kinds_of, objects_of, room_of
from tests.invariants import check_invariants

ROUNDING = 0.02
"""Sizes and masses are rounded: the mass that follows from them is met to this part."""


def test_mass_follows_from_size_material_and_fill(cases):
    for case in cases:
        for id, kind in kinds_of(case).items():
            thing = objects_of(case)[id]
            material = thing.attributes.get("material", "water")  # of which nothing is told
            own = kind.material[material]
            fill = kind.fill if own is None else own
            solid = math.prod(thing.size_m) * case.domain.densities[material]
            assert solid * fill.low * (1 - ROUNDING) <= thing.mass_kg, id
            assert thing.mass_kg <= solid * fill.high * (1 + ROUNDING), id


def test_things_are_where_their_kind_may_be(cases):
    for case in cases:
        kinds, objects = kinds_of(case), objects_of(case)
        types = {room.id: room for room in case.made.scene.rooms}
        for id, kind in kinds.items():
            holder = objects[id].holder
            if holder in types:
                assert kind.rooms or getattr(kind, "opens_doors", False), id
                continue
            words = kind.on if objects[id].relation == "on" else kind.in_
            assert {kinds[holder].id, *kinds[holder].tags} & set(words), f"{id} at {holder}"


def test_everything_fits_and_leaves_space_for_more(cases):
    for case in cases:
        objects = objects_of(case)
        for holder in objects.values():
            inside = [t for t in objects.values() if t.holder == holder.id]
            boxes = [math.prod(t.size_m) * 1000 for t in inside if t.relation == "in"]
            if holder.container is not None:
                assert sum(boxes) <= 0.7 * holder.container.capacity_l
            tops = [t.size_m[0] * t.size_m[1] for t in inside if t.relation == "on"]
            assert sum(tops) <= 0.7 * holder.size_m[0] * holder.size_m[1]
            for thing in inside:
                if thing.relation == "in":
                    pairs = zip(sorted(thing.size_m), sorted(holder.size_m), strict=True)
                    assert all(edge <= limit for edge, limit in pairs)


def test_the_engine_takes_every_scene_as_physical(cases):
    for case in cases:
        scene = case.made.scene
        thing = next(thing for thing in scene.objects if thing.kind == "item")
        goal = {"inside_room": {"object": thing.id, "room": scene.rooms[-1].id}}
        engine = Engine(
            Scenario(
                id="x",
                scene=scene,
                agents=(AgentSpec(id="ada", max_mass_kg=50.0, hands=2),),
                task=Task(id="t", category="direct_command", instruction="Go.", goal=goal),
            )
        )
        world = engine.start()
        check_invariants(world)
        for thing in scene.objects:
            assert list(ancestors(world, thing.id))[-1] == room_of(scene, thing)
