import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from earsim.errors import FileError, FileTooLarge
from earsim.schema import (
    Scenario,
    Scene,
    SceneFile,
    SceneObject,
    load_file,
    load_scenarios,
    load_scene,
    parse,
    to_data,
    to_json,
    to_yaml,
)

FindingsAfter = Callable[[str, str], list[str]]


def test_a_scene_file_gives_one_scenario_per_task(clinic_file: Path) -> None:
    (scenario,) = load_scenarios(clinic_file)
    assert scenario.id == "clinic_night/move_fullest"
    assert scenario.ruleset == "physical"
    assert [agent.id for agent in scenario.agents] == ["porter", "nurse"]
    assert type(scenario.scene) is Scene
    assert scenario.scene == load_scene(clinic_file)


def test_a_file_is_parsed_again_only_when_its_text_has_changed(clinic_file: Path) -> None:
    first = load_file(clinic_file)
    assert load_file(clinic_file) is first
    text = clinic_file.read_text(encoding="utf-8")
    clinic_file.write_text(text.replace("lighting: dim", "lighting: lit"), encoding="utf-8")
    assert load_file(clinic_file).rooms[1].attributes == {"lighting": "lit"}
    clinic_file.write_text(text, encoding="utf-8")
    assert load_file(clinic_file) == first


def test_fields_are_read_with_their_defaults(clinic_file: Path) -> None:
    scene = load_scene(clinic_file)
    store, door, key = scene.rooms[1], scene.doors[0], scene.objects[1]
    assert store.quantities == {"temperature_c": 8.0}
    assert store.quantity("temperature_c") == 8.0
    assert scene.rooms[0].quantity("area_m2") == 40.0
    assert scene.rooms[0].quantity("temperature_c") is None
    assert door.name == "store door"
    assert door.states == {"is_open": False, "is_locked": True}
    assert (key.relation, key.holder, key.name) == ("on", "trolley", "brass key")


def test_words_that_yaml_1_1_takes_for_booleans_stay_text(clinic: str) -> None:
    text = clinic.replace("{lighting: dim}", "{lighting: off, on: yes, n: no, clock: 12:30}")
    loaded = parse(text)
    assert isinstance(loaded, SceneFile)
    expected = {"lighting": "off", "on": "yes", "n": "no", "clock": "12:30"}
    assert loaded.rooms[1].attributes == expected


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        (
            "mass_kg: 38",
            "mas_kg: 38",
            "clinic.yaml:10: objects[0].mas_kg: unknown key (did you mean 'mass_kg'?)",
        ),
        ("mass_kg: 38, ", "", "clinic.yaml:10: objects[0].mass_kg: missing (this key is required)"),
        ("mass_kg: 38", "mass_kg: heavy", "mass_kg: 'heavy' (expected a valid number)"),
        ("mass_kg: 38", "mass_kg: true", "mass_kg: True (expected a valid number)"),
        ("mass_kg: 38", "mass_kg: -1", "mass_kg: -1 (expected greater than or equal to 0)"),
        ("mass_kg: 38", "mass_kg: .nan", "mass_kg: nan"),
        ("mass_kg: 38", "mass_kg: 1e300", "mass_kg: 1e+300 (expected less than or equal to"),
        ("mass_kg: 38", f"mass_kg: {'9' * 5000}", "mass_kg: inf"),
        ("kind: furniture", "kind: furnitur", "kind: 'furnitur' (did you mean 'furniture'?)"),
        ("pressure_bar: 90", "pressure_bra: 90", "objects[2].pressure_bra: unknown key"),
        ("pressure_bar: 90", "pressure_bar: full", "objects[2].pressure_bar: 'full'"),
        ("pressure_bar: 90", "pressure_bar: .inf", "objects[2].pressure_bar: inf"),
        ("id: oxygen_b", "id: oxygen_a", "the id 'oxygen_a' is taken by objects[2]"),
        ("id: oxygen_b", "id: ward", "the id 'ward' is taken by rooms[0]"),
        ("id: oxygen_b", "id: oxygen b", "expected an id: ASCII letters, digits and _"),
        ("on: trolley", "on: trolly", "clinic.yaml:11: objects[1].on: unknown room or object"),
        ("on: trolley", "on: trolly", "did you mean 'trolley'?"),
        ("on: trolley", "in: oxygen_a", "'oxygen_a' is not a container"),
        ("on: trolley", "in: store_door", "'store_door' is a door"),
        ("on: trolley", "on: trolley, in: ward", "both 'in' and 'on' is given"),
        ("on: trolley, ", "", "neither 'in' nor 'on' is given (exactly one of them)"),
        ("on: trolley", "on: brass_key", "lies within itself: brass_key -> brass_key"),
        (
            "in: ward, mass_kg: 38",
            "on: brass_key, mass_kg: 38",
            "lies within itself: trolley -> brass_key -> trolley",
        ),
        ("[ward, store]", "[ward, stor]", "doors[0].between[1]: unknown room 'stor'"),
        ("[ward, store]", "[ward, ward]", "both sides are one room"),
        ("is_locked: true", "is_locked: true, is_open: true", "locked and open at once"),
        ("is_locked: true", "is_lockd: true", "did you mean 'is_locked'?"),
        ("key: brass_key", "key: bras_key", "doors[0].key: unknown object 'bras_key'"),
        ("connects: [ward]", "connects: [wart]", "rooms[1].connects[0]: unknown room 'wart'"),
        ("connects: [ward]", "connects: [store]", "connects to itself"),
        (
            "doors:",
            "connections: [{between: [ward, store], width_m: 0}]\ndoors:",
            "connections[0].width_m: 0 (expected greater than 0)",
        ),
        (
            "doors:",
            "connections: [{between: [ward, lab], width_m: 1}]\ndoors:",
            "connections[0].between: no open way joins 'ward' and 'lab'",
        ),
        (
            "doors:",
            "connections: [{between: [ward, store]}, {between: [store, ward]}]\ndoors:",
            "connections[1].between: the same way as connections[0]",
        ),
        ("[open, close]", "[open, clos]", "abilities[1]: unknown verb 'clos'"),
        ("mass_kg: 0.03", "mass_kg: 0.03, provides: [repare]", "did you mean 'repair'"),
        ("mass_kg: 0.03", "mass_kg: 0.03, needs: [is_on]", "needs[0]: unknown state 'is_on'"),
        (
            "mass_kg: 0.03",
            "mass_kg: 0.03, needs: [is_on], states: {is_on: dim}",
            "is_on of 'brass_key' is neither true nor false",
        ),
        ("name: Ward", 'name: "Wa\\u202Erd"', "expected text without control characters"),
        ("name: Ward", 'name: "\\e[2J"', "'\\x1b[2J' (expected text without control"),
        ("{lighting: dim}", '{lighting: "\\e[2J"}', "attributes.lighting: control characters"),
        ("{lighting: dim}", "{lighting: [1, {a: .nan}]}", "attributes.lighting[1].a: number"),
        ("area_m2: 40", "area_m2: 0", "rooms[0].area_m2: 0 (expected greater than 0)"),
        ("title:", "titel:", "titel: unknown key (did you mean 'title'?)"),
        ("hands: 1", "hands: 1.5", "agents[1].hands: 1.5 (expected a valid integer)"),
        ("id: nurse", "id: porter", "agents[1].id: the id 'porter' is taken"),
        ("id: nurse", "id: ward", "agents[1].id: the id 'ward' is taken"),
        ("porter, in: ward", "porter, in: wad", "agents[0].in: unknown room 'wad'"),
        ("implicit_collab", "implict_collab", "did you mean 'implicit_collaboration'"),
        ("inside_room: {object", "inside_rom: {object", "not a goal: {'inside_rom'"),
        ("room: ward}}]", "room: wart}}]", "goal.all[0].inside_room.room: unknown room 'wart'"),
        ("room: ward}}]", "room: trolley}}]", "'trolley' is an object (expected: room)"),
        ("object: $target", "object: $tarket", "unknown selector 'tarket' (did you mean 'target'?"),
        ("object: $target", "object: oxygen_c", "unknown object or agent 'oxygen_c'"),
        ("{largest: press", "{bigest: press", "not a selector"),
        ("{name: Oxygen}", "{inside_room: lab}", "select.target.among.inside_room: unknown room"),
        (
            "{name: Oxygen}",
            "{nam: Oxygen}",
            "select.target.among.nam: unknown key (did you mean 'name'",
        ),
        ("the {target} to", "the {tarrget} to", "instruction: unknown placeholder 'tarrget'"),
        ("GOTO store,", "GOTO stor,", "walkthrough[0].porter: unknown id 'stor'"),
        ("{porter: GOTO", "{potter: GOTO", "unknown agent 'potter' (did you mean 'porter'?)"),
        (
            "{porter: GOTO store, nurse: EXPLORE}",
            "EXPLORE",
            "one command for several agents (expected {agent: command})",
        ),
        ("title: Night shift", "title: a\ntitle: b", "the key is repeated (first on line 3)"),
        ("earsim.scene/1", "earsim.scene/2", "schema: 'earsim.scene/2' (did you mean"),
        ("schema: earsim.scene/1\n", "", "schema: missing (expected one of: earsim.scene/1"),
        ("title: Night shift", "title: *x", "the alias *x (aliases are not allowed)"),
        ("title: Night shift", "title: &x Night", "the anchor &x (anchors are not allowed)"),
        ("title: Night shift", "title: &x Night\ndomain: *x", "the alias *x"),
        ("title: Night shift", "title: !!python/none x", "tags are not allowed"),
        ("title: Night shift", "? [a]\n: b", "a list or dictionary as key"),
        ("tasks:", "---\ntasks:", "a second document"),
        ("title: Night shift", f"title: {'[' * 100}", "nested too deeply"),
        ("title: Night shift", "title: 'open", "not YAML"),
    ],
)
def test_a_slip_is_found_where_it_is(
    findings_after: FindingsAfter, old: str, new: str, finding: str
) -> None:
    assert any(finding in found for found in findings_after(old, new)), findings_after(old, new)


def test_the_unbroken_file_has_no_findings(findings_after: FindingsAfter) -> None:
    assert findings_after("Night shift", "Day shift") == []


def test_all_findings_come_at_once_in_file_order(clinic: str) -> None:
    text = clinic
    for old, new in (
        ("temperature_c: 8", "temperature_c: cold"),
        ("on: trolley", "on: trollei"),
        ("kind: item, in: store", "kind: itm, in: store"),
        ("room: ward}}]", "room: wart}}]"),
    ):
        text = text.replace(old, new, 1)
    with pytest.raises(FileError) as caught:
        parse(text, source="x.yaml")
    lines = [finding.line for finding in caught.value.findings]
    assert lines == [6, 11, 12, 20]
    assert "trollei" in str(caught.value)


def test_a_long_detour_of_holders_is_no_cycle() -> None:
    boxes = [
        {
            "id": f"box_{index}",
            "kind": "item",
            "in": f"box_{index - 1}" if index else "lab",
            "mass_kg": 1,
            "container": {},
        }
        for index in range(300)
    ]
    scene = Scene.model_validate({"id": "s", "rooms": [{"id": "lab"}], "objects": boxes[::-1]})
    assert len(scene.objects) == 300


def test_json_files_are_read_by_the_same_rules(clinic: str, tmp_path: Path) -> None:
    loaded = parse(clinic)
    path = tmp_path / "clinic.json"
    path.write_text(to_json(loaded), encoding="utf-8")
    assert load_file(path) == loaded
    path.write_text(to_json(loaded, indent=1).replace('"Ward"', '"Wa\\u001brd"'), encoding="utf-8")
    with pytest.raises(FileError, match=r"clinic\.json:\d+: rooms\[0\]\.name: 'Wa\\x1brd'"):
        load_file(path)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "9" * 5000, '{"a": NaN}', "{"])
def test_hostile_json_is_a_finding(text: str) -> None:
    with pytest.raises(FileError):
        parse(text, is_json=True)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "a: " * 1000, "- " * 10_000, "\x00", "\x07", "a: \t- b"]
)
def test_hostile_yaml_is_a_finding(text: str) -> None:
    with pytest.raises(FileError):
        parse(text)


def test_repeated_keys_in_json_are_findings(clinic: str) -> None:
    text = to_json(parse(clinic)).replace('"title":', '"title":"first","title":')
    with pytest.raises(FileError, match="the key 'title' is repeated"):
        parse(text, is_json=True)


def test_files_that_are_none(tmp_path: Path, clinic_file: Path) -> None:
    with pytest.raises(FileError, match=r"does not exist .*did you mean 'clinic_night\.yaml'"):
        load_file(tmp_path / "clinic_nigth.yaml")
    with pytest.raises(FileError, match="is a folder"):
        load_file(tmp_path)
    with pytest.raises(FileError, match=r"not a path|does not exist"):
        load_file("a\0b")
    empty = tmp_path / "empty.yaml"
    empty.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(FileError, match="the file is empty"):
        load_file(empty)
    empty.write_bytes(b"id: a\nname: \xff\n")
    with pytest.raises(FileError, match=r"empty\.yaml:2: byte 0xff is not UTF-8"):
        load_file(empty)
    empty.write_text("- a", encoding="utf-8")
    with pytest.raises(FileError, match="expected a dictionary"):
        load_file(empty)


def test_a_file_that_is_too_large_is_not_parsed(clinic_file: Path) -> None:
    with pytest.raises(FileTooLarge, match="larger than 100 bytes"):
        load_file(clinic_file, max_bytes=100)


@pytest.mark.parametrize("write", [to_yaml, to_json])
def test_what_is_written_reads_back(clinic: str, write: Callable[[object], str]) -> None:
    tricky = [
        "1e5",
        "0o17",
        "true",
        "null",
        "~",
        "on",
        "1.",
        "",
        " a",
        "a: b",
        "# c",
        "é",
        "- x",
        "{",
    ]
    text = clinic.replace("{lighting: dim}", f"{{lighting: {tricky!r}, x: 1.5, y: null, z: 1.0}}")
    loaded = parse(text)
    again = parse(write(loaded), is_json=write is to_json)
    assert again == loaded
    assert isinstance(loaded, SceneFile)
    assert loaded.rooms[1].attributes["lighting"] == tricky
    (scenario,) = loaded.scenarios()
    again = parse(write(scenario), is_json=write is to_json)
    assert again == scenario
    assert isinstance(again, Scenario)
    assert again.hash == scenario.hash


def test_written_yaml_is_also_plain_json_like_yaml(clinic: str) -> None:
    data = yaml.load(to_yaml(parse(clinic)), Loader=yaml.BaseLoader)
    assert data["objects"][0]["id"] == "trolley"


def test_python_names_build_objects_but_files_use_their_own() -> None:
    thing = SceneObject(id="cup", kind="item", in_="lab", mass_kg=1, quantities={"volume_l": 2})
    assert thing.model_dump(exclude_defaults=True) == {
        "id": "cup",
        "name": "cup",
        "kind": "item",
        "in": "lab",
        "mass_kg": 1.0,
        "volume_l": 2.0,
    }
    text = to_yaml(Scene.model_validate({"id": "s", "rooms": [{"id": "lab"}], "objects": [thing]}))
    with pytest.raises(FileError, match="in_: unknown key"):
        parse(text.replace("in: lab", "in_: lab"))


def test_a_damaged_file_never_fails_otherwise(clinic: str) -> None:
    dice = random.Random(7)
    pieces = ["{", "}", "[", ":", "- ", "\n", "\t", '"', "&a ", "*a", "!x ", "1e999", "$", "null"]
    for _ in range(300):
        text = clinic
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text))
            text = text[:at] + dice.choice(pieces) + text[at + dice.randint(0, 8) :]
        with contextlib.suppress(FileError):
            loaded = parse(text)
            assert parse(to_yaml(loaded)) == loaded


@pytest.mark.parametrize("junk", [None, 3, "x", [], [3], {}, {"a": 1}, True, float("nan")])
@pytest.mark.parametrize("key", ["rooms", "doors", "objects", "abilities", "tasks", "id", "title"])
def test_any_value_in_any_place_raises_nothing_else(clinic: str, key: str, junk: object) -> None:
    data = to_data(parse(clinic))
    data[key] = junk
    with contextlib.suppress(FileError):
        parse(json.dumps(data), is_json=True)
