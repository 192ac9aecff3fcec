"""Ways between rooms: shortest, free before shut, and the same as NetworkX finds them."""

from itertools import product
from random import Random

import networkx as nx
import pytest

from earsim.schema import Scene
from earsim.world import Blueprint, Physics, World, room_graph
from earsim.world.paths import Route, breadth_first, is_free, route_to, routes_from


def world_of(rooms: dict[str, list[str]], doors: dict[tuple[str, str], bool]) -> World:
    scene = {
        "id": "maze",
        "rooms": [{"id": room, "connects": others} for room, others in rooms.items()],
        "doors": [
            {"id": f"door_{number}", "between": between, "states": {"is_open": is_open}}
            for number, (between, is_open) in enumerate(doors.items())
        ],
    }
    return World(Blueprint.compile(Scene.model_validate(scene), ()), Physics())


def maze(seed: int) -> World:
    rng = Random(seed)
    ids = [f"room_{number}" for number in range(rng.randint(2, 9))]
    pairs = [(one, other) for one, other in product(ids, ids) if one != other]
    rooms = {room: [b for a, b in pairs if a == room and rng.random() < 0.12] for room in ids}
    return world_of(rooms, {pair: rng.random() < 0.4 for pair in pairs if rng.random() < 0.1})


@pytest.mark.parametrize("seed", range(60))
def test_ways_are_as_short_as_networkx_finds_them(seed: int):
    world = maze(seed)
    every = room_graph(world.blueprint)
    free = every.edge_subgraph(
        (a, b, key)
        for a, b, key, door in every.edges(keys=True, data="door")
        if door is None or world.states[door]["is_open"]
    ).copy()
    free.add_nodes_from(every)
    for start in every:
        hops_freely = nx.single_source_shortest_path_length(free, start)
        hops = nx.single_source_shortest_path_length(every, start)
        routes = routes_from(world, start)
        assert {room: r.hops for room, r in routes.items()} == {**hops, **hops_freely}
        assert {room for room, r in routes.items() if r.door is None} == set(hops_freely)
        assert set(breadth_first(world, [start], is_free)) == set(hops_freely)
        assert {room: route_to(world, start, room) for room in every} == {
            room: routes.get(room) for room in every
        }


def test_the_first_closed_door_is_named_with_the_room_before_it():
    world = world_of(
        {"a": ["b"], "b": [], "c": [], "d": []}, {("b", "c"): False, ("c", "d"): False}
    )
    assert route_to(world, "a", "d") == Route(3, "door_0", "b")
    assert route_to(world, "d", "a") == Route(3, "door_1", "d")


def test_of_equally_short_ways_one_begins_with_open_passages():
    doors = {("a", "b"): False, ("a", "c"): True, ("b", "d"): True, ("c", "d"): False}
    world = world_of({"a": [], "b": [], "c": [], "d": []}, doors)
    assert route_to(world, "a", "d") == Route(2, "door_3", "c")


def test_a_free_way_is_better_than_a_short_one():
    world = world_of({"a": ["b"], "b": ["c"], "c": ["d"], "d": []}, {("a", "d"): False})
    assert route_to(world, "a", "d") == Route(3, None)


def test_there_may_be_no_way():
    world = world_of({"a": [], "b": []}, {})
    assert route_to(world, "a", "b") is None
    assert routes_from(world, "a") == {"a": Route(0, None)}


def test_who_starts_in_several_rooms_gets_to_all_around_them():
    world = world_of({"a": ["b"], "b": [], "c": ["d"], "d": [], "e": []}, {})
    assert list(breadth_first(world, ["a", "c", "a"], is_free)) == ["a", "c", "b", "d"]
