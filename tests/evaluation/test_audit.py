"""An audit counts what certificates prove, and the same suite always gives the same report."""

import json
import sys
from pathlib import Path

import pytest

from earsim.certificates.file import CertificateFile
from earsim.datasets.audit.collect import audit_suite
from earsim.datasets.audit.entry import AuditEntry, entry
from earsim.datasets.audit.labels import Label
from earsim.datasets.audit.loads import Fit
from earsim.datasets.audit.plots import draw
from earsim.datasets.audit.report import About, as_json, write
from earsim.datasets.audit.tables import tables
from earsim.engine import Engine
from earsim.errors import MissingExtra
from earsim.planner.proofs.certificate import certify
from earsim.schema import Scenario, SceneFile, parse
from earsim.suites import Suite, open_suite
from earsim.tables.document import Table

YARD = """\
schema: earsim.scene/1
id: yard
rooms: [{id: yard, name: Yard, connects: [shed]}, {id: shed, name: Shed}]
objects:
  - {id: bench, name: Bench, kind: furniture, in: shed, mass_kg: 90}
  - {id: lamp, name: Lamp, kind: item, in: yard, mass_kg: 1, states: {is_on: false}}
  - {id: fan, name: Fan, kind: item, in: yard, mass_kg: 1, states: {is_on: true}}
  - {id: anvil, name: Anvil, kind: item, in: yard, mass_kg: 50, states: {is_dirty: true}}
  - {id: sponge, name: Sponge, kind: item, on: bench, mass_kg: 0.1, provides: [clean]}
abilities: [clean, turn_on]
tasks:
  - {id: light, category: direct_command, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Turn on the lamp., goal: {has_state: {object: lamp, state: is_on}}}
  - {id: done, category: direct_command, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Turn on the fan., goal: {has_state: {object: fan, state: is_on}}}
  - {id: clean, category: tool_use, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Clean the anvil.,
     goal: {has_state: {object: anvil, state: is_dirty, equals: false}}}
  - {id: bench, category: tool_use, agents: [{id: ada, max_mass_kg: 20}],
     instruction: Turn on the lamp., goal: {has_state: {object: lamp, state: is_on}}}
  - {id: carry, category: implicit_collaboration,
     agents: [{id: ada, max_mass_kg: 30}, {id: bo, max_mass_kg: 30}],
     instruction: Move the anvil to the shed., goal: {inside_room: {object: anvil, room: shed}}}
  - {id: heavy, category: implicit_collaboration,
     agents: [{id: ada, max_mass_kg: 20}, {id: bo, max_mass_kg: 20}],
     instruction: Move the bench to the yard., goal: {inside_room: {object: bench, room: yard}}}
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    path = tmp_path / "yard.yaml"
    path.write_text(YARD, encoding="utf-8")
    return open_suite(path)


def audited(suite: Suite, folder: Path, ruleset: str | None = None) -> list[AuditEntry]:
    file = CertificateFile(folder / "certificates.jsonl")
    return list(audit_suite(suite, file, ruleset=ruleset, jobs=1))


def rows(entries: list[AuditEntry], name: str) -> dict[str, dict[str, object]]:
    """A table's rows by their first cells."""
    table = next(table for table in tables(entries) if table.name == name)
    return {str(row.cells[0]): dict(zip(table.head, row.cells, strict=True)) for row in table.rows}


def test_every_scenario_stands_in_one_column(suite: Suite, tmp_path: Path):
    everything = rows(audited(suite, tmp_path), "solving")["all"]
    assert everything == {
        "category": "all", "scenarios": 6, "solvable": 4, "impossible": 1, "true at start": 1,
        "unknown": 0, "not audited": 0, "decided": "100.0 %",
    }  # fmt: skip


def test_reasons_and_lengths(suite: Suite, tmp_path: Path):
    entries = audited(suite, tmp_path)
    assert rows(entries, "reasons")["too heavy"]["implicit_collaboration"] == 1
    lengths = rows(entries, "lengths")
    assert lengths["all"]["plans"] == 4
    assert lengths["direct_command"]["proved least"] == "100.0 %"
    assert "unknown" not in lengths


def test_labels_are_proved_or_refuted(suite: Suite, tmp_path: Path):
    found = {each.id: each.label for each in audited(suite, tmp_path)}
    assert found == {
        "yard/light": Label.NOTHING,
        "yard/done": Label.NOTHING,
        "yard/clean": Label.PROVED,
        "yard/bench": Label.REFUTED,
        "yard/carry": Label.PROVED,
        "yard/heavy": Label.OPEN,
    }


def test_loads(suite: Suite, tmp_path: Path):
    found = {each.id: each.load for each in audited(suite, tmp_path) if each.load is not None}
    assert {id: load.fit for id, load in found.items()} == {
        "yard/carry": Fit.TOGETHER,
        "yard/heavy": Fit.NOBODY,
    }


@pytest.mark.parametrize(
    ("limit", "fit"), [(24, Fit.NOBODY), (25, Fit.EXACTLY), (30, Fit.TOGETHER), (50, Fit.ONE)]
)
def test_who_can_lift_a_load(limit: int, fit: Fit):
    text = YARD.replace("max_mass_kg: 30", f"max_mass_kg: {limit}")
    found = _scenario(text, "yard/carry")
    load = entry(found, certify(found)).load
    assert load is not None
    assert load.fit is fit


@pytest.mark.slow
def test_exploits_are_looked_for_where_rules_and_prompts_differ(suite: Suite, tmp_path: Path):
    assert "exploits" not in {table.name for table in tables(audited(suite, tmp_path))}
    exploits = rows(audited(suite, tmp_path, "ear-bench"), "exploits")
    # One agent names itself as a team and lifts what is too heavy even for two.
    assert exploits["implicit_collaboration"]["alone"] == 2
    assert exploits["implicit_collaboration"]["exploitable"] == 2
    assert exploits["direct_command"]["exploitable"] == 0


def test_what_cannot_be_loaded_is_counted(suite: Suite, tmp_path: Path):
    (tmp_path / "torn.yaml").write_text("{", encoding="utf-8")
    entries = audited(open_suite(tmp_path), tmp_path)
    everything = rows(entries, "solving")["all"]
    assert (everything["scenarios"], everything["not audited"]) == (7, 1)
    assert everything["decided"] == "85.7 %"
    assert [each.id for each in entries if each.problem] == ["torn"]


def test_the_same_entries_give_the_same_bytes_and_nothing_is_searched_twice(
    suite: Suite, tmp_path: Path
):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        entries = audited(suite, tmp_path)
        write(folder, About.of(suite.name, entries, 5000), entries)
    certificates = (tmp_path / "certificates.jsonl").read_bytes()
    assert audited(suite, tmp_path) == entries
    assert (tmp_path / "certificates.jsonl").read_bytes() == certificates
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()


def test_the_report_for_programs(suite: Suite, tmp_path: Path):
    entries = audited(suite, tmp_path)
    about = About.of(suite.name, entries, 5000)
    write(tmp_path / "report", about, entries)
    told = json.loads((tmp_path / "report" / "audit.json").read_text(encoding="utf-8"))
    assert told == json.loads(json.dumps(as_json(about, entries)))
    assert told["rulesets"] == ["physical/2"]
    assert sum(sum(counts.values()) for counts in told["decisions"].values()) == 4
    lines = (tmp_path / "report" / "scenarios.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == list(suite.ids)


def test_every_table_has_a_cell_for_each_column(suite: Suite, tmp_path: Path):
    def is_even(table: Table) -> bool:
        return all(len(row.cells) == len(table.head) for row in table.rows)

    assert all(map(is_even, tables(audited(suite, tmp_path, "ear-bench"))))


@pytest.mark.slow
def test_pictures(suite: Suite, tmp_path: Path):
    pytest.importorskip("matplotlib")
    drawn = draw(tmp_path, audited(suite, tmp_path, "ear-bench"))
    assert [path.name for path in drawn] == ["solving.png", "lengths.png", "loads.png",
                                             "exploits.png"]  # fmt: skip
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn)


def test_without_matplotlib_there_is_one_sentence(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'earsim\[report\]'"):
        draw(tmp_path, audited(suite, tmp_path))


def _scenario(text: str, id: str) -> Scenario:
    found = parse(text)
    assert isinstance(found, SceneFile)
    scenario = next(each for each in found.scenarios() if each.id == id)
    assert Engine(scenario)
    return scenario
