"""A scientific workflow task as data: an idea with its votes, protocols beside their references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from earsim.errors import EarSimError
from earsim.evaluation.scorers.ideas import dimension
from earsim.evaluation.scorers.votes import Vote
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.workflow.outcome import WorkflowOutcome
from earsim.evaluation.workflow.votes_file import load_votes
from earsim.schema import Scenario
from earsim.schema.workflow import IdeaDimension, WorkflowFamily
from earsim.viewer.run import Run


def science(run: Run, row: EpisodeRow, scenario: Scenario | None) -> dict[str, Any] | None:
    """What an episode of a workflow task came to; None of any other.

    Args:
        run: that it is of.
        row: the episode.
        scenario: as it was played; None where it is not at hand.
    """
    outcome = WorkflowOutcome.of_record(row.extra.get("workflow", {}))
    if outcome is None:
        return None
    is_idea = outcome.family == WorkflowFamily.IDEA
    return {
        "family": outcome.family,
        "domain": outcome.domain,
        "numbers": dict(outcome.numbers),
        "idea": _idea(run, row, outcome, scenario) if is_idea else None,
        "protocols": [each.record() for each in outcome.protocols],
    }


def _idea(
    run: Run, row: EpisodeRow, outcome: WorkflowOutcome, scenario: Scenario | None
) -> dict[str, Any]:
    """Parts of the idea and of its reference, and every vote.

    The reference is empty where the scenario is not at hand.
    """
    task = None if scenario is None else scenario.task.workflow
    reference = task.idea.parts if task is not None and task.idea is not None else {}
    problem, votes = "", dict[str, tuple[Vote, ...]]()
    try:
        votes = load_votes(run.path).on(row)
    except EarSimError as error:
        problem = str(error)
    return {
        "parts": dict(outcome.idea),
        "reference": {part.value: text for part, text in reference.items()},
        "dimensions": list(_dimensions(outcome.numbers, votes)),
        "problem": problem,
    }


def _dimensions(
    numbers: Mapping[str, float], votes: Mapping[str, tuple[Vote, ...]]
) -> Iterator[dict[str, Any]]:
    for each in IdeaDimension:
        cast, objective = votes.get(each, ()), numbers.get(each)
        yield {
            "name": each.value,
            "objective": objective,
            "value": None if objective is None else dimension(objective, cast),
            "votes": [
                {**vote._asdict(), "points": vote.points, "verdict": vote.verdict} for vote in cast
            ],
        }
