"""Words of held-out names: measured, read, and no more that fail than in the shipped suites."""

from collections import Counter

from docs.figures.vocabulary import (
    COINED,
    FALSE_FRIEND,
    FREQUENCIES,
    LEAST_ZIPF,
    VERDICTS,
    failing,
    frequencies,
    head_of,
    held_out_names,
    is_rare,
    ordinary_names,
    read_names,
    shared_heads,
    words_of,
)

KNOWN = Counter({"rare": 200, COINED: 347, FALSE_FRIEND: 105})
"""Held-out names that fail and stay: the benchmarks that ship were made with them."""


def test_words_are_those_between_hyphens_and_genitives_count_as_nouns():
    assert words_of("Keeper's acid-free wrap") == ("keeper", "acid", "free", "wrap")
    assert words_of("Surgeons' basin") == ("surgeons", "basin")


def test_the_head_is_the_last_word_before_a_preposition():
    assert head_of("Patient bed on castors") == "bed"
    assert head_of("Two-way radio") == "radio"


def test_every_word_is_measured():
    names = [each.name for each in (*ordinary_names(), *held_out_names())]
    assert {word for name in names for word in words_of(name)} <= frequencies().keys()
    assert all(0 <= zipf <= 8 for zipf in frequencies().values())


def test_the_table_tells_its_source_version_and_licence():
    comment = [line for line in FREQUENCIES.read_text("utf-8").splitlines() if line[0] == "#"]
    told = " ".join(comment)
    assert all(word in told for word in ("wordfreq 3.1.1", "CC BY-SA 4.0", "--measure"))


def test_every_held_out_name_was_read_and_nothing_else():
    assert read_names().keys() == {each.name for each in held_out_names()}
    assert {each.verdict for each in read_names().values()} == set(VERDICTS)


def test_a_false_friend_has_another_meaning_and_no_other_name_has():
    for each in read_names().values():
        assert bool(each.usual_meaning) == (each.verdict == FALSE_FRIEND), each.name


def test_no_more_names_fail_than_are_known_to():
    found = Counter(fault for faults in failing().values() for fault in faults)
    assert found <= KNOWN, found - KNOWN


def test_the_words_of_ordinary_names_meet_the_bound_but_for_one_in_twelve():
    words = {word for each in ordinary_names() for word in words_of(each.name)}
    rare = [word for word in words if frequencies()[word] < LEAST_ZIPF]
    assert len(rare) <= len(words) / 12


def test_a_press_is_a_cupboard_in_held_out_names_and_a_machine_in_ordinary_ones():
    presses = [name for name, others in shared_heads().items() if head_of(name) == "press"]
    assert "Crockery press" in presses
    assert shared_heads()["Crockery press"] == ("Drill press",)


def test_what_is_proposed_instead_meets_the_bound_and_is_no_name_yet():
    taken = {each.name.casefold() for each in (*ordinary_names(), *held_out_names())}
    proposed = [each.instead for each in read_names().values() if each.instead]
    assert len(set(proposed)) == len(proposed) > 100
    assert not taken & {name.casefold() for name in proposed}
    assert [name for name in proposed if is_rare(name)] == []
