"""Nouns, names and numbers as the sentences use them."""

import pytest

from earsim_generators.language.nouns import fits, noun_of
from earsim_generators.language.predicates import complaint, said_of, told, told_of, verb_for
from earsim_generators.language.quantities import bounds, comparison, superlative
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
        ("Steel shelving", "steel shelving", "steel shelving units"),
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
        ("sheets_pages", "with the most sheets", "with the second fewest sheets",
         "has fewer sheets than the anvil", "has at least 3 sheets"),
        ("water_l", "with the most water", "with the second smallest amount of water",
         "has less water than the anvil", "has at least 3 L of water"),
        ("deviation_s", "with the largest deviation", "with the second smallest deviation",
         "has a smaller deviation than the anvil", "has a deviation of at least 3 seconds"),
        ("blade_length_cm", "with the longest blade", "with the second shortest blade",
         "has a smaller blade length than the anvil", "has a blade length of at least 3 cm"),
        ("heel_height_cm", "with the highest heels", "with the second lowest heels",
         "has a smaller heel height than the anvil", "has a heel height of at least 3 cm"),
        ("unrolled_length_cm", "with the greatest unrolled length",
         "with the second smallest unrolled length",
         "has a smaller unrolled length than the anvil", "has an unrolled length of at least 3 cm"),
        ("beam_angle_deg", "with the widest beam angle", "with the second narrowest beam angle",
         "has a narrower beam angle than the anvil", "has a beam angle of at least 3 °"),
        ("bandwidth_nm", "with the largest bandwidth", "with the second smallest bandwidth",
         "has a smaller bandwidth than the anvil", "has a bandwidth of at least 3 nm"),
        ("content_l", "that holds the most", "that holds the second smallest amount",
         "holds less than the anvil", "holds at least 3 L"),
        ("storage_gb", "with the most storage", "with the second smallest amount of storage",
         "has less storage than the anvil", "has at least 3 GB of storage"),
        ("noise_db", "loudest", "second quietest",
         "is quieter than the anvil", "has a noise level of at least 3 dB"),
        ("sales_eur", "with the highest sales", "with the second lowest sales",
         "has lower sales than the anvil", "has sales of at least 3 €"),
        ("scale_ratio", "with the highest scale number", "with the second lowest scale number",
         "has a lower scale number than the anvil", "has a scale number of at least 3"),
        ("contents_price_eur", "with the load that costs the most in total",
         "with the load that costs the second least in total",
         "has a load that costs less in total than that of the anvil",
         "has a load that costs at least 3 € in total"),
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


def test_the_rope_of_a_rope_is_the_rope():
    assert superlative("rope_length_m", 2, largest=True, head="rope") == ("second longest", "")


def test_a_range_names_its_unit_once():
    assert list(bounds({"price_eur": 3.0}, {"price_eur": 5.5})) == ["costs between 3 and 5.5 €"]
    assert list(bounds({"contents_price_eur": 3.0}, {"contents_price_eur": 5.0})) == [
        "has a load that costs between 3 and 5 € in total"
    ]
    assert list(bounds({"age_days": 3.0}, {"age_days": 5.0})) == ["is between 3 and 5 days old"]


def test_amounts_are_told_in_the_unit_that_suits_them():
    assert list(bounds({"mass_kg": 0.02}, {"mass_kg": 0.032})) == ["weighs between 20 and 32 g"]
    assert list(bounds({"mass_kg": 0.6}, {"mass_kg": 1.0})) == ["weighs between 0.6 and 1 kg"]
    assert list(bounds({}, {"contents_mass_kg": 0.5})) == ["has a load of at most 500 g"]
    assert list(bounds({"content_ml": 2000.0}, {})) == ["holds at least 2 L"]
    assert list(bounds({"content_ml": 900.0}, {})) == ["holds at least 900 mL"]


@pytest.mark.parametrize(
    ("state", "if_so", "if_not"),
    [
        ("is_dirty", ("dirty", "", ""), ("clean", "", "")),
        ("is_on", ("switched-on", "", ""), ("switched-off", "", "")),
        ("is_connected", ("connected", "", ""), ("disconnected", "", "")),
        ("is_alight", ("", "is alight", ""), ("", "is not alight", "")),
        ("is_polished", ("polished", "", ""), ("unpolished", "", "")),
        ("is_folded", ("folded", "", ""), ("unfolded", "", "")),
        ("is_charged", ("charged", "", ""), ("", "is not charged", "")),
        ("is_barcode_scanned",
         ("", "", "barcode has been scanned"), ("", "", "barcode has not been scanned")),
    ],
)  # fmt: skip
def test_how_states_are_spoken_of(state, if_so, if_not):
    assert said_of(state, True) == if_so
    assert said_of(state, False) == if_not


def test_what_one_complains_of():
    assert complaint("is_broken", True) == "is broken"
    assert complaint("is_on", False) == "is off"
    assert complaint("is_labeled", False) == "has not been labeled yet"
    assert complaint("is_barcode_scanned", False) == ""


@pytest.mark.parametrize(
    ("verb", "of_it", "of_the_lamp"),
    [
        ("clean", "clean it", "clean the lamp"),
        ("turn_off", "turn it off", "turn off the lamp"),
        ("check_pressure", "check its pressure", "check the pressure of the lamp"),
        ("screw", "screw it in", "screw in the lamp"),
        ("write", "write on it", "write on the lamp"),
        ("wipe", "wipe it dry", "wipe dry the lamp"),
        ("scan_barcode", "scan its barcode", "scan the barcode of the lamp"),
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
