"""The reading of a free text: its kind, its things and places, and the goal they make."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from earsim.schema.selector import Only
from earsim_agents.baselines.free_reading.assignment import ErrandAssignment, FreeErrand
from earsim_agents.baselines.free_reading.changes import FreeChanges
from earsim_agents.baselines.free_reading.cues import is_on
from earsim_agents.baselines.free_reading.groups import GroupReading
from earsim_agents.baselines.free_reading.kinds import kind_scores
from earsim_agents.baselines.free_reading.mentions import TextMentions, ThingMention
from earsim_agents.baselines.free_reading.orders import in_told_order, urgent_of
from earsim_agents.baselines.free_reading.picks import ToldPicks
from earsim_agents.baselines.free_reading.scene import FreeScene
from earsim_agents.baselines.free_reading.things import ThingReferences
from earsim_agents.baselines.free_reading.times import times_in
from earsim_agents.baselines.free_reading.tokens import tokens_of
from earsim_agents.baselines.references import References

Goal = dict[str, Any]

_LONGEST: Final = 400
"""How many tokens of a text are read."""

_PLACES: Final = 20
"""How many places and how many things a text may speak of."""

_CLEAR: Final = 1.9
"""What a change has to be worth to tell that a text is about changes."""

_MOVED: Final = 1.0
"""What a move has to be worth."""

_MOVES: Final = 3
"""How many things a plain task moves at most."""

_KIND: Final = 2.0
"""What the words for a kind weigh beside the things and places."""

_RANKED: Final = 1.3
_MANY: Final = 2.6
"""What words for many have to be worth where a rank is told."""

_OTHERS: Final = 1
"""How many other names there may be beside that of a group."""

_LEAST_WORDS: Final = 0.6
_SURE_OF_MANY: Final = 2.0
_SURE: Final = 2.0
"""What a reading has to be worth for each thing before all has been perceived."""


class KindCandidate(NamedTuple):
    """One kind of reading of a text."""

    kind: str
    errands: list[FreeErrand]
    score: float


class FreeReading:
    """Reads one text.

    Attributes:
        goal: None where the text does not fit.
    """

    def __init__(self, text: str, references: References) -> None:
        self._references = references
        self._tokens = tokens_of(text)[:_LONGEST]
        self._scene = FreeScene(references.lexicon)
        self._mentions = TextMentions(self._tokens, self._scene)
        self.goal: Goal | None = None
        if len(self._mentions.places) > _PLACES or len(self._mentions.anchors) > _PLACES:
            return
        self._picks = ToldPicks(self._mentions)
        self._things = ThingReferences(self._mentions, self._picks, references)
        self._kinds = kind_scores(self._tokens)
        self.goal = self._read()

    def _read(self) -> Goal | None:
        group = self._group()
        if group is not None:
            return group
        self._picks.leave_out_gauges()
        best: KindCandidate | None = None
        best_worth, kinds = -99.0, self._kinds
        for candidate in self._candidates():
            worth = candidate.score + _KIND * kinds[candidate.kind]
            if best is None or worth > best_worth:
                best, best_worth = candidate, worth
        if best is None:
            is_plain = self._references.is_complete and not kinds["deadline"]
            return self._plain() if is_plain else None
        if not self._references.is_complete and not self._is_sure(best):
            return None
        ways = {
            "trip": self._trip,
            "never": self._never,
            "order": self._order,
            "deadline": self._deadline,
        }
        return ways[best.kind](best.errands)

    def _is_sure(self, best: KindCandidate) -> bool:
        """Whether a reading can be acted upon before all has been perceived.

        Every thing is told by a whole name, a look or a use, and is one thing by now, or something
        is told that picks it; and words and places leave little to guess.
        """
        if best.score < _SURE * len(best.errands) or self._kinds[best.kind] < _CLEAR:
            return False
        for errand in best.errands:
            anchor = errand.anchor
            is_one = len(errand.nodes) == 1 or self._picks.of(anchor) is not None
            if anchor.kind == "lone" or not anchor.is_whole or not is_one or errand.score < _SURE:
                return False
        return True

    def _group(self, least: float = 1.5) -> Goal | None:
        """The goal of a text about several things of a name."""
        kinds = self._kinds
        if kinds["deadline"]:
            return None
        kind = "count" if kinds["count"] > kinds["every"] else "every"
        reading = GroupReading(self._mentions)
        if kinds["count"] >= 1.0 and reading.number() is not None:
            kind = "count"
        if reading.others > _OTHERS:
            return None
        if kinds[kind] < (_LEAST_WORDS if reading.is_plural else least):
            return None
        rivals = max(kinds["trip"], kinds["never"], kinds["order"])
        if rivals > kinds[kind] + 0.5:
            return None
        pick = None if reading.anchor is None else self._picks.of(reading.anchor)
        is_one = pick is not None and not isinstance(pick.selector, Only)
        if is_one and pick is not None and pick.score > _RANKED and kinds[kind] < _MANY:
            return None
        found = reading.goal(kind) or reading.goal("count" if kind == "every" else "every")
        if found is None:
            return None
        goal, score = found
        is_sure = score > _SURE_OF_MANY and kinds[kind] >= _CLEAR
        return goal if self._references.is_complete or is_sure else None

    def _candidates(self) -> list[KindCandidate]:
        kinds, found = self._kinds, []
        rooms = ErrandAssignment(self._mentions, rooms=True, picks=self._picks.anchors)
        spots = ErrandAssignment(self._mentions, rooms=False, picks=self._picks.anchors)
        if kinds["deadline"]:
            found.append(KindCandidate("deadline", *spots.best(3)))
        if not kinds["deadline"]:
            trip, never = kinds["trip"], kinds["never"]
            if trip > 1.0 and trip >= never - 0.5:
                found.append(KindCandidate("trip", *rooms.best(2, is_shared=True)))
            if never > 1.0 and never >= trip - 0.5:
                found.append(KindCandidate("never", *rooms.best(2)))
            if kinds["order"] >= 2.0 and not self._is_plain():
                found.append(KindCandidate("order", *spots.best(3)))
        return [each for each in found if each.errands]

    def _is_plain(self) -> bool:
        """Whether a state is asked for, which tasks with an order never do."""
        changes = [c for c in FreeChanges(self._mentions).best() if c.state != "is_open"]
        return self._kinds["order"] < 4.0 and any(c.score >= _CLEAR for c in changes)

    # -- kinds -------------------------------------------------------------------------------------

    def _trip(self, errands: Sequence[FreeErrand]) -> Goal:
        things = [self._things.of(errand) for errand in errands]
        room = errands[0].target
        once = {"trips": {"room": room, "of": things, "at_most": 1}}
        return {"all": [*(self._scene.put(thing, room) for thing in things), once]}

    def _never(self, errands: Sequence[FreeErrand]) -> Goal:
        things = [self._things.of(errand) for errand in errands]
        shared = [
            {"all": [self._scene.put(thing, room) for thing in things]}
            for room in self._references.lexicon.rooms
        ]
        goals = [self._scene.put(t, e.target) for t, e in zip(things, errands, strict=True)]
        return {"all": [*goals, {"never": {"any": shared}}]}

    def _plain(self) -> Goal | None:
        """Things that are to be somewhere, or to be in a state."""
        changes = FreeChanges(self._mentions, self._alone).best()
        spots = ErrandAssignment(
            self._mentions,
            rooms=False,
            picks=self._picks.anchors,
            changed=[change.target for change in changes],
        )
        counts = range(min(_MOVES, len(self._mentions.anchors)) + 1)
        found = [spots.best(count) for count in counts]
        errands, score = max(found, key=lambda each: each[1] - _MOVED * len(each[0]))
        if not errands and not changes:
            return None
        told = [change for change in changes if change.score >= _CLEAR]
        least = 1.0 if not told else 2.5
        if len(errands) == _MOVES and self._kinds["order"] >= least:
            return self._order(errands)
        if not self._references.is_complete and score < _SURE * len(errands) - 1.0:
            return None
        known = {errand.anchor.start: errand for errand in errands}
        parts: list[Goal] = []
        for change in changes:
            target = change.target
            if isinstance(target, ThingMention):
                thing = self._things.of(known.get(target.start) or spots.alone(target))
            else:
                thing = target.nodes[0]
            fact = {"object": thing, "state": change.state, "equals": change.value}
            parts.append({"has_state": fact})
        return {"all": [*self._goals(errands), *parts]}

    def _alone(self, anchor: ThingMention) -> Sequence[str]:
        spots = ErrandAssignment(self._mentions, rooms=False, picks=self._picks.anchors)
        return spots.alone(anchor).nodes

    def _goals(self, errands: Sequence[FreeErrand]) -> list[Goal]:
        places = [self._mentions.places[errand.place] for errand in errands]
        return [
            self._scene.put(
                self._things.of(errand), errand.target, is_on=is_on(self._tokens, place.start)
            )
            for errand, place in zip(errands, places, strict=True)
        ]

    def _order(self, errands: Sequence[FreeErrand]) -> Goal:
        goals = self._goals(errands)
        order = in_told_order(self._tokens, self._mentions, errands)
        told = [goals[at] for at in order]
        after = [{"before": {"first": one, "then": two}} for one, two in pairwise(told)]
        return {"all": [*told, *after]}

    def _deadline(self, errands: Sequence[FreeErrand]) -> Goal:
        goals = self._goals(errands)
        times = times_in(self._tokens)
        at = urgent_of(self._tokens, self._mentions, errands, times)
        seconds = times[0].seconds
        self._references.urgent = goals[at]
        return {"all": [*goals, {"by": {"goal": goals[at], "seconds": seconds}}]}
