"""The scripted analyst's comparisons: which choice of a setting gives the smaller result."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from earsim.apparatus.parameter import Value

_COMPARED = re.compile(r"SUBMIT (\w+)=(\w+) or \1=(\w+)")
_GIVEN = re.compile(r"\bset (\w+) to ([-\d.e]*\d)")
_STATE = re.compile(r"^State: (\{.*\})$", re.MULTILINE)
_RESULT = re.compile(r"\bthe smaller (\w+)")


class _Comparison(NamedTuple):
    """A question which of two words is better.

    Attributes:
        name: as ``SUBMIT`` names it.
        runs: by word, the settings to be changed for it.
    """

    name: str
    runs: dict[str, dict[str, Value]]


def next_comparison(told: str) -> dict[str, Value] | None:
    """Settings of a run that is not known yet; None where nothing is compared, or all is."""
    known = [changed for changed, _ in _known(told)]
    runs = (changed for each in _comparisons(told) for changed in each.runs.values())
    return next((changed for changed in runs if changed not in known), None)


def answers_of(told: str) -> dict[str, object]:
    """By question, the word with the smaller result, or none; empty where nothing is compared."""
    return {each.name: _better(each, _known(told)) for each in _comparisons(told)}


def _better(asked: _Comparison, known: list[tuple[dict[str, Value], float]]) -> str:
    found = {
        word: result
        for word, changed in asked.runs.items()
        for before, result in known
        if before == changed
    }
    return min(found, key=lambda word: found[word]) if len(found) == 2 else "none"


def _comparisons(told: str) -> Iterator[_Comparison]:
    asked, start = told.partition("\n\n")[0], 0
    for match in _COMPARED.finditer(asked):
        name, *words = match.groups()
        given = {key: _number(text) for key, text in _GIVEN.findall(asked[start : match.start()])}
        start = match.end()
        listed = rf"^- (\w+): .*one of .*\b{words[0]}\b.*\b{words[1]}\b"
        setting = re.search(listed, told, re.MULTILINE)
        if setting is not None:
            yield _Comparison(name, {word: {**given, setting[1]: word} for word in words})


def _known(told: str) -> list[tuple[dict[str, Value], float]]:
    """Runs of learners that the state tells of, all or the last, with the result compared."""
    state, result = _STATE.search(told), _RESULT.search(told)
    if state is None or result is None:
        return []
    known, name = json.loads(state[1]), result[1]
    kept = known.get("learner_results") or [each for each in [known.get("learner_result")] if each]
    return [(each["changed"], each["results"][name]) for each in kept if name in each["results"]]


def _number(text: str) -> Value:
    return int(text) if text.isdecimal() else float(text)
