"""Tables in the paper's layout: ours beside what was published, under the same denominators."""

import pytest

from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.report import published
from earsim.evaluation.report.build import report
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.schema import Category
from earsim.suites import open_suite
from tests.evaluation.conftest import cells, section
from tests.evaluation.runs import recorded, row, run


def test_published_rows_stand_beside_ear_bench_only(tmp_path):
    bench = run(tmp_path / "b", [recorded(row(ruleset="ear-bench/1", suite="eval-single"))])
    ours = run(tmp_path / "o", [recorded(row())])
    title = "In the layout of the paper's Table 1"
    with_rows, without = (section(report(read_groups([each])), title)[0] for each in (bench, ours))
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
    (found,) = read_groups([run(tmp_path / "r", records, suites=["eval-single"])])
    (table, *_) = section(report([found]), "In the layout of the paper's Table 1")
    assert cells(table, found.label, "measured")[0] == "50.0/4.0"
    assert cells(table, found.label, "measured, reference's files")[0] == "100.0/4.0"


def test_global_knowledge_is_set_against_exploration(stub, sweep, here):
    list(Evaluation(sweep(knowledge=["explore", "global"]), here / "run").run())
    found = read_groups([here / "run"])
    (table,) = section(report(found), "In the layout of the paper's Table 2")
    assert cells(table, "stub chat", "measured")[0] == "+0.0"
