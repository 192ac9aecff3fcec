"""Every kind of goal is known to the planner and to PDDL, or refused by its name."""

from types import SimpleNamespace

import pytest

from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.goals import PREDICATES
from earsim.planner import literals, plan
from earsim.planner.laboratory.demands import OF_APPARATUS
from earsim.planner.pddl import goal as pddl_goal
from earsim.schema.goal_tree import Leaf
from earsim.suites import open_suite


@pytest.fixture(scope="module")
def engine():
    return Engine(next(iter(open_suite("starter"))))


def test_every_predicate_has_a_reader():
    """Numbers are constant, so they need none; plans at apparatus are made elsewhere."""
    assert {*literals._READERS, "quantity", *OF_APPARATUS} == set(PREDICATES)


def test_the_planner_refuses_a_goal_that_it_does_not_know(engine, monkeypatch):
    key = literals.leaf_of(engine.scenario.task.goal.all[0])[0]
    known = {name: read for name, read in literals._READERS.items() if name != key}
    monkeypatch.setattr(literals, "_READERS", known)
    with pytest.raises(UsageError, match=f"cannot plan for the goal '{key}'"):
        plan(engine)


def test_pddl_refuses_a_goal_that_it_does_not_know(engine, monkeypatch):
    monkeypatch.setattr(pddl_goal, "PREDICATES", {"empty": lambda fact: lambda world: False})
    monkeypatch.setattr(pddl_goal, "resolved", lambda fact, answer: fact)
    names = dict.fromkeys((*engine.blueprint.rooms, *engine.blueprint.things), "x")
    condition = object.__new__(pddl_goal.Condition)
    condition._engine, condition._names = engine, names
    with pytest.raises(UsageError, match="'empty' cannot be said in PDDL"):
        condition._leaf(Leaf("empty", SimpleNamespace(object="barrel")))
