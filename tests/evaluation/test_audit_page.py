"""The page about EAR-Bench: what is counted has its place, and it is current."""

import os
import re
from pathlib import Path

import pytest

from docs.studies.ear_bench_audit import __main__ as ear_bench_audit
from docs.studies.ear_bench_audit.sample import already_read
from docs.studies.ear_bench_audit.tables import compared, swapped
from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.datasets.audit.collect import audit_suite
from earsim.suites.opening import ear_bench_dir as data_dir
from earsim.tables.markdown import table_text
from tests.evaluation.test_audit import YARD

PAGE = ear_bench_audit.PAGE.read_text("utf-8")
SPLITS = ear_bench_audit.SPLITS


def part(mark: str) -> str:
    found = re.search(rf"<!-- figures: {mark} -->\n\n(.*?)\n\n<!-- end -->", PAGE, re.DOTALL)
    assert found, mark
    return found[1]


def test_the_page_has_a_place_for_everything_that_is_counted():
    marks = ["read", *(each for split in SPLITS for each in (split, f"{split} swapped"))]
    assert re.findall("<!-- figures: (.*?) -->", PAGE) == marks


def test_a_suite_has_one_table_with_the_columns_that_are_counted():
    head = ear_bench_audit.HEAD
    assert re.findall(r"^\| category .*$", PAGE, re.MULTILINE) == [
        f"| {' | '.join(head)} |" for _ in SPLITS
    ]
    assert len(re.findall(r"^\| :--", PAGE, re.MULTILINE)) == len(SPLITS)


def test_the_claims_that_were_read_are_those_of_the_sample():
    assert part("read") == ear_bench_audit.judged(already_read())


def test_the_table_of_a_suite_holds_what_both_audits_found(tmp_path: Path):
    path = tmp_path / "yard.yaml"
    path.write_text(YARD, encoding="utf-8")
    file = CertificateFile(tmp_path / "certificates.jsonl")
    entries = list(audit_suite(open_suite(path), file, jobs=1))
    found = {"ear-bench": entries, "physical": entries}
    table = ear_bench_audit.overview(found, compared(open_suite(path)))
    rows = {row.cells[0]: dict(zip(table.head, row.cells, strict=True)) for row in table.rows}
    assert rows["tool_use"]["label proved"] == rows["tool_use"]["label refuted"] == 1
    assert rows["all"]["scenarios"] == 6
    assert rows["all"]["impossible under physical"] == rows["all"]["impossible"] == 1


@pytest.mark.slow
@pytest.mark.bench_data
def test_the_counts_of_eval_single_are_current(
    ear_bench_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(os.environ, "EAR_BENCH_DIR", str(ear_bench_dir))
    if f"| **all** | **{len(open_suite('eval-single')):,}** |" not in PAGE:
        pytest.skip("the page was counted over another part of EAR-Bench")
    found = {
        ruleset: ear_bench_audit.entries("eval-single", ruleset, tmp_path)
        for ruleset in ear_bench_audit.RULESETS
    }
    sentences = compared(open_suite("eval-single"))
    assert table_text(ear_bench_audit.overview(found, sentences)) == part("eval-single")


@pytest.mark.slow
@pytest.mark.skipif(not data_dir().is_dir(), reason="EAR_BENCH_DIR is not set")
@pytest.mark.parametrize(
    "split", [pytest.param("eval-single", marks=pytest.mark.slow), "eval-multi"]
)
def test_the_page_says_how_instructions_differ(split: str):
    assert swapped(compared(open_suite(split))) == part(f"{split} swapped")
