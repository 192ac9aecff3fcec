"""Nouns, names and numbers as the sentences use them."""

import pytest

from earsim_generators.sentences.nouns import fits, noun_of
from earsim_generators.sentences.orders import bounds, comparison, superlative
from earsim_generators.sentences.verbs import told, told_of, verb_for
from tests.generators.sentences.rig import SCENERY


@pytest.mark.parametrize(
    ("name", "one", "many"),
    [
        ("Oil can", "oil can", "oil cans"),
        ("Box of rails", "box of rails", "boxes of rails"),
        ("Saw in its box", "saw in its box", "saws in its box"),
        ("Steel shelf", "steel shelf", "steel shelves"),
        ("Canary", "canary", "canaries"),
        ("Tray", "tray", "trays"),
        ("Loudspeaker chassis", "loudspeaker chassis", "loudspeaker chassis"),
        ("Compass", "compass", "compasses"),
        ("Lens", "lens", "lenses"),
        ("Pliers", "pliers", "pliers"),
        ("X-ray unit", "X-ray unit", "X-ray units"),
        ("Persian rug", "Persian rug", "Persian rugs"),
        ("Computer mouse", "computer mouse", "computer mice"),
    ],
)  # fmt: skip
def test_one_and_many(name, one, many):
    assert noun_of(name)[:2] == (one, many)


def test_what_is_always_several_is_spoken_of_as_such():
    assert noun_of("Pliers").it == "them"
    assert noun_of("Pair of pliers").it == "it"


@pytest.mark.parametrize(
    ("words", "name", "is_meant"),
    [
        ("Box", "Box", True),
        ("Box", "Steel box", True),
        ("Box", "Box of rails", True),
        ("Box", "Boxing glove", False),
        ("Desk", "Desk lamp", False),
        ("Box of rails", "Box", False),
    ],
)
def test_what_a_name_may_mean(words, name, is_meant):
    assert fits(words, name) is is_meant


@pytest.mark.parametrize(
    ("of", "largest", "second_smallest", "less", "at_least"),
    [
        ("mass_kg", "heaviest", "second lightest",
         "is lighter than the anvil", "weighs at least 3 kg"),
        ("age_years", "oldest", "second newest",
         "is newer than the anvil", "is at least 3 years old"),
        ("age_days", "oldest", "second newest",
         "is newer than the anvil", "is at least 3 days old"),
        ("rope_m", "with the longest rope", "with the second shortest rope",
         "has a shorter rope than the anvil", "has a rope of at least 3 m"),
        ("flash_c", "with the highest flash point", "with the second lowest flash point",
         "has a lower flash point than the anvil", "has a flash point of at least 3 °C"),
        ("sheets_pages", "with the most sheets", "with the second smallest number of sheets",
         "has fewer sheets than the anvil", "has at least 3 sheets"),
        ("water_l", "with the most water", "with the second smallest amount of water",
         "has less water than the anvil", "has at least 3 L of water"),
        ("deviation_s", "with the largest deviation", "with the second smallest deviation",
         "has a smaller deviation than the anvil", "has a deviation of at least 3 seconds"),
        ("contents_mass_kg", "with the heaviest load",
         "with the second lightest load",
         "has a lighter load than the anvil",
         "has a load of at least 3 kg"),
    ],
)  # fmt: skip
def test_how_numbers_are_spoken_of(of, largest, second_smallest, less, at_least):
    assert "".join(superlative(of, 1, largest=True)) == largest
    assert "".join(superlative(of, 2, largest=False)) == second_smallest
    assert comparison(of, "the anvil", more=False) == less
    assert list(bounds({of: 3.0}, {})) == [at_least]


def test_a_range_names_its_unit_once():
    assert list(bounds({"price_eur": 3.0}, {"price_eur": 5.5})) == ["costs between 3 and 5.5 €"]
    assert list(bounds({"age_days": 3.0}, {"age_days": 5.0})) == ["is between 3 and 5 days old"]


@pytest.mark.parametrize(
    ("verb", "of_it", "of_the_lamp"),
    [
        ("clean", "clean it", "clean the lamp"),
        ("turn_off", "turn it off", "turn off the lamp"),
        ("check_pressure", "check its pressure", "check the pressure of the lamp"),
        ("screw", "screw it in", "screw in the lamp"),
        ("write", "write on it", "write on the lamp"),
    ],
)
def test_how_verbs_are_said(verb, of_it, of_the_lamp):
    assert told_of(verb, "it") == of_it
    assert told(verb, "the lamp") == of_the_lamp


def test_a_verb_of_the_scene_is_told():
    states = {"is_on": True, "is_broken": True, "is_wet": True}
    assert [getattr(verb_for(states, state, SCENERY.verbs), "name", None) for state in states] == [
        "turn_off",
        "repair",
        None,  # nothing here dries
    ]


def test_rooms_that_one_is_on():
    assert SCENERY.naming.inside("landing") == "on the landing"
    assert SCENERY.naming.inside("hall") == "in the machine hall"
