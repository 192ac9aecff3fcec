"""The folder of a packed suite opens as that suite."""

from pathlib import Path

import pytest

from earsim import open_suite
from earsim.errors import FileError
from earsim.suites.packed import pack


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "made"
    made.mkdir()
    starter = open_suite("starter")
    pack([starter.load(starter.ids[0])], made / "suite.jsonl.gz")
    (made / "generation.json").write_text('{"schema": "earsim.generation/1"}', encoding="utf-8")
    (made / "suite.certificates.jsonl").write_text("", encoding="utf-8")
    return made


def test_it_has_the_name_of_the_folder_and_the_scenarios_of_the_file(folder: Path):
    suite = open_suite(folder)
    assert suite.name == "made"
    assert suite.ids == open_suite("starter").ids[:1]
    assert suite.load(suite.ids[0]).hash == open_suite("starter").load(suite.ids[0]).hash


def test_of_several_one_has_to_be_named(folder: Path):
    (folder / "test.jsonl.gz").write_bytes((folder / "suite.jsonl.gz").read_bytes())
    with pytest.raises(FileError, match=r"several suites: suite\.jsonl\.gz, test\.jsonl\.gz"):
        open_suite(folder)
    assert len(open_suite(folder / "test.jsonl.gz")) == 1


def test_scenes_that_somebody_wrote_come_first(folder: Path):
    scene = "schema: earsim.scene/1\nid: hut\nrooms: [{id: room}]\n"
    (folder / "hut.yaml").write_text(scene, encoding="utf-8")
    (folder / "generation.json").unlink()
    assert len(open_suite(folder)) == 0
