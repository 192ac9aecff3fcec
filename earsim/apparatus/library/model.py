"""`library/1`: a local corpus; `search` ranks its texts by BM25, `visit` shows one page of one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from earsim.apparatus.lookup import LookedUp, LookUpModel, not_there, operation
from earsim.apparatus.model import ModelOutput
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings, Value
from earsim.apparatus.wet_bench.pool import ACTION
from earsim.ranking import BM25

PAGE_CHARS = 2000
"""Length of a page."""

SEARCH_S, VISIT_S = 5.0, 8.0
HITS = 5

_SNIPPET_CHARS = 160
_MOST_PAGES = 10_000

_QUERY = Parameter("query", "words_joined_by_underscores", "", is_text=True)
_TEXT = Parameter("text", "id_that_a_search_shows", "", is_text=True)
_PAGE = Parameter("page", "which page of it", 1, low=1, high=_MOST_PAGES, integer=True)


class LibraryText(NamedTuple):
    """A text of a library.

    Attributes:
        id: as ``visit`` names it.
        title: one line.
        date: ``2019``, ``2019-03`` or ``2019-03-28``; may be empty.
        text: all of it.
    """

    id: str
    title: str
    date: str
    text: str

    def pages(self) -> int:
        """How many pages it has; at least one."""
        return max(1, math.ceil(len(self.text) / PAGE_CHARS))

    def page(self, number: int) -> str:
        """A page, from 1 on."""
        return self.text[(number - 1) * PAGE_CHARS : number * PAGE_CHARS]


class Library(LookUpModel):
    """A library of texts."""

    id = "library/1"
    title = "library: a local corpus that is searched and visited"
    quantities = (
        ModelOutput(ACTION, "", "name of the operation: search or visit"),
        ModelOutput("found", "", "how many texts share a word with the query"),
        ModelOutput("page", "", "the page that was visited"),
        ModelOutput("pages", "", "how many pages the text has"),
    )

    def __init__(
        self,
        texts: Sequence[LibraryText] = (),
        *,
        search_s: float = SEARCH_S,
        visit_s: float = VISIT_S,
        hits: int = HITS,
    ) -> None:
        """A library.

        Args:
            texts: in the order in which equal scores are listed; ids are unique.
            search_s: latency of a search.
            visit_s: latency of a visit.
            hits: how many texts a search lists at most.
        """
        self.texts = {text.id: text for text in texts}
        self._hits = hits
        self.actions = {
            "search": operation("search", "texts by their words", search_s, _QUERY),
            "visit": operation("visit", "a page of a text", visit_s, _TEXT, _PAGE),
        }

    @cached_property
    def _index(self) -> BM25:
        return BM25([f"{each.title}\n{each.text}" for each in self.texts.values()])

    def problem(self, settings: Settings) -> SettingProblem | None:
        """A visit to a text or a page that there is not."""
        if settings[ACTION] != "visit":
            return None
        text = self.texts.get(str(settings["text"]))
        if text is None:
            return not_there("text", settings["text"], "text id that a search shows")
        if int(settings["page"]) > text.pages():
            facts = {"name": "page", "value": settings["page"], "low": 1, "high": text.pages()}
            return SettingProblem("out_of_bounds", {**facts, "unit": ""})
        return None

    def answer(self, settings: Settings) -> LookedUp:
        """The best texts of a search, or the page that is visited."""
        if settings[ACTION] == "search":
            return self._search(str(settings["query"]))
        text, number = self.texts[str(settings["text"])], int(settings["page"])
        head = f"{text.title}{f' ({text.date})' if text.date else ''}"
        lines = (head, *text.page(number).splitlines())
        results: dict[str, Value] = {ACTION: "visit", "page": number, "pages": text.pages()}
        return LookedUp(results, lines)

    def _search(self, query: str) -> LookedUp:
        ranked = self._index.search(query.replace("_", " "))
        texts = list(self.texts.values())
        shown = [texts[each.at] for each in ranked[: self._hits]]
        lines = [f"{place}. {_hit(text)}" for place, text in enumerate(shown, start=1)]
        return LookedUp({ACTION: "search", "found": len(ranked)}, tuple(lines))


def _hit(text: LibraryText) -> str:
    """``gallium_melting: A metal that melts in the hand (1976): Gallium is ...``."""
    date = f" ({text.date})" if text.date else ""
    flat = " ".join(text.text.split())
    snippet = flat if len(flat) <= _SNIPPET_CHARS else f"{flat[:_SNIPPET_CHARS].rstrip()} ..."
    return f"{text.id}: {text.title}{date}: {snippet}"
