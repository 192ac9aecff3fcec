"""Mentions: where a text speaks of things, and where of places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from earsim_agents.baselines.free_reading.places import PlaceJoining, PlaceMention
from earsim_agents.baselines.free_reading.scene import FreeScene
from earsim_agents.baselines.free_reading.spotting import LOOK, SceneSpot
from earsim_agents.baselines.free_reading.tokens import is_mark, sentence_of, singular
from earsim_agents.baselines.free_reading.uses import uses_in
from earsim_agents.baselines.free_reading.words import (
    DETERMINERS,
    GENERIC,
    LONE,
    words_of,
)

_WHERE: Final = words_of("where wherever")
_ROOM_WORDS: Final = words_of("room place spot area home whereabouts")
_LIES: Final = words_of(
    "is are lies lie lying sits rests resting has hangs stands was stays hides sat lay"
)
_WAYS: Final = words_of("in on inside at up")
_NOUNS: Final = words_of("item object thing article")
_EMPTY_NOUNS: Final = words_of("coloured colored made of")
_NO_LONE: Final = words_of("trip walk time go journey job task room moment second minute")


@dataclass
class ThingMention:
    """A thing in a text.

    Attributes:
        start: The first token.
        end: Behind the last token.
        kind: `name`, `look`, `use` or `lone`.
        nodes: What it may be, of what has been perceived.
        key: The look or the ability; the name otherwise.
        looks: Looks that are told with a name.
        is_lone: That there is but one is told.
        is_whole: All words of the name are there.
    """

    start: int
    end: int
    kind: str
    nodes: list[str]
    key: str
    looks: list[str] = field(default_factory=list)
    is_lone: bool = False
    is_whole: bool = True


class TextMentions:
    """All mentions of a text, in its order.

    Attributes:
        tokens: Of the text.
        anchors: Things.
        places: Rooms and furniture.
    """

    def __init__(self, tokens: Sequence[str], scene: FreeScene) -> None:
        self.tokens, self.scene = tokens, scene
        self.anchors: list[ThingMention] = []
        self.places: list[PlaceMention] = []
        spots = scene.names.spots(tokens)
        taken = {at for spot in spots for at in range(spot.start, spot.end)}
        whole = {at for s in spots if s.is_whole for at in range(s.start, s.end)}
        uses = uses_in(tokens, whole, scene.lexicon.abilities)
        for use in uses:
            nodes = [n for n in scene.movable if use.ability in scene.provided(n)]
            self.anchors.append(ThingMention(use.start, use.end, "use", nodes, use.ability))
        used = {at for use in uses for at in range(use.start, use.end)}
        for spot in spots:
            if used.isdisjoint(range(spot.start, spot.end)):
                self._sort(spot)
        taken |= used
        for anchor in self.anchors:
            taken.update(range(anchor.start, anchor.end))
        self.anchors += self._lone(taken)
        self.anchors.sort(key=lambda anchor: anchor.start)
        self._join_looks()
        self._join_repeated()
        self.places.sort(key=lambda place: place.start)
        self.places = PlaceJoining(self.tokens, scene, self.places).places

    # -- sorting -----------------------------------------------------------------------------------

    def _sort(self, spot: SceneSpot) -> None:
        """A name is a thing, a room, or a piece of furniture."""
        scene, behind = self.scene, self.tokens[spot.end : spot.end + 1]
        looks = [name for name in spot.names if name.startswith(LOOK)]
        if looks and (len(spot.names) == len(looks) or (behind and behind[0] in GENERIC)):
            self._add_look(spot, looks[0].removeprefix(LOOK))
            return
        names = [name for name in spot.names if not name.startswith(LOOK)]
        rooms = [node for name in names for node in scene.rooms.get(name, ())]
        things = [node for name in names for node in scene.things.get(name, ())]
        doors = [node for node in things if scene.lexicon.is_door(node)]
        furniture = [node for node in things if scene.lexicon.is_furniture(node)]
        items = [node for node in things if node not in furniture and node not in doors]
        if rooms and (spot.is_whole or not items):
            self.places.append(PlaceMention(spot.start, spot.end, rooms))
        elif furniture and not items:
            place = PlaceMention(spot.start, spot.end, furniture)
            place.is_by_thing = self._tells_room(spot.start)
            self.places.append(place)
        elif items and self._tells_room(spot.start):
            self.places.append(PlaceMention(spot.start, spot.end, items, is_by_thing=True))
        elif items:
            name = names[0]
            anchor = ThingMention(spot.start, spot.end, "name", items, name, is_whole=spot.is_whole)
            before = self.tokens[max(0, spot.start - 3) : spot.start]
            anchor.is_lone = any(token in LONE for token in before) or before[-1:] == ["one"]
            self.anchors.append(anchor)
            held = [node for node in items if scene.lexicon.is_container(node)]
            if held:
                self.places.append(PlaceMention(spot.start, spot.end, held, is_thing=True))

    def _add_look(self, spot: SceneSpot, value: str) -> None:
        """A look, with the noun for any thing that stands beside it."""
        tokens, start, end, is_thing = self.tokens, spot.start, spot.end, False
        while end < len(tokens) and tokens[end] in _EMPTY_NOUNS:
            end += 1
        if end < len(tokens) and singular(tokens[end]) in GENERIC:
            end, is_thing = end + 1, True
        before = tokens[max(0, start - 5) : start]
        nouns = [at for at, token in enumerate(before) if singular(token) in GENERIC]
        leads = bool(nouns) and before[-1] in ("of", "for", "in", "to", "the", "a")
        if leads and not is_thing and not any(map(is_mark, before[nouns[-1] :])):
            start, is_thing = start - len(before) + nouns[-1], True
        nodes = self.scene.looking(value)
        if nodes or is_thing:
            self.anchors.append(ThingMention(start, end, "look", nodes, value))

    def _tells_room(self, start: int) -> bool:
        """Whether a thing is told in order to tell where a room is."""
        before = list(self.tokens[max(0, start - 7) : start])
        for at in range(len(before) - 1, -1, -1):
            if is_mark(before[at]):
                before = before[at + 1 :]
                break
        words = [token for token in before if token not in DETERMINERS and token not in ("'s", "'")]
        if not words:
            return False
        if any(token in _WHERE for token in words[-4:]):
            return True
        tail = words[-3:]
        if tail[-1] in ("with", "of") and any(token in _ROOM_WORDS for token in tail):
            return True
        is_over = "over" in tail or "across" in tail
        return tail[-1] in ("beside", "near", "alongside") or (
            is_over and tail[-1] in ("by", "at", "to")
        )

    def _lone(self, taken: set[int]) -> Iterator[ThingMention]:
        """Things that are told by nothing but their place."""
        tokens = self.tokens
        for at, token in enumerate(tokens):
            if at in taken:
                continue
            if token == "what" and tokens[at + 1 : at + 2] and tokens[at + 1] in _LIES:
                if any(t in _WAYS for t in tokens[at + 2 : at + 5]):
                    yield ThingMention(
                        at, at + 2, "lone", list(self.scene.movable), "", is_lone=True
                    )
                continue
            if singular(token) not in GENERIC:
                continue
            before = [t for t in tokens[max(0, at - 3) : at] if t not in ("a", "an")]
            behind = tokens[at + 1 : at + 4]
            is_lone = any(t in LONE for t in before)
            is_lone = is_lone or (before[-1:] == ["one"] and token != "one")
            is_lone = is_lone or any(t.endswith("est") or t in ("least", "most") for t in before)
            if token in ("whatever", "everything") and behind and behind[0] in _LIES:
                is_lone = True
            if token in ("whatever", "everything") or (is_lone and token != "one"):
                if not any(t in _NO_LONE for t in behind[:1]):
                    yield ThingMention(
                        at, at + 1, "lone", list(self.scene.movable), "", is_lone=True
                    )
            elif token in _NOUNS and behind[:1] != ["that"]:
                yield ThingMention(at, at + 1, "lone", list(self.scene.movable), "")

    # -- joining -----------------------------------------------------------------------------------

    def _join_looks(self) -> None:
        """Of `red kettle` and `kettle made of steel`: a look belongs to the name next to it."""
        anchors, kept = self.anchors, list[ThingMention]()
        for at, anchor in enumerate(anchors):
            if anchor.kind != "look":
                kept.append(anchor)
                continue
            owner = None
            behind = anchors[at + 1] if at + 1 < len(anchors) else None
            if behind is not None and behind.kind == "name" and behind.start == anchor.end:
                owner = behind
            before = kept[-1] if kept else None
            if before is not None and before.kind == "name" and anchor.start - before.end < 5:
                between = set(self.tokens[before.end : anchor.start])
                tells = between & {"made", "of", "which", "that", "in"}
                if tells and not between & {",", "and"} and not self._is_generic(anchor):
                    owner = before
            if owner is not None and self.scene.looking(anchor.key, owner.nodes):
                owner.looks.append(anchor.key)
            else:
                kept.append(anchor)
        self.anchors = kept

    def _is_generic(self, anchor: ThingMention) -> bool:
        return self.tokens[anchor.end - 1] in GENERIC

    def _join_repeated(self) -> None:
        """What is told again is no other thing."""
        kept: list[ThingMention] = []
        for anchor in self.anchors:
            before = [a for a in kept if a.kind == "name" and set(anchor.nodes) <= set(a.nodes)]
            is_same = anchor.kind == "name" and before and len(anchor.nodes) == 1
            if not (is_same and len(before[-1].nodes) == 1):
                kept.append(anchor)
        self.anchors = kept

    def sentence(self, start: int) -> tuple[int, int]:
        """Where the sentence of a token begins and ends."""
        return sentence_of(self.tokens, start)
