import json
from collections import Counter
from pathlib import Path

import pytest

from earsim.engine import Engine
from earsim.errors import FileError, UnknownName
from earsim.schema import Category, Scenario
from earsim.suites import open_suite
from earsim.suites.ear_bench import import_scene
from earsim.suites.ear_suite import EarBenchSuite

pytestmark = pytest.mark.bench_data

SPLITS = ("eval-single", "eval-multi", "data-all")


@pytest.fixture(autouse=True)
def _bench(ear_bench_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))


def test_ids_name_split_file_and_task() -> None:
    scenario = open_suite("eval-single").load("eval-single/00001")
    assert (scenario.id, scenario.ruleset) == ("eval-single/00001", "ear-bench")
    assert [agent.id for agent in scenario.agents] == ["agent_1"]
    assert scenario.agents[0].in_ == min(room.id for room in scenario.scene.rooms)
    many = open_suite("data-all")
    assert many.load("data-all/00001/3").task.id == "task_3"
    assert many.load("data-all/00001/3").provenance["file"] == "00001"


def test_the_scene_beside_the_task_is_taken(ear_bench_dir: Path) -> None:
    suite = open_suite("eval-multi")
    folder = ear_bench_dir / "eval" / "multi-independent" / "scene"
    for id in suite.ids[::100]:
        raw = json.loads((folder / f"{id.split('/')[1]}_scene.json").read_text(encoding="utf-8"))
        scene = suite.load(id).scene
        assert [thing.id for thing in scene.objects] == [thing["id"] for thing in raw["objects"]]


@pytest.mark.parametrize(
    "id",
    ["eval-single/1", "eval-single/00001/0", "00001", "eval-single/../x", "eval-multi/00001", ""],
)
def test_unknown_ids_are_refused(id: str) -> None:
    with pytest.raises(UnknownName):
        open_suite("eval-single").load(id)


@pytest.mark.slow
def test_near_misses_are_named() -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'data-all/00001/9'"):
        open_suite("data-all").load("data-all/00001/99")


def test_a_folder_can_be_opened_by_path(ear_bench_dir: Path) -> None:
    suite = open_suite(ear_bench_dir / "eval" / "single-independent")
    assert suite.name == "eval-single"
    assert suite.ids == open_suite("eval-single").ids


def test_categories_are_selected_without_scenes() -> None:
    chosen = open_suite("eval-multi").select(category=Category.COMPOUND_COLLABORATION, limit=3)
    assert len(chosen) == 3
    assert {scenario.task.category for scenario in chosen} == {Category.COMPOUND_COLLABORATION}


def test_an_imported_scenario_passes_as_a_native_file(tmp_path: Path) -> None:
    suite = open_suite("eval-single")
    for id in suite.ids[::200]:
        scenario = suite.load(id)
        assert Scenario.model_validate_json(scenario.model_dump_json()) == scenario


def test_a_broken_scene_is_reported_and_counts(ear_bench_dir: Path, tmp_path: Path) -> None:
    source = ear_bench_dir / "data-all"
    for part in ("scene", "task"):
        (tmp_path / part).mkdir()
        for number in ("00001", "00002"):
            name = f"{number}_{part}.json"
            (tmp_path / part / name).write_bytes((source / part / name).read_bytes())
    (tmp_path / "scene" / "00002_scene.json").write_text("{", encoding="utf-8")
    (tmp_path / "task" / "00003_task.json").write_text("[]", encoding="utf-8")
    suite = EarBenchSuite("some", tmp_path, one_task_per_file=False)
    files = Counter(problem.id.split("/")[1] for problem in suite.problems())
    assert set(files) == {"00002", "00003"}
    assert files["00002"] > 1
    assert len(suite) == len(suite.ids)
    with pytest.raises(FileError, match="not JSON"):
        suite.load("some/00002/0")


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
def test_a_sample_imports(split: str) -> None:
    suite = open_suite(split)
    for id in suite.ids[:: max(1, len(suite) // 40)]:
        assert suite.load(id).id == id


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
def test_everything_imports(split: str) -> None:
    assert open_suite(split).problems() == ()


@pytest.mark.slow
def test_scenes_without_tasks_import_too(ear_bench_dir: Path) -> None:
    paths = list((ear_bench_dir / "data-all" / "scene").glob("*_scene.json"))
    assert paths
    for path in paths:
        assert import_scene(json.loads(path.read_text(encoding="utf-8")), path.stem).value.objects


@pytest.mark.parametrize("number", ["00222", "00223", "00224", "00225"])
def test_an_ability_that_no_verb_asks_for_is_its_holders(number: str) -> None:
    scenario = open_suite("eval-single").load(f"eval-single/{number}")
    engine = Engine(scenario)
    world = engine.start(discovered=True)
    room = world.room_of("dolly_1")
    for command in (f"GOTO {room}", "GOTO dolly_1", "GRAB dolly_1"):
        engine.execute(world, "agent_1", command)
    assert world.agents["agent_1"].abilities == ("transport_heavy",)
