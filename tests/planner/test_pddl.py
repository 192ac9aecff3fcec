"""What is exported as PDDL: names, scales, plans back, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from earsim.actions.verb import Call
from earsim.engine import Engine
from earsim.errors import FileError, UsageError
from earsim.planner import CommandClass
from earsim.planner.pddl import export, read_plan, replay
from earsim.planner.pddl.circuit import Circuit
from earsim.planner.pddl.names import pddl_names
from earsim.planner.pddl.scale import DiagramStep, Weight, scale
from earsim.schema import Scenario
from earsim.suites import open_suite
from tests.planner.small_worlds import NOTHING, RULESETS, Data, scenario_of

LAMP = {"id": "lamp", "kind": "item", "in": "hall", "mass_kg": 1, "states": {"is_on": False}}
LIT = {"has_state": {"object": "lamp", "state": "is_on"}}
INEXACT = {
    ("boat_shed", "ear-bench"),
    ("harbour_warehouse", "ear-bench"),
    ("ward_on_wheels", "physical"),
}
"""Scenes with three things that weigh just what an agent can lift, or by binary fractions more; and
one with wheels.
"""

STEPS = "(explore-room hall)\n(goto-piece lamp)\n(turn_on lamp)\n; cost = 3 (unit cost)\n"


def alone(ruleset: str = "physical", *things: Data, goal: Data = LIT, **limits: float) -> Engine:
    """One room, and one agent in it who can lift 10 kg."""
    agent = {"id": "ada", "max_mass_kg": 10, **limits}
    return Engine(scenario_of(ruleset, ["hall"], [LAMP, *things], [agent], goal))


def thing(name: str, mass_kg: float = 1, **more: object) -> Data:
    return {"id": name, "kind": "item", "in": "hall", "mass_kg": mass_kg, **more}


def one_of_each_scene() -> list[Scenario]:
    """Of those in which no number changes by itself."""
    found = {s.scene.id: s for s in open_suite("starter") if len(s.agents) == 1}
    return [s for s in found.values() if Engine(s).blueprint.live is None]


# -- scales --------------------------------------------------------------------------------------


def leads_over(steps: list[DiagramStep], present: set[str]) -> bool:
    """Whether one comes from the first mark to the last past what is there."""
    reached = {"m0"}
    while True:
        more = {
            step.end
            for step in steps
            if step.start in reached and (step.weight is None or step.weight.names in present)
        }
        if more <= reached:
            return "over" in reached
        reached |= more


@pytest.mark.parametrize("seed", range(20))
def test_a_scale_tells_of_every_sum_whether_it_is_too_large(seed):
    rng = Random(seed)
    amounts = [rng.choice([0, 0.1, 0.25, 0.7, 1.1, 3]) for _ in range(rng.randint(0, 8))]
    weights = [Weight("add", f"w{i}", Fraction(str(a))) for i, a in enumerate(amounts)]
    limit = Fraction(rng.randint(0, 60), 10)
    steps = scale(weights, limit, mark="m", over="over")
    for size in range(len(weights) + 1):
        for chosen in combinations(weights, size):
            too_large = sum(weight.amount for weight in chosen) > limit
            assert leads_over(steps, {weight.names for weight in chosen}) is too_large


def test_a_scale_that_nothing_tips_is_left_out():
    assert scale([Weight("add", "cup", Fraction(1))], Fraction(1), mark="m", over="over") == []


def test_too_much_to_weigh_is_refused():
    weights = [Weight("add", f"w{i}", Fraction(1)) for i in range(500)]
    with pytest.raises(UsageError, match="500 things"):
        scale(weights, Fraction(100), mark="m", over="over")
    odd = [Weight("add", f"w{i}", Fraction(1 << i)) for i in range(40)]
    rng = Random(0)
    odd = [weight._replace(amount=Fraction(rng.randint(1, 1 << 40))) for weight in odd]
    with pytest.raises(UsageError, match="differ too much"):
        scale(odd, Fraction(10 << 40), mark="m", over="over")


def is_over(circuit: Circuit, there: set[str], *roots: str) -> bool:
    """Whether the wire `over` is 1 with some inputs; every wire stands after those it needs."""
    ones = {circuit.wires[0], *roots}
    for step in circuit.steps:
        if isinstance(step, DiagramStep):
            one = step.weight is not None and step.weight.names in there
        else:
            first, second = step.first in ones, step.second in ones
            one = first and second if step.kind == "both" else first != second
        if one:
            ones.add(step.end)
    return "over" in ones


@pytest.mark.parametrize("seed", range(20))
def test_a_circuit_tells_of_every_sum_whether_it_is_too_large(seed):
    rng = Random(seed)
    amounts = [rng.choice([0, 0.1, 0.25, 0.7, 1.13, 3]) for _ in range(rng.randint(1, 8))]
    weights = [Weight("add", f"w{i}", Fraction(str(a))) for i, a in enumerate(amounts)]
    limit = Fraction(rng.randint(0, 60), 10) + Fraction(1, 10**9)
    circuit = Circuit(weights, [limit], "m")
    circuit.compare(limit, "over")
    for size in range(len(weights) + 1):
        for chosen in combinations(weights, size):
            too_large = sum(weight.amount for weight in chosen) > limit
            assert is_over(circuit, {weight.names for weight in chosen}) is too_large


def test_a_circuit_serves_several_limits_and_places():
    places = ["box", "bin"]
    weights = [
        Weight("fill", f"{name} {place}", Fraction(amount))
        for name, amount in (("a", 5), ("b", 6), ("c", 4))
        for place in places
    ]
    limits = {"box": Fraction(10), "bin": Fraction(3)}
    circuit = Circuit(weights, list(limits.values()), "m")
    roots = {place: circuit.wire() for place in places}
    for place, limit in limits.items():
        circuit.compare(limit, "over", root=roots[place])
    assert is_over(circuit, {"a box", "b box"}, roots["box"])
    assert not is_over(circuit, {"b box", "c box"}, roots["box"])
    assert is_over(circuit, {"c bin"}, roots["bin"])
    assert not is_over(circuit, set(), roots["bin"])
    assert not is_over(circuit, {"a box", "b box"})


# -- names ---------------------------------------------------------------------------------------


def test_names_can_be_told_apart_without_case():
    ids = ["Cup", "cup", "CUP", "3rd", "_x", "room", "over"]
    names = pddl_names(ids)
    assert list(names) == ids
    assert len({name.lower() for name in names.values()}) == len(ids)
    assert all(name[0].isalpha() and name == name.lower() for name in names.values())
    assert names["room"] != "room"


# -- size ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_masses_and_volumes_of_many_digits_take_few_facts(ruleset):
    rng = Random(0)
    things = [
        thing(f"t{i}", round(rng.uniform(0.03, 9), 3), volume_l=round(rng.uniform(0.1, 60), 3))
        for i in range(40)
    ]
    boxes = [thing(f"box{i}", container={"capacity_l": 90 + i}) for i in range(8)]
    task = export(alone(ruleset, *things, *boxes, max_mass_kg=25.5))
    assert len(task.problem.splitlines()) < 4_000
    assert "(not (reached ?m))" in task.domain


@pytest.mark.parametrize("ruleset", RULESETS)
def test_where_sums_are_diagrams_no_predicate_depends_on_its_own_negation(ruleset):
    task = export(alone(ruleset, thing("a", 1), thing("b", 2), max_mass_kg=2.5))
    assert "(add " in task.problem
    derived = [axiom.split("(:action")[0] for axiom in task.domain.split("(:derived ")[1:]]
    assert derived
    for axiom in derived:
        predicate = axiom[1:].split()[0]
        assert f"(not ({predicate} " not in axiom
    assert ";;GATES" not in task.domain


# -- what is refused -----------------------------------------------------------------------------


def test_a_team_is_refused():
    scenario = next(scenario for scenario in open_suite("starter") if len(scenario.agents) > 1)
    with pytest.raises(UsageError, match=r"agents, not one"):
        export(Engine(scenario))


def test_the_exploits_of_ear_bench_are_refused():
    with pytest.raises(UsageError, match="near set"):
        export(alone("ear-bench"), command_class=CommandClass.ANY)
    assert export(alone("physical"), command_class=CommandClass.ANY)


def test_many_hands_are_refused_where_each_could_hold_a_box():
    with pytest.raises(UsageError, match="5 hands"):
        export(alone("physical", hands=5))
    assert export(alone("ear-bench", hands=5))


def test_sums_that_binary_fractions_get_wrong_are_refused():
    things = [thing("a", 0.1), thing("b", 0.2)]
    with pytest.raises(UsageError, match="a and b weigh as much as ada can lift"):
        export(alone("ear-bench", *things, max_mass_kg=0.3))
    assert export(alone("ear-bench", *things, max_mass_kg=0.4))
    assert export(alone("physical", *things, max_mass_kg=0.3))


# -- what is written -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_action_is_a_command_of_the_engine(ruleset):
    commands = 0
    for scenario in one_of_each_scene():
        if (scenario.scene.id, ruleset) in INEXACT:
            continue
        engine = Engine(scenario, ruleset)
        task = export(engine)
        for action, command in task.commands.items():
            call = engine.parse(command.format(*"abcdef"))
            assert isinstance(call, Call), f"{action}: {command}"
            commands += 1
        assert task.domain.count("(:action") == len(task.commands)
        for text in (task.domain, task.problem):
            code = "\n".join(line.partition(";")[0] for line in text.splitlines())
            assert code.count("(") == code.count(")")
    assert commands > 10


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (LIT, "(is_on lamp)"),
        ({"has_state": {"object": "lamp", "state": "is_on", "equals": 0}}, "(not (is_on lamp))"),
        ({"has_state": {"object": "lamp", "state": "is_odd", "equals": None}}, "(and)"),
        ({"not": LIT}, "(not (is_on lamp))"),
        ({"any": [LIT, {"held_by": {"object": "lamp"}}]}, "(or (is_on lamp) (in-hand lamp))"),
        ({"all": []}, "(and)"),
        (NOTHING, "(never)"),
        ({"at": {"object": "lamp", "on": "box"}}, "(and (at lamp box) (not (inside lamp)))"),
        ({"at": {"object": "lamp", "place": ":box"}}, "(and (at lamp box))"),
        ({"at": {"object": "lamp", "place": ":ada"}}, "(in-hand lamp)"),
        ({"at": {"object": "lamp", "place": ":nowhere"}}, "(never)"),
        ({"inside_room": {"object": "lamp", "room": "hall"}}, "(inside-room lamp hall)"),
        ({"inside_room": {"object": "ada", "room": "hall"}}, "(agent-in hall)"),
        ({"quantity": {"object": "box", "of": "mass_kg", "at_least": 2}}, "(never)"),
        ({"done_jointly": {"object": "lamp", "state": "is_on"}}, "(never)"),
    ],
)
def test_a_goal_is_a_condition(goal, expected):
    problem = export(alone("physical", thing("box", container={}), goal=goal)).problem
    assert problem.rstrip().endswith(f"(:goal (and (not (reached broken))\n    {expected})))")


# -- plans back ----------------------------------------------------------------------------------


def test_a_plan_is_read_and_carried_out():
    engine = alone()
    task = export(engine)
    commands = read_plan(task, STEPS)
    assert commands == ("EXPLORE", "GOTO lamp", "TURN_ON lamp")
    assert replay(engine, task, commands).is_valid
    assert (
        read_plan(task, "0.001: (GOTO-PIECE Lamp Hall) [1]\nexplore-room hall") == commands[1::-1]
    )


@pytest.mark.parametrize(
    ("commands", "accepted", "reached"),
    [(["EXPLORE"], True, False), (["TURN_ON lamp"], False, False), ([], True, False)],
)
def test_a_plan_that_does_not_do_is_told(commands, accepted, reached):
    engine = alone()
    found = replay(engine, export(engine), commands)
    assert all(outcome.accepted for outcome in found.outcomes) is accepted
    assert found.reached is reached
    assert not found.is_valid


def test_lines_that_are_no_actions_are_named():
    text = "(explore-rooms hall)\n\n(goto-piece)\n"
    with pytest.raises(FileError) as error:
        read_plan(export(alone()), text, source="p")
    assert [str(finding) for finding in error.value.findings] == [
        "p:1: no action 'explore-rooms' (did you mean 'explore-room'?)",
        "p:3: too few arguments of goto-piece",
    ]
