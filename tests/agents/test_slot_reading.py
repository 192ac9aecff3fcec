"""What the regex player makes of free words: numbers, ranks, names told in part, and teams."""

import pytest

from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.references import References
from earsim_agents.baselines.sentences import ReadInstruction
from earsim_agents.baselines.slot_reading.crews import as_told_to_a_crew
from earsim_agents.baselines.slot_reading.mixtures import shares_of
from earsim_agents.baselines.slot_reading.names import spots
from earsim_agents.baselines.slot_reading.numbers import in_digits, nearest, range_of, times
from earsim_agents.baselines.slot_reading.ranks import extremes_of, rank_of
from tests.agents.rig import all_seen

SCENE = """\
schema: earsim.scene/1
id: works
title: The works
rooms:
  - {id: forge, name: Forge, connects: [yard]}
  - {id: yard, name: Yard}
objects:
  - {id: layout_table, name: Layout table, kind: furniture, in: forge, mass_kg: 20}
  - {id: trestle_table, name: Trestle table, kind: furniture, in: yard, mass_kg: 20}
  - {id: wall, name: Garden wall, kind: item, in: yard, mass_kg: 90, states: {is_painted: false}}
  - {id: rail, name: Iron rail, kind: furniture, in: yard, mass_kg: 90, states: {is_welded: false}}
  - {id: bell, name: Brass bell, kind: item, on: layout_table, mass_kg: 1}
  - {id: clock, name: Table clock, kind: item, on: layout_table, mass_kg: 1}
  - {id: globe, name: Globe, kind: item, on: trestle_table, mass_kg: 1}
  - {id: mirror, name: Hand mirror, kind: item, on: trestle_table, mass_kg: 1}
  - {id: toolbox, name: Toolbox, kind: item, in: yard, mass_kg: 15}
  - id: tub_1
    name: Tub
    kind: item
    on: layout_table
    mass_kg: 1
    container: {capacity_l: 5}
    liquids: {}
  - id: tub_2
    name: Tub
    kind: item
    on: trestle_table
    mass_kg: 1
    container: {capacity_l: 7}
    liquids: {}
tasks:
  - id: any
    category: implicit_collaboration
    agents:
      - {id: ada, name: Ada, in: forge, max_mass_kg: 30}
      - {id: ben, name: Ben, in: yard, max_mass_kg: 30}
    goal: {all: [{inside_room: {object: globe, room: forge}}]}
    instruction: "-"
"""


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return all_seen(SCENE)


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("two and a half hours and two minutes", [9120.0]),
        ("an hour and thirty-two minutes", [5520.0]),
        ("6 minutes 30 for that", [390.0]),
        ("three quarters of an hour, inside an hour", [2700.0, 3600.0]),
        ("35 unbroken minutes, at 0.6 kg in an hour", [2100.0]),
        ("20 minutes, 35 minutes at the outside", [1200.0, 2100.0]),
        ("each hour takes 0.6 kg", []),
    ],
)
def test_times_are_told_in_many_ways(told: str, seconds: list[float]) -> None:
    assert times(in_digits(told)) == seconds


def test_numbers_belong_to_the_unit_that_stands_near() -> None:
    text = in_digits(
        "at least seventy but no more than 85 percent, 2 of 3 lamps, minus one to 3 degrees"
    )
    assert range_of(text, "percent", 30, lambda number: number > 5) == (70, 85)
    assert range_of(text, "degrees", 10) == (-1, 3)
    assert nearest(in_digits("half a kilo of 1.2 litres"), r"\bkilo") == 0.5
    with pytest.raises(ValueError, match="one"):
        range_of("one", "percent", 30)


@pytest.mark.parametrize(
    ("told", "rank"),
    [
        ("the one with the largest capacity, 60 percent at the least", "largest"),
        ("the tub that takes less than either of the other two", "smallest"),
        ("with only one other above it in capacity", "second largest"),
        ("the tank nothing else here matches for size", "largest"),
        ("which none of the others can hold as little as", "smallest"),
        ("there is only one socket; the roomiest", "largest"),
    ],
)
def test_limits_are_no_ranks(told: str, rank: str) -> None:
    assert rank_of(told) == rank


def test_the_widest_of_the_narrower_is_a_largest_one() -> None:
    assert extremes_of("of those narrower than it, the widest") == {"largest"}
    assert extremes_of("the slimmest of all, at most one") == {"smallest"}


def test_names_are_found_by_their_words_in_any_order() -> None:
    names = ["folding table", "table clock", "toolbox", "workbench", "roll of tape", "brass bell"]
    text = "the tools in their box onto the table that folds, the clock by the bench, a bell rolled"
    assert [spot.name for spot in spots(text, names)] == [
        *("toolbox", "folding table", "table clock", "workbench", "brass bell"),
    ]


def test_the_jug_tells_which_amount_is_which() -> None:
    told = (
        "1 litre of juice for 3 litres of water, within 3 percent; its mark is at 0.5, 1.5 fill it"
    )
    assert shares_of(told) == ("juice", 1.0, 3.0)
    with pytest.raises(ValueError, match="some"):
        shares_of("some juice")


@pytest.mark.parametrize(
    ("told", "plain"),
    [
        (
            "up on the trestle table is where i want the bell",
            "put the brass bell onto the trestle table.",
        ),
        (
            "somebody in the forge has the globe in hand, and out in the yard somebody the bell",
            "hold up the globe in the forge while the brass bell is held up in the yard.",
        ),
        (
            "the forge would love the globe, and the clock longs for the trestle table",
            "bring the globe to the forge. put the table clock onto the trestle table.",
        ),
        (
            "the wall wants some colour and the rail some fire",
            "paint the garden wall. weld the iron rail.",
        ),
        (
            (
                "swap in 80 seconds: bell and clock for the trestle table, globe and mirror for "
                "the layout table"
            ),
            (
                "within 80 seconds from now the brass bell and the table clock go from the hall to "
                "the trestle table and the globe and the hand mirror go from the hall to the "
                "layout table."
            ),
        ),
    ],
)
def test_what_a_team_is_asked_for_shows_in_what_is_spoken_of(
    told: str, plain: str, lexicon: Lexicon
) -> None:
    said = as_told_to_a_crew(told, lexicon)
    assert said is not None
    assert sorted(said.split(". ")) == sorted(plain.split(". "))


def test_what_speaks_of_too_little_is_left_unread(lexicon: Lexicon) -> None:
    assert as_told_to_a_crew("the bell, please", lexicon) is None
    assert (
        as_told_to_a_crew("the globe goes to the forge, a lamp to the layout table", lexicon)
        is None
    )


def test_a_vessel_that_is_filled_keeps_its_place(lexicon: Lexicon) -> None:
    read = ReadInstruction(
        "Juice, 0.5 litres of it, and 1.5 litres of water, into the roomiest tub, each to 8 "
        "percent and in five minutes. A line on the jug is at 0.5, and 1.5 fill it.",
        References(lexicon, is_complete=True),
    )
    assert {"at": {"object": "$picked_1", "on": "trestle_table"}} in read.goal["all"]
    assert {"clock": {"at_most": 300.0}} in read.goal["all"]
