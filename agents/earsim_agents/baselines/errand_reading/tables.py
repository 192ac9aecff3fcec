"""The table that a piece of a text is about, by words for it and for its room."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from earsim_agents.baselines.errand_reading.company import stays
from earsim_agents.baselines.errand_reading.pieces import Atom, ErrandPiece
from earsim_agents.baselines.errand_reading.scene import TablePlace
from earsim_agents.baselines.errand_reading.words import Hit, TextSpan, weight_of

_AGAIN = re.compile(r"\b(?:same|that (?:very )?\w+|too|also|there|as well|again|likewise|on it)\b")
_LOCKED = re.compile(r"\b(?:locked|shut|lock)\b")
_SEVERAL = re.compile(r"\b(?:two|three|four|five|both|all|each|others?|more|rest|things)\b")
_WHOLE = re.compile(r"[^.!?;]+[.!?;]?")
_MOST: Final = 4.0
_NAMED: Final = 1.5
_SAME: Final = 0.5
_ANNOUNCED: Final = 0.7
_LAST: Final = 0.9
_FITTING: Final = 0.6


class ToldTables:
    """Where a text speaks of tables.

    Attributes:
        text: All of it.
    """

    def __init__(
        self,
        text: str,
        atoms: Sequence[Atom],
        pieces: Sequence[ErrandPiece],
        masked: Sequence[TextSpan],
        tables: Sequence[TablePlace],
    ) -> None:
        """Prepare for a text.

        Args:
            text: All of it.
            atoms: Its clauses.
            pieces: What is said of things.
            masked: Parts about what they are compared with.
            tables: All that are known.
        """
        self.text, self._atoms, self._pieces, self._tables = text, atoms, pieces, tables
        self._taken = [each.span for each in pieces]
        closed = [atom.span for atom in atoms if not self._is_open(atom.span)]
        self._apart = [*masked, *closed]

    def best(
        self, piece: ErrandPiece, last: TablePlace | None, is_alone: bool | None
    ) -> TablePlace | None:
        """The table that fits best.

        Args:
            piece: What is said of some things.
            last: The table that the piece before is about.
            is_alone: Whether none of them is said to lie there; None if that is not said.
        """
        name, span = piece.reading.group.name, piece.span
        spoken = self._announced(piece)
        recent = self._recent(span.start)
        again = _SAME if _AGAIN.search(self.text[span.start : span.end]) else 0.2
        best: TablePlace | None = None
        most = 0.0
        for table in self._tables:
            score = self._weight(table, span)
            score += _ANNOUNCED * max((self._weight(table, each) for each in spoken), default=0.0)
            score += again * (table is last) + _LAST * (table is recent)
            if score > 0 and is_alone is not None:
                score += _FITTING * ((name in table.holds) is not is_alone)
            if score > most:
                best, most = table, score
        return best

    def kept(self, piece: ErrandPiece, said: str) -> bool | None:
        """Whether what lies there stays; by what is said of several things before, if need be."""
        keeps = stays(said)
        for atom in reversed(self._atoms):
            if keeps is not None or atom.span.start >= piece.span.start:
                continue
            if not any(span.start <= atom.span.start < span.end for span in self._taken):
                told = self.text[atom.span.start : atom.span.end]
                keeps = stays(told) if _SEVERAL.search(told) else None
        return keeps

    def _announced(self, piece: ErrandPiece) -> list[TextSpan]:
        """Clauses beside all pieces that speak of the same things."""
        return [
            atom.span
            for atom in self._atoms
            if not any(span.start <= atom.span.start < span.end for span in self._taken)
            and self._is_open(atom.span)
            and any(atom.span.has(hit) for hit in piece.reading.group.hits)
        ]

    def about(self, piece: ErrandPiece) -> str:
        """Sentences beside all pieces that speak of the same things."""
        group = piece.reading.group
        return " ".join(
            match[0]
            for match in _WHOLE.finditer(self.text)
            if not any(t.start < match.end() and match.start() < t.end for t in self._taken)
            and any(match.start() <= hit.start < match.end() for hit in group.hits)
        )

    def _recent(self, start: int) -> TablePlace | None:
        """The table that was named last before a place in the text."""
        for atom in reversed(self._atoms):
            if atom.span.start >= start or not self._is_open(atom.span):
                continue
            weighed = [(self._weight(table, atom.span), table) for table in self._tables]
            most = max(weight for weight, _ in weighed) if weighed else 0.0
            if most >= _NAMED:
                found = [table for weight, table in weighed if weight == most]
                return found[0] if len(found) == 1 else None
        return None

    def _is_open(self, span: TextSpan) -> bool:
        return _LOCKED.search(self.text, span.start, span.end) is None

    def _weight(self, table: TablePlace, part: TextSpan) -> float:
        hits = (self._of(table.hits, part), self._of(table.room_hits, part))
        return sum(min(weight_of(own), _MOST) for own in hits)

    def _of(self, hits: Sequence[Hit], part: TextSpan) -> list[Hit]:
        own = [hit for hit in hits if part.has(hit)]
        return [hit for hit in own if not any(m.start <= hit.start < m.end for m in self._apart)]
