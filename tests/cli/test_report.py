"""`earsim report` and `earsim export-log`: formats, files, exit codes."""

import csv
import io

import pytest


@pytest.fixture
def run(earsim, scene):
    """A finished run of the walkthrough."""
    assert (
        earsim("eval", "--policy", "walkthrough", "--suite", scene, "--out", "won").exit_code == 0
    )
    return "won"


@pytest.fixture
def other(earsim, scene):
    """A finished run of the random policy."""
    done = earsim("eval", "--policy", "random", "--suite", scene, "--out", "lost", "--repeats", 2)
    assert done.exit_code == 0
    return "lost"


def test_the_terminal_shows_tables(earsim, run):
    shown = earsim("report", run)
    assert shown.exit_code == 0
    assert "100.0 % (34-100)" in shown.stdout
    assert "Why episodes failed" in shown.stdout


def test_runs_stand_beside_each_other_and_are_compared(earsim, run, other):
    shown = earsim("report", run, other, "--compare").stdout
    assert "Compared" in shown
    assert "sign-flip permutation" in shown
    assert "pass^k" in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["report.md", "report.html", "numbers.csv", "numbers.parquet", "tables.tex"]
)
def test_the_ending_says_the_format(earsim, run, here, name):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    assert earsim("report", run, "--out", f"made/{name}").exit_code == 0
    assert (here / "made" / name).stat().st_size > 1000
    assert list((here / "made").iterdir()) == [here / "made" / name]


def test_csv_goes_to_standard_output(earsim, run):
    rows = list(csv.DictReader(io.StringIO(earsim("report", run, "--format", "csv").stdout)))
    (rate,) = [r for r in rows if (r["group"], r["metric"]) == ("all", "success")]
    assert (rate["value"], rate["n"]) == ("1.0", "2")


@pytest.mark.slow
def test_plots_are_files(earsim, run, here):
    pytest.importorskip("matplotlib")
    assert earsim("report", run, "--plots", "plots", "--format", "markdown").exit_code == 0
    assert (here / "plots" / "success.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "arguments", [("--format", "parquet"), ("--out", "report.doc"), ("--format", "terminal")]
)
def test_what_makes_no_sense_is_said(earsim, run, arguments):
    extra = ("--out", "x") if arguments[-1] == "terminal" else ()
    found = earsim("report", run, *arguments, *extra)
    assert found.exit_code == 2
    assert found.stderr.startswith("error: ")


def test_a_folder_that_is_no_run(earsim, here):
    (here / "empty").mkdir()
    assert earsim("report", "empty").exit_code == 2
    assert earsim("export-log", "empty").exit_code == 2


@pytest.mark.parametrize(("tool", "made"), [("inspect", "*.eval"), ("lm-eval", "*/results_*.json")])
def test_logs_of_other_tools(earsim, run, here, tool, made):
    done = earsim("export-log", run, "--to", tool, "--out", "logs")
    assert done.exit_code == 0
    assert len(list((here / "logs").glob(made))) == 1
