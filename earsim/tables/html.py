"""A report as one HTML file that needs no other: no script, no font, no request."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator

from earsim.ids import printable
from earsim.tables.document import Picture, Report, Section, Table, TableRow

_EMPHASIS = re.compile(r"\*([^*]+)\*")

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""Even if something slipped through, the page could load and run nothing."""

_STYLE = """\
:root { color-scheme: light dark; --line: #8886; --quiet: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; } h3 { margin-bottom: .3rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th, td { text-align: right; } .text { text-align: left; white-space: normal; }
tr.published { font-style: italic; background: var(--quiet); } tr.strong { font-weight: 600; }
.note { max-width: 60rem; opacity: .8; } .warning { border-left: 4px solid #c60; padding: 0 1rem; }
img { max-width: 100%; background: white; }
"""


def html_page(document: Report) -> str:
    """The report as a page, pictures included."""
    title = escaped(document.title)
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{title}</h1>",
            *([f"<p>{_prose(document.text)}</p>"] if document.text else ()),
            *(f'<p class="warning">Warning: {escaped(each)}</p>' for each in document.warnings),
            *(line for section in document.sections for line in _section(section)),
            "</body></html>\n",
        )
    )


def escaped(text: str) -> str:
    """Text as text, in an element or in an attribute."""
    return html.escape(printable(text), quote=True)


def _section(section: Section) -> Iterator[str]:
    yield f"<h2>{escaped(section.title)}</h2>"
    if section.text:
        yield f"<p>{_prose(section.text)}</p>"
    for table in section.tables:
        if table.title:
            yield f"<h3>{escaped(table.title)}</h3>"
        yield from _table(table)
        if table.note:
            yield f'<p class="note">{_prose(table.note)}</p>'
    for picture in section.pictures:
        yield _picture(picture)


def _table(table: Table) -> Iterator[str]:
    yield '<div class="wide"><table><thead>'
    yield _line("th", table.texts_of_head, table.texts)
    yield "</thead><tbody>"
    for row in table.rows:
        yield _line("td", table.texts_of(row), table.texts, _class(row))
    yield "</tbody></table></div>"


def _line(tag: str, cells: tuple[str, ...], texts: int, kind: str = "") -> str:
    kinds = (' class="text"' if index < texts else "" for index in range(len(cells)))
    shown = (
        f"<{tag}{each}>{escaped(cell)}</{tag}>" for each, cell in zip(kinds, cells, strict=True)
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
