"""Changes: which states of which things a text asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.free_reading.mentions import TextMentions, ThingMention
from earsim_agents.baselines.free_reading.places import PlaceMention
from earsim_agents.baselines.free_reading.states import state_words
from earsim_agents.baselines.free_reading.tokens import is_end
from earsim_agents.baselines.free_reading.words import words_of

_LEAST: Final = 0.6
_STEP: Final = 0.045
_TWO_WORDS: Final = 1.5
_SHUT_WITHIN: Final = 7
_AGAIN: Final = words_of("it its them that this their again")
_CLOSED: Final = words_of(
    "again afterwards door lid behind after more too then open once afterward zip"
)


class ToldChange(NamedTuple):
    """A state that a thing is to be in.

    Attributes:
        score: How sure it is.
        at: The token that tells it.
    """

    score: float
    at: int
    target: ThingMention | PlaceMention
    state: str
    value: bool


class FreeChanges:
    """All changes of a text."""

    def __init__(
        self,
        mentions: TextMentions,
        alone: Callable[[ThingMention], Sequence[str]] = lambda a: a.nodes,
    ) -> None:
        """Look for them.

        Args:
            mentions: Of the text.
            alone: What a thing may be, by where it is.
        """
        self._alone = alone
        self._mentions, self._scene = mentions, mentions.scene
        tokens = list(mentions.tokens)
        spans: list[ThingMention | PlaceMention] = [*mentions.anchors, *mentions.places]
        for span in spans:
            if not (isinstance(span, ThingMention) and span.kind == "lone"):
                tokens[span.start : span.end] = ["_"] * (span.end - span.start)
        self._tokens = tokens

    def best(self) -> list[ToldChange]:
        """Changes, none of which rules out another."""
        used, found = set[int](), list[ToldChange]()
        done = set[tuple[tuple[str, ...], str]]()
        for change in sorted(self._all(), key=lambda each: -each.score):
            key = (tuple(change.target.nodes), change.state)
            if change.score < _LEAST or change.at in used or key in done:
                continue
            near = [each for each in found if each.target is change.target]
            if any(abs(each.at - change.at) < 6 for each in near) and change.state != "is_open":
                continue
            used.add(change.at)
            done.add(key)
            found.append(change)
        return sorted(found, key=lambda each: each.at)

    def _all(self) -> Iterator[ToldChange]:
        mentions, lexicon = self._mentions, self._scene.lexicon
        targets: list[ThingMention | PlaceMention] = [
            a for a in mentions.anchors if a.kind != "lone"
        ]
        targets += [p for p in mentions.places if not self._scene.is_room(p.nodes[0])]
        for target in targets:
            for word in state_words(self._tokens, sorted(lexicon.states(target.nodes))):
                nodes = self._alone(target) if isinstance(target, ThingMention) else target.nodes
                values = [lexicon.is_so(node, word.state) for node in nodes or target.nodes]
                is_changed = (not word.value) in values
                if self._tokens[word.at] == "off" and word.weight < _TWO_WORDS:
                    continue
                value = word.value
                if not is_changed and len(values) == 1 and word.state != "is_open":
                    value, is_changed = not value, True
                    word = word._replace(weight=word.weight - 0.4)
                score = word.weight + 0.8 * is_changed - self._far(target, targets, word.at)
                if word.state == "is_open":
                    far = abs(word.at - target.start) > _SHUT_WITHIN
                    if (far and not self._is_again(word.at)) or self._puts(target, word.at):
                        continue
                    score += 0.6 - 0.6 * is_changed
                elif not is_changed:
                    continue
                yield ToldChange(score, word.at, target, word.state, value)

    def _puts(self, target: ThingMention | PlaceMention, at: int) -> bool:
        """Of `shut the lamp in the box`: nothing but the lamp moves."""
        behind = self._tokens[at + 1 : at + 4]
        if any(token in _CLOSED for token in self._tokens[max(0, at - 8) : at + 7]):
            return "zip" in self._tokens[max(0, at - 3) : at + 3]
        if any(token in ("in", "inside", "away", "within") for token in behind):
            return True
        return any(at < a.start < target.start for a in self._mentions.anchors)

    def _is_again(self, at: int) -> bool:
        return any(token in _AGAIN for token in self._tokens[at : at + 4])

    def _far(
        self,
        target: ThingMention | PlaceMention,
        targets: Sequence[ThingMention | PlaceMention],
        at: int,
    ) -> float:
        low, high = sorted((target.start, at))
        crossed = sum(low < each.start < high for each in targets)
        ends = sum(is_end(token) for token in self._tokens[low:high])
        gap = max(target.start - at, at - target.end, 0)
        return _STEP * gap + 0.35 * crossed + 0.25 * ends
