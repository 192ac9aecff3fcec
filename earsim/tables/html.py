"""A report as one HTML file that needs no other: no script, no font, no request."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from earsim.ids import printable
from earsim.tables.document import Picture, Report, Section, Table, TableRow
from earsim.tables.tokens import tokens

_TEXT = ' class="text"'
_EMPHASIS = re.compile(r"\*([^*]+)\*")

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""Even if something slipped through, the page could load and run nothing."""

_STYLE = """\
body { font: var(--body)/1.55 var(--sans); color: var(--ink); background: var(--ground);
  max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: var(--display); } h2 { font-size: var(--title); margin: 0 0 .5rem; }
h3 { font-size: var(--large); margin: 1rem 0 .3rem; }
section { background: var(--surface); border: 1px solid var(--line); border-radius: var(--round);
  padding: 1rem 1.2rem; margin: 0 0 1rem; }
details.section > summary { cursor: pointer; } details.section > summary h2 { display: inline; }
details.section { border-bottom: 1px solid var(--line); padding: .7rem .2rem; }
details.section[open] > summary { margin-bottom: .8rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { font-size: var(--small); color: var(--quiet); white-space: normal; }
thead th { vertical-align: bottom; }
th, td { text-align: right; } .text { text-align: left; white-space: normal; }
td.text:first-child { font-weight: 600; }
tr.published { font-style: italic; background: var(--raised); } tr.strong { font-weight: 600; }
.note { max-width: 60rem; color: var(--quiet); font-size: var(--small); }
.warnings { border-left: 4px solid var(--bad); padding: .4rem 1rem; margin: 0 0 1rem; }
.warnings summary { cursor: pointer; font-weight: 600; color: var(--bad); }
a { color: inherit; text-decoration-color: var(--accent); text-underline-offset: .2em; }
a:hover { color: var(--accent); }
figure { margin: .5rem 0; } img { max-width: 100%; background: white; border-radius: .375rem; }
.plots { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
@media print { body { max-width: none; margin: 0; background: none; }
  section { border: 0; padding: 0; }
  tr, figure { break-inside: avoid; } details::details-content { content-visibility: visible;
  block-size: auto; } }
"""


def html_page(document: Report, *, page: str = "") -> str:
    """The report as a page, pictures included.

    Args:
        document: the report.
        page: address of the page that links of cells lead to; without one there are no links.
    """
    title = escaped(document.title)
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{tokens()}{_STYLE}</style></head><body>",
            f"<h1>{title}</h1>",
            *([f"<p>{_prose(document.text)}</p>"] if document.text else ()),
            *_warnings(document.warnings),
            *(line for section in document.sections for line in _section(section, page)),
            "</body></html>\n",
        )
    )


def escaped(text: str) -> str:
    """Text as text, in an element or in an attribute."""
    return html.escape(printable(text), quote=True)


def _warnings(warnings: Sequence[str]) -> Iterator[str]:
    """All of them behind how many there are."""
    if warnings:
        count = f"{len(warnings)} warning{'s' * (len(warnings) != 1)}"
        yield f'<details class="warnings"><summary>{count}</summary><ul>'
        yield from (f"<li>{escaped(each)}</li>" for each in warnings)
        yield "</ul></details>"


def _section(section: Section, page: str) -> Iterator[str]:
    """A section, or a detail behind its title."""
    title = f"<h2>{escaped(section.title)}</h2>"
    if section.folded:
        yield f'<details class="section"><summary>{title}</summary>'
    else:
        yield f"<section>{title}"
    if section.text:
        yield f"<p>{_prose(section.text)}</p>"
    for table in section.tables:
        if table.title:
            yield f"<h3>{escaped(table.title)}</h3>"
        yield from _table(table, page)
        if table.note:
            yield f'<p class="note">{_prose(table.note)}</p>'
    if section.pictures:
        yield f'<div class="plots">{"".join(map(_picture, section.pictures))}</div>'
    yield "</details>" if section.folded else "</section>"


def _table(table: Table, page: str) -> Iterator[str]:
    yield '<div class="wide"><table><thead>'
    yield _line("th", map(escaped, table.texts_of_head), table.texts)
    yield "</thead><tbody>"
    for row in table.rows:
        yield _line("td", _cells(table, row, page), table.texts, _class(row))
    yield "</tbody></table></div>"


def _cells(table: Table, row: TableRow, page: str) -> Iterator[str]:
    """The cells of a row, those with a link in it; a dash counts nothing and leads nowhere."""
    for text, link in zip_longest(table.texts_of(row), row.links, fillvalue=""):
        shown = escaped(text)
        leads = page and link and text not in ("", "-")
        yield f'<a href="{escaped(f"{page}#{link}")}">{shown}</a>' if leads else shown


def _line(tag: str, cells: Iterable[str], texts: int, kind: str = "") -> str:
    shown = (
        f"<{tag}{_TEXT if index < texts else ''}>{cell}</{tag}>" for index, cell in enumerate(cells)
    )
    return f"<tr{kind}>{''.join(shown)}</tr>"


def _class(row: TableRow) -> str:
    return ' class="published"' if row.published else ' class="strong"' if row.strong else ""


def _prose(text: str) -> str:
    """Our own sentences, in which `*word*` is emphasis."""
    return _EMPHASIS.sub(r"<em>\1</em>", escaped(text))


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    return f'<figure><img alt="{escaped(picture.alt)}" src="data:image/png;base64,{data}"></figure>'
