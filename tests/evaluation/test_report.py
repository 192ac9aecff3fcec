"""Reports: what stands in them, in every format, and that no text of a file becomes markup."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.errors import FileError
from earsim.evaluation.certificate_file import CertificateFile
from earsim.evaluation.evaluate import Evaluation
from earsim.evaluation.metrics.measurement import Measurement, measurements
from earsim.evaluation.metrics.planned import NOT_PLAYED
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.subject import Subject, read_subjects
from earsim.evaluation.report import published
from earsim.evaluation.report.build import drawn, report
from earsim.evaluation.report.document import Document, Table
from earsim.evaluation.report.flat import csv_text, published_measurements, write_parquet
from earsim.evaluation.report.html import html_page
from earsim.evaluation.report.markdown import markdown
from earsim.evaluation.report.plots import pictures, plain
from earsim.evaluation.run_folder import RunFolder
from earsim.evaluation.runner import run_suite
from earsim.schema import Category
from earsim.schema.manifest import RunSettings
from earsim.suites import open_suite
from earsim.suites.opening import scenes_root
from tests.evaluation.runs import call, outcome, recorded, row, run, step

HOSTILE = "<script>alert(1)</script>|`x`$\\frac{1}$ [red]\x1b[31m\u202e\n=cmd()"


def section(document: Document, title: str) -> tuple[Table, ...]:
    (found,) = [each for each in document.sections if each.title == title]
    return found.tables


def cells(table: Table, *labels: str) -> tuple[str, ...]:
    """The numbers of the row with these labels."""
    (found,) = [row for row in table.rows if row.cells[: len(labels)] == labels]
    return found.cells[len(labels) :]


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Subject, ...]:
    """A run in which every free text is an attack."""
    records = [
        recorded(
            row(
                f"s{number}",
                category=HOSTILE if number else "tool_use",
                suite=HOSTILE,
                ruleset=HOSTILE,
                level=HOSTILE,
                error=HOSTILE,
                policy=HOSTILE,
                outcome=("failure", "success", "no_measurement")[number],
                first_true=0,
            ),
            [step(0, outcome(HOSTILE, "=evil|<b>"))],
            [call(role=HOSTILE, reply=HOSTILE)],
        )
        for number in range(3)
    ]
    entrant = {"options": {"model": "<b>|`x`$\\frac{1}$ [red]=cmd()"}, "name": None}
    return read_subjects([run(tmp_path / "run<b>|", records, entrant=entrant)])


# -- what stands in a report ---------------------------------------------------------------------


def test_a_real_run_gives_the_numbers_that_were_played(stub, sweep, here):
    list(Evaluation(sweep(repeats=2), here / "run").run())
    (found,) = read_subjects([here / "run"])
    assert len(found.episodes) == 4
    assert METRICS["success"].one(found.episodes).value == 1
    assert METRICS["tokens.prompt"].one(found.episodes).value == pytest.approx(100 * (4 + 7) / 2)
    document = report([found])
    summary = cells(section(document, "Summary")[0], found.label)
    assert summary[0].startswith("100.0 %")


def test_reading_again_gives_the_same_and_asks_no_policy(stub, sweep, here, monkeypatch):
    list(Evaluation(sweep(), here / "run").run())
    first = csv_text(measurements(read_subjects([here / "run"])))
    monkeypatch.setattr(stub, "act", None)
    monkeypatch.setattr(stub, "__init__", None)
    assert csv_text(measurements(read_subjects([here / "run"]))) == first


def test_step_ratios_come_from_the_certificates_of_the_suite(sweep, here):
    models = [{"policy": "walkthrough"}]
    list(Evaluation(sweep(models=models, suites=["starter"], limit=3), here / "run").run())
    (found,) = read_subjects([here / "run"])
    (file,) = Path(scenes_root() / "starter").glob("certificates.jsonl")
    certified = CertificateFile(file)
    for each in found.episodes:
        proved = certified.latest(each.scenario_id, "physical")
        assert proved is not None
        assert each.step_ratio == len(proved.solution.plan) / (each.decisions - 1), "DONE is last"
    assert METRICS["step_ratio.coverage"].one(found.episodes)[:2] == (1, 3)


def test_what_was_planned_and_never_played_counts(stub, sweep, here):
    evaluation = Evaluation(sweep(), here / "run")
    playing = evaluation.run()
    next(iter(playing))
    playing.close()
    (found,) = read_subjects([here / "run"])
    missing = [each for each in found.episodes if each.termination == NOT_PLAYED]
    assert missing
    assert len(found.episodes) == 2
    assert {each.category for each in found.episodes} == {
        "direct_command",
        "implicit_collaboration",
    }
    assert METRICS["coverage"].one(found.episodes).value == 1 - len(missing) / 2
    assert any("not measured" in each for each in report([found]).warnings)


def test_a_suite_that_is_gone_costs_only_what_needs_it(stub, sweep, here, hut):
    stub.say = staticmethod(lambda context, decision: dict.fromkeys(context.agents, "DONE"))
    list(Evaluation(sweep(), here / "run").run())
    (there,) = read_subjects([here / "run"])
    hut.unlink()
    (gone,) = read_subjects([here / "run"])
    assert METRICS["failures.determined"].one(there.episodes).value == 1
    assert METRICS["failures.determined"].one(gone.episodes).value == 0
    assert METRICS["success"].one(gone.episodes) == METRICS["success"].one(there.episodes)


def test_rules_are_never_averaged(tmp_path):
    records = [
        recorded(row("a", ruleset="physical/1", outcome="success", success_final=True)),
        recorded(row("b", ruleset="physical/2", suite="other")),
    ]
    found = read_subjects([run(tmp_path / "r", records)])
    assert [each.rulesets for each in found] == [("physical/1",), ("physical/2",)]
    assert len({each.label for each in found}) == 2
    assert any("rules differ" in each for each in report(found).warnings)


def test_versions_are_told_apart(tmp_path):
    one = run(tmp_path / "one", [recorded(row())], version="0.1.0")
    two = run(tmp_path / "two", [recorded(row())], version="0.2.0")
    found = read_subjects([one, two])
    assert [each.label for each in found] == ["cell chat [one]", "cell chat [two]"]
    document = report(found, compare=True)
    assert any("versions of earsim differ" in each for each in document.warnings)
    assert any("environment differs" in each for each in document.warnings)
    assert len(section(document, "In the layout of the paper's Table 1")) == 2


def test_the_published_verdict_is_that_of_the_rules(tmp_path):
    undone = {"success_latched": True, "success_final": False, "first_true": 3}
    records = [
        recorded(row("a", ruleset="ear-bench/1", suite="eval-single", **undone)),
        recorded(row("b", ruleset="physical/1", suite="starter", **undone)),
    ]
    bench, physical = read_subjects([run(tmp_path / "r", records)])
    assert METRICS["success"].one(bench.episodes).value == 1
    assert METRICS["success"].one(physical.episodes).value == 0


def test_published_rows_stand_beside_ear_bench_only(tmp_path):
    bench = run(tmp_path / "b", [recorded(row(ruleset="ear-bench/1", suite="eval-single"))])
    ours = run(tmp_path / "o", [recorded(row())])
    title = "In the layout of the paper's Table 1"
    with_rows, without = (
        section(report(read_subjects([each])), title)[0] for each in (bench, ours)
    )
    assert cells(with_rows, "GPT-4o", "published")[0] == "96.6/12.9"
    assert sum(each.published for each in with_rows.rows) == len(published.TABLE_1)
    assert "rejects" in with_rows.note
    assert not any(each.published for each in without.rows)


def test_published_rows_are_those_of_the_paper():
    assert len(published.TABLE_1) == 10
    assert all(set(scores) == set(Category) for scores in published.TABLE_1.values())
    assert published.TABLE_1["Qwen2.5-72B"][Category.IMPLICIT_COLLABORATION] == (65.4, 15.6)
    assert published.WORLD_GRAPH["Qwen2.5-7B"][Category.TOOL_USE] == 20.7
    assert published.WORLD_GRAPH["Qwen2.5-7B"][Category.ATTRIBUTE_REASONING] == 7.2
    assert published.STEP_RATIO[Category.EXPLICIT_COLLABORATION] == (0.67, 0.66)


@pytest.mark.bench_data
def test_the_reference_s_files_have_a_row_of_their_own(tmp_path, ear_bench_dir, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
    suite = open_suite("eval-single")
    sizes = {id: suite.repairs(id) for id in suite.ids[:40]}
    refused = next(id for id, found in sizes.items() if any(r.kind == "size limit" for r in found))
    loads = next(id for id, found in sizes.items() if not found)
    bench = {"ruleset": "ear-bench/1", "suite": "eval-single"}
    won = {"outcome": "success", "success_latched": True, "first_true": 1, "decisions": 4}
    records = [recorded(row(loads, **bench, **won)), recorded(row(refused, **bench))]
    (found,) = read_subjects([run(tmp_path / "r", records, suites=["eval-single"])])
    (table, *_) = section(report([found]), "In the layout of the paper's Table 1")
    assert cells(table, found.label, "measured")[0] == "50.0/4.0"
    assert cells(table, found.label, "measured, reference's files")[0] == "100.0/4.0"


def test_global_knowledge_is_set_against_exploration(stub, sweep, here):
    list(Evaluation(sweep(knowledge=["explore", "global"]), here / "run").run())
    found = read_subjects([here / "run"])
    (table,) = section(report(found), "In the layout of the paper's Table 2")
    assert cells(table, "stub chat", "measured")[0] == "+0.0"


def test_recorded_trajectories_stand_in_the_same_tables(here, hut, stub, sweep):
    settings = RunSettings(suite=str(hut), policy="walkthrough")
    list(run_suite(open_suite(hut), settings, RunFolder(here / "human")))
    list(Evaluation(sweep(), here / "run").run())
    model, human = read_subjects([here / "run", here / "human"])
    assert [each.first_true for each in human.episodes] == [4, 2]
    assert METRICS["success"].one(human.episodes).value == 1
    document = report([model, human], compare=True)
    assert len(section(document, "Summary")[0].rows) == 2
    assert section(document, "Compared")[0].rows[0].cells[3] == "2"


def test_a_folder_that_is_no_run_is_an_error(tmp_path):
    with pytest.raises(FileError):
        read_subjects([tmp_path])


# -- formats -------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The tags of a page and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text += data


def test_html_holds_no_markup_of_others(hostile):
    page = html_page(report(hostile, compare=True, plots=drawn(hostile) or ()))
    found = Tags(page)
    assert "script" not in found.tags
    assert "b" not in found.tags
    assert not {name for name in found.attributes if name.startswith("on")}
    assert "<script>alert(1)</script>" in found.text
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert not re.search(r"(src|href)=\"(?!data:image/png)", page)
    assert "default-src 'none'" in page


def test_markdown_holds_no_markup_of_others(hostile):
    text = markdown(report(hostile, compare=True))
    assert not re.search(r"(?<!\\)[<`$]", text.partition("## Definitions")[0])
    assert "\x1b" not in text
    for line in text.splitlines():
        if line.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", line)) == line.count(" | ") + 2
    widths = {
        len(re.findall(r"(?<!\\)\|", line))
        for line in text.partition("## Summary")[2].partition("## By")[0].splitlines()
        if line.startswith("| ")
    }
    assert len(widths) == 1


def test_the_terminal_gets_no_escape_sequence_of_others(hostile):
    done = CliRunner().invoke(app, ["report", hostile[0].run, "--compare"])
    assert done.exit_code == 0
    assert "alert(1)" in done.output
    assert "\x1b" not in done.output
    assert "\u202e" not in done.output
    assert "[red]" in done.output


def test_csv_is_tidy_and_starts_no_formula(hostile):
    text = csv_text(measurements(hostile))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0].keys() == set(Measurement._fields)
    assert {each["metric"] for each in rows} == set(METRICS)
    assert not [value for each in rows for value in each.values() if value.startswith(("=", "@"))]
    assert any(each["part"] == "'=evil|<b>" for each in rows)


def test_pictures_draw_text_as_it_reads(hostile):
    pytest.importorskip("matplotlib")
    found = list(pictures(hostile))
    assert {each.name for each in found} >= {"success", "tokens"}
    assert all(each.png.startswith(b"\x89PNG") for each in found)
    assert plain("a$x^2$") == r"a\$x^2\$"
    assert "\n" not in plain(HOSTILE)


def test_one_run_gives_the_same_pictures_twice(hostile):
    pytest.importorskip("matplotlib")
    assert list(pictures(hostile)) == list(pictures(hostile))


def test_parquet_holds_what_csv_holds(hostile, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [*measurements(hostile), *published_measurements()]
    write_parquet(rows, tmp_path / "numbers.parquet")
    table = parquet.read_table(tmp_path / "numbers.parquet")
    assert table.num_rows == len(rows)
    assert table.column_names == list(Measurement._fields)
    assert set(table["source"].to_pylist()) == {"measured", published.SOURCE}


def test_numbers_hold_their_definition(tmp_path):
    document = report(read_subjects([run(tmp_path / "r", [recorded(row())])]))
    (table,) = section(document, "Definitions")
    assert {each.cells[0] for each in table.rows} == set(METRICS)


def test_the_manifest_may_not_be_of_something_else(tmp_path):
    folder = run(tmp_path / "r", [recorded(row())])
    (folder / "manifest.json").write_text(json.dumps({"schema": "earsim.scene/1"}), "utf-8")
    with pytest.raises(FileError):
        read_subjects([folder])
