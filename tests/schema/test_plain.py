"""Scenes as plain data: what pydantic would write, and the same scene back."""

import json

import pytest

from earsim.schema import Scene
from earsim.schema.model import FileModel
from earsim.schema.plain import from_plain, to_plain
from earsim.suites import open_suite

EVERYTHING = {
    "id": "yard",
    "title": "The yard",
    "domain": "workshop",
    "description": "All that a scene can say.",
    "rooms": [
        {"id": "a", "name": "A", "area_m2": 3, "connects": ["b"], "attributes": {"x": [1, {}]}},
        {"id": "b", "pressure_bar": 2.5},
        {"id": "c"},
    ],
    "connections": [{"between": ["a", "b"], "width_m": 1, "stairs": True}],
    "doors": [
        {
            "id": "door",
            "name": "Door",
            "between": ["b", "c"],
            "width_m": 0.8,
            "stairs": True,
            "states": {"is_locked": True},
            "key": "cup",
        }
    ],
    "objects": [
        {
            "id": "cart",
            "name": "Cart",
            "kind": "furniture",
            "in": "a",
            "mass_kg": 20,
            "size_m": [1, 2, 0.5],
            "container": {"capacity_l": 60, "opens": "top"},
            "wheels": {"max_load_kg": 80},
            "provides": ["open"],
            "needs": ["is_on"],
            "also_provides": ["a loud voice"],
            "key": "cup",
            "people": 2,
            "senses": {"temperature_c": 1},
            "perceived_by": {"mass_kg": "felt"},
            "states": {"is_on": True, "level": "half"},
            "attributes": {"colour": "red", "parts": ["x", ["y"]]},
            "temperature_c": 4,
            "volume_l": 7,
        },
        {"id": "cup", "kind": "item", "on": "cart", "mass_kg": 0.2, "wheels": {}, "container": {}},
    ],
    "abilities": ["open", "close"],
    "perceived_by": {"mass_kg": "seen"},
}


@pytest.mark.parametrize("name", ["everything", "starter", "earsim-bench"])
def test_plain_data_are_what_pydantic_writes_and_give_the_scene_back(name):
    for scene in scenes(name):
        text = json.dumps(to_plain(scene))
        written = scene.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        assert text == json.dumps(written)
        for data in (to_plain(scene), json.loads(text)):
            again = from_plain(Scene, data)
            assert again == scene
            assert repr(again) == repr(scene)
            assert again.model_copy(deep=True) == scene


def scenes(name):
    if name == "everything":
        return [Scene.model_validate(EVERYTHING)]
    suite = open_suite(name)
    return {(scene := suite.load(id).scene).id: scene for id in suite.ids[::5]}.values()


def test_the_example_leaves_no_field_out():
    """So that a field that is added to a scene is tested here."""
    told: dict[type, set[str]] = {}
    note_fields(Scene.model_validate(EVERYTHING), told)
    assert len(told) == 7
    for model, names in told.items():
        assert names | {"schema_"} >= model.model_fields.keys()


def note_fields(model, told):
    """Which fields of a model and of its parts say something beyond their defaults."""
    names = told.setdefault(type(model), set())
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if value not in (field.default, {}):
            names.add(name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, FileModel):
                note_fields(part, told)


def test_made_scenes_share_nothing_that_can_change():
    data = to_plain(Scene.model_validate(EVERYTHING))
    first, second = from_plain(Scene, data), from_plain(Scene, data)
    assert first.rooms[2].quantities is not second.rooms[2].quantities
    assert first.objects[1].states is not second.objects[1].states
