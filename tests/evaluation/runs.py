"""Runs made by hand: episodes with exactly the numbers that a test needs, without playing any."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.runs.run_config import run_configs_of
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import new_manifest, save_manifest
from earsim.evaluation.store.records import EpisodeRecord, Writing
from earsim.evaluation.store.rows import EpisodeRow
from earsim.schema import OutcomeRecord, StepRecord
from earsim.schema.records.model_call import ModelCall


def episode(scenario: str = "a", *, won: bool = False, **changes: Any) -> CountedEpisode:
    """An episode as metrics see it."""
    facts: dict[str, Any] = {
        "id": f"cell/{scenario}/{changes.get('repeat', 0)}",
        "suite": "starter",
        "scenario_id": scenario,
        "scenario_hash": f"hash of {scenario}",
        "category": "direct_command",
        "level": "one agent, L1",
        "ruleset": "physical/2",
        "measured": True,
        "succeeded": won,
        "termination": "done",
        "latched": won,
        "final": won,
    }
    return CountedEpisode(**{**facts, **changes})


def row(scenario: str = "a", **changes: Any) -> EpisodeRow:
    """A row of a store: a measured failure, unless told otherwise."""
    facts: dict[str, Any] = {
        "episode": f"cell/{scenario}/{changes.get('repeat', 0)}",
        "cell": "cell",
        "suite": "starter",
        "scenario_id": scenario,
        "scenario_hash": f"hash_{scenario}",
        "category": "direct_command",
        "level": "L1",
        "ruleset": "physical/2",
        "policy": "llm",
        "model": "some-model",
        "style": "chat",
        "knowledge": "explore",
        "repeat": 0,
        "seed": 0,
        "agents": 1,
        "outcome": "failure",
        "termination": "budget",
        "success_latched": False,
        "success_final": False,
        "claimed_done": False,
        "decisions": 1,
        "first_true": None,
        "score": 0.0,
        "error": None,
        "memory": None,
        "extra": {},
        "started_at": 1.7e9,
        "wall_ms": 5.0,
    }
    return EpisodeRow(**{**facts, **changes})


def step(number: int, *outcomes: OutcomeRecord) -> StepRecord:
    """A decision."""
    commands = {each.agent: each.command for each in outcomes}
    return StepRecord(decision=number, commands=commands, outcomes=outcomes, digest="d")


def outcome(command: str, reason: str | None = None, agent: str = "eva") -> OutcomeRecord:
    """What became of a command."""
    status = "SUCCESS" if reason is None else "INVALID"
    verb = command.partition(" ")[0]
    return OutcomeRecord(agent=agent, command=command, verb=verb, status=status, reason=reason)


def call(number: int = 0, **changes: Any) -> ModelCall:
    """A model call of 100 + 10 tokens."""
    facts: dict[str, Any] = {
        "agent": "",
        "role": "llm",
        "decision": number,
        "seq": 0,
        "request": {"messages": [{"role": "user", "content": f"turn {number}"}]},
        "request_hash": "h",
        "reply": "Action: EXPLORE",
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "attempts": 1,
    }
    return ModelCall(**{**facts, **changes})


def recorded(
    episode: EpisodeRow, steps: Iterable[StepRecord] = (), calls: Iterable[ModelCall] = ()
) -> EpisodeRecord:
    """An episode ready to be stored."""
    writing = Writing(episode.episode)
    for each in steps:
        writing.step(each, unreadable=not each.commands)
    for each in calls:
        writing.call(each)
    return writing.finish(episode)


def run(
    folder: Path,
    records: Iterable[EpisodeRecord],
    *,
    entrant: Mapping[str, Any] | None = None,
    planned: int | None = None,
    version: str | None = None,
    **sweep: Any,
) -> Path:
    """A run folder that holds these episodes, all of its one cell."""
    data = {
        "models": [{"policy": "llm", "name": "cell", "options": {"model": "m"}, **(entrant or {})}],
        "styles": ["chat"],
        **sweep,
    }
    made = Sweep.model_validate(data)
    (cell,) = run_configs_of(made)
    records = list(records)
    manifest = new_manifest(made, [cell], {cell.name: planned or len(records)})
    if version is not None:
        manifest = manifest.model_copy(update={"versions": {"earsim": version}})
    save_manifest(manifest, folder)
    with Store.open(folder) as store:
        for each in records:
            renamed = f"{cell.name}/{each.row.scenario_id}/{each.row.repeat}"
            store.add(
                each._replace(
                    row=each.row._replace(episode=renamed, cell=cell.name),
                    steps=tuple((renamed, *values[1:]) for values in each.steps),
                    calls=tuple((renamed, *values[1:]) for values in each.calls),
                )
            )
    return folder
