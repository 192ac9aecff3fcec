"""Tables for papers: LaTeX with the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from earsim.ids import printable
from earsim.tables.document import Report, Table, TableRow

_SPECIAL = {
    **{char: f"\\{char}" for char in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}
_BREAKS = re.compile(r"\s+")
_EMPHASIS = re.compile(r"\*([^*]+)\*")


def latex(document: Report) -> str:
    """Every table of a report as a float of its own; needs booktabs and graphicx."""
    found = [
        _float(table, " ".join(filter(None, (section.title, table.title))))
        for section in document.sections
        for table in section.tables
        if table.rows
    ]
    warnings = "".join(f"% Warning: {_one_line(each)}\n" for each in document.warnings)
    needs = "% \\usepackage{booktabs,graphicx} \\usepackage[T1]{fontenc}\n"
    return needs + warnings + "\n".join(found)


def latex_table(table: Table) -> str:
    """The table alone, as a `tabular`."""
    return "\n".join(_lines(table)) + "\n"


def escaped(text: str) -> str:
    """Text that reads as itself: one line, nothing of it a command."""
    return "".join(_SPECIAL.get(char, char) for char in _one_line(text))


def _float(table: Table, title: str) -> str:
    note = _EMPHASIS.sub(r"\1", table.note)
    caption = ". ".join(filter(None, (title.rstrip("."), note)))
    return (
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{escaped(caption)}}}\n"
        f"\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n"
        f"{latex_table(table)}}}\n\\end{{table}}\n"
    )


def _lines(table: Table) -> Iterator[str]:
    columns = "".join("l" if k < table.texts else "r" for k in range(len(table.head)))
    yield f"\\begin{{tabular}}{{{columns}}}"
    yield "\\toprule"
    yield _row(map(escaped, table.texts_of_head))
    yield "\\midrule"
    for row in table.rows:
        yield _row(_cells(table, row))
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _cells(table: Table, row: TableRow) -> list[str]:
    shown = [escaped(text) for text in table.texts_of(row)]
    mark = "textbf" if row.strong else "textit" if row.published else ""
    return [f"\\{mark}{{{text}}}" if mark and text else text for text in shown]


def _row(cells: Iterable[str]) -> str:
    # A cell that begins with a bracket would be read as an option of the line before.
    return " & ".join(f"{{{c}}}" if c.startswith("[") else c for c in cells) + r" \\"


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", printable(text))
