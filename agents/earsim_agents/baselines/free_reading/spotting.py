"""SceneNames of the scene in a text: whole, or by some of their words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.free_reading.tokens import singular, tokens_of
from earsim_agents.baselines.free_reading.words import (
    BACK,
    FILLERS,
    LOOKS,
    NEVER_NAMES,
    WEAK,
)

_GAP: Final = 4
"""How far apart two words of one name may be."""

_FEW: Final = 4
"""How many names a single word may stand for."""

LOOK: Final = "look="
"""What the name of a colour, a material or the like begins with."""

_DIGITS: Final = {"kid": "child", "1": "one", "2": "two", "3": "three", "4": "four"}


_MANY: Final = 9
"""How many names the last word of them may stand for."""


class SceneSpot(NamedTuple):
    """A name in a text.

    Attributes:
        start: The first token.
        end: Behind the last token.
        names: What it may be the name of, in lower case.
        share: Of the words of the name that are there.
    """

    start: int
    end: int
    names: tuple[str, ...]
    share: float

    @property
    def is_whole(self) -> bool:
        """Whether all words of the name are there."""
        return self.share >= 1.0


class _Run(NamedTuple):
    weight: float
    start: int
    end: int
    name: str
    share: float


class SceneNames:
    """Finds names."""

    def __init__(self, names: Sequence[str], rooms: Collection[str] = ()) -> None:
        self._rooms = rooms
        self._own: dict[str, list[str]] = {}
        self._by_word: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            words = tokens_of(name.removeprefix(LOOK))
            own = [_stem(word) for word in words if word not in FILLERS]
            self._own[name] = list(dict.fromkeys(own))
            for word in self._own[name]:
                self._by_word.setdefault(word, []).append(name)

    def spots(self, tokens: Sequence[str]) -> list[SceneSpot]:
        """SceneNames in a text, which do not overlap, in their order."""
        runs = sorted(self._runs(tokens), key=lambda run: (-run.weight, run.start))
        taken = set[int]()
        found = list[SceneSpot]()
        while runs:
            best = runs[0]
            same = [run for run in runs if run[:3] == best[:3]]
            names = tuple(dict.fromkeys(run.name for run in same))
            runs = [run for run in runs if run not in same]
            if taken.isdisjoint(range(best.start, best.end)):
                taken.update(range(best.start, best.end))
                found.append(SceneSpot(best.start, best.end, names, best.share))
        return sorted(found)

    def _runs(self, tokens: Sequence[str]) -> Iterator[_Run]:
        stems = [_stem(token) for token in tokens]
        places: dict[str, list[int]] = {}
        for at, word in enumerate(stems):
            for name in self._by_word.get(word, ()):
                places.setdefault(name, []).append(at)
        for name, found in places.items():
            run = [found[0]]
            for at in found[1:]:
                between = tokens[run[-1] + 1 : at]
                is_near = at - run[-1] <= _GAP and all(token in FILLERS for token in between)
                if is_near and stems[at] not in [stems[old] for old in run]:
                    run.append(at)
                else:
                    yield from self._run(name, run, stems, tokens)
                    run = [at]
            yield from self._run(name, run, stems, tokens)

    def _run(
        self, name: str, run: list[int], stems: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[_Run]:
        own, said = self._own[name], [stems[at] for at in run]
        share = len(said) / len(own)
        if share < 1.0 and name.startswith(LOOK):
            return
        if share < 1.0:
            before = tokens[max(0, run[0] - 2) : run[0]]
            points_back = any(token in BACK for token in before)
            if before[-1:] == ["same"] and before[:1] not in (["that"], ["this"]):
                points_back = False
            telling = [word for word in said if self._tells(word)]
            if not telling and not (points_back and own[-1] in said):
                return
            several = len(self._by_word[said[0]]) > (_MANY if own[-1] in said else _FEW)
            if len(said) == 1 and several and not points_back:
                return
            is_main = said[0] in (own[-1], self._head(name)) or name in self._rooms
            if len(said) == 1 and not is_main:
                return
        order = [own.index(word) for word in said]
        weight = len(said) + (0.8 if share == 1.0 else 0.0) + 0.3 * (order == sorted(order))
        weight += 0.4 * (self._head(name) in said) + 0.01 * share
        weight -= 0.2 * (run[-1] - run[0] + 1 - len(run))
        yield _Run(round(weight, 3), run[0], run[-1] + 1, name, share)

    def _tells(self, word: str) -> bool:
        if word in NEVER_NAMES:
            return False
        return word not in WEAK or len(self._by_word[word]) == 1

    def _head(self, name: str) -> str:
        before = name.removeprefix(LOOK).split(" of ")[0].split(" for ")[0]
        return _stem(before.split()[-1].split("-")[-1])


def _stem(word: str) -> str:
    word = _DIGITS.get(word, singular(word))
    return LOOKS.get(word, word)
