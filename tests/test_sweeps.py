"""The thirds of sweeps: each case is in one of them, whatever is collected beside it."""

from typing import NamedTuple

import pytest

from tests.sweeps import left_to_other_thirds


class Case(NamedTuple):
    """Of a collected test, what thirds are by."""

    nodeid: str
    is_of_a_sweep: bool = True

    def get_closest_marker(self, name: str) -> object:
        return name if self.is_of_a_sweep and name == "sweep" else None


WIDE = [Case(f"tests/a.py::test_wide[{number}]") for number in range(50)]
FEW = [Case(f"tests/b.py::test_few[{number}]") for number in range(4)]
OTHER = [Case("tests/c.py::test_other", is_of_a_sweep=False)]


def run(cases: list[Case], third: int) -> set[Case]:
    return {*cases} - left_to_other_thirds(cases, third)  # type: ignore[arg-type]


def test_every_case_is_in_one_third_and_thirds_are_of_a_size():
    parts = [run(WIDE, third) for third in (1, 2, 3)]
    assert sorted(map(len, parts)) == [16, 17, 17]
    assert set().union(*parts) == {*WIDE}


def test_every_third_has_what_is_of_no_sweep():
    assert all(run(OTHER, third) == {*OTHER} for third in (1, 2, 3))


@pytest.mark.parametrize("third", [1, 2, 3])
def test_what_is_collected_beside_it_does_not_matter(third: int):
    together = run([*OTHER, *WIDE[::-1], *FEW], third)
    assert together == run(OTHER, third) | run(WIDE, third) | run(FEW, third)
