"""The scripted analyst's comparisons: which choice of a setting gives the smaller error."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from earsim.apparatus.parameter import Value

_COMPARED = re.compile(r"SUBMIT (\w+)=(\w+) or \1=(\w+)")
_GIVEN = re.compile(r"\bset (\w+) to ([-\d.e]*\d)")
_STATE = re.compile(r"^State: (\{.*\})$", re.MULTILINE)
_RESULT = "error"


class _Comparison(NamedTuple):
    """A question which of two words is better.

    Attributes:
        name: as ``SUBMIT`` names it.
        runs: by word, the settings to be changed for it.
    """

    name: str
    runs: dict[str, dict[str, Value]]


def next_forecast(told: str) -> dict[str, Value] | None:
    """Settings of a forecast that is not known yet; None where nothing is compared, or all is."""
    known = [changed for changed, _ in _known(told)]
    runs = (changed for each in _comparisons(told) for changed in each.runs.values())
    return next((changed for changed in runs if changed not in known), None)


def answers_of(told: str) -> dict[str, object]:
    """By question, the word with the smaller error, or none; empty where nothing is compared."""
    return {each.name: _better(each, _known(told)) for each in _comparisons(told)}


def _better(asked: _Comparison, known: list[tuple[dict[str, Value], float]]) -> str:
    errors = {
        word: error
        for word, changed in asked.runs.items()
        for before, error in known
        if before == changed
    }
    return min(errors, key=lambda word: errors[word]) if len(errors) == 2 else "none"


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
    """Forecasts that the state tells of, all or the last, with their errors."""
    state = _STATE.search(told)
    known = {} if state is None else json.loads(state[1])
    found = known.get("forecasts") or [each for each in [known.get("forecast")] if each]
    with_error = [each for each in found if _RESULT in each["results"]]
    return [(each["changed"], each["results"][_RESULT]) for each in with_error]


def _number(text: str) -> Value:
    return int(text) if text.isdecimal() else float(text)
