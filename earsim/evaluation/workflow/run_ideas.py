"""The ideas that were told in a run, with the references of their scenarios."""

from __future__ import annotations

from pathlib import Path

from earsim.errors import UsageError
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.scorers.votes import Vote
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import load_run_manifest
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.termination import EpisodeOutcome
from earsim.evaluation.workflow.jury import ToldIdea
from earsim.evaluation.workflow.outcome import WorkflowOutcome
from earsim.evaluation.workflow.votes_file import load_votes
from earsim.schema.workflow import IdeaDimension


def told_ideas(run: Path) -> dict[str, ToldIdea]:
    """The idea of every measured episode that told one, by episode.

    Raises:
        FileError: There is no run.
        UsageError: A scenario is not at hand, or another than was played.
    """
    manifest = load_run_manifest(run)
    libraries = {name: SuiteLookup(cell.suite) for name, cell in manifest.cells.items()}
    with Store.open(run, readonly=True) as store:
        rows = list(store.episodes())
    return {row.episode: told_idea(row, libraries[row.cell]) for row in rows if _has_idea(row)}


def _has_idea(row: EpisodeRow) -> bool:
    outcome = WorkflowOutcome.of_record(row.extra.get("workflow", {}))
    measured = row.outcome != EpisodeOutcome.NO_MEASUREMENT
    return measured and outcome is not None and bool(outcome.idea)


def told_idea(row: EpisodeRow, library: SuiteLookup) -> ToldIdea:
    """The idea of one episode.

    Raises:
        UsageError: Its scenario is not at hand, or is another than was played.
    """
    outcome = WorkflowOutcome.of_record(row.extra.get("workflow", {}))
    scenario = library.scenario(row)
    task = None if scenario is None else scenario.task.workflow
    if outcome is None or task is None or task.idea is None:
        raise UsageError(
            f"{row.episode}: the scenario that was played is not at hand, and with it what the "
            "idea is compared with; run from the folder that the run was made in"
        )
    return ToldIdea(row.extra.get("instruction", ""), outcome.idea, task.idea)


def votes_by_item(run: Path) -> dict[tuple[str, str], tuple[Vote, ...]]:
    """The votes on every idea of a run by episode and dimension; no votes where there are none."""
    votes = load_votes(run)
    with Store.open(run, readonly=True) as store:
        on = {row.episode: votes.on(row) for row in store.episodes() if _has_idea(row)}
    return {
        (episode, dimension.value): found.get(dimension.value, ())
        for episode, found in on.items()
        for dimension in IdeaDimension
    }
