"""Checks of tasks: a draft for the right number of agents, and a goal that fits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from earsim.errors import FileError, Finding, NoSingleAnswer
from earsim.goals.selectors import answered
from earsim.schema import Category, Scenario, Scene, to_data
from earsim.schema.files.document import Document, show_path
from earsim.schema.files.load import validated
from earsim.schema.goal_tree import fold
from earsim.schema.scenario import SCENARIO_SCHEMA
from earsim.schema.task_references import agent_problems
from earsim_generators.llm.answers.schemas import GOAL_KEYS, MOST_AGENTS, Draft
from earsim_generators.llm.checks.answer_error import (
    ANSWER,
    ErrorKind,
    finding,
    refuse,
    require_known_keys,
    unusable,
    well_formed,
)
from earsim_generators.llm.checks.wording import disagreements, unspoken

MOST_CONDITIONS = 40
"""Nodes of a goal tree."""


def draft_of(answer: Document, scene: Scene, category: Category) -> Draft:
    """The draft of a task in an answer.

    Raises:
        UnusableAnswer: It is none, or its agents do not fit the scene or the category.
    """
    draft = well_formed(answer, Draft)
    problems = [
        finding(f"agents{show_path(problem.loc)}", problem.reason, problem.expected)
        for problem in agent_problems(scene.parts, draft.agents)
    ]
    refuse(ErrorKind.SENSE, [*problems, *_team_size(len(draft.agents), category)])
    return draft


def scenario_of(
    answer: Document, scene: Scene, category: Category, task_id: str, provenance: Mapping[str, Any]
) -> Scenario:
    """The scenario that a scene and the goal in an answer make, its selectors answered.

    Raises:
        UnusableAnswer: It is none, a selector has no single answer, or sentence and goal differ.
    """
    require_known_keys(answer, GOAL_KEYS)
    scenario = _validated(answer, scene, category, task_id, provenance)
    sizes = [*_team_size(len(scenario.agents), category), *_conditions(scenario)]
    refuse(ErrorKind.SENSE, [*sizes, *unspoken(scenario)])
    try:
        scenario = answered(scenario)
    except NoSingleAnswer as error:
        raise unusable(ErrorKind.SENSE, finding("select", str(error))) from None
    refuse(ErrorKind.SENSE, disagreements(scenario))
    return scenario


def _validated(
    answer: Document, scene: Scene, category: Category, task_id: str, provenance: Mapping[str, Any]
) -> Scenario:
    said = dict(answer.value)
    agents = said.pop("agents", None)
    whole = {
        "schema": SCENARIO_SCHEMA,
        "id": f"{scene.id}/{task_id}",
        "scene": to_data(scene),
        "agents": agents,
        "task": {"id": task_id, "category": category.value, **said},
        "provenance": dict(provenance),
    }
    try:
        return validated(Document(ANSWER, whole), Scenario)
    except FileError as error:
        found = (  # with its place in the answer, which knows of no scenario around it
            finding(each.place.removeprefix("task."), each.reason, each.expected)
            for each in error.findings
        )
        raise unusable(ErrorKind.FORM, *found) from None


def _team_size(agents: int, category: Category) -> list[Finding]:
    if category.is_collaboration:
        fits, expected = 2 <= agents <= MOST_AGENTS, f"2 to {MOST_AGENTS} for {category.value}"
    else:
        fits, expected = agents == 1, f"one for {category.value}"
    return [] if fits else [finding("agents", f"there are {agents}", expected)]


def _conditions(scenario: Scenario) -> Iterator[Finding]:
    def inner(parts: Sequence[int]) -> int:
        return 1 + sum(parts)

    goal = scenario.task.goal
    count = fold(goal, leaf=lambda _: 1, every=inner, some=inner, negated=lambda part: 1 + part)
    if count > MOST_CONDITIONS:
        yield finding("goal", f"has {count} conditions", f"at most {MOST_CONDITIONS}")
