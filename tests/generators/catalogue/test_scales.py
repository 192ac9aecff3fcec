"""How numbers are drawn: on scales that people read, within their ranges."""

import pytest

from earsim_generators.catalogue.kinds import ItemKind, Span
from earsim_generators.catalogue.scales import Scale, scales_of


def scale(field: str, rule: object) -> Scale:
    kind = ItemKind.model_validate(
        {
            "id": "x",
            "names": ["X"],
            "material": "pine",
            "size_m": [1, 1, 1],
            "numbers": {field: rule},
        }
    )
    (found,) = scales_of(kind.numbers, Span(1.0, 100.0))
    return found


@pytest.mark.parametrize(
    ("field", "rule", "position", "expected"),
    [
        ("pressure_bar", [40, 200], 0.0, 40),
        ("pressure_bar", [40, 200], 0.123, 60),
        ("charge_percent", [0, 100], 0.503, 50),
        ("price_eur", {"range": [10, 60], "step": 5}, 0.49, 35),
        ("voltage_v", {"range": [1, 9], "step": 0.5}, 0.2, 2.5),
        ("pieces_count", [1, 10], 0.5, 6),
        ("age_years", [3, 3], 0.9, 3),
        ("worth_eur", [10, 100_000], 0.5, 1000),
        ("worth_eur", [10, 100_000], 0.6117, 2800),
        ("deviation_s", [1, 400], 0.0, 1),
        ("content_l", {"share": [0.2, 0.6], "step": 0.1}, 1.0, 0.6),
    ],
)
def test_a_position_is_read_as_a_round_number(field, rule, position, expected):
    found = scale(field, rule)
    assert found.rounded(found.at(position)) == expected


def test_long_ranges_are_even_over_orders_of_magnitude():
    found = scale("worth_eur", [1, 10_000])
    assert [round(found.at(position)) for position in (0, 0.25, 0.5, 0.75, 1)] == [
        1, 10, 100, 1000, 10_000,
    ]  # fmt: skip


def test_numbers_of_a_long_range_have_two_digits():
    found = scale("worth_eur", [1, 100_000])
    numbers = [found.rounded(found.at(step / 97)) for step in range(98)]
    assert all(float(f"{number:.2g}") == number for number in numbers)


def test_no_decimals_of_binary_fractions_are_left():
    found = scale("pressure_bar", {"range": [0.2, 3.0], "step": 0.1})
    numbers = [found.rounded(found.at(step / 28)) for step in range(29)]
    assert [str(number) for number in numbers[:4]] == ["0.2", "0.3", "0.4", "0.5"]
    assert all(len(str(number)) <= 3 for number in numbers)
