"""A census counts what is in a suite, and says where it knows nothing."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from earsim.certificates.certifying import certify_suite
from earsim.certificates.file import CertificateFile
from earsim.datasets.statistics import SuiteStatistics
from earsim.datasets.statistics.plots import draw
from earsim.datasets.statistics.report import as_json, page, tables
from earsim.datasets.statistics.scene_counts import UNSAID
from earsim.datasets.statistics.side_by_side import quantile
from earsim.errors import MissingExtra
from earsim.suites import Suite, open_suite, pack
from earsim.tables.document import Cell
from earsim.tables.markdown import markdown

FORGE = """\
schema: earsim.scene/1
id: forge
domain: workshop
rooms: [{id: forge, name: Forge, connects: [yard]}, {id: yard, name: Yard}]
doors: [{id: gate, name: Gate, between: [forge, yard]}]
objects:
  - {id: chest, name: Chest, kind: furniture, in: yard, mass_kg: 30, container: {},
     states: {is_open: true}, attributes: {material: Oak}}
  - {id: anvil, name: Anvil, kind: item, in: forge, mass_kg: 60, size_m: [0.5, 0.2, 0.3],
     states: {is_dirty: true}, attributes: {material: iron, colour: black}, age_years: 40}
  - {id: rod_a, name: Rod, kind: item, in: forge, mass_kg: 2, attributes: {material: " Iron "}}
  - {id: rod_b, name: Rod, kind: item, in: yard, mass_kg: 3}
  - {id: brush, name: Brush, kind: item, on: chest, mass_kg: 0.1, provides: [clean]}
abilities: [open, close, clean]
tasks:
  - {id: carry, category: direct_command, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Take the brush to the forge., goal: {inside_room: {object: brush, room: forge}}}
  - {id: choose, category: attribute_reasoning, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Take the heaviest rod to the forge.,
     select: {target: {largest: mass_kg, among: {name: Rod}}},
     goal: {all: [{inside_room: {object: $target, room: forge}},
                  {not: {held_by: {object: $target}}}]}}
  - {id: clean, category: tool_use, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Clean the anvil.,
     goal: {has_state: {object: anvil, state: is_dirty, equals: false}}}
  - {id: lift, category: implicit_collaboration,
     agents: [{id: ada, max_mass_kg: 20}, {id: bo, max_mass_kg: 20}],
     instruction: Take the anvil to the yard., goal: {inside_room: {object: anvil, room: yard}}}
"""

SHED = """\
schema: earsim.scene/1
id: shed
rooms: [{id: shed}]
objects: [{id: lamp, kind: item, in: shed, mass_kg: 1, states: {is_on: true}}]
tasks:
  - {id: light, category: direct_command, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Turn on the lamp., goal: {has_state: {object: lamp, state: is_on}}}
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    home = tmp_path / "works"
    home.mkdir()
    (home / "forge.yaml").write_text(FORGE, encoding="utf-8")
    (home / "shed.yaml").write_text(SHED, encoding="utf-8")
    return open_suite(home)


@pytest.fixture
def proofs(suite: Suite, tmp_path: Path) -> CertificateFile:
    file = CertificateFile(tmp_path / "certificates.jsonl")
    assert len(list(certify_suite(suite, file, jobs=1))) == 5
    return file


def census(suite: Suite, files: Sequence[CertificateFile] = ()) -> SuiteStatistics:
    counted = SuiteStatistics(suite.name)
    assert tuple(counted.look(suite, suite.ids, files)) == suite.ids
    return counted


def rows(suites: Sequence[SuiteStatistics], name: str) -> dict[Cell, tuple[Cell, ...]]:
    table = next(table for table in tables(suites) if table.name == name)
    return {row.cells[0]: row.cells[1:] for row in table.rows}


def names(suites: Sequence[SuiteStatistics]) -> list[str]:
    return [table.name for table in tables(suites)]


def test_a_scene_counts_once_however_many_tasks_are_in_it(suite: Suite):
    size = rows([census(suite)], "size")
    assert size["scenarios"] == (5,)
    assert size["scenes"] == (2,)
    assert size["rooms"] == (3,)
    assert size["doors"] == (1,)
    assert size["objects"] == (6,)
    assert size["objects per scene"] == (3.0,)


def test_how_rooms_are_joined(suite: Suite, tmp_path: Path):
    """Forge and yard are joined by a passage and a gate, the shed is one room."""
    assert rows([census(suite)], "connectivity") == {
        "scenes of one component": ("2 (100.0 %)",),
        "most components": (1,),
        "mean diameter": (0.5,),
        "longest diameter": (1,),
        "mean shortest path": (1.0,),
    }
    row = "{id: a, connects: [b]}, {id: b, connects: [c]}, {id: c}, {id: far, connects: [off]}"
    farm = SHED.replace("id: shed\n", "id: farm\n", 1).replace(
        "rooms: [{id: shed}]", f"rooms: [{row}, {{id: off}}, {{id: shed}}]"
    )
    (tmp_path / "works" / "farm.yaml").write_text(farm, encoding="utf-8")
    counted = census(open_suite(tmp_path / "works"))
    assert rows([counted], "connectivity") == {
        "scenes of one component": ("2 (66.7 %)",),
        "most components": (3,),
        "mean diameter": (1.0,),
        "longest diameter": (2,),
        "mean shortest path": (1.125,),  # of the farm: 1, 1, 2 and 1
    }
    told = as_json([counted])["suites"][0]
    assert told["components"]["counts"] == {"1": 2, "3": 1}
    assert told["diameters"]["counts"] == {"0": 1, "1": 1, "2": 1}
    assert told["mean_paths"] == {"n": 2, "total": 2.25, "counts": {"1.0": 1, "1.25": 1}}


def test_what_things_are_and_what_is_said_of_them(suite: Suite):
    counted = census(suite)
    scenery = counted.scenery
    assert scenery.kinds == {
        "furniture": 1, "item": 5, "container": 1, "tool": 1, "can be changed": 3,
    }  # fmt: skip
    assert scenery.materials == {"oak": 1, "iron": 2}
    assert scenery.numbers == {"age_years": 1}
    assert scenery.properties == {
        "mass_kg": 6, "size_m": 1, "material": 3, "colour": 1, "age_years": 1,
    }  # fmt: skip
    assert scenery.abilities == {"clean": 1}
    assert scenery.domains == {"workshop": 1, UNSAID: 1}
    variety = rows([counted], "variety")
    assert variety["domains"] == (1,)
    assert variety["names of things"] == (5,)
    # `shed` lists no verbs: those that fit the states of its lamp exist there.
    assert variety["attribute verbs"] == (len({"open", "close", "clean", "turn_on", "turn_off"}),)


def test_what_tasks_consist_of(suite: Suite):
    demands = rows([census(suite)], "demands")
    assert demands["one agent"] == ("4 (80.0 %)",)
    assert demands["2 agents"] == ("1 (20.0 %)",)
    assert demands["picks: largest"] == ("1 (20.0 %)",)
    assert demands["checks: inside_room"] == ("3 (60.0 %)",)
    assert demands["checks: held_by"] == ("1 (20.0 %)",)
    assert rows([census(suite)], "categories")["direct_command"] == ("2 (40.0 %)",)


def test_without_certificates_nothing_is_said_of_proofs(suite: Suite):
    assert {"proofs", "lengths", "labels", "actions"}.isdisjoint(names([census(suite)]))


def test_what_certificates_prove(suite: Suite, proofs: CertificateFile):
    counted = census(suite, [proofs])
    assert rows([counted], "proofs") == {
        "certificates": ("5 (100.0 %)",),
        "solvable": ("3 (60.0 %)",),
        "impossible": ("1 (20.0 %)",),
        "true at start": ("1 (20.0 %)",),
    }
    lengths = rows([counted], "lengths")
    assert lengths["plans"] == (3,)
    assert lengths["proved least"] == ("100.0 %",)
    assert lengths["mean implicit_collaboration"] == (None,)
    assert rows([counted], "labels")["tool_use: proved"] == ("1 (100.0 %)",)
    actions = rows([counted], "actions")
    assert {"GRAB", "CLEAN", "EXPLORE"} <= set(actions)


def test_a_certificate_of_another_content_says_nothing(
    suite: Suite, proofs: CertificateFile, tmp_path: Path
):
    changed = tmp_path / "works" / "forge.yaml"
    changed.write_text(FORGE.replace("mass_kg: 60", "mass_kg: 30"), encoding="utf-8")
    counted = census(open_suite(changed.parent), [proofs])
    assert rows([counted], "proofs")["certificates"] == ("1 (20.0 %)",)


def test_what_cannot_be_read_is_counted(suite: Suite, tmp_path: Path):
    (tmp_path / "works" / "torn.yaml").write_text("{", encoding="utf-8")
    counted = census(open_suite(tmp_path / "works"))
    assert counted.unreadable == ["torn"]
    assert rows([counted], "size")["scenarios"] == (6,)
    assert rows([counted], "size")["cannot be read"] == (1,)


def test_difficulty_is_told_where_the_maker_measured_it(suite: Suite, tmp_path: Path):
    assert "difficulty" not in names([census(suite)])
    told = [
        scenario.model_copy(update={"provenance": {"difficulty": {"band": band, "length": length}}})
        for scenario, band, length in zip(
            suite, ("easy", "hard", "hard", "easy", "easy"), (4, 9, 12, 5, 6), strict=True
        )
    ]
    pack(told, tmp_path / "told.jsonl.gz")
    counted = census(open_suite(tmp_path / "told.jsonl.gz"))
    assert rows([counted, census(suite)], "difficulty") == {
        "easy": ("3 (60.0 %)", None),
        "hard": ("2 (40.0 %)", None),
        "median length": (6.0, None),
    }


def test_provenance_is_foreign_text(suite: Suite, tmp_path: Path):
    odd = [{"difficulty": "very"}, {"difficulty": {"band": 3, "length": "long"}}, {}, {}, {}]
    told = [
        scenario.model_copy(update={"provenance": provenance})
        for scenario, provenance in zip(suite, odd, strict=True)
    ]
    pack(told, tmp_path / "told.jsonl")
    counted = census(open_suite(tmp_path / "told.jsonl"))
    assert all(task.measures == {} for task in counted.tasks)


def test_suites_stand_side_by_side(suite: Suite, proofs: CertificateFile):
    both = [census(suite, [proofs]), census(suite)]
    assert rows(both, "size")["scenarios"] == (5, 5)
    assert rows(both, "proofs")["solvable"] == ("3 (60.0 %)", None)


def test_the_same_suite_gives_the_same_page_and_json(suite: Suite, proofs: CertificateFile):
    first, second = census(suite, [proofs]), census(suite, [proofs])
    assert markdown(page([first])) == markdown(page([second]))
    told = json.dumps(as_json([first]))
    assert told == json.dumps(as_json([second]))
    assert json.loads(told)["suites"][0]["objects"] == {
        "n": 2, "total": 6, "counts": {"1": 1, "5": 1},
    }  # fmt: skip


@pytest.mark.slow
def test_pictures(suite: Suite, proofs: CertificateFile, tmp_path: Path):
    pytest.importorskip("matplotlib")
    drawn = draw(tmp_path / "pictures", [census(suite, [proofs]), census(suite)])
    assert {path.stem for path in drawn} == {
        "categories", "domains", "objects", "materials", "tools", "lengths", "labels",
    }  # fmt: skip
    again = draw(tmp_path / "again", [census(suite, [proofs]), census(suite)])
    assert [path.read_bytes() for path in drawn] == [path.read_bytes() for path in again]


def test_without_matplotlib_there_are_no_pictures(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match="report"):
        draw(tmp_path, [census(suite)])


@pytest.mark.parametrize(
    ("numbers", "below", "expected"),
    [([], 0.5, None), ([3], 0.9, 3), ([5, 1, 3], 0.5, 3), ([1, 2, 3, 4, 5], 0.25, 2)],
)
def test_quantiles(numbers: list[int], below: float, expected: int | None):
    assert quantile(numbers, below) == expected
