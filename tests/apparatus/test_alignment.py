"""Protocols step by step: what is missing, extra, swapped, and which parameters are wrong."""

from itertools import combinations, permutations

import pytest

from earsim.apparatus.alignment import StepMark, align
from earsim.apparatus.protocol import Step, sequence_similarity

SIGN = {StepMark.SAME: "", StepMark.SWAPPED: "~", StepMark.MISSING: "-", StepMark.EXTRA: "+"}


def told(performed, reference):
    found = align([Step(a) for a in performed], [Step(a) for a in reference])
    return " ".join(SIGN[step.mark] + step.action for step in found)


@pytest.mark.parametrize(
    ("performed", "reference", "says"),
    [
        ("abcd", "abcd", "a b c d"),
        ("acd", "abcd", "a -b c d"),
        ("abc", "abcd", "a b c -d"),
        ("", "ab", "-a -b"),
        ("xab", "ab", "+x a b"),
        ("aba", "ab", "a b +a"),
        ("dabc", "abcd", "~d a b c"),
        ("aa", "aba", "a -b a"),
        ("xb", "ab", "+x -a b"),
    ],
)
def test_what_is_missing_extra_and_swapped_is_marked(performed, reference, says):
    assert told(performed, reference) == says


def test_as_few_steps_as_possible_are_swapped_in_every_permutation():
    for order in permutations("abcde"):
        marks = [step.mark for step in align([Step(a) for a in order], [Step(a) for a in "abcde"])]
        kept = max(n for n in range(1, 6) for part in combinations(order, n)
                   if list(part) == sorted(part))  # fmt: skip
        assert marks.count(StepMark.SAME) == kept
        assert marks.count(StepMark.SWAPPED) == 5 - kept
        assert (marks.count(StepMark.SAME) == 5) == (sequence_similarity(order, "abcde") == 1)


def test_each_step_stands_once_with_its_places():
    found = align([Step(a) for a in "ddab"], [Step(a) for a in "abcd"])
    assert [(s.action, s.done_at, s.wanted_at) for s in found] == [
        ("d", 1, 4), ("d", 2, None), ("a", 3, 1), ("b", 4, 2), ("c", None, 3)
    ]  # fmt: skip


def test_parameters_are_compared_in_their_units():
    (spin,) = align(
        [Step("spin", {"speed": 300, "time": "600 s", "lid": True})],
        [Step("spin", {"speed": 300, "time": "15 min", "temperature": 4})],
    )
    assert [(p.name, p.right) for p in spin.parameters] == [
        ("speed", True), ("time", False), ("temperature", False), ("lid", True)
    ]  # fmt: skip
    assert not any(p.right for p in align([], [Step("spin", {"speed": 1})])[0].parameters)
