"""The rows of the data sets: what is learned, and where it comes from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from earsim.evaluation.metrics.level import LEVELS
from earsim.installed import version
from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim_agents.chat.conversation import Message
from earsim_training.export.demonstrations.demonstration import Demonstration
from earsim_training.export.relabelling import LabelledEpisode, LabelledReply
from earsim_training.export.settings import Form, PromptSettings

Row = dict[str, Any]

TEXT_COLUMNS = ("prompt", "completion", "messages", "system", "instruction", "output")
"""Columns that are learned from; all others say where a row comes from."""


class Source(NamedTuple):
    """An episode, ready to be cut into rows."""

    demonstration: Demonstration
    retold: LabelledEpisode
    telling: PromptSettings


def rows_of(source: Source, form: Form) -> Iterator[Row]:
    """The rows of one episode in one form."""
    if form == "episodes":
        yield from _episodes(source)
        return
    for told in source.retold.told:
        if told.taught:
            yield _decision(source, told) if form == "decisions" else _record(told)


def _decision(source: Source, told: LabelledReply) -> Row:
    """One row per reply, in TRL's conversational prompt-completion form."""
    return {
        "prompt": told.prompt,
        "completion": [{"role": "assistant", "content": told.reply}],
        "id": _id(source, told),
        **_provenance(source),
        "decision": told.decision,
        "agent": told.agent,
        "asked_as": told.asked_as,
        "command": json.dumps(told.commands, ensure_ascii=False),
        "after_refusal": told.after_refusal,
    }


def _id(source: Source, told: LabelledReply) -> str:
    role = f"{told.asked_as}.{told.seq}" if told.asked_as else ""
    parts = (source.demonstration.id, str(told.decision), told.agent, role)
    return "/".join(part for part in parts if part)


def _episodes(source: Source) -> Iterator[Row]:
    """One row per episode and voice; `supervised` says of each reply whether it is taught.

    Calls of roles do not follow one from another: each of them is a conversation of its own.
    """
    if source.demonstration.record is not None:
        yield from (_call(source, told) for told in source.retold.told if told.taught)
        return
    for agent in dict.fromkeys(told.agent for told in source.retold.told):
        own = [told for told in source.retold.told if told.agent == agent]
        supervised = [told.taught for told in own]
        if any(supervised):
            yield {
                "messages": list(_conversation(own)),
                "supervised": supervised,
                "id": f"{source.demonstration.id}{agent and '/'}{agent}",
                **_provenance(source),
                "agent": agent,
                "asked_as": "",
            }


def _call(source: Source, told: LabelledReply) -> Row:
    earlier = sum(message["role"] == "assistant" for message in told.prompt)
    return {
        "messages": [*told.prompt, {"role": "assistant", "content": told.reply}],
        "supervised": [False] * earlier + [True],
        "id": _id(source, told),
        **_provenance(source),
        "agent": told.agent,
        "asked_as": told.asked_as,
    }


def _conversation(own: Iterable[LabelledReply]) -> Iterator[Message]:
    for number, told in enumerate(own):
        if not number:
            yield told.prompt[0]
        yield told.prompt[-1]
        yield {"role": "assistant", "content": told.reply}


def _record(told: LabelledReply) -> Row:
    """The form of the paper's own files, which hold one user message."""
    system = [message["content"] for message in told.prompt if message["role"] == "system"]
    asked = [message["content"] for message in told.prompt if message["role"] != "system"]
    return {"instruction": asked[-1], "output": told.reply, "system": "\n\n".join(system)}


def _provenance(source: Source) -> Row:
    demonstration, retold = source.demonstration, source.retold
    scenario, in_roles = demonstration.scenario, any(told.asked_as for told in retold.told)
    ruleset = RULESETS[demonstration.settings.ruleset or scenario.ruleset]
    return {
        "episode": demonstration.id,
        "scenario_id": scenario.id,
        "scenario_hash": scenario.hash,
        "scene_id": scenario.scene.id,
        "domain": scenario.scene.domain or "",
        "category": scenario.task.category.value,
        "level": LEVELS[scenario.task.category],
        "agents": len(scenario.agents),
        "ruleset": ruleset.id,
        "policy": demonstration.policy,
        "teacher": demonstration.teacher,
        "seed": demonstration.seed,
        "success": retold.success,
        "decisions": retold.decisions,
        "plan": demonstration.plan,
        "style": "" if in_roles else source.telling.style,
        "knowledge": source.telling.knowledge,
        "role": "" if in_roles else source.telling.role,
        "rationale": source.telling.rationale and not in_roles,
        "prompt_name": retold.prompt_name,
        "earsim": version("earsim"),
        "planner": str(PLANNER_VERSION),
    }


def fingerprint(row: Row) -> bytes:
    """Of what is learned from a row, and nothing else."""
    text = {column: row[column] for column in TEXT_COLUMNS if column in row}
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).digest()
