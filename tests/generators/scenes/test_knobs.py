"""Knobs that cannot be met are refused, and say why."""

from random import Random

import pytest

from earsim.errors import UsageError
from earsim_generators.catalogue import load_domain, parse_domain
from earsim_generators.scenes import GroupSizes, SceneParameters, make_scene


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"rooms": 0}, "rooms are at least 1"),
        ({"distractors": -1}, "below 0"),
        ({"group_sizes": GroupSizes(2, 4)}, "at least 3"),
        ({"group_sizes": GroupSizes(5, 4)}, "at most as many"),
        ({"numbers": 0}, "at least 1 number"),
        ({"generator": 3}, "no version 3"),
        ({"doors": 1, "locked_doors": 2}, "2 of 1 doors"),
        ({"objects": 20, "rooms": 6, "lookalikes": 4}, "too few"),
    ],
)
def test_nonsense_is_refused(asked, reason):
    with pytest.raises(UsageError, match=reason):
        SceneParameters(**asked)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"rooms": 40, "objects": 90}, "makes at most .* rooms"),
        ({"numbers": 9}, "groups of .* things with 9 numbers"),
        ({"objects": 400}, "finds space for"),
    ],
)
def test_what_a_domain_cannot_give_is_refused(asked, reason):
    with pytest.raises(UsageError, match=reason):
        make_scene(load_domain("home"), SceneParameters(**asked), Random(0), id="x")


def test_a_domain_without_held_out_names_has_no_held_out_vocabulary():
    with pytest.raises(UsageError, match="no held_out_names for "):
        make_scene(
            parse_domain(ONE_ROOM), SceneParameters(vocabulary="held_out"), Random(0), id="x"
        )


def test_locked_doors_need_a_key_in_the_domain():
    parameters = SceneParameters(
        rooms=2, objects=10, lookalikes=1, distractors=0, doors=1, locked_doors=1, numbers=1
    )
    with pytest.raises(UsageError, match="opens_doors"):
        make_scene(parse_domain(ONE_ROOM), parameters, Random(0), id="x")


ONE_ROOM = """\
schema: earsim.domain/1
id: hut
titles: [Hut]
verbs: [clean]
rooms:
  - {id: hut, names: [Hut], area_m2: 20, joins: {porch: door}}
  - {id: porch, names: [Porch], area_m2: 9}
furniture:
  - {id: table, names: [Table], rooms: any, material: pine, size_m: [1.4, 0.8, 0.8], fill: 0.06}
items:
  - {id: pot, names: [Pot], on: table, material: clay, size_m: [0.2, 0.2, 0.2], fill: [0.1, 0.2],
     states: {is_dirty: 0.5}}
  - {id: rag, names: [Rag], on: table, material: cotton, size_m: [0.2, 0.2, 0.02], provides: clean}
"""
