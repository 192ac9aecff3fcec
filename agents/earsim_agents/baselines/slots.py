"""Slot filling: things, ranks, numbers, times and places that an instruction speaks of.

Words count in any order, whatever the sentence says of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earsim_agents.baselines.lexicon import Lexicon

_ONES = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS: Mapping[str, float] = {
    **{word: float(number) for number, word in enumerate(_ONES, 1)},
    **{word: 10.0 * number for number, word in enumerate(_TENS, 2)},
}
_TEEN = re.compile(rf"\b({'|'.join(_TENS)})[- ]({'|'.join(_ONES[:9])})\b")
_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b")
_PLAINER = (
    (r"\b(?:an|one) hour and a quarter\b|\bhour and a quarter\b", "75 minutes"),
    (r"\b(?:an|one) hour and a half\b", "90 minutes"),
    (r"\bthree[- ]quarters? of an hour\b", "45 minutes"),
    (r"\bhalf an hour\b|\bhalf[- ]hour\b", "30 minutes"),
    (r"\b(?:a )?quarter[- ](?:of an )?hour\b", "15 minutes"),
    (r"\b(\d+) minutes? and a half\b|\b(\d+) and a half minutes?\b", r"\1\2.5 minutes"),
    (r"\b(?:a|one) minute and a half\b", "1.5 minutes"),
    (r"\bhalf a minute\b", "30 seconds"),
    (r"\bhalf a (kilo|kg|litre)", r"0.5 \1"),
    (r"\ba quarter of its charge\b", "25 percent"),
    (r"\bhalf (?:of )?its charge\b", "50 percent"),
    (r"\b(minute|second) (\d+(?:\.\d+)?)\b", r"\2 \1s"),
    (r"(?<!kg )(?<!litres )\b(?:an|one) (hour|minute)\b", r"1 \1"),
)
_TIME = re.compile(r"(\d+(?:\.\d+)?)[- ](hour|minute|min|second)s?\b")
_PER = re.compile(r"\d+(?:\.\d+)?(?: \w+){0,3} (?:an|a|per|each|every) (?:hour|minute)\b")
_SECONDS = {"hour": 3600.0, "minute": 60.0, "min": 60.0, "second": 1.0}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

_FITTINGS = ("drain", "jerrycan")
"""Things of which there are several that no rank of a family is about."""

_SECOND = re.compile(
    r"\bsecond\b(?! \d)|\brunners?[- ]up\b|\bnumber (?:two|2)\b|\bbut one\b"
    r"|\bnext (?:one )?(?:down|to)"
    r"|\bafter it\b|\bonly (?:one|a single)|\bjust one\b|\bsecond[- ]|\bin second\b"
    r"|\bone step below\b|\bbeaten by\b|\boutdone by\b|\bsurpassed by\b|\bnot the \w+est\b"
)
_LEAST = re.compile(
    r"\b(?:least|smallest|lowest|poorest|shortest|thinnest|narrowest|slimmest|littlest|tiniest|"
    r"weakest|minimal|minimum|slightest|scant\w*|fewest|cramped\w*)\b"
)


class SlotText(NamedTuple):
    """An instruction with numbers as digits, and what has been perceived."""

    text: str
    lexicon: Lexicon

    @classmethod
    def of(cls, text: str, lexicon: Lexicon) -> SlotText:
        """The slots of an instruction in lower case."""
        return cls(_plainer(text), lexicon)

    @property
    def words(self) -> set[str]:
        """Its words, without plurals."""
        return {_stem(word) for word in re.findall(r"[a-z]+", self.text)}

    def named(self, *, several: bool = False) -> Iterator[str]:
        """Names of things that are spoken of, the longest first; of several alike, or of one."""
        counts = Counter(self.lexicon.names.values())
        found = [
            name
            for name, count in counts.items()
            if (count > 1) is several
            and {_stem(w) for w in re.findall(r"[a-z]+", name)} - {"of", "for", "the"} <= self.words
        ]
        return iter(sorted(found, key=len, reverse=True))

    def states(self, name: str) -> set[str]:
        """States of the things of a name."""
        return self.lexicon.states(self.lexicon.called(name))

    def kind(self) -> str:
        """The name of several things alike that is spoken of, or else the only one there is."""
        counts = Counter(self.lexicon.names.values())
        alike = [name for name, count in counts.items() if count > 1 and name not in _FITTINGS]
        spoken = (name for name in self.named(several=True) if name not in _FITTINGS)
        return next(spoken, alike[0] if len(alike) == 1 else "")

    def room(self, *, leave: str = "") -> str:
        """The room that is spoken of."""
        rooms = [
            name
            for name in self.lexicon.rooms.values()
            if {_stem(w) for w in name.split()} <= self.words and name not in leave
        ]
        return max(rooms, key=len, default="")

    def place(self) -> str:
        """The table that is spoken of, with its room."""
        for name in self.named():
            if self.is_furniture(name):
                return f"the {name}"
        return ""

    def is_furniture(self, name: str) -> bool:
        """Whether a name is that of a table, a rack or the like."""
        nodes = self.lexicon.called(name)
        return bool(nodes) and self.lexicon.is_furniture(nodes[0])

    def time(self) -> list[float]:
        """Times in seconds."""
        text, end = _PER.sub(" ", self.text), -99
        found: list[float] = []
        for match in _TIME.finditer(text):
            seconds = float(match[1]) * _SECONDS[match[2]]
            if match.start() - end < 6 and found:  # `2 minutes and 30 seconds`
                found[-1] += seconds
            else:
                found.append(seconds)
            end = match.end()
        return found

    def numbers(self) -> list[float]:
        """Numbers that are no times."""
        return [float(each) for each in _NUMBER.findall(_TIME.sub(" ", _PER.sub(" ", self.text)))]

    def rank(self) -> str:
        """`second largest`, `smallest` or else `largest`."""
        if _SECOND.search(self.text):
            return "second largest"
        return "smallest" if _LEAST.search(self.text) else "largest"


def _plainer(text: str) -> str:
    """Numbers as digits, times with their unit behind them."""
    text = _TEEN.sub(lambda m: str(int(_WORDS[m[1]] + _WORDS[m[2]])), text)
    text = _WORD.sub(lambda m: m[0] if m[0] == "one" else f"{_WORDS[m[0]]:g}", text)
    for pattern, plain in _PLAINER:
        text = re.sub(pattern, plain, text)
    return text


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
