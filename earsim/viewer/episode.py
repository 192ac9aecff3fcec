"""All that the page shows of one episode, as one JSON value."""

from __future__ import annotations

from typing import Any

from earsim.evaluation.store.rows import CallRow, StateRow, StepRow
from earsim.viewer.plan import planned
from earsim.viewer.playback import playback
from earsim.viewer.run import Run
from earsim.viewer.science import science


def episode_data(run: Run, episode: str) -> dict[str, Any]:
    """One episode: its record, its replay, its model calls, its plan and its science.

    Raises:
        UnknownName: The run has no such episode.
    """
    recording = run.recording(episode)
    row = recording.row
    library = run.library(row)
    scenario = library.scenario(row)
    shown = playback(recording, scenario)
    return {
        "row": row._asdict(),
        "instruction": row.extra.get("instruction", ""),
        "agents": _agents(recording.steps, shown.scene),
        "scene": shown.scene,
        "start": shown.start,
        "problem": shown.problem,
        "steps": [_step(step) for step in recording.steps],
        "moments": shown.moments,
        "curves": shown.curves,
        "laboratory": shown.laboratory,
        "drawings": shown.drawings,
        "calls": [_of_episode(call) for call in recording.calls],
        "states": [_of_episode(state) for state in recording.states],
        "science": science(run, row, scenario),
        "plan": planned(library.solution(row), recording.steps),
    }


def _agents(steps: tuple[StepRow, ...], scene: dict[str, Any] | None) -> list[str]:
    """Ids of the agents, in file order where that is known; one lane for each."""
    known = list(scene["agents"]) if scene is not None else []
    spoke = [agent for step in steps for agent in step.commands or ()]
    moved = [outcome.agent for step in steps for outcome in step.outcomes]
    return list(dict.fromkeys([*known, *spoke, *moved]))


def _step(step: StepRow) -> dict[str, Any]:
    return {
        "decision": step.decision,
        "commands": step.commands,
        "outcomes": [outcome.model_dump(mode="json") for outcome in step.outcomes],
        "clock": step.clock,
    }


def _of_episode(row: CallRow | StateRow) -> dict[str, Any]:
    data = row._asdict()
    del data["episode"]
    return data
