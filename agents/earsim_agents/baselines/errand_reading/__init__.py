"""Errands about one of several things of a name, told by a comparison, a rank and a table.

The things, what they are compared with and the tables are found by word lists among what has been
perceived; a text is cut so that each piece is about another name.
"""

from __future__ import annotations

from typing import Any, Final

from earsim_agents.baselines.errand_reading.company import is_alone
from earsim_agents.baselines.errand_reading.orders import told_orders
from earsim_agents.baselines.errand_reading.pieces import (
    ErrandPiece,
    atoms_of,
    completed,
    pieces_of,
    trimmed,
)
from earsim_agents.baselines.errand_reading.readings import ErrandReading, ErrandReadings
from earsim_agents.baselines.errand_reading.scene import ALIKE, ErrandScene, TablePlace
from earsim_agents.baselines.errand_reading.tables import ToldTables
from earsim_agents.baselines.errand_reading.words import TextSpan
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

__all__ = ["ComparedErrandReading"]

Goal = dict[str, Any]

_FEWEST: Final = 2
"""Errands: one by itself is of another kind of task."""


class ComparedErrandReading:
    """Reads the errands of an instruction; the rest of it is what they stand beside.

    Attributes:
        rest: The sentences that are about something else.
        goal: Parts of the goal, empty if there is no such errand.
    """

    def __init__(self, text: str, references: References) -> None:
        """Read an instruction in lower case.

        Raises:
            Unreadable: It speaks of what has not been perceived.
        """
        self._references = references
        text = text.replace("second-", "second ")
        self.rest, self.goal = text, list[Goal]()
        self._done: dict[str, Goal] = {}
        self._scene = ErrandScene(text, references.lexicon)
        self._readings = ErrandReadings(text, self._scene, guesses=references.is_complete)
        atoms = atoms_of(text)
        pieces = completed(text, atoms, trimmed(text, pieces_of(atoms, self._all)))
        own = [piece.reading for piece in pieces]
        if not references.is_complete and self._readings.leaves_out(own):
            raise Unreadable(text)
        if len(pieces) < _FEWEST:
            return
        orders = told_orders(text, atoms, pieces)
        taken = [*(piece.span for piece in pieces), *(order.span for order in orders)]
        left = [a.span for a in atoms if not any(t.start <= a.span.start < t.end for t in taken)]
        self.rest = " ".join(text[span.start : span.end] for span in left)
        masked = [span for piece in pieces for span in piece.reading.masked]
        told = ToldTables(text, atoms, pieces, masked, self._scene.tables)
        last: TablePlace | None = None
        for piece in pieces:
            last = self._errand(told, piece, last)
        done = {piece: self._done[piece.reading.group.name] for piece in pieces}
        self.goal += [
            {"before": {"first": done[order.first], "then": done[order.then]}} for order in orders
        ]

    def _all(self, part: TextSpan) -> list[ErrandReading]:
        found = [self._readings.best(part, group) for group in self._scene.groups]
        return [reading for reading in found if reading is not None]

    def _errand(self, told: ToldTables, piece: ErrandPiece, last: TablePlace | None) -> TablePlace:
        group = piece.reading.group
        if len(group.nodes) < ALIKE:
            raise Unreadable(group.name)
        said = told.text[piece.span.start : piece.span.end]
        keeps = told.kept(piece, f"{said} {told.about(piece)}")
        table = told.best(piece, last, None if keeps is None else not keeps and is_alone(said))
        if table is None and self._references.is_complete:
            table = last or next(iter(self._scene.tables), None)
        if table is None:
            raise Unreadable(said)
        shown = self._references.lexicon.shown(group.nodes[0])
        self._references.select[group.label] = piece.reading.selector(shown)
        done = {"at": {"object": f"${group.label}", "on": table.node}}
        self._done[group.name] = done
        self.goal.append(done)
        there = [n for n in group.nodes if self._references.lexicon.holder_of(n) == table.node]
        lying = [{"at": {"object": node, "on": table.node}} for node in there]
        if keeps:
            self.goal += lying
        elif lying:
            self.goal.append({"not": {"any": lying}})
        return table
