"""Whether scenarios are sound: they load, the goal is not true yet, and the plans win."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from earsim.certificates.certifying import certificate_of
from earsim.certificates.code import code_not_executed
from earsim.certificates.connectivity import unreachable_rooms
from earsim.certificates.declining import claim_finding, declines, report_findings
from earsim.certificates.file import CertificateFile
from earsim.certificates.quantifiers import quantifier_findings
from earsim.engine import Engine
from earsim.errors import EarSimError, FileError, Finding, NoSingleAnswer
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import AS_THE_SCENARIO_SAYS, play
from earsim.evaluation.runs.recorder import begin, is_over, result_of, take
from earsim.goals.selectors import answered, decisive
from earsim.planner import Impossible, Unknown, plan
from earsim.planner.proofs.certificate import is_about, recheck, staleness
from earsim.planner.proofs.declining import first_reading
from earsim.render import proof
from earsim.rulesets import RULESETS
from earsim.schema import Result, Scenario, Scene, Trajectory
from earsim.schema.files.document import show_path
from earsim.schema.goal import (
    DoneJointlyFact,
    MeasuredFact,
    OperationFact,
    PerformedFact,
    SpentFact,
    SubmittedFact,
)
from earsim.schema.goal_tree import momentary_leaves
from earsim.schema.model import FieldProblem
from earsim.suites import Repair, Suite
from earsim.world.live import LiveScene
from earsim.world.plausibility import implausible_in, marks_in, odd_in
from earsim.world.rigs import rig_problems, task_problems

WALKTHROUGH = "walkthrough"


Implausible = Callable[[Scene], Iterable[FieldProblem]]
"""What finds numbers in a scene that make no sense."""


class Checked(NamedTuple):
    """What was found out about one scenario, or about one file that holds none that load.

    Attributes:
        findings: everything that is wrong; empty for a sound scenario.
        warnings: what is odd and may be meant; a sound scenario may have some.
        repairs: what an importer changed so that it loads.
        decisions: length of its walkthrough; None without one.
        certified: it has a certificate whose plans were replayed.
        stale: why the claims of its certificate are no longer of today; empty if they are.
        unplayed: why this machine plays neither its walkthrough nor its certificate, which execute
            code; empty where it does.
    """

    id: str
    findings: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()
    repairs: tuple[Repair, ...] = ()
    decisions: int | None = None
    certified: bool = False
    stale: str = ""
    unplayed: str = ""


def check_suite(
    suite: Suite,
    certificates: Sequence[CertificateFile] = (),
    *,
    implausible: Implausible | None = None,
    prove: bool = False,
) -> Iterator[Checked]:
    """Check every scenario of a suite, in its order, and its certificate where there is one.

    Args:
        suite: what is checked.
        certificates: where they may be.
        implausible: finds numbers that make no sense; asked about scenes that were generated.
        prove: search for a plan where no walkthrough and no certificate shows one.
    """
    try:
        ids = suite.ids
    except FileError as error:
        yield Checked(suite.name, error.findings)
        return
    for scenario_id in ids:
        try:
            scenario = suite.load(scenario_id)
            repairs = suite.repairs(scenario_id)
        except FileError as error:
            yield Checked(scenario_id, error.findings)
            continue
        broken = tuple(_in_scene(scenario.scene, rig_problems(scenario.scene)))
        if broken:  # and so nothing of it can be compiled
            yield Checked(scenario_id, broken, repairs=repairs)
            continue
        findings = tuple(check_scenario(scenario))
        warnings = tuple(warnings_of(scenario))
        if implausible is not None and "generator" in scenario.provenance:
            findings += tuple(_without_sense(scenario, implausible))
        else:
            impossible, odd = _nature(scenario)
            findings += impossible
            warnings += odd
        unplayed = "" if findings else code_not_executed(scenario)
        decisions = (not unplayed and len(scenario.task.walkthrough)) or None
        checked = Checked(scenario_id, findings, warnings, repairs, decisions, unplayed=unplayed)
        if not unplayed:
            checked = _with_certificate(checked, scenario, certificates)
        yield _with_solution(checked, scenario, prove=prove)


def _nature(scenario: Scenario) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """What cannot be in nature, and what is odd; both odd under rules without a physics."""
    scene = scenario.scene
    impossible = tuple(_in_scene(scene, implausible_in(scene)))
    odd = tuple(_in_scene(scene, odd_in(scene)))
    odd += tuple(_without_hands(scenario))
    if RULESETS[scenario.ruleset].physics.doors_stop:
        return impossible, (*odd, *_in_scene(scene, marks_in(scene)))
    return (), impossible + odd


def _in_scene(scene: Scene, problems: Iterable[FieldProblem]) -> Iterator[Finding]:
    """By the id of the scene: one finding, however many tasks it has."""
    for problem in problems:
        yield Finding(scene.id, show_path(problem.loc), problem.reason, problem.expected)


def _without_hands(scenario: Scenario) -> Iterator[Finding]:
    for index, agent in enumerate(scenario.agents):
        if not agent.hands:
            place = f"agents[{index}].hands"
            reason = f"{agent.id!r} has no hands: it can hold nothing"
            yield Finding(scenario.id, place, reason, "at least 1, unless it is to talk only")


def _with_solution(checked: Checked, scenario: Scenario, *, prove: bool) -> Checked:
    """What is known of a solution, where no walkthrough and no certificate shows one."""
    if checked.findings or checked.certified or checked.unplayed:
        return checked
    if declines(scenario):
        return _with_claim(checked, scenario, prove=prove)
    if checked.decisions is not None:
        return checked
    if prove:
        return _proved(checked, scenario)
    if not RULESETS[scenario.ruleset].physics.doors_stop:
        return checked  # EAR-Bench ships none
    reason = "neither a walkthrough nor a certificate shows that it can be solved"
    expected = "`earsim plan` finds a walkthrough, `validate --prove` whether there is one"
    missing = Finding(scenario.id, "task.walkthrough", reason, expected)
    return checked._replace(warnings=(*checked.warnings, missing))


def _with_claim(checked: Checked, scenario: Scenario, *, prove: bool) -> Checked:
    """What is known of a claim that no certificate proves; a walkthrough that makes it does not."""
    finding, is_wrong = claim_finding(scenario, prove=prove)
    if finding is None:
        return checked
    if is_wrong:
        return checked._replace(findings=(*checked.findings, finding))
    return checked._replace(warnings=(*checked.warnings, finding))


def _proved(checked: Checked, scenario: Scenario) -> Checked:
    engine = Engine(scenario)
    try:
        found = plan(engine)
    except EarSimError as error:
        finding = Finding(scenario.id, "task.goal", str(error))
        return checked._replace(findings=(*checked.findings, finding))
    if isinstance(found, Impossible):
        why = proof.impossible(found.why, found.facts, engine.blueprint)
        finding = Finding(scenario.id, "task.goal", f"there is no plan: {why}")
        return checked._replace(findings=(*checked.findings, finding))
    if isinstance(found, Unknown):
        named = engine.blueprint.named(found.workstation) if found.workstation else ""
        reason = proof.unknown(found.limit, found.nodes, found.bound, workstation=named)
        finding = Finding(scenario.id, "task.goal", reason, "a walkthrough shows it")
        return checked._replace(warnings=(*checked.warnings, finding))
    return checked


def _without_sense(scenario: Scenario, implausible: Implausible) -> Iterator[Finding]:
    for problem in implausible(scenario.scene):
        place = show_path(("scene", *problem.loc))
        yield Finding(scenario.id, place, problem.reason, problem.expected)


def _with_certificate(
    checked: Checked, scenario: Scenario, certificates: Sequence[CertificateFile]
) -> Checked:
    try:
        found = certificate_of(scenario, certificates)
        if found is None:
            return checked
        stale = staleness(found, scenario)
        if not is_about(found, scenario):
            return checked._replace(stale=stale)
        findings = (*checked.findings, *recheck(found, scenario))
    except EarSimError as error:
        findings = (*checked.findings, Finding(scenario.id, "certificate", str(error)))
        return checked._replace(findings=findings)
    return checked._replace(findings=findings, certified=True, stale=stale)


def check_scenario(scenario: Scenario) -> Iterator[Finding]:
    """What only playing shows to be wrong in a scenario."""
    try:
        unfit = (*_check_apparatus(scenario),)
        unfit = unfit or (*_check_conditions_over_time(scenario),)
        if unfit:
            yield from unfit
            return
        yield from _check_selectors(scenario)
        yield from report_findings(scenario)
        yield from quantifier_findings(answered(scenario))
        yield from _check_goal(answered(scenario))
        yield from _check_joint_marks(scenario)
        if scenario.task.walkthrough and not code_not_executed(scenario):
            yield from _check_walkthrough(scenario)
    except EarSimError as error:
        yield Finding(scenario.id, "", str(error))


def warnings_of(scenario: Scenario) -> Iterator[Finding]:
    """What is odd in a scenario and does not make it wrong."""
    yield from _still_numbers(scenario)
    try:
        yield from unreachable_rooms(scenario)
    except NoSingleAnswer:
        return  # which is a finding of `check_scenario`


def _still_numbers(scenario: Scenario) -> Iterator[Finding]:
    """Where no time works, what would change by itself is as the file gives it."""
    if RULESETS[scenario.ruleset].physics.time_works:
        return
    live = LiveScene.of(scenario.scene)
    if live is not None:
        reason = f"processes, liquids and fittings are ignored by {RULESETS[scenario.ruleset].id}"
        things = [*live.nodes, *live.sources, *sorted(live.drains), "uses_up"]
        yield Finding(scenario.id, "ruleset", f"{reason}, as of {things[0]!r}", "physical")


def _check_apparatus(scenario: Scenario) -> Iterator[Finding]:
    """What cannot be about apparatus, and what a task wants of them that they do not have."""
    ruleset = RULESETS[scenario.ruleset]
    yield from _in_scene(scenario.scene, rig_problems(scenario.scene))
    if not ruleset.physics.time_works:
        if _asks_a_lab(scenario):
            reason = f"goals about runs, costs or answers; {ruleset.id} runs no apparatus"
            yield Finding(scenario.id, "task.goal", reason, "ruleset: physical, or another goal")
        return
    for problem in task_problems(scenario.scene, scenario.task):
        yield Finding(scenario.id, show_path(problem.loc), problem.reason, problem.expected)


def _asks_a_lab(scenario: Scenario) -> bool:
    return any(
        isinstance(
            leaf.fact, MeasuredFact | OperationFact | SpentFact | SubmittedFact | PerformedFact
        )
        for leaf in momentary_leaves(scenario.task.goal)
    )


def _check_conditions_over_time(scenario: Scenario) -> Iterator[Finding]:
    """No time works for them under some rulesets."""
    ruleset = RULESETS[scenario.ruleset]
    if not ruleset.physics.time_works and Engine(scenario).task.goal.monitors:
        reason = f"conditions over time, and under {ruleset.id} no number changes by itself"
        yield Finding(scenario.id, "task.goal", reason, "ruleset: physical, or another goal")


def _check_selectors(scenario: Scenario) -> Iterator[Finding]:
    """What a selector picks stays the answer: it rests on no number that changes by itself."""
    live = LiveScene.of(scenario.scene)
    if live is None or not RULESETS[scenario.ruleset].physics.time_works:
        return
    engine = Engine(scenario)
    world = engine.start()
    for name, selector in scenario.task.select.items():
        for node, number in decisive(selector, world, engine.task.answer):
            if number in live.unlabelled(node):
                reason = f"rests on {number} of {node!r}, which changes by itself"
                place = f"task.select.{name}"
                yield Finding(scenario.id, place, reason, "a number that stays as it is")
                break


def _check_goal(scenario: Scenario) -> Iterator[Finding]:
    episode = begin(scenario, AS_THE_SCENARIO_SAYS)
    if episode.verdict.now:
        yield Finding(scenario.id, "task.goal", "is true at the start", "something to do")
        return
    while not is_over(episode):
        take(episode, dict.fromkeys(episode.agents, "DONE"))
    if _won(result_of(episode), scenario):
        yield Finding(scenario.id, "task.goal", "is reached by saying DONE", "something to do")


def _check_joint_marks(scenario: Scenario) -> Iterator[Finding]:
    """In `physical` only what takes several people is ever changed jointly."""
    if not RULESETS[scenario.ruleset].physics.own_knowledge:
        return
    engine = Engine(scenario)
    for leaf in momentary_leaves(scenario.task.goal, denied=False):
        if not isinstance(leaf.fact, DoneJointlyFact):
            continue
        named = leaf.fact.object
        node = engine.task.answer.get(named.removeprefix("$"), named)
        thing = engine.blueprint.things.get(node)
        if thing is None or thing.people < 2:
            reason = f"done_jointly of {node}, which one agent changes by itself"
            yield Finding(scenario.id, "task.goal", reason, "people: 2, or more, on that object")


def _check_walkthrough(scenario: Scenario) -> Iterator[Finding]:
    """It wins; of an unclear task it may reach the first reading instead."""
    trajectory, result = _followed(scenario)
    if scenario.task.right_claim == "unclear" and not _won(result, scenario):
        scenario = first_reading(Engine(scenario)).scenario
        trajectory, result = _followed(scenario)
    yield from _refusals(trajectory)
    if not _won(result, scenario):
        reason = (
            f"does not win: it ends by {result.termination} with {result.score:.0%} of the goal"
        )
        yield Finding(scenario.id, "task.walkthrough", reason, "a plan that reaches the goal")


def _followed(scenario: Scenario) -> tuple[Trajectory, Result]:
    trajectory = play(scenario, make_policy(WALKTHROUGH), name=WALKTHROUGH)
    assert trajectory.result is not None, "play plays to the end"
    return trajectory, trajectory.result


def _refusals(trajectory: Trajectory) -> Iterator[Finding]:
    for step in trajectory.steps:
        for outcome in step.outcomes:
            if outcome.reason is not None:
                place = f"task.walkthrough[{step.decision}]"
                reason = f"{outcome.agent}: {outcome.command} is refused: {outcome.message}"
                yield Finding(trajectory.scenario_id, place, reason)


def _won(result: Result, scenario: Scenario) -> bool:
    """The verdict that the scenario's ruleset publishes."""
    latched = RULESETS[scenario.ruleset].latched
    return result.success_latched if latched else result.success_final
