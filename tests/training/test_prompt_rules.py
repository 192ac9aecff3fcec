"""The baseline of regular expressions in `examples/`: stateless, and it wins."""

import runpy
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here

pytest.importorskip("jinja2", reason="the extra `llm` is not installed")

EXAMPLE = Path(__file__).parents[2] / "examples" / "prompt_rules.py"
PROMPT = """\
Searched: hall
Not searched: attic behind attic_door here
Closed: box_2 here
Task: Please put the tin cup that is on the shelf into the box in the hall, then close it again.
- tin_cup_1 on desk_1 here: not full
- tin_cup_2 on shelf_1 here: full
- box_2 here: not open
Here: hall
Agent ada at shelf_1: hands 0/2
"""


def after(*changes):
    text = PROMPT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return runpy.run_path(str(EXAMPLE))["command"](text)


def test_a_command_follows_from_one_prompt():
    held = (
        ("hands 0/2", "hands 1/2, holding tin_cup_2"),
        ("tin_cup_2 on shelf_1 here: full", "tin_cup_2 held by ada: at first on shelf_1 in hall"),
    )
    at_box = (*held, ("at shelf_1:", "at box_2:"))
    opened = ("Closed: box_2 here\n", "")
    inside = (
        "tin_cup_2 on shelf_1 here: full",
        "tin_cup_2 in box_2 here: at first on shelf_1 in hall",
    )
    assert after() == "GRAB tin_cup_2"
    assert after(("at shelf_1:", "at desk_1:")) == "GOTO shelf_1"
    assert after(*held) == "GOTO box_2"
    assert after(*at_box) == "OPEN box_2"
    assert after(*at_box, opened) == "PLACE tin_cup_2 in box_2"
    assert after(inside, opened, ("at shelf_1:", "at box_2:")) == "CLOSE box_2"
    assert after(inside) == "DONE"


def test_it_looks_for_what_it_does_not_see():
    lost = ("- tin_cup_2 on shelf_1 here: full\n", "")
    assert after(lost) == "GOTO attic_door"
    assert after(lost, ("at shelf_1:", "at attic_door:")) == "OPEN attic_door"
    assert after(lost, ("Not searched: attic behind attic_door here\n", "")) == "GOTO box_2"


@pytest.mark.slow
def test_it_says_how_often_it_wins(earsim, here, monkeypatch, capsys):
    made = ("--category", "direct_command", "--n", "8", "--seed", "3", "--split", "validation")
    assert earsim("generate", "--preset", "small", *made, "--out", "some").exit_code == 0
    suite = "some/validation.jsonl.gz"
    monkeypatch.setattr(sys, "argv", ["prompt_rules.py", suite, "--limit", "8"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert capsys.readouterr().out == f"{suite}: 7 of 8, 88% (53%-98%)\n"
