"""Numbers of scientific workflow tasks: from what was said and done to tables by family."""

import json

import pytest

from earsim.apparatus.alignment import align
from earsim.apparatus.protocol import Step
from earsim.evaluation.metrics.counters import counted
from earsim.evaluation.metrics.measurement import groups
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.metrics.statistics import joint_interval
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.report.workflow_tables import all_tables
from earsim.evaluation.runs.recorder import begin, take
from earsim.evaluation.scorers.programs import ProgramRun
from earsim.evaluation.scorers.votes import Preference, Vote
from earsim.evaluation.workflow.outcome import (
    AlignedProtocol,
    WorkflowOutcome,
    workflow_outcome,
)
from earsim.evaluation.workflow.told_idea import idea_told
from earsim.sandbox import SandboxLevel, measured
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.schema.workflow import Workflow, WorkflowFamily
from earsim.suites import open_suite
from tests.evaluation.runs import episode, row

LOST = Preference.UNREADABLE


def of(family, name="a", domain="life", programs=(), votes=None, **numbers):
    """An episode of a workflow task."""
    idea = {"hypothesis": "It is so."} if family == "idea" else {}
    found = WorkflowOutcome(family, domain, numbers, programs, idea)
    return episode(name, workflow=found, votes=votes or {})


def dimensions(value):
    return dict.fromkeys(("effectiveness", "novelty", "detailedness", "feasibility"), value)


def tied(*judges):
    return tuple(Vote(judge, Preference.TIE, Preference.TIE) for judge in judges or ("a",))


def of_each_family(name=""):
    """The families of the definition's example, as far as one episode each can have them."""
    return [
        of("deep_research", f"q{name}", em=1.0, sla=0.75),
        of("idea", f"i{name}", votes=dimensions(tied()), **dimensions(3.0)),
        of("dry_experiment", f"d{name}", passed=5.0, programs=(ProgramRun(5, seconds=2.0),)),
        of("wet_experiment", f"w{name}", ss=0.5, pa=0.3),
        of("figure", f"f{name}", mca=0.0, rv=4.0),
    ]


def parts(metric, episodes):
    return {each.part: each.value for each in METRICS[metric](episodes)}


def test_the_joint_score_is_the_mean_of_the_five_families():
    found = parts("science.sgi", of_each_family())
    assert found == {
        "score": pytest.approx((1 + 0.4 + 1 + 0.4 + 0) / 5),
        "deep_research": 1,
        "idea": pytest.approx(0.4),
        "dry_experiment": 1,
        "wet_experiment": pytest.approx(0.4),
        "figure": 0,
    }


@pytest.mark.parametrize("gone", range(5))
def test_without_a_family_there_is_no_joint_score(gone):
    episodes = of_each_family()
    del episodes[gone]
    found = parts("science.sgi", episodes)
    assert found["score"] is None
    assert [name for name, value in found.items() if value is None] == [
        "score",
        [*WorkflowFamily][gone],
    ]


def test_an_idea_without_votes_that_count_is_no_number():
    for votes in ({}, dimensions((Vote("a", LOST, LOST),))):
        episodes = [*of_each_family()[:1], of("idea", votes=votes, **dimensions(3.0))]
        assert parts("science.sgi", episodes)["idea"] is None
        assert parts("science.idea", episodes)["novelty"] is None
        assert parts("science.idea", episodes)["novelty, objective"] == pytest.approx(0.3)


def test_an_idea_that_was_not_told_counts_nothing_and_needs_no_judge():
    none = episode("s", workflow=WorkflowOutcome("idea", "life", dimensions(0.0)))
    won = of("idea", "t", votes=dimensions(tied()), **dimensions(3.0))
    bare = of("idea", "u", **dimensions(3.0))
    assert parts("science.sgi", [none])["idea"] == 0
    assert parts("science.sgi", [none, won])["idea"] == pytest.approx(0.2)
    assert parts("science.idea", [none, won])["novelty, votes"] == 0.25
    assert parts("science.sgi", [none, bare])["idea"] is None


def test_the_joint_score_has_an_interval_once_every_family_has_two_scenarios():
    assert METRICS["science.sgi"].one(of_each_family()).low is None
    score = METRICS["science.sgi"].one([*of_each_family("1"), *of_each_family("2")])
    assert score.low == score.high == pytest.approx(score.value)
    low, high = joint_interval([[(0, 1), (1, 1)], [(0, 1), (1, 1)]])
    assert low < 0.25 < 0.75 < high


def test_pass_all_at_k_of_the_definition():
    episodes = [of("dry_experiment", str(n), passed=float(n)) for n in (5, 3, 1, 0)]
    found = parts("science.pass_all", episodes)
    assert [found[f"k={k}"] for k in (1, 3, 5)] == [0.75, 0.5, 0.25]


def test_runs_of_programs_are_counted_one_by_one():
    runs = (ProgramRun(0, failed_to_run=True), ProgramRun(3, seconds=2.0), ProgramRun(5, seconds=4))
    episodes = [of("dry_experiment", passed=5.0, programs=runs)]
    assert parts("science.ser", episodes)[""] == pytest.approx(2 / 3)
    assert parts("science.aet", episodes)[""] == 3


def test_a_judge_that_answers_nonsense_changes_no_number_and_is_reported():
    sane = tied("a", "b")
    episodes = [of("idea", n, votes=dimensions(sane), **dimensions(3.0)) for n in "xy"]
    mad = dimensions((*sane, Vote("mad", LOST, LOST)))
    with_it = [of("idea", n, votes=mad, **dimensions(3.0)) for n in "xy"]
    for metric in ("science.idea", "science.sgi", "science.kappa"):
        assert parts(metric, with_it) == parts(metric, episodes)
    assert parts("science.unreadable", with_it) == {
        "all": pytest.approx(1 / 3), "a": 0, "b": 0, "mad": 1
    }  # fmt: skip


def test_judges_agree_or_do_not():
    win, loss = (Preference.FIRST, Preference.SECOND), (Preference.SECOND, Preference.FIRST)
    episodes = [
        of("idea", votes={"novelty": (Vote("a", *first), Vote("b", *second))})
        for first, second in ((win, win), (loss, loss))
    ]
    found = parts("science.kappa", episodes)
    assert found["all"] == found["novelty"] == 1
    assert found["feasibility"] is None


def test_what_was_not_measured_is_no_number():
    lost = episode("x", measured=False, workflow=WorkflowOutcome("figure", "life", {}))
    assert parts("science.mca", [lost])[""] is None
    assert ("family", "figure") in groups([lost])
    assert ("domain", "life") in groups([lost])


def test_what_the_runner_noted_is_read_and_what_it_did_not_is_left_out():
    library = SuiteLookup("starter")
    noted = of_each_family()[2].workflow
    whole = outcome_after(wet("stain_by_gram"), [])
    assert WorkflowOutcome.of_record(json.loads(json.dumps(whole.record()))) == whole
    extra = {"workflow": noted.record()}
    assert counted(row(extra=extra), [], [], library=library).workflow == noted
    assert counted(row(extra={}), [], [], library=library).workflow is None
    other = {"workflow": {"family": "figure"}}
    assert counted(row(extra=other), [], [], library=library).workflow is None


# -- what an episode came to -----------------------------------------------------------------------


def outcome_after(scenario, commands):
    played = begin(scenario, EpisodeSettings())
    agent = scenario.agents[0].id
    for command in commands:
        take(played, {agent: command})
    return workflow_outcome(scenario, played.world)


def wet(task):
    return open_suite("laboratory").load(f"wet_bench/{task}")


def test_a_protocol_in_half_is_half_as_near():
    scenario = wet("stain_by_gram")
    whole = [str(entry) for entry in scenario.task.walkthrough]
    assert outcome_after(scenario, whole).numbers == {"ss": 1.0, "pa": 1.0}
    cut = outcome_after(scenario, whole[:18])
    assert cut.family == "wet_experiment"
    assert cut.domain == "life"
    assert 0 < cut.numbers["ss"] < 1
    assert 0 < cut.numbers["pa"] < 1
    ((bench, steps),) = cut.protocols
    assert bench == "microbe_bench"
    marks = [step.mark for step in steps]
    assert marks == sorted(marks, key=("same", "missing").index), "the last steps are missing"
    assert {"same", "missing"} == {*marks}


DECODE = """\
SAVE code_desk main.py
def decode(bits):
    if len(bits) % 7:
        return None
    return ''.join(bits[k + j] for k in range(0, len(bits), 7) for j in (2, 4, 5, 6))"""
"""Corrects nothing: passes where no bit of the data is wrong."""


@pytest.mark.slow
@pytest.mark.skipif(measured().level < SandboxLevel.CONFINED, reason="no sandbox for code here")
def test_runs_of_the_tests_are_read_from_the_world_and_nothing_else_counts_as_one():
    scenario = open_suite("laboratory").load("dry_desks/one_wrong_bit")
    walkthrough = [str(entry) for entry in scenario.task.walkthrough]
    right = next(entry for entry in walkthrough if entry.startswith("SAVE"))

    def after(*tried):
        commands = ["EXPLORE", "GOTO code_desk"]
        for each in tried:
            desk = each.split()[1]
            commands += [each] if each.startswith("SAVE") else [each, f"WAIT UNTIL {desk} done"]
        return outcome_after(scenario, commands)

    run, elsewhere = "RUN code_desk", ("GOTO anomaly_desk", "RUN anomaly_desk")
    assert after().numbers == {"passed": 0.0}
    assert after().programs == ()
    broken = "SAVE code_desk main.py\ndef decode(bits:"
    whole = after(run, broken, run, "EXEC code_desk\nprint(1)", DECODE, run, right, run)
    assert (whole.family, whole.domain) == ("dry_experiment", "information")
    stub, unread, hasty, solved = whole.programs
    assert stub == ProgramRun(0, 5, failed_to_run=True)
    assert unread == ProgramRun(0, 5, failed_to_run=True)
    assert hasty == ProgramRun(3, 5, seconds=6.0)
    assert solved == ProgramRun(5, 5, seconds=6.0)
    assert after(right, run, "EXEC code_desk\nprint(1)", *elsewhere).numbers == {"passed": 5.0}
    episodes = [episode("a", workflow=whole), episode("b", workflow=after(DECODE, run))]
    found = parts("science.pass_all", episodes)
    assert [found[f"k={k}"] for k in range(1, 6)] == [1, 1, 1, 0.5, 0.5]
    assert parts("science.ser", episodes)[""] == pytest.approx(3 / 5)
    assert parts("science.aet", episodes)[""] == 6.0


def test_the_family_is_no_part_of_what_decides_an_episode():
    scenario = wet("stain_by_gram")
    bare = scenario.model_copy(update={"task": scenario.task.model_copy(update={"workflow": None})})
    assert bare.hash == scenario.hash


def with_workflow(task, **workflow):
    scenario = wet(task)
    made = Workflow.model_validate(workflow)
    return scenario.model_copy(update={"task": scenario.task.model_copy(update={"workflow": made})})


def test_answers_steps_and_facts_are_read_from_what_is_submitted_and_said():
    facts = ["the titration used 20.8 mL of lye"]
    steps = ["acid is lye times its strength, 20.8 x 0.1 mmol", "the sample was 25 mL"]
    research = with_workflow(
        "strength_of_vinegar", family="deep_research", domain="chemistry", steps=steps
    )
    said = ["SAY The sample was 25 mL.", "SAY Vinegar is sour.", "SUBMIT mol_per_l=0.832"]
    assert outcome_after(research, said).numbers == {"em": 1.0, "sla": 0.5}
    assert outcome_after(research, said[:2]).numbers == {"em": 0.0, "sla": 0.5}
    wrong = [*said, "SUBMIT mol_per_l=0.9"]
    assert outcome_after(research, wrong).numbers["em"] == 0
    figure = with_workflow("strength_of_vinegar", family="figure", domain="chemistry", facts=facts)
    told = ["SAY The titration used 20.8 mL of the lye.", *said]
    assert outcome_after(figure, told).numbers == {"mca": 1.0, "rv": 10.0}


IDEA = {
    "keywords": ["solid electrolyte", "dendrite"],
    "given": ["Liquid electrolytes burn."],
    "held_out": ["Ceramic layers stop dendrites in cells."],
    "parts": {"hypothesis": "A solid electrolyte stops dendrites.", "steps": "cast -> sinter"},
}


def test_an_idea_is_read_from_its_parts():
    found = idea_told([
        "hello",
        "Hypothesis: A solid electrolyte stops every dendrite.",
        "It is thin.",
        "steps: cast -> sinter -> Cycle.",
    ])  # fmt: skip
    assert found.parts["hypothesis"].endswith("It is thin.")
    assert found.edges == (("cast", "sinter"), ("sinter", "cycle"))
    assert idea_told(["hello"]).text == ""


def test_an_idea_has_numbers_and_none_has_zeros():
    scenario = with_workflow("strength_of_vinegar", family="idea", domain="energy", idea=IDEA)
    said = [
        "SAY hypothesis: Cells with a solid electrolyte have no dendrite.",
        "SAY steps: cast -> sinter",
    ]
    numbers = outcome_after(scenario, said).numbers
    assert numbers["effectiveness"] == 10
    assert numbers["feasibility"] == 10
    assert 0 < numbers["novelty"] < 10
    assert set(outcome_after(scenario, []).numbers.values()) == {0.0}


@pytest.mark.parametrize(
    ("workflow", "says"),
    [
        ({"family": "idea", "domain": "energy"}, "idea"),
        ({"family": "figure", "domain": "energy", "idea": IDEA}, "the family is figure"),
        ({"family": "cooking", "domain": "energy"}, "deep_research"),
        ({"family": "figure", "domain": "cooking"}, "astronomy"),
    ],
)
def test_a_family_that_makes_no_sense_is_a_finding(workflow, says):
    from pydantic import ValidationError

    with pytest.raises(ValidationError, match=says):
        Workflow.model_validate(workflow)


# -- tables ----------------------------------------------------------------------------------------


def subject(episodes):
    return ResultsGroup(
        label="me", run="r", cells=("c",), asked=("s",), version="1", policy="p", model="",
        style="", knowledge="", identity="", episodes=tuple(episodes),
    )  # fmt: skip


def test_tables_say_which_family_is_missing():
    joint, *rest = all_tables([subject(of_each_family()[2:])])
    assert joint.rows[0].cells[1] == "none"
    assert joint.rows[0].cells[-1] == "deep research, idea"
    assert [table.title for table in rest] == [
        "dry experiment", "wet experiment", "figure", "By domain"
    ]  # fmt: skip


def test_tables_of_all_families_have_a_score_and_votes():
    joint, *_, votes, _ = all_tables([subject(of_each_family())])
    assert joint.rows[0].cells[1] == "56.0 %"
    assert joint.rows[0].cells[-1] == "-"
    assert votes.rows[0].cells[1] == "a"


def test_runs_without_workflow_tasks_have_no_such_tables():
    assert all_tables([subject([episode("a")])]) == ()


def test_tables_tell_single_ideas_and_steps_of_protocols():
    performed = [Step("mix", {"time": 1}), Step("spin"), Step("wash"), Step("hum")]
    reference = [Step("mix", {"time": 2}), Step("wash"), Step("spin"), Step("read")]
    aligned = (AlignedProtocol("bench", align(performed, reference)),)
    made = WorkflowOutcome("wet_experiment", "life", {"ss": 0.5, "pa": 0.0}, protocols=aligned)
    nonsense = Vote("mad", LOST, LOST)
    idea = of("idea", "i", votes=dimensions((*tied("a", "b"), nonsense)), **dimensions(3.0))
    found = {table.title: table for table in all_tables([subject(
        [episode("w", workflow=made), episode("w", workflow=made), idea])])}  # fmt: skip
    (row,) = found["Ideas"].rows
    assert row.cells[2:] == ("40.0 (2 of 4)",) * 4
    (row,) = found["Steps of protocols"].rows
    assert row.cells[1:] == ("w", "2", "2.00", "1.00", "1.00", "1.00", "1.00", "hum extra (2)")
