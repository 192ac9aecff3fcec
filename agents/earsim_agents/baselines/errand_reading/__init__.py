"""Errands about one of several things of a name, told by a comparison, a rank and a table.

The things, what they are compared with and the tables are found by word lists among what has been
perceived; all passages are found at once, so that each is about another name and another gauge.
"""

from __future__ import annotations

from typing import Any, Final

from earsim_agents.baselines.errand_reading.cues import HINGE, LOCKED, RANK
from earsim_agents.baselines.errand_reading.leaning import (
    MANY,
    LeaningErrand,
    LeaningErrands,
    count_beside_needed,
    count_of_errands,
)
from earsim_agents.baselines.errand_reading.scene import ErrandScene
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

__all__ = ["ComparedErrandReading"]

Goal = dict[str, Any]

_RANKED: Final = 3
"""Ranks that a text has at least that tells of errands."""

_NEAR: Final = 150
"""How far from what it is compared with something is ranked."""


class ComparedErrandReading:
    """Reads the errands of an instruction; the rest of it is what they stand beside.

    Attributes:
        rest: The sentences that are about something else.
        goal: Parts of the goal, empty if there is no such errand.
    """

    def __init__(
        self, text: str, references: References, *, is_beside_needed: bool = False
    ) -> None:
        """Read an instruction in lower case.

        Args:
            text: The instruction.
            references: What has been perceived.
            is_beside_needed: It asks for things by what they are needed for as well.

        Raises:
            Unreadable: It speaks of what has not been perceived.
        """
        self._references = references
        text = text.replace("second-", "second ")
        self.rest, self.goal = text, list[Goal]()
        scene = ErrandScene(text, references.lexicon)
        count = count_beside_needed(scene) if is_beside_needed else count_of_errands(scene)
        if not references.is_complete and _is_early(text, count):
            raise Unreadable(text)
        told = LeaningErrands(text, scene, count) if count else None
        if told is None or not told.errands:
            return
        done = {each.passage.group.name: self._ask(each) for each in told.errands}
        self.rest = told.rest
        self.goal += [
            {"before": {"first": done[order.first.group.name], "then": done[order.then.group.name]}}
            for order in told.orders
            if {order.first.group.name, order.then.group.name} <= done.keys()
        ]

    def _ask(self, errand: LeaningErrand) -> Goal:
        group, table = errand.passage.group, errand.table
        lexicon = self._references.lexicon
        self._references.select[group.label] = errand.selector(lexicon.shown(group.nodes[0]))
        done = {"at": {"object": f"${group.label}", "on": table.node}}
        self.goal.append(done)
        there = [node for node in group.nodes if lexicon.holder_of(node) == table.node]
        lying = [{"at": {"object": node, "on": table.node}} for node in there]
        if errand.keeps:
            self.goal += lying
        elif lying:
            self.goal.append({"not": {"any": lying}})
        return done


def _is_early(text: str, count: int) -> bool:
    """Whether a text is of errands, but not all has been perceived that they are about."""
    if count == MANY or len(RANK.findall(text)) < _RANKED:
        return False
    if LOCKED.search(text) is not None:
        return True
    return not count and any(
        RANK.search(text, match.end(), match.end() + _NEAR) for match in HINGE.finditer(text)
    )
