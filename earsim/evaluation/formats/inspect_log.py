"""inspect_ai's `.eval` log, version 2: a zip of JSON documents, written without inspect_ai.

The archive holds `header.json` (the log without its samples), `summaries.json`, one file per sample
and the journal that a live log begins with; `inspect view` and `read_eval_log` open it.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earsim.atomic import replacing
from earsim.evaluation.formats.conversation import ASSISTANT, SYSTEM, ChatMessage, conversation
from earsim.evaluation.formats.inspect_events import InspectTranscript, generated
from earsim.evaluation.formats.recorded import PlayedEpisode, RecordedCell, moment
from earsim.evaluation.metrics.episode import CountedEpisode, RoleUsage
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.store.rows import EpisodeRow

VERSION = 2
_SCORE = "success"
_LONG = 1000
_DATE = (1980, 1, 1, 0, 0, 0)
"""Of every member of the archive, so that one run always gives the same bytes."""


def write_inspect_log(cell: RecordedCell, path: Path) -> None:
    """Write one cell as a `.eval` file; it appears complete or not at all."""
    with (
        replacing(path) as partial,
        zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        rows, counted, summaries = [], [], []
        for played in cell.played():
            sample = _sample(cell, played)
            _put(archive, f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample)
            summaries.append(_summary(sample))
            rows.append(played.row)
            counted.append(played.counted)
        header = _header(cell, rows, counted)
        start = {"version": VERSION, "eval": header["eval"], "plan": header["plan"]}
        _put(archive, "_journal/start.json", start)
        _put(archive, "summaries.json", summaries)
        _put(archive, "header.json", header)


def _put(archive: zipfile.ZipFile, name: str, value: Any) -> None:
    member = zipfile.ZipInfo(name, _DATE)
    member.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(member, json.dumps(value, ensure_ascii=True, allow_nan=False))


# -- the log -------------------------------------------------------------------------------------


def _header(
    cell: RecordedCell, rows: list[EpisodeRow], counted: list[CountedEpisode]
) -> dict[str, Any]:
    measured = sum(each.measured for each in counted)
    planned = cell.manifest.planned.get(cell.cell.name, 0)
    started = min((row.started_at for row in rows), default=0.0)
    ended = max((row.started_at + row.wall_ms / 1000 for row in rows), default=0.0)
    usage = _usage_of(each for episode in counted for each in episode.usage.values())
    return {
        "version": VERSION,
        "status": "success" if len(rows) >= planned else "cancelled",
        "eval": _spec(cell, rows, moment(started).isoformat()),
        "plan": {"name": "plan", "steps": [], "finish": None, "config": {}},
        "results": {
            "total_samples": len(rows),
            "completed_samples": measured,
            "scores": [
                {
                    "name": _SCORE,
                    "scorer": "earsim",
                    "scored_samples": measured,
                    "unscored_samples": len(rows) - measured,
                    "metrics": _metrics(counted),
                }
            ],
        },
        "stats": {
            "started_at": moment(started).isoformat(),
            "completed_at": moment(ended).isoformat(),
            "model_usage": {cell.who: usage} if usage["total_tokens"] else {},
        },
    }


def _spec(cell: RecordedCell, rows: list[EpisodeRow], created: str) -> dict[str, Any]:
    ids = list(dict.fromkeys(row.scenario_id for row in rows))
    name = cell.cell.name
    options = {k: v for k, v in cell.cell.entrant.options.items() if k != "api_key_env"}
    return {
        "eval_id": _id("eval", name, created),
        "run_id": _id("run", created),
        "created": created,
        "task": f"earsim/{cell.cell.suite}",
        "task_id": _id("task", cell.cell.suite),
        "task_version": cell.version,
        "task_args": cell.cell.model_dump(mode="json", exclude={"entrant"}),
        "dataset": {"name": cell.cell.suite, "samples": len(ids), "sample_ids": ids},
        "model": cell.who,
        "model_args": options,
        "config": {"epochs": max((row.repeat for row in rows), default=0) + 1},
        "packages": {"earsim": cell.version},
        "metadata": {"cell": name, "rulesets": sorted({row.ruleset for row in rows})},
    }


def _metrics(counted: list[CountedEpisode]) -> dict[str, Any]:
    """Every registered number, by its id and part."""
    found = {}
    for metric in METRICS.values():
        for estimate in metric(counted):
            if estimate.value is not None:
                name = f"{metric.id}[{estimate.part}]" if estimate.part else metric.id
                facts = {"n": estimate.n, "low": estimate.low, "high": estimate.high}
                found[name] = {"name": name, "value": estimate.value, "metadata": facts}
    return found


# -- one sample ----------------------------------------------------------------------------------


def _sample(cell: RecordedCell, played: PlayedEpisode) -> dict[str, Any]:
    row = played.row
    messages = conversation(played.steps, played.calls)
    shown = [_message(each, cell.who) for each in messages]
    first = next((each.text for each in messages if each.role not in (ASSISTANT, SYSTEM)), "")
    usage = _usage_of(played.counted.usage.values())
    sample: dict[str, Any] = {
        "id": row.scenario_id,
        "epoch": row.repeat + 1,
        "input": first or row.scenario_id,
        "target": "the goal holds",
        "messages": shown,
        "output": _output(cell.who, played, usage),
        "metadata": _facts(row, played.counted),
        "store": {},
        "model_usage": {cell.who: usage} if usage["total_tokens"] else {},
        "role_usage": {
            role: _usage_of([used]) for role, used in played.counted.usage.items() if used.tokens
        },
        "started_at": moment(row.started_at).isoformat(),
        "completed_at": moment(row.started_at + row.wall_ms / 1000).isoformat(),
        "total_time": row.wall_ms / 1000,
        "uuid": _id("sample", row.episode),
    }
    if played.counted.measured:
        sample["scores"] = {_SCORE: _score(row, played.counted)}
    else:
        text = row.error or row.termination
        sample["error"] = {"message": text, "traceback": text, "traceback_ansi": text}
    transcript = InspectTranscript(played, cell.who)
    events = list(transcript.events(sample))
    return {**sample, "events": events, "attachments": transcript.attachments}


def _summary(sample: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("id", "epoch", "target", "model_usage", "role_usage", "started_at", "completed_at")
    others = ("total_time", "uuid", "scores", "metadata")
    found = {key: sample[key] for key in (*kept, *others) if key in sample}
    found["input"] = sample["input"][:_LONG]
    found["completed"] = "error" not in sample
    found["message_count"] = len(sample["messages"])
    if "error" in sample:
        found["error"] = sample["error"]["message"]
    return found


def _message(message: ChatMessage, model: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role == ASSISTANT:
        shown |= {"source": "generate", "model": model}
    return shown


def _output(model: str, played: PlayedEpisode, usage: Mapping[str, int]) -> dict[str, Any]:
    if not played.calls:
        return {"model": model, "choices": [], "completion": ""}
    return {**generated(played.calls[-1], model), "usage": usage}


def _score(row: EpisodeRow, counted: CountedEpisode) -> dict[str, Any]:
    return {
        "value": int(counted.succeeded),
        "answer": "DONE" if row.claimed_done else row.termination,
        "explanation": f"{row.termination} after {row.decisions} decisions",
        "metadata": {"latched": counted.latched, "final": counted.final, "score": row.score},
    }


def _facts(row: EpisodeRow, counted: CountedEpisode) -> dict[str, Any]:
    return {
        "episode": row.episode,
        "category": row.category,
        "level": row.level,
        "ruleset": row.ruleset,
        "scenario_hash": row.scenario_hash,
        "seed": row.seed,
        "decisions": row.decisions,
        "plan": counted.plan,
        "failure_modes": list(counted.modes or ()),
    }


def _usage_of(parts: Any) -> dict[str, int]:
    found: list[RoleUsage] = list(parts)
    cached = sum(each.cached for each in found)
    return {
        "input_tokens": sum(each.prompt for each in found) - cached,  # there, without the cached
        "output_tokens": sum(each.completion for each in found),
        "total_tokens": sum(each.tokens for each in found),
        "input_tokens_cache_read": cached,
    }


def _id(*parts: str) -> str:
    """An id that is a function of what it names."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:22]
