"""One table, however it is written."""

import pytest

from earsim.cli.report_screen import show_table
from earsim.cli.screen import Screen
from earsim.tables.document import Report, Table, TableRow
from earsim.tables.html import html_page
from earsim.tables.markdown import escaped, markdown, table_text

COUNTED = Table("Sorts", ("", "a_b", "rate"), name="sorts", spaced=True).with_rows(
    [("tool_use", 1234, 0.25), ("all", 1_000_000, None)], whole="all"
)
QUOTED = Table("", ("model", "score"), (TableRow(("a_b|c", "<1>"), published=True),), texts=2)


def test_markdown():
    assert table_text(COUNTED) == (
        "|  | a b | rate |\n| :-- | --: | --: |\n"
        "| tool use | 1,234 | 0.2 |\n| **all** | **1,000,000** |  |"
    )
    assert table_text(QUOTED).splitlines()[-1] == r"| *a\_b\|c* | *\<1\>* |"


@pytest.mark.parametrize(
    ("text", "shown"), [("picks: only", "picks: only"), (":smile: 1:2", r"\:smile: 1:2")]
)
def test_a_colon_is_escaped_where_it_could_become_a_picture(text: str, shown: str):
    assert escaped(text) == shown


def test_programs_get_what_was_counted():
    assert list(COUNTED.records()) == [
        {"what": "tool_use", "a_b": 1234, "rate": 0.25},
        {"what": "all", "a_b": 1_000_000, "rate": None},
    ]


def test_a_report_of_tables_says_what_is_counted_before_each():
    page = Report.of("Two", [COUNTED._replace(note="A *note*."), QUOTED], text="`so`")
    assert markdown(page).startswith("# Two\n\n`so`\n\n## Sorts\n\nA *note*.\n\n|  | a b |")
    assert "<p>A <em>note</em>.</p>" in html_page(page)


@pytest.mark.parametrize("width", [200, 24])
def test_no_number_is_cut_on_the_screen(width: int, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    columns = tuple(f"a long name {n}" for n in range(5))
    rows = [("row", *(10**n for n in range(5)))]
    show_table(Screen(), Table("", ("", *columns)).with_rows(rows))
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= width
    assert all(f"{10**n:,}" in printed for n in range(5))
    assert ("a long name 4" in printed) is (width == 200)
