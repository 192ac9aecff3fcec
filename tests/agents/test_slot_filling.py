"""What the regex player makes of instructions in free words: of which family, with which slots."""

import pytest

from earsim_agents.baselines.families import as_told_by_the_grammar
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.slots import SlotText
from tests.agents.rig import all_seen

SCENE = """\
schema: earsim.scene/1
id: works
title: The works
rooms:
  - {id: hall, name: Hall, connects: [attic]}
  - {id: attic, name: Attic}
objects:
  - {id: side_table, name: Side table, kind: furniture, in: hall, mass_kg: 20}
  - {id: hot_plate, name: Hot plate, kind: furniture, in: hall, mass_kg: 4, states: {is_on: false}}
  - {id: pan_1, name: Iron pan, kind: item, on: side_table, mass_kg: 1, diameter_mm: 200}
  - {id: pan_2, name: Iron pan, kind: item, on: side_table, mass_kg: 2, diameter_mm: 240}
  - {id: lamp_1, name: Work lamp, kind: item, in: attic, mass_kg: 1, capacity_wh: 20}
  - {id: lamp_2, name: Work lamp, kind: item, in: attic, mass_kg: 1, capacity_wh: 30}
  - {id: heater, name: Fan heater, kind: item, in: attic, mass_kg: 3}
tasks:
  - id: any
    category: direct_command
    agents: [{id: ada, name: Ada, max_mass_kg: 30}]
    goal: {all: [{inside_room: {object: heater, room: hall}}]}
    instruction: "-"
"""


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return all_seen(SCENE)


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("half an hour, and no more", [1800.0]),
        ("in a quarter of an hour", [900.0]),
        ("a minute and a half", [90.0]),
        ("2 minutes and 30 seconds", [150.0]),
        ("by minute 83, after ninety seconds", [4980.0, 90.0]),
        ("an hour and a quarter", [4500.0]),
        ("twenty-five minutes at 0.6 kg an hour", [1500.0]),
    ],
)
def test_times_are_read_however_they_are_said(told: str, seconds: list[float], lexicon: Lexicon):
    assert SlotText.of(told, lexicon).time() == seconds


@pytest.mark.parametrize(
    ("told", "rank"),
    [
        ("the roomiest of them", "largest"),
        ("the one with the least room", "smallest"),
        ("the runner-up in breadth", "second largest"),
        ("the biggest but one", "second largest"),
    ],
)
def test_ranks_are_read_by_their_words(told: str, rank: str, lexicon: Lexicon):
    assert SlotText.of(told, lexicon).rank() == rank


def test_an_instruction_of_a_family_is_said_as_the_grammar_says_it(lexicon: Lexicon):
    told = (
        "that pan of iron, the broadest, over the hot plate with it, and 90 degrees or up to 110 "
        "it has on the side table before seven minutes are out, plate off"
    )
    assert as_told_by_the_grammar(told, lexicon) == (
        "warm the iron pan with the largest diameter on the hot plate and bring it to the side "
        "table. within 420 seconds it has to be there at between 90 and 110 degrees"
    )


def test_what_is_of_no_family_and_what_lacks_a_slot_is_left_unread(lexicon: Lexicon):
    assert as_told_by_the_grammar("bring the lamp to the hall", lexicon) is None
    assert as_told_by_the_grammar("so many degrees for the pan", lexicon) is None
