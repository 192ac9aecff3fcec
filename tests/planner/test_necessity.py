"""What a label promises is proved by taking it away, or what was found instead is said."""

from typing import Any

import pytest

from earsim.engine import Engine
from earsim.goals.selectors import answered
from earsim.planner.proofs.ablation import ablated, grounded, without_abilities, without_joint_marks
from earsim.planner.proofs.answer_leak import leaked_answer
from earsim.planner.proofs.certificate import certify
from earsim.planner.proofs.claims import ask, at_most_as_long, reached_after
from earsim.planner.proofs.necessity import PROMISES, label_proof, prove_selector, prove_tool
from earsim.schema import Category, Scenario, SceneFile, Task, parse
from earsim.schema.certificate import (
    Certificate,
    LabelProof,
    Means,
    Proof,
    Question,
    Search,
    Shown,
)

SHED = """\
schema: earsim.scene/1
id: shed
rooms: [{id: yard, name: Yard, connects: [shed]}, {id: shed, name: Shed}]
objects:
  - {id: bench, name: Bench, kind: furniture, in: shed, mass_kg: 90}
  - {id: crate_a, name: Crate, kind: item, in: yard, mass_kg: 9, states: {is_dirty: true}}
  - {id: crate_b, name: Crate, kind: item, in: yard, mass_kg: 12, states: {is_dirty: true}}
  - {id: anvil, name: Anvil, kind: item, in: yard, mass_kg: 50, states: {is_on: false}}
  - {id: sponge, name: Sponge, kind: item, on: bench, mass_kg: 0.1, provides: [clean]}
abilities: [clean, turn_on]
tasks:
  - {id: do, category: CATEGORY, agents: AGENTS, select: SELECT, goal: GOAL,
     instruction: "INSTRUCTION"}
"""

ONE = "[{id: ada, max_mass_kg: 20}]"
TWO = "[{id: ada, max_mass_kg: 30}, {id: bo, max_mass_kg: 30}]"
HEAVIER = "{target: {largest: mass_kg, among: {name: Crate}}}"
CLEANED = "{has_state: {object: crate_a, state: is_dirty, equals: false}}"
PICKED_CLEANED = "{has_state: {object: $target, state: is_dirty, equals: false}}"
PICKED_IN = "{inside_room: {object: $target, room: shed}}"
ANVIL_IN = "{inside_room: {object: anvil, room: shed}}"
ON_TOGETHER = (
    "{all: [{has_state: {object: anvil, state: is_on}}, "
    "{done_jointly: {object: anvil, state: is_on}}]}"
)


def scenario(
    category: str,
    goal: str,
    *,
    agents: str = ONE,
    select: str = "{}",
    instruction: str = "Do it.",
    **changes: str,
) -> Scenario:
    """A task in the shed; `changes` replace words of the file."""
    text = SHED
    words = {"CATEGORY": category, "AGENTS": agents, "SELECT": select}
    words |= {"INSTRUCTION": instruction, "GOAL": goal, **changes}
    for old, new in words.items():
        assert old in text
        text = text.replace(old, new)
    found = parse(text)
    assert isinstance(found, SceneFile)
    return found.scenarios()[0]


def certificate(*args: Any, **kwargs: Any) -> Certificate:
    return certify(scenario(*args, **kwargs))


def shown(found: Certificate) -> dict[Means, Shown]:
    return {proof.of: proof.shown for proof in found.necessity}


# -- tool ------------------------------------------------------------------------------------------


def test_a_tool_that_nothing_replaces():
    found = certificate("tool_use", CLEANED)
    assert shown(found) == {Means.TOOL: Shown.NEEDED}
    assert found.label is LabelProof.PROVED
    (claim,) = found.necessity[0].searches
    assert claim.question == Question(without=("clean",))
    assert claim.found == "impossible"


def test_the_objects_stay_when_an_ability_goes():
    whole = scenario("tool_use", CLEANED)
    bare = without_abilities(whole.scene, ("clean",))
    assert [thing.id for thing in bare.objects] == [thing.id for thing in whole.scene.objects]
    assert all("clean" not in thing.provides for thing in bare.objects)
    assert whole.scene.objects[-1].provides == ("clean",)


def test_a_task_that_no_tool_is_used_for():
    found = certificate("tool_use", "{inside_room: {object: crate_a, room: shed}}")
    assert shown(found) == {Means.TOOL: Shown.NO_TOOL_USED}
    assert found.label is LabelProof.NOT_PROVED


def test_a_tool_that_only_saves_decisions():
    on_bench = "{at: {object: crate_a, on: bench}}, {at: {object: crate_b, on: bench}}"
    goal = f"{{any: [{CLEANED}, {{all: [{on_bench}]}}]}}"
    found = certificate("tool_use", goal, agents="[{id: ada, max_mass_kg: 60}]")
    (proof,) = found.necessity
    assert proof.shown is Shown.DONE_WITHOUT
    (claim,) = proof.searches
    assert len(claim.plan) > len(found.solution.plan)
    assert found.label is LabelProof.NOT_PROVED


def test_a_key_is_no_tool():
    door = "{id: gate, between: [yard, shed], states: {is_locked: true}, key: iron_key}"
    key = "{id: iron_key, name: Iron key, kind: item, in: yard, mass_kg: 0.1}"
    changes = {
        ", connects: [shed]": "",
        "objects:": f"doors: [{door}]\nobjects:\n  - {key}",
        "[clean, turn_on]": "[unlock, open]",
    }
    goal = "{has_state: {object: gate, state: is_locked, equals: false}}"
    found = certificate("tool_use", goal, **changes)
    assert "UNLOCK gate" in found.solution.plan[-1].values()
    assert shown(found) == {Means.TOOL: Shown.NO_TOOL_USED}


def test_one_tool_may_stand_in_for_another():
    """Stripped one by one, each of two tools can be done without; together they cannot."""
    other = "{id: rag, name: Rag, kind: item, in: shed, mass_kg: 1, provides: [wipe]}"
    changes = {
        "is_dirty: true": "is_wet: true",
        "provides: [clean]": "provides: [dry]",
        "abilities: [clean, turn_on]": f"  - {other}\nabilities: [dry, wipe]",
    }
    found = certificate(
        "tool_use", "{has_state: {object: crate_a, state: is_wet, equals: false}}", **changes
    )
    (proof,) = found.necessity
    assert proof.shown is Shown.NEEDED
    assert set(proof.searches[0].question.without) == {"dry", "wipe"}


def test_two_tools_that_replace_each_other_are_needed_together():
    """The plan uses both; whichever is stripped, carrying takes its place, but not that of both."""
    rag = "{id: rag, name: Rag, kind: item, on: bench, mass_kg: 1, provides: [dry]}"
    changes = {
        "12, states: {is_dirty: true}": "12, states: {is_wet: true}",
        "abilities: [clean, turn_on]": f"  - {rag}\nabilities: [clean, dry]",
    }
    dried = "{has_state: {object: crate_b, state: is_wet, equals: false}}"
    carried = ", ".join(
        f"{{at: {{object: {crate}, on: bench}}}}" for crate in ("crate_a", "crate_b")
    )
    goal = (
        f"{{any: [{{all: [{CLEANED}, {dried}]}}, {{all: [{CLEANED}, {carried}]}},"
        f" {{all: [{dried}, {carried}]}}]}}"
    )
    found = certificate("tool_use", goal, agents="[{id: ada, max_mass_kg: 60}]", **changes)
    (proof,) = found.necessity
    assert proof.shown is Shown.NEEDED
    assert set(proof.searches[0].question.without) == {"clean", "dry"}
    assert found.label is LabelProof.PROVED


def test_tools_are_stripped_until_none_takes_their_place():
    """Cleaning is shortest, then drying and carrying, then mending and carrying more."""
    tools = "  - {id: rag, name: Rag, kind: item, on: bench, mass_kg: 1, provides: [dry]}\n"
    tools += "  - {id: glue, name: Glue, kind: item, on: bench, mass_kg: 1, provides: [repair]}\n"
    changes = {
        "12, states: {is_dirty: true}": "12, states: {is_wet: true}",
        "50, states: {is_on: false}": "50, states: {is_broken: true}",
        "abilities: [clean, turn_on]": f"{tools}abilities: [clean, dry, repair]",
    }
    dried = "{has_state: {object: crate_b, state: is_wet, equals: false}}"
    mended = "{has_state: {object: anvil, state: is_broken, equals: false}}"
    at_a, at_b = (f"{{at: {{object: {crate}, on: bench}}}}" for crate in ("crate_a", "crate_b"))
    goal = f"{{any: [{CLEANED}, {{all: [{dried}, {at_a}]}}, {{all: [{mended}, {at_a}, {at_b}]}}]}}"
    found = certificate("tool_use", goal, agents="[{id: ada, max_mass_kg: 60}]", **changes)
    (proof,) = found.necessity
    assert proof.shown is Shown.NEEDED
    assert proof.searches[0].question.without == ("clean", "dry", "repair")


def test_one_ability_is_asked_about_once():
    on_bench = "{at: {object: crate_a, on: bench}}, {at: {object: crate_b, on: bench}}"
    goal = f"{{any: [{CLEANED}, {{all: [{on_bench}]}}]}}"
    engine = Engine(scenario("tool_use", goal, agents="[{id: ada, max_mass_kg: 60}]"))
    proof = prove_tool(engine, ask(engine, Question(), nodes=10_000), nodes=1)
    assert proof.shown is Shown.LIMIT_REACHED
    assert len(proof.searches) == 1


def test_without_a_question_there_is_no_ablation():
    engine = Engine(scenario("tool_use", CLEANED))
    assert ablated(engine, Question()) is engine


def test_what_a_selector_picked_is_all_that_is_left_of_it():
    select = "{target: {only: {provides: clean}}}"
    engine = Engine(answered(scenario("tool_use", PICKED_IN, select=select)))
    task = grounded(engine).task
    assert engine.scenario.task.answer == {"target": "sponge"}
    assert (task.select, task.answer) == ({}, {})


def test_the_handicap_does_not_change_what_a_selector_picks():
    select = "{target: {only: {provides: clean}}}"
    engine = Engine(scenario("tool_use", PICKED_IN, select=select))
    asked = ablated(engine, Question(without=("clean",)))
    assert asked.task.answer == {}
    goal = grounded(engine).task.goal
    assert goal.model_dump()["inside_room"]["object"] == "sponge"


# -- team ------------------------------------------------------------------------------------------


def test_what_is_too_heavy_for_each_alone():
    found = certificate("implicit_collaboration", ANVIL_IN, agents=TWO)
    assert shown(found) == {Means.TEAM: Shown.NEEDED}
    assert found.label is LabelProof.PROVED
    asked = [claim.question.agents for claim in found.necessity[0].searches]
    assert asked == [("ada",), ("bo",)]


def test_what_one_agent_does_alone():
    agents = "[{id: ada, max_mass_kg: 30}, {id: bo, max_mass_kg: 60}]"
    found = certificate("implicit_collaboration", ANVIL_IN, agents=agents)
    (proof,) = found.necessity
    assert proof.shown is Shown.DONE_ALONE
    (claim,) = proof.searches
    assert claim.question.agents == ("bo",)
    assert found.label is LabelProof.NOT_PROVED


def test_of_those_who_can_the_first_is_shown():
    agents = "[{id: ada, max_mass_kg: 30}, {id: bo, max_mass_kg: 60}, {id: cy, max_mass_kg: 30}]"
    (proof,) = certificate("implicit_collaboration", ANVIL_IN, agents=agents).necessity
    assert proof.shown is Shown.DONE_ALONE
    assert [claim.question.agents for claim in proof.searches] == [("bo",)]


def test_a_mark_that_one_may_do_without_makes_nothing_a_team_s():
    goal = f"{{any: [{ON_TOGETHER}, {CLEANED}]}}"
    found = certificate("explicit_collaboration", goal, agents=TWO)
    assert shown(found) == {Means.TEAM: Shown.DONE_ALONE}
    assert found.label is LabelProof.NOT_PROVED


def test_only_the_mark_of_the_goal_makes_it_a_team_s():
    found = certify(
        scenario("explicit_collaboration", ON_TOGETHER, agents=TWO), ruleset="ear-bench"
    )
    (proof,) = found.necessity
    assert proof.shown is Shown.NEEDED_BY_MARK
    assert found.label is LabelProof.MARKED
    assert [claim.question.unmarked for claim in proof.searches] == [False, False, True]
    assert proof.searches[-1].found == "plan"


def test_a_mark_on_top_of_what_the_world_demands_is_no_objection():
    goal = f"{{all: [{ON_TOGETHER}, {ANVIL_IN}]}}"
    takes_two = {"mass_kg: 50,": "mass_kg: 50, people: 2,"}
    found = certificate("explicit_collaboration", goal, agents=TWO, **takes_two)
    assert shown(found) == {Means.TEAM: Shown.NEEDED}
    assert found.label is LabelProof.PROVED


def test_a_team_is_not_needed_for_what_it_cannot_do():
    found = certificate("explicit_collaboration", "{any: []}", agents=TWO)
    assert shown(found) == {Means.TEAM: Shown.NO_PLAN}


def test_a_collaboration_of_one():
    found = certificate("explicit_collaboration", CLEANED)
    assert shown(found) == {Means.TEAM: Shown.ONE_AGENT}


@pytest.mark.parametrize(
    ("goal", "easier"),
    [
        ({"done_jointly": {"object": "anvil", "state": "is_on"}}, {"all": ()}),
        ({"not": {"done_jointly": {"object": "anvil", "state": "is_on"}}}, {"not": {"any": ()}}),
        ({"held_by": {"object": "anvil"}}, None),
    ],
)
def test_without_marks_a_goal_is_easier_never_harder(goal: Any, easier: Any):
    task = {"id": "t", "category": "direct_command", "instruction": "-", "goal": goal}
    tree = Task.model_validate(task, by_alias=True).goal
    dumped = without_joint_marks(tree).model_dump(by_alias=True)
    assert dumped == (tree.model_dump(by_alias=True) if easier is None else easier)


def test_who_is_to_stand_and_wait_may_wait_and_look_but_not_act():
    engine = Engine(scenario("direct_command", CLEANED, agents=TWO))
    found = ask(engine, Question(agents=("ada",)), nodes=10_000)

    def reached(idle: str) -> int | None:
        plan = tuple({**dict(decision), "bo": idle} for decision in found.plan)
        return reached_after(engine, found.model_copy(update={"plan": plan}))

    assert reached("WAIT") == reached("LOOK") == len(found.plan)
    assert reached("EXPLORE") is None


def test_what_holds_at_the_start_is_reached_after_no_decision():
    engine = Engine(scenario("direct_command", "{inside_room: {object: anvil, room: yard}}"))
    found = Search(found="plan", nodes=0, plan=({"ada": "EXPLORE"},))
    assert reached_after(engine, found) == 0


WALK = (
    *("EXPLORE", "GOTO shed", "EXPLORE", "GOTO sponge", "GRAB sponge", "GOTO yard"),
    *("GOTO crate_a", "CLEAN crate_a", "WAIT"),
)


@pytest.mark.parametrize(
    ("walk", "found", "method"),
    [
        (WALK, Search(found="unknown", nodes=5, bound=2), "walkthrough"),
        (WALK[:-2], Search(found="unknown", nodes=5, bound=2), "search"),  # it reaches nothing
        (WALK, Search(found="plan", plan=({"ada": "WAIT"},) * 9, nodes=5), "walkthrough"),
        (WALK, Search(found="plan", plan=({"ada": "WAIT"},) * 8, nodes=5), "search"),
        (WALK[:-2], Search(found="plan", plan=({"ada": "WAIT"},) * 9, nodes=5), "search"),
    ],
)
def test_the_authors_plan_counts_where_it_is_shorter(
    walk: tuple[str, ...], found: Search, method: str
):
    made = scenario("direct_command", CLEANED)
    task = made.task.model_copy(update={"walkthrough": walk})
    best = at_most_as_long(Engine(made.model_copy(update={"task": task})), found)
    assert (best.method, best.nodes) == (method, 5)
    if method == "search":
        assert best is found
    else:
        assert best.plan == tuple({"ada": command} for command in WALK[:-1])


# -- selector --------------------------------------------------------------------------------------


def test_the_only_one_of_a_kind_is_chosen_from_all():
    select = "{target: {only: {provides: clean}}}"
    task = scenario(
        "attribute_reasoning", PICKED_IN, select=select, instruction="Bring what can clean."
    )
    assert prove_selector(Engine(task)).shown is Shown.ONE_ANSWER


def test_a_selector_with_one_answer():
    found = certificate(
        "attribute_reasoning", PICKED_IN, select=HEAVIER, instruction="Bring in the {target}."
    )
    (proof,) = found.necessity
    assert proof.shown is Shown.ONE_ANSWER
    assert proof.answers == {"target": "crate_b"}
    assert found.label is LabelProof.PROVED


@pytest.mark.parametrize(
    ("select", "instruction", "shown", "said"),
    [
        ("{}", "Bring it in.", Shown.NO_SELECTOR, None),
        (HEAVIER, "Bring in the crate crate_b.", Shown.NAMED, "crate_b"),
        ("{target: {largest: mass_kg}}", "Bring in the bench.", Shown.NAMED, "Bench"),
        ("{target: {only: {name: Anvil}}}", "Bring in the {target}.", Shown.NAMED, "Anvil"),
        (
            "{target: {largest: mass_kg, among: {name: Anvil, in: yard}}}",
            "Bring in the heaviest of them.",
            Shown.ONE_CANDIDATE,
            None,
        ),
    ],
)
def test_a_selector_that_proves_nothing(
    select: str, instruction: str, shown: Shown, said: str | None
):
    goal = PICKED_IN if select != "{}" else ANVIL_IN
    task = scenario("attribute_reasoning", goal, select=select, instruction=instruction)
    proof = prove_selector(Engine(task))
    assert (proof.shown, proof.said) == (shown, said)


def test_a_tie_is_no_answer():
    tied = {"mass_kg: 12": "mass_kg: 9"}
    task = scenario("attribute_reasoning", PICKED_IN, select=HEAVIER, **tied)
    assert prove_selector(Engine(task)).shown is Shown.SEVERAL_ANSWERS


def test_one_selector_that_proves_something_is_enough():
    only = "{only: {name: Anvil}}"
    select = f"{{a: {only}, b: {HEAVIER[9:-1]}}}"
    goal = (
        "{all: [{inside_room: {object: $a, room: shed}}, {inside_room: {object: $b, room: shed}}]}"
    )
    words = {"select": select, "instruction": "Bring the anvil and the heavier crate."}
    proof = prove_selector(Engine(scenario("attribute_reasoning", goal, **words)))
    assert (proof.shown, proof.said) == (Shown.ONE_ANSWER, None)
    words["instruction"] = "Bring the anvil and crate_b."
    proof = prove_selector(Engine(scenario("attribute_reasoning", goal, **words)))
    assert (proof.shown, proof.said) == (Shown.NAMED, "Anvil")


def test_a_name_inside_a_longer_one_gives_nothing_away():
    rename = {"name: Bench": "name: Anvil bench"}
    words = "Put the heaviest thing on the anvil bench."
    engine = Engine(scenario("attribute_reasoning", ANVIL_IN, instruction=words, **rename))
    assert leaked_answer(engine, "anvil") is None
    assert leaked_answer(engine, "bench") == "Anvil bench"


# -- labels ----------------------------------------------------------------------------------------


def test_every_category_has_a_promise():
    assert set(PROMISES) == set(Category)


def test_a_direct_command_promises_nothing():
    found = certificate("direct_command", CLEANED)
    assert found.necessity == ()
    assert found.label is LabelProof.NOTHING_PROMISED


def test_a_compound_needs_two_proofs():
    found = certificate("compound_reasoning", PICKED_CLEANED, select=HEAVIER)
    assert shown(found) == {Means.SELECTOR: Shown.ONE_ANSWER, Means.TOOL: Shown.NEEDED}
    assert found.label is LabelProof.PROVED
    alone = certificate("compound_reasoning", CLEANED)
    assert shown(alone)[Means.SELECTOR] is Shown.NO_SELECTOR
    assert alone.label is LabelProof.NOT_PROVED


@pytest.mark.parametrize(
    ("selector", "tool", "team", "label"),
    [
        (Shown.NO_SELECTOR, Shown.NEEDED, Shown.NEEDED, LabelProof.PROVED),
        (Shown.NO_SELECTOR, Shown.NEEDED, Shown.NEEDED_BY_MARK, LabelProof.MARKED),
        (Shown.ONE_ANSWER, Shown.NEEDED, Shown.NEEDED_BY_MARK, LabelProof.MARKED),
        (Shown.NO_SELECTOR, Shown.NO_TOOL_USED, Shown.NEEDED, LabelProof.NOT_PROVED),
        (Shown.ONE_ANSWER, Shown.NEEDED, Shown.DONE_ALONE, LabelProof.NOT_PROVED),
        (Shown.ONE_ANSWER, Shown.NEEDED, Shown.LIMIT_REACHED, LabelProof.NOT_PROVED),
    ],
)
def test_a_collaboration_always_needs_the_team(
    selector: Shown, tool: Shown, team: Shown, label: LabelProof
):
    means = (Means.SELECTOR, Means.TOOL, Means.TEAM)
    shown = dict(zip(means, (selector, tool, team), strict=True))
    proofs = tuple(Proof(of=means, shown=how) for means, how in shown.items())
    assert label_proof(Category.COMPOUND_COLLABORATION, proofs) is label


def test_nothing_can_be_necessary_for_what_cannot_be_done():
    found = certificate("tool_use", "{any: []}")
    assert shown(found) == {Means.TOOL: Shown.NO_PLAN}
    assert found.solution.why == "never_true"
