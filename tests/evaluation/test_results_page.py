"""The page of results: what is counted on it, and that it is what the policies do now."""

import re
from pathlib import Path

import pytest

from docs.figures import results
from docs.figures.playing import Time
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from tests.evaluation.conftest import cells
from tests.evaluation.runs import recorded, row, run

PAGE = (results.ROOT / "docs" / "results.md").read_text("utf-8")
WON = {"outcome": "success", "success_final": True, "success_latched": True, "first_true": 1}


@pytest.fixture
def subjects(tmp_path: Path):
    """A win and a loss of the oracle, and the same with nothing to find out."""
    records = [
        recorded(row("bicycle_workshop/guest_book_to_the_bench", **WON, decisions=3)),
        recorded(row("b", category="tool_use", claimed_done=True)),
    ]
    entrant = {"policy": "oracle", "options": {}, "name": None}
    explore, everything = (
        run(tmp_path / name, records, entrant=entrant, suites=["starter"], knowledge=[name])
        for name in ("explore", "global")
    )
    return read_groups([explore, everything])


def test_the_page_has_a_place_for_everything_that_is_counted(subjects):
    marks = [mark for mark, _ in results.sections(subjects, {})]
    assert re.findall("<!-- figures: (.*?) -->", PAGE) == [m for m in marks if m != "brief"]
    assert PAGE.count("<!-- end -->") == len(marks) - 1


def test_only_those_who_had_to_find_out_are_counted(subjects):
    assert list(results.played(subjects)) == [("oracle", "starter")]
    table = results.summary(results.played(subjects), {})
    assert cells(table, "starter", "oracle")[0].startswith("50.0 %")
    assert cells(table, "starter", "oracle")[2] == "3.0"
    assert cells(table, "starter", "oracle")[-1] == "2/2"


def test_a_category_has_a_column(subjects):
    parts = dict(results.sections(subjects, {}))
    head, _, row = [line for line in parts["table 1"].splitlines() if line.startswith("|")]
    told = dict(zip(*(map(str.strip, line.split("|")) for line in (head, row)), strict=True))
    assert (told["model"], told["direct"], told["tool use"]) == (
        "oracle",
        "100.0/3.0",
        "0.0/-",
    )


def test_what_was_played_in_several_goes_has_no_time(subjects):
    episodes = results.played(subjects)
    assert cells(results.summary(episodes, {}), "starter", "oracle")[-2:] == ("-", "2/2")
    found = {"oracle starter": Time(2, 4.0, 6.5, 0.25)}
    assert cells(results.summary(episodes, found), "starter", "oracle")[-2:] == ("4 s", "2/2")
    assert cells(results.brief(episodes, found), "starter", "oracle")[-1] == "4 s"


def test_a_part_is_written_where_its_mark_is():
    page = "a\n<!-- figures: x -->\nold\n<!-- end -->\nb"
    assert results.updated(page, "x", "new") == page.replace("\nold\n", "\n\nnew\n\n")
    assert results.updated(page, "y", "new") == page


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["expert", "random"])
def test_the_page_says_what_is_played_now(here, policy):
    asked = {"models": [{"policy": policy}], "suites": ["starter"], "seed": 1}
    list(Evaluation(Sweep.model_validate(asked), here / "run").run())
    subjects = read_groups([here / "run"])
    parts = dict(results.sections(subjects, {}))
    (row,) = re.findall(r"^\| starter \|.*$", parts["summary"], re.MULTILINE)
    *untimed, _time, measured = row.strip("| ").split(" | ")
    (written,) = re.findall(rf"^\| starter \| {policy} \|.*$", PAGE, re.MULTILINE)
    *told, _time, counted = written.strip("| ").split(" | ")
    assert (untimed, measured) == (told, counted), "run: python -m docs.figures.results FOLDER"
    (by_category,) = re.findall(rf"^\| {policy} (\|.*)$", parts["table 1"], re.MULTILINE)
    assert f"| {policy} on starter {by_category}" in PAGE, (
        "run: python -m docs.figures.results FOLDER"
    )
