"""Traits: what a modifier says of things by their numbers, states and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from earsim_agents.baselines.lexicon import Lexicon, unit_factor

_BETWEEN = re.compile(r"between ([\d.,]+)(?: ([^\s\d]+))? and ([\d.,]+)(?: ([^\s\d]+))?")
_BOUND = re.compile(r"at (least|most) ([\d.,]+)(?: ([^\s\d]+))?")
_LOAD = "contents_"

_OPPOSITES = {
    "closed": ("is_open", False), "shut": ("is_open", False),
    "disassembled": ("is_assembled", False),
    "disconnected": ("is_connected", False), "deflated": ("is_inflated", False),
    "ejected": ("is_inserted", False), "raised": ("is_lowered", False), "dry": ("is_wet", False),
    "clean": ("is_dirty", False), "inactive": ("is_active", False), "empty": ("is_full", False),
    "switched-on": ("is_on", True), "switched-off": ("is_on", False),
    "plugged-in": ("is_plugged_in", True), "unplugged": ("is_plugged_in", False),
    "screwed-in": ("is_screwed_in", True), "unscrewed": ("is_screwed_in", False),
}  # fmt: skip


class PhraseTrait(NamedTuple):
    """Fields of a filter that a modifier sets; denied ones stand in a filter of their own."""

    fields: dict[str, Any]
    is_denied: bool = False


class Traits:
    """Reads modifiers that name no other thing, by the words of what has been perceived."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def of(self, words: str, nodes: list[str], numbers: tuple[str, ...], said: str) -> str | None:
        """The number that is compared."""
        if "load" in words.split():
            return f"{_LOAD}price_eur" if "cost" in said else f"{_LOAD}mass_kg"
        if "hold" in said and not numbers:
            words = words or "content"
            words = "content" if set(words.split()) <= {"amount", "most", "least"} else words
        if numbers and not words:
            return self._lexicon.number("", nodes, numbers)
        return self._lexicon.number(words, nodes) or (
            self._lexicon.number("", nodes, numbers or ("length", "volume", "height"))
            if not words
            else None
        )

    def bounded(self, said: str, nodes: list[str]) -> PhraseTrait | None:
        """`that weighs at least 3 kg`; None where no number is bounded."""
        match = _BETWEEN.search(said) or _BOUND.search(said)
        if match is None:
            return None
        rest = f"{said[: match.start()]} {said[match.end() :]}"
        words = [w for w in rest.split() if w not in ("has", "have", "a", "an", "of", "is", "are")]
        of = self._bounded_number(words, nodes)
        if of is None:
            return None
        if match.re is _BETWEEN:
            symbol = match[4] or match[2] or ""
            ends = {"at_least": match[1], "at_most": match[3]}
        else:
            symbol, ends = match[3] or "", {f"at_{match[1]}": match[2]}
        factor = unit_factor(of, symbol.strip(",."))
        if factor is None:
            return None
        return PhraseTrait(
            {key: {of: round(float(end.replace(",", "")) * factor, 9)} for key, end in ends.items()}
        )

    def _bounded_number(self, words: list[str], nodes: list[str]) -> str | None:
        if "load" in words:
            return f"{_LOAD}price_eur" if "costs" in words else f"{_LOAD}mass_kg"
        by_word = {
            "weighs": ("mass",), "weigh": ("mass",), "costs": ("price", "cost"), "cost": ("price",),
            "old": ("age",), "long": ("length",), "wide": ("width",), "high": ("height",),
            "deep": ("depth",), "thick": ("thickness",), "worth": ("worth",),
        }  # fmt: skip
        for word, stems in by_word.items():
            if word in words:
                return self._lexicon.number("", nodes, stems)
        if words[:1] in (["holds"], ["hold"]):
            words = ["content"]
        return self._lexicon.number(" ".join(words), nodes)

    def able(self, said: str, nodes: list[str]) -> PhraseTrait | None:
        """`that can cut`; None for another modifier."""
        match = re.match(r"(can|cannot) (.+)", said)
        if match is None:
            return None
        return PhraseTrait({"provides": match[2].replace(" ", "_")}, is_denied=match[1] == "cannot")

    def state(self, said: str, nodes: list[str]) -> PhraseTrait | None:
        """`that is open`, `labelled 7`, `made of oak`; None where nothing perceived is so."""
        labelled = re.match(r"(labelled|tagged|made of) (.+)", said)
        if labelled is not None:
            key = {"labelled": "label", "tagged": "tag", "made of": "material"}[labelled[1]]
            return self._attribute(key, labelled[2], nodes)
        state = f"is_{said.replace(' ', '_')}"
        if state in self._lexicon.states(nodes):
            return PhraseTrait({"has_state": {state: True}})
        return self.adjective(said, nodes)

    def adjective(self, word: str, nodes: list[str]) -> PhraseTrait | None:
        """`open`, `red`; None where nothing perceived is so."""
        states = self._lexicon.states(nodes)
        if word in _OPPOSITES and _OPPOSITES[word][0] in states:
            state, value = _OPPOSITES[word]
            return PhraseTrait({"has_state": {state: value}})
        for stem, value in ((word, True), (word.removeprefix("un"), False)):
            state = f"is_{stem.replace('-', '_')}"
            if state in states and (value or stem != word):
                return PhraseTrait({"has_state": {state: value}})
        for name, value in self._lexicon.attributes(nodes):
            if value is True and name.replace("_", " ") == word:
                return PhraseTrait({"attribute": {name: True}})
            if isinstance(value, str) and value.casefold() == word:
                return PhraseTrait({"attribute": {name: value}})
        return None

    def whose(self, said: str, nodes: list[str]) -> PhraseTrait | None:
        """`whose lid is open`, `whose colour is not red`; None where nothing perceived is so."""
        done = re.match(r"(.+?) has (not )?been (\w+)", said)
        if done is not None:
            state = f"is_{done[1].replace(' ', '_')}_{done[3]}"
            return PhraseTrait({"has_state": {state: not done[2]}})
        match = re.match(r"(.+?) is (not )?(.+)", said)
        if match is None:
            return None
        state = f"is_{match[1].replace(' ', '_')}_{match[3].replace(' ', '_')}"
        if state in self._lexicon.states(nodes):
            return PhraseTrait({"has_state": {state: not match[2]}})
        trait = self._attribute(match[1].replace(" ", "_"), match[3], nodes)
        return None if trait is None else trait._replace(is_denied=bool(match[2]))

    def _attribute(self, key: str, said: str, nodes: Iterable[str]) -> PhraseTrait | None:
        for name, value in self._lexicon.attributes(nodes):
            if name.casefold() == key and str(value).casefold() == said:
                return PhraseTrait({"attribute": {name: value}})
        return None


def price_of_plain(word: str) -> str:
    """The number that `more expensive` tells of."""
    return {"expensive": "price", "valuable": "worth"}[word]
