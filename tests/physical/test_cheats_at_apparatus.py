"""Attempts to cheat apparatus: guessing, odd numbers, odd structured commands."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from earsim import Engine, Episode, open_suite
from earsim.apparatus.parameter import Parameter, SettingProblem, read_number

OCEAN = "ocean_office/freshwater_from_the_north"


@pytest.fixture(scope="module")
def ocean() -> Engine:
    return Engine(open_suite("laboratory").load(OCEAN))


def guesses(low: float, high: float, ratio: float) -> Iterator[float]:
    """Numbers so near to each other that an answer within half the ratio is met."""
    while low < high * ratio:
        yield low
        low *= ratio


def test_an_answer_is_not_found_by_going_through_all_that_it_could_be(ocean: Engine):
    """Where the episode ends as soon as the goal holds, a right guess shows."""
    episode = Episode(ocean, end_on="goal")
    walkthrough = ocean.scenario.task.walkthrough
    first_answer = next(n for n, told in enumerate(walkthrough) if told.startswith("SUBMIT"))
    for command in walkthrough[:first_answer]:
        episode.step({"nina": command})
    for guess in guesses(1e4, 2e5, 1.8):
        if episode.budget - episode.decisions < 2:
            break
        episode.step({"nina": f"SUBMIT freshwater={guess:.0f}"})
    refused = episode.last.outcomes["nina"]
    assert (refused.reason, refused.facts["account"]) == ("limit_reached", "answers")
    episode.step({"nina": "SUBMIT freshwater=750000"})
    assert not episode.success


NO_NUMBERS = ["0x10", "1_0", "1,5", "nan", "", "-", ".", "e5", "1e"]
NO_NUMBERS += ["\N{ARABIC-INDIC DIGIT THREE}", "\N{FULLWIDTH DIGIT THREE}", "\N{SUPERSCRIPT TWO}"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_python_alone_takes_for_a_number_is_none(text: str):
    assert read_number(text) is None
    problem = Parameter("gain", "how strong", 1.0, low=-9, high=9).read(text)
    assert isinstance(problem, SettingProblem)
    assert problem.reason == "bad_value"


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3.0), ("+3", 3.0), ("-2.5e0", -2.5), (".5", 0.5), ("5.", 5.0), ("1E-400", 0.0)],
)
def test_decimal_notation_is_read(text: str, number: float):
    assert Parameter("gain", "how strong", 1.0, low=-9, high=9).read(text) == number


def test_there_is_no_negative_zero():
    assert str(Parameter("gain", "how strong", 1.0, low=-9, high=9).read("-0")) == "0.0"


@pytest.mark.parametrize("text", ["1e309", "-1e309", "inf", "9" * 400])
def test_what_is_too_large_is_refused_in_facts_that_json_knows(text: str):
    for integer in (False, True):
        problem = Parameter("n", "how many", 1, low=0, high=9, integer=integer).read(text)
        assert isinstance(problem, SettingProblem)
        json.dumps(problem.facts, allow_nan=False)


@pytest.mark.parametrize(
    "command",
    [
        {"verb": "CONFIGURE", "target": "alba", "settings": {"F_nA": 10**5000}},
        {"verb": "CONFIGURE", "target": "alba", "settings": {"F_nA": None}},
        {"verb": "CONFIGURE", "target": "alba", "settings": {"F_nA": [1]}},
        {"verb": "CONFIGURE", "target": "alba", "settings": {("F_nA",): 1}},
        {"verb": "WAIT", "seconds": 10**5000},
        {"verb": "READ", "target": "alba", "page": 10**5000},
    ],
)
def test_structured_commands_that_no_text_stands_for_are_refused(ocean: Engine, command):
    episode = Episode(ocean)
    episode.step({"nina": ocean.text_of(command)})
    assert episode.last.outcomes["nina"].status == "INVALID"
