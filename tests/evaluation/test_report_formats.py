"""Reports in every format: no text of a file becomes markup."""

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import yaml
from typer.testing import CliRunner

from earsim.cli import app
from earsim.evaluation.metrics.measurement import Measurement, by_category, measurements
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup, read_groups
from earsim.evaluation.report import published
from earsim.evaluation.report.build import drawn, report
from earsim.evaluation.report.card import model_card
from earsim.evaluation.report.flat import numbers_csv, published_measurements, write_parquet
from earsim.evaluation.report.plots import pictures
from earsim.tables.html import escaped, html_page
from earsim.tables.latex import escaped as in_latex
from earsim.tables.latex import latex
from earsim.tables.markdown import markdown
from earsim.tables.plots import plain, saved
from tests.evaluation.runs import call, outcome, recorded, row, run, step

HOSTILE = "<script>alert(1)</script>|`x`$\\frac{1}$ [red]\x1b[31m\u202e\n=cmd()"


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[ResultsGroup, ...]:
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
    return read_groups([run(tmp_path / "run<b>|", records, entrant=entrant)])


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


@pytest.mark.slow
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


def test_numbers_lead_to_the_episodes_behind_them(hostile):
    document = report(hostile)
    assert "<a " not in html_page(document)
    page = html_page(document, page="all.html")
    assert set(re.findall(r'href="([^#"]*)', page)) == {"all.html"}
    tables = {s.title: s.tables for s in document.sections}
    for k, (subject, table) in enumerate(zip(hostile, tables["By category"], strict=True)):
        groups = by_category(subject.episodes)
        for each in table.rows[:-1]:
            link = dict(parse_qsl(each.links[1]))
            assert link == {
                "view": "start",
                "only-subject": str(k),
                "only-category": str(each.cells[0]),
            }
            assert str(each.cells[1]).endswith(f"/{len(groups[link['only-category']])}")
    (refused,) = tables["Refused commands"]
    assert {dict(parse_qsl(link))["only-reason"] for link in refused.rows[0].links} == {
        refused.rows[0].cells[0]
    }


def test_markdown_holds_no_markup_of_others(hostile):
    text = markdown(report(hostile, compare=True))
    assert not re.search(r"(?<!\\)[<`$]", text.partition("## Definitions")[0])
    assert "\x1b" not in text
    for line in text.splitlines():
        if line.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", line)) == line.count(" | ") + 2
    widths = {
        len(re.findall(r"(?<!\\)\|", line))
        for line in text.partition("## Summary")[2].partition("## What")[0].splitlines()
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
    text = numbers_csv(measurements(hostile))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0].keys() == set(Measurement._fields)
    assert {each["metric"] for each in rows} == set(METRICS)
    assert not [value for each in rows for value in each.values() if value.startswith(("=", "@"))]
    assert any(each["part"] == "'=evil|<b>" for each in rows)


@pytest.mark.slow
def test_pictures_draw_text_as_it_reads(hostile):
    pytest.importorskip("matplotlib")
    found = list(pictures(hostile))
    assert {each.name for each in found} >= {"success", "tokens"}
    assert all(each.png.startswith(b"\x89PNG") for each in found)
    assert plain("a$x^2$") == r"a\$x^2\$"
    assert "\n" not in plain(HOSTILE)


@pytest.mark.slow
def test_every_picture_comes_as_a_drawing_and_with_its_numbers(hostile, tmp_path):
    pytest.importorskip("matplotlib")
    saved(pictures(hostile), tmp_path)
    names = {each.name for each in pictures(hostile)}
    for ending in ("png", "svg", "csv", "tex"):
        assert {path.stem for path in tmp_path.glob(f"*.{ending}")} == names
    drawing = (tmp_path / "success.svg").read_text("utf-8")
    assert "<script" not in drawing
    assert not re.search(r"href=\"(?!#)", drawing)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "success.csv").read_text("utf-8"))))
    groups = [part for subject in hostile for part in by_category(subject.episodes).values()]
    rates = [100 * METRICS["success"].one(part).value for part in groups]
    assert [float(each["success, %"]) for each in rows] == pytest.approx(rates)


def test_latex_holds_no_command_of_others(hostile):
    text = latex(report(hostile, compare=True))
    assert "\x1b" not in text
    known = {"begin", "end", "textbf", "caption", "resizebox", "usepackage", "ifdim", "else", "fi"}
    known |= {"toprule", "midrule", "bottomrule", "centering", "width", "linewidth", "textit"}
    others = set(re.findall(r"\\([A-Za-z]+)", text)) - known
    assert {each for each in others if not each.startswith("text")} == set()
    assert text.count("\\begin{table}") == text.count("\\end{table}") > 3
    assert in_latex("50 % of $x_1$ & \\input{a}^~#") == (
        r"50 \% of \$x\_1\$ \& \textbackslash{}input\{a\}\textasciicircum{}\textasciitilde{}\#"
    )


def test_a_model_card_has_a_front_matter_of_plain_values(hostile):
    head, _, body = model_card(hostile).removeprefix("---\n").partition("\n---\n")
    found = yaml.safe_load(head)["model-index"]
    assert len(found) == len(hostile)
    metrics = {each["type"]: each["value"] for each in found[0]["results"][0]["metrics"]}
    assert metrics["success"] == pytest.approx(METRICS["success"].one(hostile[0].episodes).value)
    assert "## Limits" in body
    assert not re.search(r"(?<!\\)[<`]", body)


@pytest.mark.slow
def test_one_run_gives_the_same_pictures_twice(hostile):
    pytest.importorskip("matplotlib")
    assert list(pictures(hostile)) == list(pictures(hostile))


@pytest.mark.slow
def test_parquet_holds_what_csv_holds(hostile, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [*measurements(hostile), *published_measurements()]
    write_parquet(rows, tmp_path / "numbers.parquet")
    table = parquet.read_table(tmp_path / "numbers.parquet")
    assert table.num_rows == len(rows)
    assert table.column_names == list(Measurement._fields)
    assert set(table["source"].to_pylist()) == {"measured", published.SOURCE}


class Outline(HTMLParser):
    """Titles of the sections that a page shows, and of those behind a title."""

    def __init__(self, text):
        super().__init__()
        self.open, self.folded, self._depth, self._title = [], [], 0, False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self._depth += tag == "details"
        self._title = tag == "h2"

    def handle_endtag(self, tag):
        self._depth -= tag == "details"
        self._title = self._title and tag != "h2"

    def handle_data(self, data):
        if self._title:
            (self.folded if self._depth else self.open).append(data)


def test_a_page_opens_with_what_is_read_in_a_minute(hostile):
    document = report(hostile, compare=True)
    page = html_page(document)
    outline = Outline(page)
    assert set(outline.open) <= {"Summary", "Compared", "At a glance"}
    assert outline.open[0] == "Summary"
    assert {"Definitions", "By category", "What was measured"} <= set(outline.folded)
    assert document.warnings
    count = f"{len(document.warnings)} warning{'s' * (len(document.warnings) > 1)}"
    assert f'<details class="warnings"><summary>{count}</summary>' in page
    assert all(escaped(section.title) in page for section in document.sections)
