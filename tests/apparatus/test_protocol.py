"""Nearness of protocols: the examples of the definitions, and a brute-force twin."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim.apparatus.amounts import AMOUNT_UNITS, UnitAmount, converted, read_amount
from earsim.apparatus.protocol import Step, agrees, parameter_accuracy, sequence_similarity


@pytest.mark.parametrize(
    ("performed", "similarity"),
    [
        ("abcd", 1.0),
        ("dcba", 0.0),
        ("bacd", 0.8333),
        ("dabc", 0.5),
        ("abd", 0.5),
        ("abcx", 0.3),
        ("", 0.0),
        ("abcdabcd", 6 / 28),  # twice
        ("wxyz", 0.0),  # unrelated
    ],
)
def test_similarity_to_abcd(performed: str, similarity: float):
    assert sequence_similarity(performed, "abcd") == pytest.approx(similarity, abs=5e-5)


def test_a_single_instance_is_there_or_not():
    assert sequence_similarity("a", "a") == 1.0
    assert sequence_similarity("", "a") == 0.0
    assert sequence_similarity("b", "a") == 0.0
    assert sequence_similarity("", "") == 1.0


def brute_force(performed: str, reference: str) -> float:
    """Letters are told apart by what they are the how-manieth of; then every pair is looked at."""

    def places(text: str) -> dict[tuple[str, int], int]:
        seen: Counter[str] = Counter()
        found = {}
        for place, letter in enumerate(text):
            seen[letter] += 1
            found[letter, seen[letter]] = place
        return found

    first, second = places(performed), places(reference)
    union = sorted({*first, *second})
    if len(union) < 2:
        return float(set(first) == set(second))
    discordant = 0
    for a, b in combinations(union, 2):
        both = all(each in first and each in second for each in (a, b))
        discordant += not both or (first[a] - first[b]) * (second[a] - second[b]) < 0
    return 1 - discordant / (len(union) * (len(union) - 1) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("length", range(6))
def test_every_pair_of_permutations_up_to_length_5(length: int):
    letters = "abcde"[:length]
    for one in permutations(letters):
        for other in permutations(letters):
            found = sequence_similarity(one, other)
            assert found == pytest.approx(brute_force("".join(one), "".join(other)))


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_of_any_two_lists(one: str, other: str):
    found = sequence_similarity(one, other)
    assert found == pytest.approx(brute_force(one, other))
    assert found == sequence_similarity(other, one)
    assert 0.0 <= found <= 1.0
    assert (found == 1.0) == (one == other)


def test_two_of_three_parameters_are_right():
    reference = [Step("spin", {"speed": 300, "time": 15, "temp": 4})]
    performed = [Step("spin", {"speed": 300, "time": 10, "temp": 4, "more": 1})]
    assert parameter_accuracy(performed, reference) == pytest.approx(2 / 3)


def test_parameters_are_those_of_the_same_occurrence():
    reference = [Step("ice", {"time": "30 min"}), Step("ice", {"time": "2 min"})]
    assert parameter_accuracy(reference, reference) == 1.0
    assert parameter_accuracy(reference[::-1], reference) == 0.0
    assert parameter_accuracy(reference[:1], reference) == 0.5
    assert parameter_accuracy([], reference) == 0.0
    assert parameter_accuracy([], [Step("ice")]) == 1.0


@pytest.mark.parametrize(
    ("value", "wanted", "same"),
    [
        ("600 s", "10 min", True),
        ("605 s", "10 min", True),
        ("607 s", "10 min", False),
        ("37 C", "310.15 K", True),
        ("98.6 F", "37 C", True),
        ("0.1 mL", "100 uL", True),
        ("10 min", "10 uL", False),
        ("10 min", 10, True),
        (10, "10 min", True),
        (0, 0, True),
        (0.001, 0, False),
        ("LB", "lb", True),
        ("lb", "soc", False),
        (True, True, True),
        (1, True, False),
    ],
)
def test_values_agree_within_a_percent_after_conversion(value, wanted, same):
    assert agrees(value, wanted) is same


@pytest.mark.parametrize("unit", AMOUNT_UNITS)
def test_a_unit_converts_to_each_of_its_dimension_and_back(unit: str):
    for other, meaning in AMOUNT_UNITS.items():
        there = converted(UnitAmount(3.5, unit), other)
        if meaning.dimension != AMOUNT_UNITS[unit].dimension:
            assert there is None
        else:
            assert there is not None
            assert converted(UnitAmount(there, other), unit) == pytest.approx(3.5, rel=1e-6)


def test_texts_that_are_no_amounts():
    assert [read_amount(text) for text in ("", "s", "3 parsecs", "1_0 s", "٣ s", "nan")] == [
        None
    ] * 6
