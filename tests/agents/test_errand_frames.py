"""Frames of errands by themselves: what ranks, which side is meant, what comes first, what goes."""

import re
import time
from collections.abc import Iterator
from importlib import import_module

import pytest

from earsim_agents.baselines.alike import KIND, KINDS, Alike
from earsim_agents.baselines.counted_frames import counted
from earsim_agents.baselines.errand_order import blanked, told_order
from earsim_agents.baselines.ranking_frames import framed
from earsim_agents.baselines.sides import sides
from earsim_agents.baselines.what_lies_there import goes

JAR, STRIP = (next(one for one in KINDS if noun in one.nouns) for noun in ("jar", "strip"))
HEIGHT, DIAMETER = LENGTH, WIDTH = 0, 1
MODULES = (
    "alike", "compared_errands", "counted_frames", "degrees", "errand_order", "errand_tables",
    "exclusions", "ranking_frames", "sides", "what_lies_there",
)  # fmt: skip
ENDLESS = (
    "exactly one" + " of the jars ones" * 110 + " zz",
    "two of the jars, and no more, are " * 53,
    "all the jars and " * 110,
    "skip the two " * 140,
    "once the jar is there on the old shelf " * 47,
    "the carafe, or the glass door, and the roller " * 40,
    "leave out all that are no wider than it and " * 41,
    "the " * 450,
    "a" * 1800,
)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("tall taller tallest tallness height heights high overtops towering", (HEIGHT, True)),
        ("low lower lowest squattest shorter stubby", (HEIGHT, False)),
        ("fat fatter fattest wide wider widest width breadth bulkier", (DIAMETER, True)),
        ("thin thinner thinnest slim slimmer daintier", (DIAMETER, False)),
        ("father think thing things within along fatal highly shortage rounded lowly", None),
    ],
)
def test_words_of_degree(words: str, told: tuple[int, bool] | None):
    assert {JAR.told_by(word) for word in words.split()} == {told}


@pytest.mark.parametrize("alike", KINDS)
def test_what_things_are_called_for_short(alike: Alike):
    assert {*alike.nouns} <= {*alike.name.split()}
    assert {*alike.gauge_words} <= {*alike.gauge.split()}
    assert all(re.fullmatch(KIND, noun) for noun in alike.nouns)
    assert all(re.search(alike.signs, word) for word in (*alike.nouns, alike.gauge))


@pytest.mark.parametrize(
    ("text", "number", "is_more", "place"),
    [
        ("taller than just one other", HEIGHT, False, 2),
        ("it beats exactly two others in height", HEIGHT, False, 3),
        ("taller than all the jars except two", HEIGHT, True, 3),
        ("stouter than all the rest", DIAMETER, True, 1),
        ("it beats every other jar in height", HEIGHT, True, 1),
        ("every other jar is taller", HEIGHT, False, 1),
        ("it surpasses in height all the others", HEIGHT, True, 1),
        ("beaten in height by none", HEIGHT, True, 1),
        ("beaten in height by two", HEIGHT, True, 3),
        ("two others beat it in height", HEIGHT, True, 3),
        ("none of them undercuts that jar in height", HEIGHT, False, 1),
        ("exactly one other is taller", HEIGHT, True, 2),
        ("exactly one is less tall", HEIGHT, False, 2),
        ("just two of smaller diameter", DIAMETER, False, 3),
        ("just two of larger diameter", DIAMETER, True, 3),
        ("only one below it in height", HEIGHT, False, 2),
        ("only one of the jars left is taller", HEIGHT, True, 2),
        ("it has a single lower one", HEIGHT, False, 2),
        ("two others, and no more, are lower", HEIGHT, False, 3),
        ("only one other that is taller", HEIGHT, True, 2),
        ("there are exactly two jars that are taller", HEIGHT, True, 3),
        ("none is taller", HEIGHT, True, 1),
        ("two among them are stouter", DIAMETER, True, 3),
    ],
)
def test_how_many_come_before_it(text: str, number: int, is_more: bool, place: int):
    found = counted(JAR, text)
    assert found is not None
    assert (found.by, found.place) == ((number, is_more), place)


@pytest.mark.parametrize(
    "text",
    ["exactly one is taller than the carafe", "exactly one is lighter", "just one", "number two"],
)
def test_nothing_is_counted(text: str):
    assert counted(JAR, text) is None


def test_of_whom_they_are_counted_is_left_to_be_read():
    found = counted(JAR, "two among those slimmer than the carafe are taller, you see")
    assert found is not None
    assert " ".join(found.rest.split()) == "among those slimmer than the carafe, you see"


@pytest.mark.parametrize(
    ("text", "number", "is_more", "place"),
    [
        ("exactly one is taller", HEIGHT, True, 2),
        ("third in height", HEIGHT, True, 3),
        ("second in height, counted from the shortest", HEIGHT, False, 2),
        ("number two by diameter from the bottom", DIAMETER, False, 2),
        ("from short ones to tall, number three", HEIGHT, False, 3),
        ("the second if they stand from the tallest down to the shortest", HEIGHT, True, 2),
        ("in a row, the slimmest in front, count to three", DIAMETER, False, 3),
        ("starting with the tallest, the third", HEIGHT, True, 3),
        ("in a line, stout to slim, number two", DIAMETER, True, 2),
        ("from the tall end, number two", HEIGHT, True, 2),
        ("from short to tall, the one at the tall end", HEIGHT, True, 1),
        ("the next tallest", HEIGHT, True, 2),
        ("pass over the tallest and take the tallest left", HEIGHT, True, 2),
        ("skip the two tallest", HEIGHT, True, 3),
        ("with the two slimmest left out", DIAMETER, False, 3),
        ("leave the tallest out", HEIGHT, True, 2),
        ("ignore the tallest of the rest and take the next tallest", HEIGHT, True, 2),
        ("as well as the lowest of the rest", HEIGHT, False, 2),
        ("pass over the tallest and the second tallest, take the tallest left", HEIGHT, True, 3),
        ("skip the tallest and the next tallest, take the tallest left", HEIGHT, True, 3),
        ("skip the tallest and the second tallest is the one", HEIGHT, True, 2),
        ("skip the tallest, the second tallest and the third tallest", HEIGHT, True, 4),
        ("skip the tallest and also the tallest of the rest, take the tallest", HEIGHT, True, 3),
        ("drop the lowest as well as the lowest of the rest", HEIGHT, False, 3),
        ("skip the tallest, then skip the tallest of the rest", HEIGHT, True, 3),
        ("the third stoutest", DIAMETER, True, 3),
        ("the 2nd-slimmest", DIAMETER, False, 2),
    ],
)
def test_the_place_in_an_order(text: str, number: int, is_more: bool, place: int):
    found = framed(JAR, text)
    assert found is not None
    assert (found.by, found.place) == ((number, is_more), place)


@pytest.mark.parametrize(
    "text", ["the tallest", "second in line", "from here to there, number two", "skip the lightest"]
)
def test_no_place_is_told(text: str):
    assert framed(JAR, text) is None


@pytest.mark.parametrize(
    ("alike", "text", "told"),
    [
        (JAR, "of some height, it exceeds the carafe in diameter", [(DIAMETER, True)]),
        (JAR, "of some height, greater diameter than the carafe", [(DIAMETER, True)]),
        (JAR, "its diameter is greater, whatever its height", [(DIAMETER, True)]),
        (JAR, "it overtops the carafe", [(HEIGHT, True)]),
        (JAR, "judged by the carafe, taller and fatter", [(HEIGHT, True), (DIAMETER, True)]),
        (JAR, "the carafe is taller", [(HEIGHT, False)]),
        (JAR, "as tall as the carafe or taller", [(HEIGHT, True)]),
        (JAR, "it falls short of the carafe in diameter", [(DIAMETER, False)]),
        (JAR, "one jar and no other, taller than the carafe", [(HEIGHT, True)]),
        (JAR, "not both taller and slimmer", [(HEIGHT, False), (DIAMETER, True)]),
        (JAR, "over there, its height marked, of greater diameter", [(DIAMETER, True)]),
        (JAR, "the carafe is lower; fatter", [(HEIGHT, True), (DIAMETER, True)]),
        (JAR, "less tall than the carafe", [(HEIGHT, False)]),
        (JAR, "its diameter is less", [(DIAMETER, False)]),
        (JAR, "leave out all that are taller than the carafe.", [(HEIGHT, False)]),
        (STRIP, "wider than the pattern, the old one no longer there", [(WIDTH, True)]),
        (STRIP, "no longer than the pattern", [(LENGTH, False)]),
        (STRIP, "the tallest", []),
    ],
)
def test_the_side_of_the_gauge(alike: Alike, text: str, told: list[tuple[int, bool]]):
    assert [*sides(alike, text)] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("the jar is there before the pane lies there.", ["jar pane"]),
        ("the jar must not come before the pane is there.", ["pane jar"]),
        ("the jar comes earlier than the pane.", ["jar pane"]),
        ("the jar comes later than the pane.", ["pane jar"]),
        ("the jar is for the desk. once it is there, the pane is due.", ["jar pane"]),
        (
            "the pane is for the desk. it comes once the jar is there, then a strap.",
            ["jar pane"],
        ),
        ("once those lower than the jar are put down, the pane is due.", []),
        ("once the jar is there, and not earlier than that, the pane is due.", ["jar pane"]),
        ("the jar first, the pane next, and the strap last.", ["jar pane", "pane strap"]),
        (
            "the jar comes once the pane is there, the strap comes last.",
            ["pane jar", "jar strap"],
        ),
        ("the strap is due. once the jar is there, the pane is due.", ["jar pane"]),
        ("do not wait, the jar is there before the pane lies there.", ["jar pane"]),
        ("the jar, the pane and the strap.", []),
    ],
)
def test_the_order_of_errands(text: str, told: list[str]):
    orders = told_order(text, KINDS)
    assert [f"{one.first.nouns[-1]} {one.then.nouns[-1]}" for one in orders] == told


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("once the pane is there on the desk in the hall, the jar is due.", ", the jar is due."),
        ("with the pane in place, and no sooner, the jar is due.", ", the jar is due."),
        ("not before noon.", "not before noon."),
    ],
)
def test_what_tells_the_order_is_blanked(text: str, left: str):
    clear = blanked(text, told_order(text, KINDS))
    assert (len(clear), clear.strip()) == (len(text), left)


@pytest.mark.parametrize(
    ("text", "is_gone"),
    [
        ("nobody is to move the jar there, though others are removed", False),
        ("the jar there does not stay beside it", True),
        ("in place of the jar there, the only one to stay", True),
        ("leave out the tallest, a jar beside the one from before", False),
        ("beside the jar there, though without a lid", False),
        ("it joins the jar there", False),
        ("the one on it leaves, beside the bare wall", True),
        ("whoever leaves the jar there adds a mate", False),
        ("a second jar, and nothing else", False),
        ("the only jar there", True),
        ("the tallest jar", None),
    ],
)
def test_what_becomes_of_what_lies_there(text: str, is_gone: bool | None):
    assert goes(text) is is_gone


def _patterns(value: object) -> Iterator[re.Pattern[str]]:
    """All patterns in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _patterns(each)


def test_no_pattern_takes_long():
    """The texts grow, so that a pattern of exponential cost fails here rather than hanging."""
    modules = [import_module(f"earsim_agents.baselines.{name}") for name in MODULES]
    found = {each for module in modules for each in _patterns((*vars(module).values(),))}
    assert len(found) > len(MODULES)
    start = time.process_time()
    for size in (*range(25, 500, 25), 1800):
        for text in ENDLESS:
            for pattern in found:
                _ = [*pattern.finditer(text[:size])]
                assert time.process_time() - start < 10, (pattern.pattern, text[:size])
