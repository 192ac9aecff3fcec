"""Texts that fit no template, as the player `regex` reads them."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from earsim_agents.baselines.free_reading import FreeReading
from earsim_agents.baselines.free_reading.degrees import measure_of
from earsim_agents.baselines.free_reading.kinds import kind_scores
from earsim_agents.baselines.free_reading.ranges import ranges_in
from earsim_agents.baselines.free_reading.ranks import ranks_in
from earsim_agents.baselines.free_reading.states import state_words
from earsim_agents.baselines.free_reading.times import times_in
from earsim_agents.baselines.free_reading.tokens import tokens_of
from earsim_agents.baselines.free_reading.uses import uses_in
from earsim_agents.baselines.references import References

ROOMS = {"cellar": "cellar", "study": "study", "attic": "attic"}
FURNITURE = {"bench": ("workbench", "cellar"), "desk": ("writing desk", "study")}
FURNITURE |= {"trunk": ("sea trunk", "attic"), "rack": ("coat rack", "attic")}
LOOKS = {"lamp": {"material": "brass"}, "vase": {"material": "glass"}, "glue": {}}
PLACES = {"lamp": "desk", "vase": "bench", "glue": "bench", "clock": "desk"}


class House:
    """Three rooms with a lamp, a vase, a pot of glue, a clock, and four candles of two colours."""

    def __init__(self, unseen: Iterable[str] = ()) -> None:
        self.rooms: Mapping[str, str] = ROOMS
        self.agents: Mapping[str, str] = {"robot": "robot"}
        things = {"lamp": "table lamp", "vase": "vase", "glue": "pot of glue", "clock": "clock"}
        things |= {f"candle_{n}": "candle" for n in range(4)}
        things |= {node: name for node, (name, _) in FURNITURE.items()}
        self.names = {node: name for node, name in things.items() if node not in unseen}
        self.loose = [*self.names]
        self.abilities = frozenset({"glue"})

    def abilities_of(self, node: str) -> frozenset[str]:
        return frozenset({"glue"} if node == "glue" else ())

    def is_furniture(self, node: str) -> bool:
        return node in FURNITURE

    def lies_on(self, node: str) -> bool:
        return True

    def is_door(self, node: str) -> bool:
        return False

    def is_container(self, node: str) -> bool:
        return node == "trunk"

    def attributes(self, nodes: Iterable[str]) -> Iterable[tuple[str, str]]:
        for node in nodes:
            yield from LOOKS.get(node, {}).items()
            if node.startswith("candle"):
                yield "color", "red" if node < "candle_2" else "white"

    def states(self, nodes: Iterable[str]) -> set[str]:
        return {"is_dirty"} if set(nodes) & {"lamp", "vase"} else set()

    def is_so(self, node: str, state: str) -> bool:
        return node == "lamp"

    def numbers(self, nodes: Iterable[str]) -> list[str]:
        return ["mass_kg", "age_years"]

    def value(self, node: str, key: str) -> float:
        return 1.5 if node == "clock" else float(node[-1])

    def holder_of(self, node: str) -> str | None:
        return PLACES.get(node, "rack" if node.startswith("candle") else None)

    def room_of(self, node: str) -> str:
        return FURNITURE[node if node in FURNITURE else self.holder_of(node) or ""][1]

    def shown(self, node: str) -> str:
        return self.names[node].capitalize()

    def called(self, said: str) -> list[str]:
        return [node for node, name in self.names.items() if name == said]


def read(text: str, *, unseen: Iterable[str] = (), is_complete: bool = True) -> Any:
    """The parts of the goal, with what is picked in place of its name."""
    house: Any = House(unseen)
    references = References(house, is_complete=is_complete)
    goal = FreeReading(text, references).goal
    if goal is None:
        return None
    told = {
        f"${name}": selector.model_dump(exclude_unset=True, by_alias=True)
        for name, selector in references.select.items()
    }
    return _with(goal["all"], told)


def _with(part: Any, told: Mapping[str, Any]) -> Any:
    if isinstance(part, dict):
        return {key: _with(value, told) for key, value in part.items()}
    if isinstance(part, list):
        return [_with(each, told) for each in part]
    return told.get(part, part) if isinstance(part, str) else part


def at(thing: Any, room: str) -> dict[str, Any]:
    return {"inside_room": {"object": thing, "room": room}}


BRASS = {"only": {"on": "desk", "attribute": {"material": "brass"}}}
GLASS = {"only": {"on": "bench", "attribute": {"material": "glass"}}}


@pytest.mark.parametrize(
    "text",
    [
        "The attic wants the brass item off the writing desk and the clock, on a single trip!",
        "Take the clock and the desk's brass thing to where the coat rack is, in one walk.",
    ],
)
def test_two_things_go_on_one_trip(text: str) -> None:
    once, things = read(text)[-1]["trips"], read(text)[:2]
    assert at(BRASS, "attic") in things
    assert at("clock", "attic") in things
    assert once["room"] == "attic"


def test_two_things_never_meet() -> None:
    goal = read(
        "The brass item off the writing desk goes to the cellar, and the workbench's glass thing "
        "to the attic, but they must never be in one room together."
    )
    assert goal[:2] == [at(BRASS, "cellar"), at(GLASS, "attic")]
    assert len(goal[2]["never"]["any"]) == len(ROOMS)


def test_what_comes_first_may_be_told_last() -> None:
    goal = read(
        "The last job is to bring the clock to the cellar. Before that, the vase goes into the sea "
        "trunk, and the very first job is to lay whatever we use for gluing on the coat rack."
    )
    orders = [part["before"] for part in goal if "before" in part]
    assert [order["first"] for order in orders] == [
        {"at": {"object": {"only": {"provides": "glue"}}, "on": "rack"}},
        {"at": {"object": "vase", "in": "trunk"}},
    ]
    assert orders[-1]["then"] == at("clock", "cellar")


def test_one_of_three_is_urgent() -> None:
    goal = read(
        "The vase goes on the coat rack whenever it suits you. The clock is the urgent one, it has "
        "to be in the cellar within two and a half minutes. The pot of glue goes in the sea trunk."
    )
    assert goal[-1] == {"by": {"goal": at("clock", "cellar"), "seconds": 150.0}}


def test_all_that_are_so() -> None:
    each, rest = read(
        "Every red candle goes to the cellar, all of them. Don't touch any other candle."
    )
    red = {"name": "Candle", "attribute": {"color": "red"}}
    assert each["each"]["among"] == red
    assert rest["count"]["among"] == {"name": "Candle", "not": red}


@pytest.mark.parametrize(
    ("words", "side"),
    [("each heavier than the clock", "more_than"), ("as long as the clock outweighs both", None)],
)
def test_so_many_of_those_that_are_compared(words: str, side: str | None) -> None:
    count, rest = read(
        f"Exactly two candles for the study, any two you like, {words}, not one and not three. "
        "No further candle in there when you finish."
    )
    assert count["count"]["equals"] == 2
    compared = {"of": "mass_kg", "object": "clock"}
    assert count["count"]["among"] == {"name": "Candle", side or "less_than": compared}
    assert rest["count"]["equals"] == 0


def test_a_rank_picks_one() -> None:
    goal = read("Put the second lightest candle on the workbench.")
    rank = {"rank": {"of": "mass_kg", "k": 2, "order": "smallest"}, "among": {"name": "Candle"}}
    assert goal == [{"at": {"object": rank, "on": "bench"}}]


def test_a_state_is_changed() -> None:
    goal = read("The table lamp has got all dirty. Would you give it a scrub?")
    assert goal == [{"has_state": {"object": "lamp", "state": "is_dirty", "equals": False}}]


def test_what_is_not_sure_waits_until_all_is_seen() -> None:
    text = "The attic wants the brass item off the writing desk and the vase, on a single trip."
    assert read(text, is_complete=False) is not None
    assert read(text, unseen=["vase"], is_complete=False) is None
    assert read("Put the vase on the coat rack.", is_complete=False) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("within 3½ minutes", [210.0]),
        ("in two and a half minutes", [150.0]),
        ("within a minute and a half", [90.0]),
        ("2 minutes and 30 seconds", [150.0]),
        ("not for a second", []),
        ("the second heaviest", []),
    ],
)
def test_times(text: str, seconds: list[float]) -> None:
    assert [told.seconds for told in times_in(tokens_of(text))] == seconds


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("the heaviest but one", ("mass_kg", True, 2)),
        ("the one that ranks third for lightness", ("mass_kg", False, 3)),
        ("older than any other", ("age_years", True, 1)),
        ("exactly two others are older", ("age_years", True, 3)),
    ],
)
def test_ranks(text: str, rank: tuple[str, bool, int]) -> None:
    found = ranks_in(tokens_of(text), ["mass_kg", "age_years"])[0]
    assert (found.key, found.is_more, found.place) == rank


def test_ranges_and_uses_and_states() -> None:
    assert [told[2:4] for told in ranges_in(tokens_of("from 10 to 20 %"))] == [(10.0, 20.0)]
    assert [told[2:4] for told in ranges_in(tokens_of("20 pages or fewer"))] == [(None, 20.0)]
    tokens = tokens_of("whatever we cut things with")
    assert [use.ability for use in uses_in(tokens, (), frozenset())] == ["cut"]
    assert not uses_in(tokens_of("cut the bread"), (), frozenset())
    (word,) = state_words(tokens_of("a box that is not sealed"), ["is_sealed"])
    assert (word.state, word.value) == ("is_sealed", False)
    assert "pages" in measure_of("sheets_pages").nouns
    assert kind_scores(tokens_of("one trip"))["trip"] > 0


@pytest.mark.parametrize(
    "piece", ["the candle on the workbench ", "a", "10 to ", "than the ", "red ", "in there, "]
)
def test_no_text_takes_long(piece: str) -> None:
    start = time.perf_counter()
    read((piece * 2000)[:2000])
    assert time.perf_counter() - start < 5
