"""Success where agents may report: with the right claim alone, or with the goal and no claim."""

from types import SimpleNamespace

import pytest

from earsim.goals.claim import DONE, claimed
from earsim.goals.tree import CompiledGoal

pytestmark = pytest.mark.stand_ins

GOAL = CompiledGoal((lambda world: world.warm, lambda world: world.shut))


def score(
    right: str, claim: str, *, warm: bool = False, shut: bool = False, shut_first: bool = False
) -> tuple[int, int]:
    judged = claimed(GOAL, right, SimpleNamespace(claim="", warm=False, shut=shut_first))
    return judged.score(SimpleNamespace(claim=claim, warm=warm, shut=shut)), len(judged.parts)


def test_what_can_be_done_is_done_without_any_claim():
    assert score(DONE, "", warm=True, shut=True) == (2, 2)
    assert score(DONE, "", warm=True) == (1, 2)
    assert score(DONE, "") == (0, 2)
    assert score(DONE, "impossible", warm=True, shut=True) == (0, 2)


@pytest.mark.parametrize("right", ["impossible", "unclear"])
def test_what_cannot_is_reported_as_it_is_and_counts_as_many_parts(right: str):
    assert score(right, right) == (2, 2)
    assert score(right, "") == (0, 2)
    assert score(right, "impossible" if right == "unclear" else "unclear") == (0, 2)


@pytest.mark.parametrize("right", ["impossible", "unclear"])
def test_the_score_at_the_start_is_that_of_what_can_be_done_and_never_full_without_the_claim(right):
    for shut in (False, True):
        start = {"shut": shut, "shut_first": shut}
        assert score(right, "", **start) == score(DONE, "", **start)
        assert score(right, "", warm=True, shut=True, shut_first=shut) == (1, 2)
        assert score(right, right, **start) == (2, 2)
