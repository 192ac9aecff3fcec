"""Things that are asked for by what they are needed for, and not named.

Six sets of rivals lie about, five things each that serve alike purposes, and one thing of all sets
but one is needed. What is needed follows from word lists: what people talk about who need a thing,
and how it is spoken of where another one is needed. Which sentences are about which set, and which
thing of it they ask for, is decided for all sets at once.
"""

from __future__ import annotations

from typing import Any, Final

from earsim_agents.baselines.needed_reading.passages import NeededPassages
from earsim_agents.baselines.needed_reading.rival_sets import RivalSets
from earsim_agents.baselines.needed_reading.tables import ToldTables
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

__all__ = ["NeededReading"]

_LONG: Final = 700
"""Characters of a text that may tell of needed things."""

_FEW: Final = 4
"""Things of one set by which it shows that there are such sets."""


class NeededReading:
    """Reads what is needed where.

    Attributes:
        goal: Parts of the goal, empty if nothing is asked for in this way.
    """

    def __init__(self, text: str, references: References) -> None:
        """Read an instruction as it is written.

        Raises:
            Unreadable: It may speak of what has not been perceived.
        """
        self.goal = list[dict[str, Any]]()
        lexicon, text = references.lexicon, " ".join(text.split())
        if len(text) < _LONG:
            return
        sets = RivalSets(lexicon)
        if sets.most < _FEW:
            return
        if not references.is_complete:
            raise Unreadable(text)
        if not (sets.each and any(map(lexicon.is_furniture, lexicon.loose))):
            return
        passages = NeededPassages(text, sets, lexicon)
        tables = ToldTables(passages.sentences, lexicon)
        for passage in passages.found:
            node = sets.nodes[passage.thing]
            self.goal.append({"at": {"object": node, "on": tables.of(passage)}})
