"""Metrics that a user writes: what they mean, and that nothing but arithmetic is in them."""

import pytest

from earsim.errors import UsageError
from earsim.evaluation.study.expression import Expression

EPISODES = [
    {"success": 1, "decisions": 10, "budget": 20, "cost_units": 100},
    {"success": 0, "decisions": 20, "budget": 20, "cost_units": 300},
    {"success": 1, "decisions": 6, "budget": 30},
]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("decisions", 12),
        ("decisions / budget", (0.5 + 1 + 0.2) / 3),
        ("mean(decisions) / mean(budget)", 12 * 3 / 70),
        ("share(success)", 2 / 3),
        ("share(decisions > 6 and not success)", 1 / 3),
        ("mean(decisions where success = 1)", 8),
        ("max(cost_units)", 300),
        ("max(decisions, 15)", (15 + 20 + 15) / 3),
        ("sum(cost_units) - 2 * count()", 394),
        ("count(decisions where decisions >= 10)", 2),
        ("-(1 + 2) * 3", -9),
        ("1 + 2 * 3 - 4 / 2", 5),
        ("8 / 2 / 2", 2),
        ("mean(cost_units where success != 1 or decisions < 11)", 200),
        ("not 0", 1),
        ("1e3", 1000),
    ],
)
def test_values(text, value):
    assert Expression(text).over(EPISODES) == pytest.approx(value)


@pytest.mark.parametrize("text", ["1 / 0", "mean(decisions where success = 7)", "max(cost_units)"])
def test_what_does_not_exist_is_no_number(text):
    rows = [] if "max" in text else EPISODES
    assert Expression(text).over(rows) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "character 1"),
        ("decisions +", "character 12"),
        ("(decisions", "character 11"),
        ("decisions decisions", "character 11"),
        ("success.real", "character 8"),
        ("__import__('os')", "character 12"),
        ("open(decisions)", "character 1"),
        ("eval(1)", "character 1"),
        ("mean(a, b)", "character 7"),
        ("1 ** 2", "character 4"),
        ("lambda: 1", "character 7"),
        ("x[0]", "character 2"),
        ("where", "character 1"),
        ("mean(decisions) + decisions", "outside"),
        ("mean(max(decisions))", "inside"),
        ("(" * 40 + "1" + ")" * 40, "deep"),
        ("not " * 40 + "1", "deep"),
        ("1+" * 300 + "1", "500 characters"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, place):
    with pytest.raises(UsageError, match=place):
        Expression(text)


def test_an_unknown_name_is_told_with_a_near_one():
    with pytest.raises(UsageError, match="did you mean 'decisions'"):
        Expression("decision").require(EPISODES[0])
    Expression("decisions / cost_units").require(EPISODES[0])
