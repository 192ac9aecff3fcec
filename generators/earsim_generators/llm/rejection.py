"""Rejected answers: the lines of `rejected.jsonl`."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from earsim.schema import Category
from earsim_generators.llm.checks.answer_error import ErrorKind
from earsim_generators.llm.repair_loop import NoUsableAnswer
from earsim_generators.llm.scene_request import SceneRequest
from earsim_generators.llm.stage import Stage

SCHEMA = "earsim.rejected/1"

_MOST_FINDINGS = 50


class RejectedAnswer(NamedTuple):
    """A scene or a task that came to nothing.

    Attributes:
        unit: id of the scene, or that the scenario would have had.
        category: of the task; None for a scene.
        flaw: what is wrong with the last answer.
        findings: the same in detail.
        flaws: of all answers, in order.
        excerpt: the beginning of the last answer.
    """

    unit: str
    category: Category | None
    text: str
    stage: Stage
    model: str
    flaw: ErrorKind
    findings: tuple[str, ...]
    flaws: tuple[ErrorKind, ...]
    excerpt: str = ""

    @classmethod
    def of(
        cls,
        refused: NoUsableAnswer,
        brief: SceneRequest,
        *,
        unit: str,
        category: Category | None = None,
    ) -> RejectedAnswer:
        """The rejection of what a model could not be brought to say."""
        record, flawed = refused.record, refused.flawed
        return cls(
            unit=unit,
            category=category,
            text=brief.text.name,
            stage=record.stage,
            model=record.model,
            flaw=flawed.flaw,
            findings=flawed.findings[:_MOST_FINDINGS],
            flaws=(*record.flaws, flawed.flaw),
            excerpt=refused.excerpt,
        )

    def as_json(self) -> str:
        """One line of ASCII: no reader and no terminal chokes on it."""
        data: dict[str, Any] = {"schema": SCHEMA, **self._asdict()}
        data["answer"] = data.pop("excerpt")
        return json.dumps(data, ensure_ascii=True, separators=(",", ":"))
