"""What a line is: a request, an order, or orders for several."""

import pytest

from earsim.play.resolving import Doubt
from earsim.play.typed import REQUESTS, Request, TypedCommand, TypedCommands, understand

TEAM = {"ada": "Ada", "jonas": "Jonas Holm"}


@pytest.mark.parametrize("word", REQUESTS)
def test_requests_go_by_their_first_word(word):
    assert understand(f"  {word.upper()}  some thing ", TEAM) == Request(word, "some thing")


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("?", Request("help", "")),
        ("?grab", Request("help", "grab")),
        ("? grab", Request("help", "grab")),
        ("x lamp", Request("look", "lamp")),
        ("exit", Request("quit", "")),
    ],
)
def test_other_names_of_requests(line, request_):
    assert understand(line, TEAM) == request_


def test_anything_else_is_an_order():
    assert understand("GRAB lamp", TEAM) == TypedCommand("GRAB lamp")
    assert understand("", TEAM) == TypedCommand("")
    assert understand("SAY stop: wait | listen", TEAM) == TypedCommand("SAY stop: wait | listen")


@pytest.mark.parametrize(
    "line",
    [
        "ada: GRAB lamp | jonas: EXPLORE",
        " Ada :GRAB lamp|Jonas Holm: EXPLORE",
        "jo: EXPLORE | a: GRAB lamp",
    ],
)
def test_one_line_for_the_team(line):
    assert understand(line, TEAM) == TypedCommands({"ada": "GRAB lamp", "jonas": "EXPLORE"})


def test_all_stands_for_everybody():
    assert understand("all: EXPLORE", TEAM) == TypedCommands({"ada": "EXPLORE", "jonas": "EXPLORE"})


@pytest.mark.parametrize(
    "line", ["ada: WAIT | EXPLORE", "ada: WAIT | ada: EXPLORE", "all: WAIT | ada: WAIT"]
)
def test_a_line_that_leaves_open_who_does_what(line):
    assert isinstance(understand(line, TEAM), Doubt)
