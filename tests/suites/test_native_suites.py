import gzip
import pickle
from pathlib import Path

import pytest

from earsim.errors import FileError, UnknownName, UsageError
from earsim.schema import Scenario, load_scenarios, to_json, to_yaml
from earsim.suites import Suite, open_suite, pack, scenes_root, suite_names

SCENE = """\
schema: earsim.scene/1
id: {id}
rooms: [{{id: lab}}, {{id: hall, connects: [lab]}}]
objects:
  - {{id: cup, kind: item, in: lab, mass_kg: 0.2}}
tasks:
  - {{id: one, category: direct_command, agents: [{{id: ann, max_mass_kg: 5}}],
     instruction: Take it to the hall., goal: {{inside_room: {{object: cup, room: hall}}}}}}
  - {{id: two, category: tool_use, agents: [{{id: ann, max_mass_kg: 5}}],
     instruction: Take it., goal: {{held_by: {{object: cup}}}}}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "mine"
    (home / "more").mkdir(parents=True)
    (home / "attic.yaml").write_text(SCENE.format(id="attic"), encoding="utf-8")
    (home / "more" / "other_name.yml").write_text(SCENE.format(id="barn"), encoding="utf-8")
    (home / "notes.txt").write_text("no scene", encoding="utf-8")
    return home


@pytest.fixture(params=["folder", "jsonl", "jsonl.gz"])
def suite(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Suite:
    if request.param == "folder":
        return open_suite(folder)
    path = tmp_path / f"mine.{request.param}"
    assert pack(open_suite(folder), path) == 4
    return open_suite(path)


def test_a_suite_lists_and_loads_its_scenarios(suite: Suite) -> None:
    assert suite.name == "mine"
    assert suite.ids == ("attic/one", "attic/two", "barn/one", "barn/two")
    assert len(suite) == 4
    assert [scenario.id for scenario in suite] == list(suite.ids)
    assert suite.load("barn/two").task.id == "two"
    assert suite.repairs("barn/two") == ()
    assert suite.problems() == ()


def test_suites_of_one_folder_share_what_they_read_last(folder: Path) -> None:
    first, second = open_suite(folder), open_suite(folder)
    assert first.load("barn/two") is second.load("barn/two")
    (folder / "attic.yaml").write_text(SCENE.format(id="attic").replace("0.2", "0.3"), "utf-8")
    masses = [open_suite(folder).load("attic/one").scene.objects[0].mass_kg]
    assert masses == [0.3]
    assert first.load("attic/one") is second.load("attic/one")


def test_a_compressed_suite_is_unpacked_once_while_it_is_open(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    unpack = gzip.open
    monkeypatch.setattr(gzip, "open", lambda path: opened.append(path) or unpack(path))
    path = tmp_path / "mine.jsonl.gz"
    pack(open_suite(folder), path)
    suites = [open_suite(path) for _ in range(3)]
    assert {suite.ids for suite in suites} == {open_suite(folder).ids}
    assert opened == [path]
    pack([open_suite(folder).load("barn/two")], path)
    assert open_suite(path).ids == ("barn/two",)
    assert len(opened) == 2


def test_an_unknown_scenario_is_named_with_near_misses(suite: Suite) -> None:
    for id in ("barn/tow", "", "../barn/two", "barn"):
        with pytest.raises(UnknownName):
            suite.load(id)
    with pytest.raises(UnknownName, match="did you mean 'barn/two'"):
        suite.load("barn/tow")


def test_a_selection_is_a_suite(suite: Suite) -> None:
    chosen = suite.select(category="tool_use")
    assert chosen.ids == ("attic/two", "barn/two")
    assert [scenario.id for scenario in chosen.select(limit=1)] == ["attic/two"]
    with pytest.raises(UnknownName):
        chosen.load("attic/one")
    with pytest.raises(UnknownName, match="did you mean 'tool_use'"):
        suite.select(category="tool_us")


def test_a_suite_can_be_sent_to_another_process(suite: Suite) -> None:
    suite.load(suite.ids[0])
    again = pickle.loads(pickle.dumps(suite))
    assert again.ids == suite.ids
    assert again.load("barn/one") == suite.load("barn/one")


def test_a_broken_file_counts_and_is_reported(folder: Path) -> None:
    (folder / "crash.yaml").write_text("schema: earsim.scene/1\nid: crash\n", encoding="utf-8")
    suite = open_suite(folder)
    assert len(suite) == 5
    (problem,) = suite.problems()
    assert problem.id == "crash"
    assert "rooms: missing" in str(problem.error)
    with pytest.raises(FileError):
        suite.load("crash")
    assert "crash" in suite.select(category="tool_use").ids
    assert suite.load("attic/one").id == "attic/one"


def test_two_files_with_one_scenario_are_refused(folder: Path) -> None:
    (folder / "zzz.yaml").write_text(SCENE.format(id="barn"), encoding="utf-8")
    with pytest.raises(FileError, match="'barn/one' is also in"):
        _ = open_suite(folder).ids


def test_single_files_are_suites(folder: Path, tmp_path: Path) -> None:
    suite = open_suite(folder / "attic.yaml")
    assert suite.ids == ("attic/one", "attic/two")
    path = tmp_path / "alone.json"
    path.write_text(to_json(suite.load("attic/two")), encoding="utf-8")
    assert open_suite(path).load("attic/two") == suite.load("attic/two")
    (scenario,) = load_scenarios(path)
    assert scenario.id == "attic/two"


def test_packing_is_reproducible_and_hash_preserving(folder: Path, tmp_path: Path) -> None:
    suite = open_suite(folder)
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        pack(suite, tmp_path / name)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    packed = open_suite(tmp_path / "a.jsonl.gz")
    assert [scenario.hash for scenario in packed] == [scenario.hash for scenario in suite]


def test_bad_lines_of_a_packed_suite_count(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    pack(open_suite(folder), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1].replace('"kind":"item"', '"kind":"itm"')
    lines[2] = lines[2][:50]
    scenario = open_suite(folder).load("barn/two")
    turned = dict(reversed(scenario.model_dump(mode="json").items()))
    lines[3] = Scenario.model_validate(turned).model_dump_json()
    path.write_text("\n".join(lines), encoding="utf-8")
    suite = open_suite(path)
    assert len(suite) == 4
    assert [problem.id for problem in suite.problems()] == ["attic/two", suite.ids[2]]
    assert "mine.jsonl:2" in str(suite.problems()[0].error)
    assert suite.load("barn/two") == scenario


def test_packed_scenarios_that_follow_each_other_share_their_scene(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mine.jsonl"
    pack(open_suite(folder), path)
    suite = open_suite(path)
    first, second = (suite.load(id) for id in ("attic/one", "attic/two"))
    assert first.scene is second.scene
    assert suite.load("barn/two").scene != first.scene
    assert [scenario.hash for scenario in suite] == [each.hash for each in open_suite(folder)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"mass_kg":1.0', '"mass_kg":true'),
        ('"kind":"item"', '"kind":"itm"'),
        ('"scene":{', '"scene":{"domain":' + "[" * 700 + "]" * 700 + ","),
    ],
)
def test_a_scene_that_is_like_the_one_before_is_read_for_itself(
    folder: Path, tmp_path: Path, old: str, new: str
) -> None:
    path = tmp_path / "mine.jsonl"
    pack(open_suite(folder), path)
    text = path.read_text(encoding="utf-8").replace('"mass_kg":0.2', '"mass_kg":1.0')
    lines = text.splitlines()
    assert old in lines[1]
    lines[1] = lines[1].replace(old, new, 1)
    path.write_text("\n".join(lines), encoding="utf-8")
    suite = open_suite(path)
    suite.load("attic/one")
    with pytest.raises(FileError, match=r"mine\.jsonl:2"):
        suite.load("attic/two")


def test_what_is_no_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'eval-single'"):
        open_suite("eval-singel")
    with pytest.raises(UnknownName):
        open_suite("a\0b")
    path = tmp_path / "a.txt"
    path.write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="is no suite"):
        open_suite(path)
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}")[:-9])
    with pytest.raises(FileError, match="not gzip"):
        len(open_suite(path))


def test_missing_benchmark_data_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EAR_BENCH_DIR", str(tmp_path))
    with pytest.raises(FileError, match="set EAR_BENCH_DIR"):
        open_suite("eval-single")


def test_shipped_suites_can_be_opened() -> None:
    assert {"eval-single", "eval-multi", "data-all"} <= set(suite_names())
    for name in suite_names():
        if not name.startswith(("eval", "data-all")):
            assert open_suite(name).name == name
    assert scenes_root().name in ("scenes", "_scenes")


def test_yaml_of_a_scenario_is_a_suite(folder: Path, tmp_path: Path) -> None:
    scenario = open_suite(folder).load("attic/one")
    path = tmp_path / "one.yaml"
    path.write_text(to_yaml(scenario), encoding="utf-8")
    assert list(open_suite(path)) == [scenario]


def test_a_folder_without_scenarios_is_an_error_that_names_it(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing to play")
    suite = open_suite(tmp_path)
    with pytest.raises(UsageError, match=f"{tmp_path.name}.*no scenario in it.*yaml"):
        _ = suite.ids
