"""What holds of every world at all times, in every ruleset."""

from collections import Counter

from earsim.world import World
from earsim.world.containment import inside
from earsim.world.limits import (
    TOLERANCE_KG,
    TOLERANCE_L,
    TOLERANCE_M2,
    free_area_m2,
    used_volume_l,
)
from earsim.world.loads import carried_mass, mass_on, total_mass


def check_invariants(world: World) -> None:
    _everything_is_in_exactly_one_place(world)
    _containment_is_a_forest(world)
    _hands_agree_with_places(world)
    _only_what_exists_is_known(world)
    _hands_and_loads_are_within_limits(world)
    _what_bears_and_holds_is_within_limits(world)
    _mass_is_neither_made_nor_lost(world)
    _pictures_are_of_this_world(world)


def _everything_is_in_exactly_one_place(world: World) -> None:
    things = world.blueprint.things
    assert list(world.location) == list(things)
    listed = Counter(child for children in world.contents.values() for child in children)
    assert listed == Counter(list(things))
    for node, place in world.location.items():
        assert node in world.contents[place.holder]


def _containment_is_a_forest(world: World) -> None:
    gone = frozenset() if world.timeline is None else world.timeline.gone
    roots = {*world.blueprint.rooms, *world.agents}
    for node in world.location.keys() - gone:
        steps = 0
        while node in world.location:
            node = world.location[node].holder
            steps += 1
            assert steps <= len(world.location), f"{node} lies inside itself"
        assert node in roots


def _hands_agree_with_places(world: World) -> None:
    for agent_id, agent in world.agents.items():
        assert agent.room in world.blueprint.rooms
        assert len(set(agent.inventory)) == len(agent.inventory)
        held = [n for n, place in world.location.items() if place.text == agent_id]
        assert sorted(agent.inventory) == sorted(held)
        assert agent.carrying is None or agent.carrying in world.location


def _hands_and_loads_are_within_limits(world: World) -> None:
    """In `physical`: of a shared load each has a hand, and what is felt of it is no own load."""
    if world.physics.keeps_near_set:
        return
    for agent_id, agent in world.agents.items():
        body = world.blueprint.bodies[agent_id]
        assert len(agent.inventory) + (agent.carrying is not None) <= body.hands
        assert abs(agent.load - carried_mass(world, agent_id)) < 1e-9
        assert agent.load <= body.max_mass_kg + 1e-6
    for node, team in world.carriers.items():
        assert len(team) > 1
        assert all(world.agents[each].carrying == node for each in team)
        assert len({world.agents[each].room for each in team}) == 1


def _what_bears_and_holds_is_within_limits(world: World) -> None:
    """In `physical`: what anything was put in or on since the start is not overfull."""
    if world.physics.keeps_near_set:
        return
    for node, thing in world.blueprint.things.items():
        if not _came_since_the_start(world, node):
            continue
        limit, area = world.blueprint.load_limits.get(node), free_area_m2(world, node)
        assert limit is None or mass_on(world, node) <= limit + TOLERANCE_KG
        assert area is None or area >= -TOLERANCE_M2
        if thing.capacity_l is not None:
            assert used_volume_l(world, node) <= thing.capacity_l + TOLERANCE_L


def _came_since_the_start(world: World, holder: str) -> list[str]:
    """What is in or on something, at any depth, and was not at first."""
    return [node for node in inside(world, holder) if not _was_inside(world, node, holder)]


def _was_inside(world: World, node: str, holder: str) -> bool:
    first = world.blueprint.location
    while node in first:
        node = first[node].holder
        if node == holder:
            return True
    return False


def _mass_is_neither_made_nor_lost(world: World) -> None:
    roots = (*world.blueprint.rooms, *world.agents)
    outermost = [node for root in roots for node in world.contents.get(root, ())]
    things, timeline = world.blueprint.things, world.timeline
    whole = sum(thing.mass_kg for thing in things.values())
    if timeline is not None:
        whole -= sum(things[node].mass_kg for node in timeline.gone)
        whole += sum(timeline.grams_in(vessel) for vessel in timeline.contents) / 1000
    assert abs(sum(total_mass(world, node) for node in outermost) - whole) < 1e-6


def _pictures_are_of_this_world(world: World) -> None:
    """What somebody believes, has read or knows of is something that there is."""
    for belief in world.beliefs.values():
        assert belief.location.keys() <= world.location.keys()
    for picture in (world, *world.beliefs.values()):
        for node, readings in picture.readings.items():
            assert readings.keys() <= world.blueprint.hidden[node]


def _only_what_exists_is_known(world: World) -> None:
    exists = set(world.blueprint.rank)
    for known in world.known.values():
        assert known <= exists
