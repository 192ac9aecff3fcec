"""What an episode of a scientific workflow task came to, by the metrics of its family.

Answers are what was submitted, protocols what was performed at a bench, programs the test runs of a
desk; steps, rationales and ideas are what agents said aloud. The world has it all, so every policy
is measured in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

from earsim.apparatus.alignment import AlignedParameter, AlignedStep, StepMark, align
from earsim.apparatus.operation import OperationStatus, OperationType
from earsim.errors import MissingExtra
from earsim.evaluation.scorers.programs import ProgramRun
from earsim.evaluation.scorers.steps import rationale_validity, step_level_accuracy
from earsim.evaluation.workflow.told_idea import idea_numbers, idea_told
from earsim.goals.laboratory import compile_submitted, nearness, protocols
from earsim.schema import Scenario
from earsim.schema.goal import MeasuredFact, PerformedFact, SubmittedFact
from earsim.schema.goal_tree import momentary_leaves
from earsim.schema.workflow import Workflow, WorkflowFamily
from earsim.world import World
from earsim.world.lab import LabRun

_DESK = "dry_bench/"
_MOST_RUNS = 1_000


class AlignedProtocol(NamedTuple):
    """What was performed at a bench, beside the reference of the goal."""

    apparatus: str
    steps: tuple[AlignedStep, ...]

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        steps = [step._asdict() for step in self.steps]
        for step in steps:
            step["parameters"] = [parameter._asdict() for parameter in step["parameters"]]
        return {"apparatus": self.apparatus, "steps": steps}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> AlignedProtocol:
        """What `record` made."""
        return cls(record["apparatus"], tuple(_aligned(step) for step in record["steps"]))


def _aligned(record: Mapping[str, Any]) -> AlignedStep:
    parameters = tuple(AlignedParameter(**each) for each in record["parameters"])
    return AlignedStep(**{**record, "mark": StepMark(record["mark"]), "parameters": parameters})


class WorkflowOutcome(NamedTuple):
    """What one episode of a workflow task came to.

    Attributes:
        family: of the task.
        domain: of the task.
        numbers: by name: ``em``, ``sla``, ``mca``, ``ss``, ``pa`` from 0 to 1, ``rv`` from 0 to 10,
            ``passed``, the dimensions of an idea from 0 to 10; empty without a measurement.
        programs: the test runs of a dry experiment, in order.
        idea: the parts of an idea that was told.
        protocols: of a wet experiment, one for each that the goal asks for.
    """

    family: str
    domain: str
    numbers: Mapping[str, float]
    programs: tuple[ProgramRun, ...] = ()
    idea: Mapping[str, str] = MappingProxyType({})
    protocols: tuple[AlignedProtocol, ...] = ()

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        programs = [run._asdict() for run in self.programs]
        numbers, idea = dict(self.numbers), dict(self.idea)
        protocols = [each.record() for each in self.protocols]
        return {"family": self.family, "domain": self.domain, "numbers": numbers,
                "programs": programs, "idea": idea, "protocols": protocols}  # fmt: skip

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> WorkflowOutcome | None:
        """What `record` made; None of what another version wrote."""
        if record.keys() != {*cls._fields} or not _is_plain(record):
            return None
        try:
            runs = tuple(ProgramRun(**run) for run in record["programs"])
            protocols = tuple(AlignedProtocol.of_record(each) for each in record["protocols"])
        except (TypeError, KeyError, ValueError):
            return None
        return cls(**{**record, "programs": runs, "protocols": protocols})


def _is_plain(record: Mapping[str, Any]) -> bool:
    """Whether numbers are numbers and parts are texts."""
    numbers, idea = record["numbers"], record["idea"]
    return (
        isinstance(numbers, dict)
        and isinstance(idea, dict)
        and all(isinstance(value, int | float) for value in numbers.values())
        and all(isinstance(text, str) for text in idea.values())
    )


def workflow_outcome(
    scenario: Scenario, world: World | None, *, measured: bool = True
) -> WorkflowOutcome | None:
    """The outcome of an episode; None for a task of no family.

    Args:
        scenario: its scenario.
        world: as it is at the end; None where it was not begun.
        measured: whether the episode says anything about the policy.

    Raises:
        MissingExtra: What `require_scorers` asks for is not installed.
    """
    task = scenario.task.workflow
    if task is None:
        return None
    if world is None or not measured:
        return WorkflowOutcome(task.family.value, task.domain.value, {})
    of_it = WorkflowOutcome(task.family.value, task.domain.value, {})
    return of_it._replace(**_SCORES[task.family](task, scenario, world))


def require_scorers(scenario: Scenario) -> None:
    """Ask for the packages that the scorers of a task take, before it is played.

    Raises:
        MissingExtra: One is not installed.
    """
    task = scenario.task.workflow
    if task is None:
        return
    needed = {"rapidfuzz": task.steps or task.facts, "sklearn": task.idea}
    for module, names in (("rapidfuzz", "rapidfuzz"), ("sklearn", "scikit-learn")):
        if needed[module] and find_spec(module) is None:
            raise MissingExtra(names, "science")


Scored = dict[str, Any]
"""Fields of the outcome."""


def _research(task: Workflow, scenario: Scenario, world: World) -> Scored:
    found = {"em": _is_answered(scenario, world)}
    if task.steps:
        found["sla"] = step_level_accuracy(said(world), task.steps)
    return {"numbers": found}


def _figure(task: Workflow, scenario: Scenario, world: World) -> Scored:
    found = {"mca": _is_answered(scenario, world)}
    if task.facts:
        found["rv"] = rationale_validity("\n".join(said(world)), task.facts)
    return {"numbers": found}


def _dry(task: Workflow, scenario: Scenario, world: World) -> Scored:
    runs = tuple(_program_runs(scenario, world))
    passed = float(runs[-1].passed) if runs else 0.0
    return {"numbers": {"passed": passed}, "programs": runs}


def _wet(task: Workflow, scenario: Scenario, world: World) -> Scored:
    facts = [f for f in _leaves(scenario) if isinstance(f, PerformedFact)]
    near = [nearness(world, fact) for fact in facts]
    if not near:
        return {}
    ss, pa = fmean(n.sequence for n in near), fmean(n.parameters for n in near)
    aligned = tuple(AlignedProtocol(f.apparatus, align(*protocols(world, f))) for f in facts)
    return {"numbers": {"ss": ss, "pa": pa}, "protocols": aligned}


def _idea(task: Workflow, scenario: Scenario, world: World) -> Scored:
    assert task.idea is not None, "the schema asks for it"
    idea = idea_told(said(world))
    return {"numbers": idea_numbers(idea, task.idea), "idea": idea.parts}


_SCORES: Mapping[WorkflowFamily, Callable[[Workflow, Scenario, World], Scored]] = {
    WorkflowFamily.DEEP_RESEARCH: _research,
    WorkflowFamily.FIGURE: _figure,
    WorkflowFamily.DRY_EXPERIMENT: _dry,
    WorkflowFamily.WET_EXPERIMENT: _wet,
    WorkflowFamily.IDEA: _idea,
}


def said(world: World) -> list[str]:
    """What agents said aloud, in order."""
    return [message.text for message in world.messages]


def _is_answered(scenario: Scenario, world: World) -> float:
    """1 where the last answer to every question of the goal is right; 0 without questions."""
    facts = [f for f in _leaves(scenario) if isinstance(f, SubmittedFact)]
    return float(bool(facts) and all(compile_submitted(fact)(world) for fact in facts))


def _leaves(scenario: Scenario) -> Sequence[Any]:
    return [leaf.fact for leaf in momentary_leaves(scenario.task.goal, denied=False)]


def _program_runs(scenario: Scenario, world: World) -> Iterator[ProgramRun]:
    """The test runs of the desks that the goal names, oldest first; not what was tried out."""
    lab = None if world.timeline is None else world.timeline.lab
    if lab is None:
        return
    things = [thing for thing in scenario.scene.objects if thing.apparatus is not None]
    desks = {o.id for o in things if o.apparatus and o.apparatus.model.startswith(_DESK)}
    asked = {f.apparatus for f in _leaves(scenario) if isinstance(f, MeasuredFact)} & desks
    runs = [
        run
        for run in lab.runs.values()
        if run.apparatus in asked and run.operation.type is not OperationType.EXECUTE_CODE
    ]
    for run in [run for run in runs if run.operation.status.ended][-_MOST_RUNS:]:
        yield _program_run(run)


def _program_run(run: LabRun) -> ProgramRun:
    """What a desk told of its tests; a run that did not complete has passed none."""
    tests = int(_number(run, "tests", 5))
    if run.operation.status is not OperationStatus.COMPLETED:
        return ProgramRun(0, tests, failed_to_run=True)
    failed = bool(run.results.get("failed_to_run"))
    seconds = None if failed else _number(run, "seconds", 0.0)
    return ProgramRun(int(_number(run, "passed", 0)), tests, failed, seconds)


def _number(run: LabRun, name: str, otherwise: float) -> float:
    value = run.results.get(name)
    return float(value) if isinstance(value, int | float) else otherwise
