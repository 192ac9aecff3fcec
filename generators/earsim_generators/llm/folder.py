"""Folder of a run: a suite, what was rejected, and what it cost.

::

    suite.jsonl.gz               accepted scenarios
    suite.certificates.jsonl     their certificates
    generation-llm.json          manifest
    log/rejected.jsonl           rejected answers with reasons
    log/usage.jsonl              answers, tokens and cost, by stage and model
    expert/                      a run of the expert on the suite
    work/                        answers and certificates, from which a run is resumed
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from earsim.atomic import write_atomically
from earsim.errors import UsageError
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import ModelConfig, Sweep
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import MANIFEST, load_run_manifest
from earsim.evaluation.store.rows import EpisodeRow
from earsim.schema import Scenario
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.text import read_text
from earsim_generators.llm.checks.answer_error import ErrorKind
from earsim_generators.llm.memory import StructureMemory
from earsim_generators.llm.prompts import prompt_of, repair_prompt
from earsim_generators.llm.repair_loop import RejectedAnswer
from earsim_generators.llm.scene_writer import SceneResult
from earsim_generators.llm.settings import Stage
from earsim_generators.llm.usage import UsageLedger
from earsim_generators.suites.folder import SUITE, CertifiedScenario, packed, write_certified

SCHEMA = "earsim.generation-llm/1"


class Sorted(NamedTuple):
    """The outcome of all scenes, in the order of their numbers."""

    accepted: tuple[CertifiedScenario, ...]
    rejected: tuple[RejectedAnswer, ...]


class WritingFolder:
    """Paths, manifest and results of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.suite = path / packed(SUITE)
        self.rejected = path / "log" / "rejected.jsonl"
        self.usage = path / "log" / "usage.jsonl"
        self.expert = path / "expert"
        self.manifest = path / "generation-llm.json"
        self.work = path / "work"
        self.answers = self.work / "answers.sqlite"
        self.proofs = self.work / "proofs.jsonl"

    def open(self, described: Mapping[str, Any], n: int) -> None:
        """Begin or resume a run; more scenes than before may be asked for.

        Raises:
            UsageError: The folder holds another run, or something else.
            FileError: Its manifest cannot be read.
        """
        prompts = {stage.value: prompt_of(stage).name for stage in Stage}
        prompts["repair"] = repair_prompt().name
        data = {"schema": SCHEMA, "n": n, **described, "prompts": prompts}
        if self.manifest.exists():
            self._compare(parse_json(read_text(self.manifest), str(self.manifest)).value, data)
        elif self.path.is_dir() and any(entry.name[0] != "." for entry in self.path.iterdir()):
            raise UsageError(f"{self.path} is not empty, and holds no run to go on with")
        self.work.mkdir(parents=True, exist_ok=True)
        write_atomically(self.manifest, json.dumps(data, ensure_ascii=True, indent=2) + "\n")

    def _compare(self, found: Any, data: Mapping[str, Any]) -> None:
        known = found if isinstance(found, dict) else {}
        differ = [key for key in data if key != "n" and known.get(key) != data[key]]
        if differ:
            what = ", ".join(differ)
            raise UsageError(f"{self.path} holds another run, with other {what}; choose another")
        if known.get("n", 0) > data["n"]:
            raise UsageError(f"{self.path} holds a run of {known['n']} scenes; ask for as many")

    def play_expert(self) -> Iterator[EpisodeRow]:
        """Let the expert play every scenario of the suite that it has not played, as a run."""
        suites: tuple[str, ...] = (str(self.path),)
        if (self.expert / MANIFEST).exists():  # the suite may have been called otherwise then
            suites = load_run_manifest(self.expert).settings.suites
        sweep = Sweep(models=(ModelConfig(policy="expert"),), suites=suites)
        return Evaluation(sweep, self.expert).run()

    def solved(self, scenarios: Iterable[Scenario]) -> int:
        """Number of scenarios that the expert solved."""
        hashes = {scenario.hash for scenario in scenarios}
        with Store.open(self.expert, readonly=True) as store:
            return sum(
                row.success_final and row.scenario_hash in hashes for row in store.episodes()
            )

    def write(self, results: Iterable[SceneResult], ledger: UsageLedger) -> Sorted:
        """Write all that came of the scenes; the same scenes give the same bytes."""
        found = sort_out(sorted(results, key=lambda result: result.request.item))
        write_certified(found.accepted, self.suite)
        write_atomically(self.rejected, "".join(f"{each.as_json()}\n" for each in found.rejected))
        rows = [json.dumps(row.as_data(), ensure_ascii=True) for row in ledger.rows]
        write_atomically(self.usage, "".join(f"{row}\n" for row in rows))
        return found


def sort_out(results: Iterable[SceneResult]) -> Sorted:
    """Accepted and rejected results in order; of near-duplicates the first is accepted."""
    accepted: list[CertifiedScenario] = []
    rejected: list[RejectedAnswer] = []
    made = StructureMemory()
    for result in results:
        rejected += result.rejected
        for each in result.scenarios:
            scenario = each.scenario
            same = made.repeated_by(scenario)
            if same is None:
                accepted.append(each)
            else:
                rejected.append(_duplicate(result, scenario, same))
    return Sorted(tuple(accepted), tuple(rejected))


def _duplicate(result: SceneResult, scenario: Scenario, same: str) -> RejectedAnswer:
    return RejectedAnswer(
        unit=scenario.id,
        category=scenario.task.category,
        text=result.request.text.name,
        stage=Stage.GOALS,
        model=scenario.provenance["stages"][Stage.GOALS.value]["model"],
        flaw=ErrorKind.DUPLICATE,
        findings=(f"the same as {same}, but for names, words and small numbers",),
        flaws=(ErrorKind.DUPLICATE,),
    )
