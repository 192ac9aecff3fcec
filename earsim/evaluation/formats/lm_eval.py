"""lm-evaluation-harness's files: `results_<date>.json`, and `samples_<task>_<date>.jsonl` per task.

A suite is a group, and each of its categories is a task of that group.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from earsim.atomic import write_atomically
from earsim.evaluation.formats.conversation import ASSISTANT, conversation
from earsim.evaluation.formats.recorded import PlayedEpisode, RecordedCell, moment
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.registry import METRICS

_METRICS = ("success", "success.latched", "success.final", "coverage", "commands.accepted")
_UNFIT = re.compile(r"[^A-Za-z0-9_.-]+")


def write_lm_eval(cell: RecordedCell, folder: Path) -> Path:
    """Write one cell below a folder, as the harness does; returns the file with the results."""
    tasks: dict[str, list[CountedEpisode]] = {}
    samples: dict[str, list[str]] = {}
    started = math.inf
    for played in cell.played():
        task = f"{_fit(cell.cell.suite)}_{_fit(played.row.category or 'unknown')}"
        lines = samples.setdefault(task, [])
        lines.append(json.dumps(_sample(played, len(lines)), ensure_ascii=True))
        tasks.setdefault(task, []).append(played.counted)
        started = min(started, played.row.started_at)
    began = moment(0.0 if math.isinf(started) else started)
    date = began.strftime("%Y-%m-%dT%H-%M-%S.%f")
    into = folder / _fit(cell.cell.name)
    into.mkdir(parents=True, exist_ok=True)
    for task, lines in samples.items():
        write_atomically(
            into / f"samples_{task}_{date}.jsonl", "".join(f"{line}\n" for line in lines)
        )
    results = into / f"results_{date}.json"
    document = _results(cell, tasks, samples, began.timestamp())
    write_atomically(
        results, json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    )
    return results


def _results(
    cell: RecordedCell,
    tasks: dict[str, list[CountedEpisode]],
    samples: dict[str, list[str]],
    date: float,
) -> dict[str, Any]:
    group = _fit(cell.cell.suite)
    whole = [each for episodes in tasks.values() for each in episodes]
    found = {task: _numbers(task, episodes) for task, episodes in tasks.items()}
    options = {k: v for k, v in cell.cell.entrant.options.items() if k != "api_key_env"}
    better = dict.fromkeys(_METRICS, True)
    return {
        "results": {group: _numbers(group, whole), **found},
        "groups": {group: _numbers(group, whole)},
        "group_subtasks": {group: list(tasks)},
        "configs": {task: _config(task, cell) for task in tasks},
        "versions": dict.fromkeys((group, *tasks), cell.version),
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": dict.fromkeys((group, *tasks), better),
        "n-samples": {
            task: {"original": len(each), "effective": sum(one.measured for one in each)}
            for task, each in tasks.items()
        },
        "config": {
            "model": cell.cell.entrant.policy,
            "model_args": options,
            "limit": cell.manifest.settings.limit,
            "random_seed": cell.cell.seed,
        },
        "git_hash": cell.manifest.git,
        "date": date,
        "task_hashes": {task: _hash("\n".join(lines)) for task, lines in samples.items()},
        "model_source": cell.cell.entrant.policy,
        "model_name": cell.who,
        "model_name_sanitized": _fit(cell.who),
    }


def _numbers(task: str, episodes: Sequence[CountedEpisode]) -> dict[str, Any]:
    found: dict[str, Any] = {"name": task, "alias": task, "sample_len": len(episodes)}
    for name in _METRICS:
        estimate = METRICS[name].one(episodes)
        if estimate.value is not None:
            found[f"{name},none"] = estimate.value
            found[f"{name}_stderr,none"] = _error(estimate.low, estimate.high)
    return found


def _error(low: float | None, high: float | None) -> float | str:
    """The standard error that belongs to a 95 % interval; the harness writes N/A for none."""
    return "N/A" if low is None or high is None else (high - low) / (2 * 1.959963984540054)


def _config(task: str, cell: RecordedCell) -> dict[str, Any]:
    return {
        "task": task,
        "dataset_name": cell.cell.suite,
        "output_type": "generate_until",
        "num_fewshot": 0,
        "repeats": cell.manifest.settings.repeats,
        "metadata": {
            "version": cell.version,
            **cell.cell.model_dump(mode="json", exclude={"entrant"}),
        },
    }


def _sample(played: PlayedEpisode, number: int) -> dict[str, Any]:
    row = played.row
    doc = {
        "scenario_id": row.scenario_id,
        "category": row.category,
        "repeat": row.repeat,
        "ruleset": row.ruleset,
    }
    said = [
        each.text for each in conversation(played.steps, played.calls) if each.role == ASSISTANT
    ]
    return {
        "doc_id": number,
        "doc": doc,
        "target": "the goal holds",
        "arguments": {"gen_args_0": {"arg_0": row.scenario_id, "arg_1": {}}},
        "resps": [said],
        "filtered_resps": ["\n".join(said)],
        "filter": "none",
        "metrics": ["success"],
        "doc_hash": row.scenario_hash,
        "prompt_hash": _hash(row.scenario_id),
        "target_hash": _hash("the goal holds"),
        "success": float(played.counted.succeeded),
        "outcome": row.outcome,
        "termination": row.termination,
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _fit(text: str) -> str:
    return _UNFIT.sub("_", text).strip(".") or "_"
