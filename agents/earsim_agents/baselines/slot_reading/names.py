"""Names: where a text speaks of things by all or some of the words of their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_GAP: Final = 5
"""How far apart two words of one name may stand."""

_SHORTEST: Final = 3
_TOKEN: Final = re.compile(r"[a-z]+|[.;!?]")
_ENDINGS: Final = ("ing", "ed", "en")
_PREPOSITIONS: Final = frozenset({"of", "for", "with"})
_SMALL: Final = _PREPOSITIONS | {"the", "a", "an", "in", "and", "on", "to", "at", "no"}
_GENERIC: Final = frozenset({
    "table", "shelf", "room", "box", "board", "block", "bath", "plate", "can", "water", "stand",
    "cold", "tank", "pump",
})  # fmt: skip
"""Words that do not stand for a name by themselves."""


class NameSpot(NamedTuple):
    """A name in a text.

    Attributes:
        start: its first word.
        end: behind the last.
        name: the whole of it.
        share: of its words that are there.
        words: where these are.
    """

    start: int
    end: int
    name: str
    share: float
    words: tuple[int, ...]


class _Parts(NamedTuple):
    """Stems of a name, and words that may stand for all of it: as they are written, or by stem."""

    own: frozenset[str]
    heads: frozenset[str]
    tails: frozenset[str]


def stem(word: str) -> str:
    """A word without its ending: `folds`, `folding` and `folded` are one."""
    word = _singular(word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word.removesuffix(ending)
            break
    if len(word) > _SHORTEST and word.endswith("e"):
        word = word[:-1]
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return word


def spots(text: str, names: Iterable[str]) -> list[NameSpot]:
    """Names in a text in lower case, in its order; no word is of two of them.

    Part of a name stands for it where that part stands for no other.
    """
    written = [_singular(token) for token in _TOKEN.findall(text)]
    stems = [stem(word) for word in written]
    parts = {name: _parts(name, stems) for name in sorted(set(names))}
    found = {name: _runs(written, stems, name, own) for name, own in parts.items()}
    kept: list[NameSpot] = []
    while best := min((s for each in found.values() for s in each), key=_order, default=None):
        rivals = [name for name, each in found.items() if any(_meets(s, best) for s in each)]
        if best.share == 1 or len(rivals) == 1:
            kept.append(best)
        for at in best.words:
            stems[at] = ""
        for name in rivals:
            found[name] = _runs(written, stems, name, parts[name])
    return sorted(kept)


def _order(spot: NameSpot) -> tuple[float, float, int, int]:
    """Whole names first, the longest of them; then those with the most of their words."""
    return (spot.share < 1, -len(spot.words), spot.end - spot.start, spot.start)


def _meets(spot: NameSpot, other: NameSpot) -> bool:
    return not set(spot.words).isdisjoint(other.words)


def _singular(word: str) -> str:
    is_plural = word.endswith("s") and not word.endswith("ss") and len(word) > _SHORTEST
    return word[:-1] if is_plural else word


def _parts(name: str, stems: Sequence[str]) -> _Parts:
    said: list[str] = re.findall(r"[a-z]+", name.replace("'s", ""))
    cut = next((at for at, word in enumerate(said) if word in _PREPOSITIONS), len(said))
    heads = {_singular(word) for word in said[max(0, cut - 1) :] if word not in _SMALL}
    own, tails = {stem(word) for word in said if word not in _SMALL}, set[str]()
    present = sorted({word for word in stems if len(word) >= _SHORTEST})
    for word in own.difference(present):
        cuts = ((part, word.removeprefix(part)) for part in present if word.startswith(part))
        both = next((each for each in cuts if each[1] in present), None)
        if both is not None:  # a toolbox is a box of tools
            own = own - {word} | set(both)
            tails |= {both[1]}
            continue
        tail = next((part for part in present if _is_tail(part, word)), None)
        if tail is not None:  # a bench may be a workbench
            own |= {tail}
            tails |= {tail}
    generic = {stem(word) for word in _GENERIC}
    return _Parts(frozenset(own), frozenset(heads - _GENERIC), frozenset(tails - generic))


def _is_tail(part: str, word: str) -> bool:
    return len(part) > _SHORTEST and word != part and word.endswith(part)


def _runs(written: Sequence[str], stems: Sequence[str], name: str, parts: _Parts) -> list[NameSpot]:
    """Where words of a name stand close together."""
    found: list[NameSpot] = []
    at = 0
    while at < len(stems):
        if stems[at] not in parts.own:
            at += 1
            continue
        there, end, ahead = {stems[at]: at}, at + 1, at + 1
        while ahead < min(len(stems), end + _GAP) and written[ahead] not in ".;!?":
            if stems[ahead] in parts.own and stems[ahead] not in there:
                there[stems[ahead]] = ahead
                end = ahead + 1
            ahead += 1
        is_told = not parts.tails.isdisjoint(there)
        is_told = is_told or any(written[each] in parts.heads for each in there.values())
        if is_told or there.keys() == parts.own:
            share = len(there) / len(parts.own)
            found.append(NameSpot(at, end, name, share, tuple(there.values())))
        at = end
    return found
