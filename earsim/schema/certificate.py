"""A certificate: the proof that comes with a scenario.

It says that there is something to do, how it is done, and whether what the label promises is
necessary. A plan proves itself by being played; a claim of search carries the question that was
asked and how it was answered, so that it can be asked again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from earsim.schema.model import FileModel, Id, Json, Name, Text
from earsim.schema.records.trajectory import Facts
from earsim.schema.scenario import ScenarioId
from earsim.schema.task import Category


class Question(FileModel):
    """What was asked of the planner: whether there is a plan, and under which handicap.

    Attributes:
        agents: Who may act while the others stand where they start and wait; empty for all.
        without: Abilities that were taken from every object; the objects stay.
        unmarked: The goal's marks of joint action count as there.
        silent: Nobody says anything to anybody.
        command_class: Which commands of ``ear-bench`` a plan may use.
    """

    agents: tuple[Id, ...] = ()
    without: tuple[Id, ...] = ()
    unmarked: bool = False
    silent: bool = False
    command_class: Literal["plain", "any"] = "plain"


class NumericRecord(FileModel):
    """What was computed, beside the world, for one apparatus of a plan.

    It says that these settings gave these results. It says nothing of what was not evaluated.

    Attributes:
        apparatus: Whose settings.
        model: The simulation behind it, with its version.
        method: How settings, or the answer, were found: ``doubling``; ``run`` where nothing was
            searched for, and the numbers are those of the plan's own runs.
        grid: Among which candidates; empty where there was no search.
        evaluated: How many runs that took.
        design: The settings that differ from those at the start.
        best: The results that the goal speaks of, or an answer by its question.
        cost: Cost units of the run; 0 for a rig.
        margin: Least distance of a number from its bound, as a share of the bound; None where
            words and whole numbers alone decide, below 0 where the answer in the goal is another.
    """

    apparatus: Id
    model: Name
    method: Name
    grid: Text = ""
    evaluated: int = Field(ge=0)
    design: dict[Id, Json] = Field(default_factory=dict)
    best: dict[Id, Json] = Field(default_factory=dict)
    cost: float = Field(default=0.0, ge=0)
    margin: float | None = None


class Search(FileModel):
    """A claim of search: a question, its answer, and how the answer was found.

    Attributes:
        found: ``unknown`` when the node limit was reached first.
        method: ``rules`` where the rules of the world settle it before anything is tried,
            ``walkthrough`` where the plan is that of the scenario's author, ``expert`` where it is
            what the expert did, who knows no more than the agents; ``twins`` where no way of acting
            wins this scenario and another that looks the same to those who act.
        nodes: States that were reached.
        plan: One entry per decision, of agent id to command. DONE is not part of it.
        commands: Commands that are carried out; a joint one counts once. None if not counted.
        least: No plan takes fewer decisions.
        bound: No plan takes fewer decisions than this; None where there is no plan at all.
        why: Machine-readable reason of ``impossible``.
        facts: The ids, states and numbers that belong to the reason.
        seconds: What the plan takes on the world's clock, where numbers change by themselves.
        margin_ms: How far, by replay, the nearest crossing of a number is from a moment at which
            commands take effect; up to an hour.
        numeric: What was computed to find the plan, where the goal speaks of apparatus.
    """

    question: Question = Question()
    found: Literal["plan", "impossible", "unknown"]
    method: Literal["rules", "search", "walkthrough", "expert", "twins"] = "search"
    nodes: int = Field(ge=0)
    plan: tuple[dict[Id, Text], ...] = ()
    commands: int | None = None
    least: bool = False
    bound: int | None = Field(default=None, ge=0)
    why: Name | None = None
    facts: Facts = Field(default_factory=dict)
    seconds: int | None = Field(default=None, ge=0)
    margin_ms: int | None = Field(default=None, ge=0)
    numeric: tuple[NumericRecord, ...] = ()

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.found != "plan" and (self.plan or self.least):
            raise _problem(f"a plan, although {self.found} was found", "found: plan")
        if (self.found == "impossible") != (self.why is not None):
            raise _problem(f"why is {self.why}, found {self.found}", "why says what is impossible")
        if self.least and self.bound != len(self.plan):
            raise _problem(f"a bound of {self.bound}", f"{len(self.plan)}, the length of the plan")
        return self


class Means(StrEnum):
    """What a label can promise to be necessary."""

    SELECTOR = "selector"
    TOOL = "tool"
    TEAM = "team"
    MESSAGE = "message"


class Shown(StrEnum):
    """What an attempt at a proof showed; the first three are proofs."""

    ONE_ANSWER = "one_answer"
    NEEDED = "needed"
    NEEDED_BY_MARK = "needed_by_mark"
    NO_SELECTOR = "no_selector"
    SEVERAL_ANSWERS = "several_answers"
    ONE_CANDIDATE = "one_candidate"
    NAMED = "named"
    NO_TOOL_USED = "no_tool_used"
    DONE_WITHOUT = "done_without"
    ONE_AGENT = "one_agent"
    DONE_ALONE = "done_alone"
    NO_PLAN = "no_plan"
    LIMIT_REACHED = "limit_reached"

    @property
    def is_proof(self) -> bool:
        """Whether the means was proved necessary, be it by the goal's mark only."""
        return self in (Shown.ONE_ANSWER, Shown.NEEDED, Shown.NEEDED_BY_MARK)


class Proof(FileModel):
    """An attempt to prove that a means is necessary, and what it showed.

    Attributes:
        answers: What the selectors of the goal pick, by their names.
        said: The name or id in the instruction that gives an answer away.
        searches: The claims that the proof rests on, or that refute it.
    """

    of: Means
    shown: Shown
    answers: dict[Id, Id] = Field(default_factory=dict)
    said: Name | None = None
    searches: tuple[Search, ...] = ()


class LabelProof(StrEnum):
    """What became of the label as a whole.

    MARKED: proved, but only because the goal itself demands that something be done jointly.
    """

    PROVED = "proved"
    MARKED = "proved_by_mark"
    NOT_PROVED = "not_proved"
    NOTHING_PROMISED = "nothing_promised"


class Exploit(FileModel):
    """What the rules of ``ear-bench`` accept beyond what its prompts advertise.

    Attributes:
        together: Any command, all agents.
        alone: For a team's task: any command, one agent while the others wait; up to the first
            who succeeds.
    """

    together: Search
    alone: tuple[Search, ...] = ()


class ClaimShown(StrEnum):
    """What became of a claim that a scenario calls right."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class ClaimProof(FileModel):
    """What is known of the claim that a scenario calls right.

    Attributes:
        claim: That it is impossible, or unclear.
        shown: ``impossible`` is proved where there is no plan; ``unclear`` where every reading
            can be reached, and plans for `goal` and for another leave each other's undone.
        others: How the other readings of an unclear task are reached.
    """

    claim: Literal["impossible", "unclear"]
    shown: ClaimShown
    others: tuple[Search, ...] = ()

    @model_validator(mode="after")
    def _has_other_readings(self) -> Self:
        if (self.claim == "unclear") is not bool(self.others):
            raise _problem("no other readings, or of no unclear task", "they go together")
        return self


class Certificate(FileModel):
    """What is proved about one scenario under one version of its rules.

    Attributes:
        ruleset: Ruleset with its version, ``physical/2``.
        planner: Version of the planner that made the claims.
        node_limit: States that each search was allowed.
        budget: Decisions that an episode may take.
        goal_at_start: Whether there is nothing to do.
        solution: How the scenario is solved, by the commands that agents are told of.
        informed: Where the task rests on numbers that are felt or measured: a plan within the
            budget that perceives those of all candidates before it ends; None if there is none, or
            nothing of the kind to perceive.
        label: What became of the promise that the category makes.
        necessity: The attempts at proofs behind it.
        exploit: For ``ear-bench`` only.
        claim: Where the right answer is to report that the task is impossible, or unclear.
    """

    schema_: Literal["earsim.certificate/1"] = Field(
        default="earsim.certificate/1", validation_alias="schema", serialization_alias="schema"
    )
    scenario_id: ScenarioId
    scenario_hash: Id
    category: Category
    ruleset: Name
    planner: Name
    node_limit: int = Field(ge=1)
    budget: int = Field(ge=1)
    goal_at_start: bool
    solution: Search
    informed: Search | None = None
    label: LabelProof
    necessity: tuple[Proof, ...] = ()
    exploit: Exploit | None = None
    claim: ClaimProof | None = None

    @property
    def searches(self) -> tuple[Search, ...]:
        """Every claim of search in it, the solution first."""
        found = [self.solution, *(search for proof in self.necessity for search in proof.searches)]
        if self.exploit is not None:
            found += [self.exploit.together, *self.exploit.alone]
        if self.claim is not None:
            found += self.claim.others
        return tuple(found)

    @property
    def is_settled(self) -> bool:
        """Whether no search gave up at the limit, and the solution is proved to be least."""
        least = self.solution.found != "plan" or self.solution.least
        return least and all(search.found != "unknown" for search in self.searches)


def _problem(reason: str, expected: str) -> PydanticCustomError:
    return PydanticCustomError("problem", "{reason}", {"reason": reason, "expected": expected})
