"""What a kind says of how its things are handled stands in every scene: wheels, plugs, loads."""

from pathlib import Path
from random import Random

import pytest

from earsim.errors import FileError
from earsim.world.plausibility import implausible_in
from earsim_generators.catalogue import parse_domain
from earsim_generators.scenes import SceneParameters, make_scene
from earsim_generators.tasks.scene_index import SceneIndex

SHED = Path(__file__).parents[1] / "catalogue" / "shed.yaml"
PARAMETERS = SceneParameters(rooms=2, objects=9, lookalikes=1, distractors=0, doors=1)


@pytest.fixture
def shed():
    return SHED.read_text(encoding="utf-8")


def scenes(text):
    domain = parse_domain(text)
    return [make_scene(domain, PARAMETERS, Random(seed), id="shed").scene for seed in range(12)]


def changed(shed, *pairs):
    for old, new in pairs:
        assert old in shed
        shed = shed.replace(old, new, 1)
    return shed


def things(scenes, name):
    found = [thing for scene in scenes for thing in scene.objects if thing.name == name]
    assert found
    return found


def test_wheels_and_needs(shed):
    text = changed(shed, ("{is_broken: 0.5}", "{is_broken: 0.5}, needs: [is_broken], wheels: true"))
    mowers = things(scenes(text), "Mower")
    assert {mower.needs for mower in mowers} == {("is_broken",), ()}
    for mower in mowers:
        assert mower.wheels is not None
        assert set(mower.needs) == mower.states.keys(), "without a verb for it, there is no state"
    for pot in things(scenes(text), "Pot"):
        assert pot.wheels is None


def test_a_surface_bears_what_stands_on_it_and_half_as_much_again(shed):
    text = changed(shed, ("fill: 0.02, tags", "fill: 0.02, bears_kg: [1, 9], tags"))
    made = scenes(text)
    for scene in made:
        assert not list(implausible_in(scene))
        index = SceneIndex(scene)
        for shelf in things([scene], "Shelf"):
            load = sum(index.mass(node) for node in index.held(shelf.id, "on"))
            assert shelf.quantities["max_load_kg"] >= max(1, 1.5 * load)
            assert index.number(shelf.id, "max_load_kg") is None, "it tells no shelf from another"


def test_doors_have_a_width_where_the_domain_says_so(shed):
    assert all(door.width_m is None for scene in scenes(shed) for door in scene.doors)
    made = scenes(changed(shed, ("rooms:\n", "door_width_m: [0.8, 1.2]\nrooms:\n")))
    widths = [door.width_m for scene in made for door in scene.doors]
    assert widths
    assert all(0.8 <= width <= 1.2 for width in widths)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("{is_broken: 0.5}", "{is_broken: 0.5}, needs: [is_broke]", "did you mean 'is_broken'"),
        ("fill: 0.02, tags", "fill: 0.02, bears_kg: 0, tags", "0 is not above 0"),
        ("rooms:\n", "door_width_m: [0, 1]\nrooms:\n", "0 is not above 0"),
    ],
)
def test_a_mistake_is_found(shed, old, new, expected):
    with pytest.raises(FileError, match=expected):
        parse_domain(changed(shed, (old, new)))
