"""What holds of every world at all times, in every ruleset."""

from collections import Counter

from earsim.world import World


def check_invariants(world: World) -> None:
    _everything_is_in_exactly_one_place(world)
    _containment_is_a_forest(world)
    _hands_agree_with_places(world)
    _only_what_exists_is_known(world)


def _everything_is_in_exactly_one_place(world: World) -> None:
    things = world.blueprint.things
    assert list(world.location) == list(things)
    listed = Counter(child for children in world.contents.values() for child in children)
    assert listed == Counter(list(things))
    for node, place in world.location.items():
        assert node in world.contents[place.holder]


def _containment_is_a_forest(world: World) -> None:
    roots = {*world.blueprint.rooms, *world.agents}
    for node in world.location:
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


def _only_what_exists_is_known(world: World) -> None:
    exists = set(world.blueprint.rank)
    for known in world.known.values():
        assert known <= exists
