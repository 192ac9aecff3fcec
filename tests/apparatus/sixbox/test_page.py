from pathlib import Path

import pytest

from earsim.apparatus.parameter import Parameter
from earsim.apparatus.sixbox import SIXBOX
from earsim.apparatus.sixbox.presets import PRESETS
from earsim.apparatus.sixbox.questions import QUESTIONS, ThresholdQuestion

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "models" / "sixbox.md").read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    below = PAGE.split(f"\n## {title}\n", 1)[1].partition("\n| --- |")[2]
    lines = below.partition("\n")[2].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _setting(parameter: Parameter) -> list[str]:
    bounds = [f"{number:g}" for number in (parameter.default, parameter.low, parameter.high)]
    return [f"`{parameter.name}`", parameter.says, *bounds, parameter.unit]


def _question(question: ThresholdQuestion) -> list[str]:
    ways = " or ".join(question.directions)
    change = "any" if question.which == "any" else "A off"
    return [str(question.number), f"`{question.parameter}` {ways}", change, f"{question.step:g}"]


def test_the_page_lists_the_settings_as_they_are() -> None:
    assert rows("Settings") == [_setting(parameter) for parameter in SIXBOX.parameters]


def test_the_page_lists_the_questions_as_they_are() -> None:
    assert [row[:4] for row in rows("The ten threshold questions")] == [*map(_question, QUESTIONS)]


@pytest.mark.parametrize("name", PRESETS)
def test_the_page_lists_what_a_preset_changes(name: str) -> None:
    row = next(row for row in rows("Presets") if row[0] == f"`{name}`")
    cells = [cell.split() for cell in row[1].split(", ")] if PRESETS[name] else []
    assert {key.strip("`"): float(value) for key, value in cells} == dict(PRESETS[name])


def test_the_page_says_what_fitted_is() -> None:
    assert "**`fitted` was found by search against one column" in PAGE


def test_the_page_names_the_events() -> None:
    samples = PAGE.split("\n## Samples, events, cost\n", 1)[1].split("\n## ", 1)[0]
    assert all(f"`{event}`" in samples for event in SIXBOX.events)
