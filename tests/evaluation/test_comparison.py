"""Paired comparison: only the same scenarios, and a warning for whatever is not the same."""

from dataclasses import replace

import pytest

from earsim.evaluation.metrics.comparison import (
    MCNEMAR,
    SIGN_FLIP,
    PairedComparison,
    compare,
    compare_by_category,
    warnings,
)
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.metrics.statistics import mcnemar
from earsim.evaluation.report.comparison_tables import category_tables, compared
from tests.evaluation.runs import episode, recorded, row, run

SAME = ("0.1.0", "0.1.0")


def test_scenario_by_scenario():
    first = [episode(name, won=name in "ab") for name in "abcdefgh"]
    second = [episode(name, won=name in "acdefg") for name in "abcdefgh"]
    found = compare(first, second)
    assert (found.pairs, found.better, found.worse, found.test) == (8, 5, 1, MCNEMAR)
    assert (found.first, found.second, found.difference) == (0.25, 0.75, 0.5)
    assert found.p == mcnemar(1, 5)
    assert found.interval is not None
    assert found.interval.low < 0.5 < found.interval.high


def test_the_other_way_round_is_the_same_with_another_sign():
    first = [episode(name, won=name in "ab") for name in "abcdefgh"]
    second = [episode(name, won=name in "acdefg") for name in "abcdefgh"]
    there, back = compare(first, second), compare(second, first)
    assert there.p == back.p
    assert there.difference == -(back.difference or 0)


def test_repeats_take_a_test_for_shares():
    first = [episode(name, repeat=r) for name in "abcdefgh" for r in range(3)]
    second = [episode(name, won=r > 0, repeat=r) for name in "abcdefgh" for r in range(3)]
    found = compare(first, second)
    assert found.test == SIGN_FLIP
    assert found.difference == pytest.approx(2 / 3)
    assert found.p == pytest.approx(2 / 2**8, rel=0.5)


def test_few_scenarios_that_all_differ_leave_the_difference_open():
    first = [episode(name) for name in "abcde"]
    second = [episode(name, won=True) for name in "abcde"]
    found = compare(first, second)
    assert found.difference == 1
    assert found.interval == pytest.approx((0.386, 1.0), abs=5e-4)


def test_p_values_of_categories_are_adjusted_for_how_many_there_are(tmp_path):
    won = {"outcome": "success", "success_final": True}
    kinds = ("direct_command", "tool_use")
    tasks = [(f"{kind}/{n}", kind) for kind in kinds for n in range(6)]
    first = run(tmp_path / "one", [recorded(row(id, category=kind)) for id, kind in tasks])
    second = run(tmp_path / "two", [recorded(row(id, category=kind, **won)) for id, kind in tasks])
    (table,) = category_tables(compared(read_groups([first, second])))
    assert table.head[-2:] == ("p", "p, Holm")
    assert [row.cells[-2:] for row in table.rows] == [("0.031", "0.062")] * 2


def test_what_differs_or_is_missing_is_left_out_and_told():
    first = [episode("a"), episode("b"), episode("c"), episode("d", measured=False)]
    second = [episode("a", won=True), replace(episode("b"), scenario_hash="new"), episode("d")]
    found = compare(first, second)
    assert (found.pairs, found.changed, found.unmatched) == (1, 1, 2)
    told = warnings(first, second, SAME)
    assert "1 scenarios have changed in between and are left out" in told
    assert "2 scenarios were measured by one only and are left out" in told


def test_other_rules_and_other_versions_are_told():
    first, second = [episode("a")], [replace(episode("a"), ruleset="physical/3")]
    assert warnings(first, first, SAME) == []
    assert warnings(first, second, SAME) == ["the rules differ: physical/2 and physical/3"]
    assert warnings(first, first, ("0.1.0", "0.2.0")) == [
        "the environment differs: earsim 0.1.0 and 0.2.0"
    ]


def test_nothing_in_common_compares_nothing():
    found = compare([episode("a")], [episode("b")])
    nothing = PairedComparison(0, None, None, None, None, 0, 0, None, MCNEMAR, 0, 2)
    assert found == nothing


def test_by_category():
    first = [episode("a"), episode("b", category="tool_use")]
    second = [episode("a", won=True), episode("b", category="tool_use")]
    found = dict(compare_by_category(first, second))
    assert found["direct_command"].difference == 1
    assert found["tool_use"].difference == 0
    other = episode("c", category="compound_reasoning")
    found = dict(compare_by_category(first, [other]))
    assert list(found) == ["direct_command", "tool_use", "compound_reasoning"]
    assert [each.unmatched for each in found.values()] == [1, 1, 1]


def test_repeats_on_one_side_alone_take_a_test_for_shares_too():
    once = [episode(name) for name in "ab"]
    twice = [episode(name, repeat=repeat) for name in "ab" for repeat in range(2)]
    assert compare(once, twice).test == compare(twice, once).test == SIGN_FLIP


def test_scenarios_with_equal_shares_are_neither_better_nor_worse():
    first = [episode("a", won=True), episode("b"), episode("c")]
    second = [episode("a", won=True), episode("b", won=True), episode("c")]
    found = compare(first, second)
    assert (found.pairs, found.better, found.worse) == (3, 1, 0)


def test_rules_of_what_was_never_played_are_none():
    unplayed = [replace(episode("a"), ruleset="")]
    assert warnings([episode("a")], unplayed, SAME) == ["the rules differ: physical/2 and none"]
