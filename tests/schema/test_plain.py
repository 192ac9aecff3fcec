"""Scenes as plain data: what pydantic would write, and the same scene back."""

import json

import pytest

from earsim.schema import Scene
from earsim.schema.model import FileModel
from earsim.schema.plain import from_plain, to_plain
from earsim.schema.process import Crossing, Heat, Process, StateOf
from earsim.suites import open_suite

EVERYTHING = {
    "id": "yard",
    "title": "The yard",
    "domain": "workshop",
    "description": "All that a scene can say.",
    "rooms": [
        {
            "id": "a",
            "name": "A",
            "area_m2": 3,
            "connects": ["b"],
            "temperature_c": 9,
            "attributes": {"x": [1, {}]},
        },
        {"id": "b", "pressure_bar": 2.5, "temperature_c": 20},
        {"id": "c", "temperature_c": 15},
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
            "states": {"is_on": True, "is_hot": False, "level": "half"},
            "attributes": {"colour": "red", "parts": ["x", ["y"]]},
            "temperature_c": 4,
            "volume_l": 7,
            "liquids": {"ink": 0.5},
            "fittings": {"mains": 2},
            "supplies": ["mains"],
            "marks": [{"name": "line", "of": "content_l", "at": 5}],
            "processes": [
                {"heat": {"material": "steel", "area_m2": 0.5}},
                {"heats": {"power_w": 5, "to": "on", "while": {"is_on": True}, "of": "cart"}},
                {"boils": {"substance": "ink", "at_c": 90, "latent_jpkg": 2e6}},
                {"state": {"name": "is_hot", "of": "temperature_c", "at_least": 50}},
                {"crossing": {"of": "temperature_c", "at_most": 3, "sets": {"is_on": False}}},
            ],
            "apparatus": {
                "model": "maglev/1",
                "settings": {"Kp": 2},
                "bounds": {"Kp": [1, 3]},
                "tunable": ["Kp"],
                "levels": {"Kp": [1, 2.5]},
                "needs": {"ability": "unlock", "loaded": "cup", "people": 2, "attended": True},
                "price": {
                    "eur_per_run": 1,
                    "eur_per": {"fill": 5},
                    "eur_per_h": 2,
                    "eur_per_mflop": 3,
                    "kwh_per_h": 4,
                },
                "show": ["y"],
                "desk": {
                    "problem": "Fill in f.",
                    "function": "f",
                    "files": {"main.py": "def f(x):\n    pass\n"},
                    "tests": [{"args": [1, [2]], "equals": {"a": None}}],
                    "programs": [{"files": {"data.py": "A = 1"}, "prints": "1"}],
                },
                "library": {
                    "texts": [{"id": "tin", "title": "Tin", "date": "1990", "text": "It melts."}],
                    "search_s": 1,
                    "visit_s": 2,
                    "hits": 3,
                },
                "figures": {
                    "figures": [
                        {
                            "id": "tin",
                            "title": "Tin",
                            "caption": "Drawn",
                            "kind": "bar",
                            "x": {"label": "x", "unit": "m", "log": True},
                            "y": {"label": "y"},
                            "series": [{"name": "s", "points": [["a", 1], [2, 3.5]]}],
                        }
                    ],
                    "list_s": 1,
                    "show_s": 2,
                    "tables": False,
                },
                "pool": {
                    "materials": [{"id": "cup", "exists": False, "states": {"stage": "raw"}}],
                    "actions": [
                        {
                            "name": "fill",
                            "says": "it",
                            "inputs": {"cup": {"stage": "raw"}},
                            "outputs": {"cup": {"stage": "full"}, "pot": None},
                            "parameters": [
                                {
                                    "name": "volume",
                                    "says": "how much",
                                    "unit": "uL",
                                    "bounds": [1, 9],
                                    "integer": True,
                                    "choices": ["a", "b"],
                                    "usual": 2,
                                }
                            ],
                            "seconds": "time",
                            "needs": {
                                "ability": "unlock",
                                "people": 2,
                                "things": [
                                    {"object": "cup", "of": "x", "at_least": 1, "at_most": 2}
                                ],
                            },
                            "gives": [
                                {
                                    "name": "mass",
                                    "equals": 3,
                                    "factor": 2,
                                    "times": ["cup.x"],
                                    "over": ["cup.y"],
                                }
                            ],
                        }
                    ],
                },
            },
        },
        {"id": "cup", "kind": "item", "on": "cart", "mass_kg": 0.2, "wheels": {}, "container": {}},
        {"id": "tap", "kind": "furniture", "in": "b", "mass_kg": 1, "source": "ink"},
        {"id": "sink", "kind": "furniture", "in": "b", "mass_kg": 9, "drains": True},
    ],
    "abilities": ["open", "close"],
    "perceived_by": {"mass_kg": "seen"},
    "substances": [{"id": "ink", "density_kgpl": 1.1, "specific_heat_jpkgk": 4000}],
    "uses_up": {"clean": 1},
}


@pytest.mark.slow
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
    assert len(told) == 34
    for model, names in told.items():
        if model in (
            Process,
            Heat,
            StateOf,
            Crossing,
        ):
            continue
        assert names | {"schema_", "file"} >= model.model_fields.keys()  # a file is read in


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
