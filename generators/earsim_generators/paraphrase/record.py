"""Files of paraphrases: JSON lines, one accepted paraphrase each, and how a scenario takes one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field

from earsim.atomic import replacing
from earsim.errors import FileError, Finding
from earsim.schema import Scenario
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.model import FileModel, Name, Text
from earsim.schema.scenario import ScenarioId

SUFFIX = "paraphrases.jsonl"
"""`NAME.paraphrases.jsonl` is of the suite NAME."""


class Paraphrase(FileModel):
    """An instruction in other words, accepted by every reader.

    Attributes:
        scenario_hash: Of the scenario with the instruction that it paraphrases.
        style: In which the writer was asked to speak.
        writer, readers: Models.
        attempts: Of the writer; the last one is this.
    """

    schema_: Literal["earsim.paraphrase/1"] = Field(
        default="earsim.paraphrase/1", validation_alias="schema", serialization_alias="schema"
    )
    scenario_id: ScenarioId
    scenario_hash: Name
    instruction: Text
    style: Name
    writer: Name
    readers: tuple[Name, ...] = Field(min_length=1)
    attempts: int = Field(default=1, ge=1)

    @property
    def line(self) -> str:
        """JSON on one line."""
        data = self.model_dump(mode="json", by_alias=True)
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class ParaphraseFile:
    """Paraphrases by the id of the scenario."""

    def __init__(self, source: str, found: Iterable[Paraphrase]) -> None:
        """Those that a file holds; of two for one scenario the last counts."""
        self.source = source
        self._by_id = {each.scenario_id: each for each in found}

    @classmethod
    def read(cls, path: Path) -> Self:
        """The paraphrases in a file.

        Raises:
            FileError: A line is none.
        """
        lines = read_text(path).splitlines()
        return cls(
            str(path),
            [
                validated(parse_json(line, f"{path}, line {number}"), Paraphrase)
                for number, line in enumerate(lines, 1)
                if line.strip()
            ],
        )

    def __len__(self) -> int:
        return len(self._by_id)

    @property
    def instructions(self) -> dict[str, str]:
        """The instructions by the id of the scenario."""
        return {id: found.instruction for id, found in self._by_id.items()}

    def of(self, scenario: Scenario) -> Paraphrase | None:
        """The paraphrase of a scenario, if there is one.

        Raises:
            FileError: It was made of a task of that id that is another by now.
        """
        found = self._by_id.get(scenario.id)
        if found is not None and found.scenario_hash != scenario.hash:
            expected = "paraphrases of the scenarios as they are now"
            reason = "was made for another version of the task"
            raise FileError(self.source, [Finding(self.source, scenario.id, reason, expected)])
        return found

    def write(self, path: Path) -> None:
        """Write all, in their order."""
        text = "".join(f"{each.line}\n" for each in self._by_id.values())
        with replacing(path) as partial:
            partial.write_text(text, encoding="utf-8")


def paraphrased(scenario: Scenario, by: Paraphrase) -> Scenario:
    """The scenario with the instruction in other words; nothing else of the task changes."""
    provenance: Mapping[str, Any] = scenario.provenance or {}
    told = {"of": scenario.hash, "style": by.style, "writer": by.writer, "readers": [*by.readers]}
    return scenario.model_copy(
        update={
            "task": scenario.task.model_copy(update={"instruction": by.instruction}),
            "provenance": {**provenance, "paraphrase": told},
        }
    )
