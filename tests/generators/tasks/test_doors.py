"""The closed doors on the way from room to room, as tasks reckon with them."""

import pytest

from earsim.schema import parse
from earsim_generators.tasks import SceneIndex

TOWER = """\
schema: earsim.scene/1
id: tower
rooms: [{id: base, connects: [stairs]}, {id: stairs}, {id: top}, {id: vault}, {id: well}]
doors:
  - {id: iron, between: [stairs, top], states: {is_locked: true}}
  - {id: oak, between: [stairs, top]}
  - {id: pine, between: [stairs, top]}
  - {id: steel, between: [top, vault], states: {is_locked: true}}
  - {id: shaft, between: [base, vault]}
"""


@pytest.mark.parametrize(
    ("start", "goal", "doors"),
    [
        ("base", "base", ()),
        ("base", "stairs", ()),
        ("base", "top", ("oak",)),
        ("top", "base", ("oak",)),
        ("base", "vault", ("shaft",)),
        ("vault", "top", ("shaft", "oak")),
        ("base", "well", ()),
    ],
    ids=[
        "none", "open", "rather closed than locked", "back", "short", "around what is locked",
        "no way",
    ],
)  # fmt: skip
def test_doors_on_the_way(start: str, goal: str, doors: tuple[str, ...]):
    assert SceneIndex(parse(TOWER).scene).doors_between(start, goal) == doors
