"""Design search: what it finds meets the requirements, and it says what it did."""

import math

import pytest

from earsim.apparatus.design import Requirement, margin, search
from earsim.apparatus.maglev import MAGLEV
from earsim.apparatus.maglev.reference import REQUIREMENTS, reference
from earsim.apparatus.parameter import Parameter

X = Parameter("x", "abscissa", 0.0, low=-4.0, high=4.0)
Y = Parameter("y", "ordinate", 0.0, low=0.0, high=9.0)


def hill(settings):
    x, y = settings["x"], settings["y"]
    return {"height": settings["top"] - (x - 1.25) ** 2 - (y - 3.5) ** 2}


@pytest.mark.parametrize(
    ("requirement", "results", "expected"),
    [
        (Requirement("a", high=5.0), {"a": 4.0}, 0.2),
        (Requirement("a", high=5.0), {"a": 6.0}, -0.2),
        (Requirement("a", low=10.0), {"a": 15.0}, 0.5),
        (Requirement("a", low=1.0, high=3.0), {"a": 1.5}, 0.5),
        (Requirement("a", high=0.0), {"a": -0.5}, 0.5),
        (Requirement("a", equals=True), {"a": True}, math.inf),
        (Requirement("a", equals=True), {"a": False}, -math.inf),
        (Requirement("a", high=5.0), {"a": None}, -math.inf),
        (Requirement("a", low=5.0), {"a": None}, -math.inf),
        (Requirement("a", low=5.0), {"a": None, "a_infinite": True}, math.inf),
        (Requirement("a", high=5.0), {"a": None, "a_infinite": True}, -math.inf),
        (Requirement("a", high=5.0), {"a": "much"}, -math.inf),
    ],
)
def test_how_far_inside_its_bounds_a_result_lies(requirement, results, expected):
    assert requirement.margin(results) == pytest.approx(expected)


def test_the_least_margin_counts():
    both = (Requirement("a", high=5.0), Requirement("b", low=1.0))
    assert margin({"a": 4.0, "b": 1.1}, both) == pytest.approx(0.1)


def test_the_top_of_a_hill_is_found():
    found = search(hill, [Requirement("height", low=1.0)], [X, Y], among={"top": 5.0})
    assert found.design["x"] == pytest.approx(1.25, abs=0.02)
    assert found.design["y"] == pytest.approx(3.5, abs=0.02)
    assert found.design["top"] == 5.0
    assert found.margin == pytest.approx(4.0, abs=0.01)
    assert "8 levels each of x x y" in found.grid


def test_every_design_computed_is_counted_and_within_bounds():
    seen = []

    def watched(settings):
        seen.append((settings["x"], settings["y"]))
        return {"height": settings["x"] + settings["y"]}

    found = search(watched, [Requirement("height", low=1.0)], [X, Y], among={})
    assert found.evaluated == len(seen)
    assert all(-4 <= x <= 4 and 0 <= y <= 9 for x, y in seen)
    assert (found.design["x"], found.design["y"]) == (4.0, 9.0)


def test_the_first_of_equally_good_designs_is_taken():
    found = search(lambda _: {"height": 3.0}, [Requirement("height", low=1.0)], [X, Y], among={})
    assert (found.design["x"], found.design["y"]) == (-4.0, 0.0)


def test_a_result_that_is_not_a_number_is_no_good_design():
    found = search(
        lambda at: {"height": math.nan if at["x"] > 0 else 2.0},
        [Requirement("height", low=1.0)],
        [X, Y],
        among={},
    )
    assert found.margin == 1.0
    assert found.design["x"] <= 0


@pytest.mark.slow
def test_a_design_for_the_rig_passes_when_it_is_run():
    found = reference()
    assert found is not None
    assert found.design["topology"] == "pid"
    results = MAGLEV.results(MAGLEV.advance(MAGLEV.start(found.design), 30.0).state)
    assert margin(results, REQUIREMENTS) > 0.1
    assert results["score"] == 100
    assert found.evaluated > 8 + 8**2 + 8**3


def test_the_simplest_topology_that_will_do_is_taken():
    found = reference([Requirement("settling_s", high=12.0), Requirement("stable", equals=True)])
    assert found is not None
    assert found.design["topology"] == "p"


def test_proportional_control_cannot_remove_the_error():
    words = [p for p in MAGLEV.parameters if p.name != "topology"]
    only_p = [*words, Parameter("topology", "parts of the controller", "p", choices=("p",))]
    assert reference(parameters=only_p) is None


@pytest.mark.slow
def test_narrower_bounds_are_kept():
    narrow = [p.narrowed(0.0, 3.0) if p.name == "Kp" else p for p in MAGLEV.parameters]
    found = reference(parameters=narrow)
    assert found is not None
    assert found.design["Kp"] <= 3.0
