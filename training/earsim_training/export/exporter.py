"""An export: from a suite, a run or the paper's records to a folder of data sets with a card."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from earsim.atomic import write_atomically
from earsim.certificates.file import CertificateFile, Key
from earsim.certificates.location import places_to_read
from earsim.errors import EarSimError, UsageError
from earsim.evaluation.policies import POLICIES
from earsim.installed import version
from earsim.parallel import Ready, map_ordered
from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.files.text import read_text
from earsim.suites import Suite, open_suite
from earsim.suites.finding import find_suite
from earsim_training.export.card import ExportCounts, Measure, card, words
from earsim_training.export.demonstrations.recordings import is_recording, recorded
from earsim_training.export.episode_rows import EpisodeRows, ExportJob, Unplayed, take
from earsim_training.export.files import ExportFiles
from earsim_training.export.paper_records import is_records, read_records
from earsim_training.export.rows import Row, fingerprint
from earsim_training.export.settings import ExportSettings, Form

MANIFEST = "export.json"
CARD = "README.md"
PROMPT = "prompt.md"
"""A prompt file that did not come with the policies: whoever trains on it has to ask with it."""

_FEW = 4
"""So few episodes are made in one process: others would take longer to start."""


class Export:
    """An export and the folder that it goes to.

    Attributes:
        total: episodes that will be looked at; None where that shows only in the end.
        tally: what was taken and left out; follows `run`.
    """

    def __init__(
        self,
        source: str,
        settings: ExportSettings,
        folder: Path,
        *,
        formats: Sequence[str],
        limit: int | None = None,
        measure: Measure = words,
        unit: str = "words",
    ) -> None:
        """Look up what is to be exported; nothing is written yet.

        Args:
            source: a suite, a scenario, a run, a trajectory, or the paper's records.
            settings: what is taken, and how it is told.
            folder: made if need be; it may hold an earlier export, which is replaced.
            formats: ``parquet`` and ``jsonl``, or one of them.
            limit: only the first so many episodes, or scenarios.
            measure: length of a text, for the card.
            unit: what it counts.

        Raises:
            UnknownName: There is no such suite, scenario, policy or ruleset.
            FileError: The source cannot be read.
            UsageError: The folder holds something else.
        """
        self._settings = settings
        self._source = source
        self._folder = folder
        self._formats = tuple(formats)
        self._limit = limit
        self._measure, self._unit = measure, unit
        self._check_folder()
        self._suite = self._open()
        self.total = self._total()
        self.tally = ExportCounts()

    def _check_folder(self) -> None:
        """See that it is empty, but for folders, or holds an export."""
        if (self._folder / MANIFEST).is_file() or not self._folder.exists():
            return
        if not self._folder.is_dir() or any(path.is_file() for path in self._folder.rglob("*")):
            raise UsageError(f"{self._folder} holds something else; choose another folder")

    def _clear(self) -> None:
        """Remove an earlier export, the manifest last: without it the rest is nobody's."""
        for form in get_args(Form):
            for path in (self._folder / form).glob("*.*"):
                path.unlink()
        for name in (CARD, PROMPT, MANIFEST):
            (self._folder / name).unlink(missing_ok=True)

    def _open(self) -> Suite | None:
        path = Path(self._source)
        teacher = self._settings.demonstrating.teacher
        if teacher:
            POLICIES[teacher]
            if is_records(path):
                raise UsageError(f"{path}: records hold no states that a teacher could judge")
        if is_records(path) or is_recording(path):
            return None
        how = self._settings.demonstrating
        POLICIES[how.policy]
        if how.ruleset is not None:
            RULESETS[how.ruleset]
        return find_suite(self._source).suite.select(limit=self._limit)

    def _total(self) -> int | None:
        if self._suite is None:
            return None
        return len(self._suite) * self._settings.demonstrating.repeats

    def run(self, jobs: int | None = None) -> Iterator[EpisodeRows]:
        """Make all rows; each episode is written before it is yielded.

        Args:
            jobs: processes; all cores by default.

        Raises:
            OSError: The disk is full; nothing is left of the files that were begun.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        self._clear()
        seen: set[bytes] = set()
        with ExportFiles(self._folder, self._formats) as shelf:
            for taken in self._taken(jobs):
                self._note(taken)
                for form, rows in taken.rows.items():
                    for row in rows:
                        self._put(row, form, taken.split, shelf, seen)
                yield taken
        self._finish(shelf.paths)

    # -- where episodes come from ------------------------------------------------------------------

    def _taken(self, jobs: int | None) -> Iterator[EpisodeRows]:
        path = Path(self._source)
        if is_records(path):
            for row in read_records(path):
                yield EpisodeRows(
                    str(row["id"]), category=str(row["category"]), rows={"decisions": [row]}
                )
            return
        orders = self._of_recording(path) if self._suite is None else self._of_suite(self._suite)
        few = self.total is not None and self.total <= _FEW
        yield from map_ordered(take, orders, jobs=1 if few else jobs)

    def _of_recording(self, path: Path) -> Iterator[ExportJob | Ready[EpisodeRows]]:
        for number, found in enumerate(recorded(path)):
            if self._limit is not None and number >= self._limit:
                return
            if isinstance(found, str):
                id, _, problem = found.partition(": ")
                yield Ready(EpisodeRows(id, problem=problem))
            else:
                yield ExportJob(found, self._settings)

    def _of_suite(self, suite: Suite) -> Iterator[ExportJob | Ready[EpisodeRows]]:
        plans = _Plans(self._source, self._settings.demonstrating.ruleset)
        for repeat in range(self._settings.demonstrating.repeats):
            for id in suite.ids:
                try:
                    scenario = suite.load(id)
                except EarSimError as error:
                    yield Ready(EpisodeRows(id, problem=str(error)))
                    continue
                wanted = self._settings.choosing.categories
                if wanted and scenario.task.category not in wanted:
                    yield Ready(EpisodeRows(id, left="category not asked for"))
                    continue
                yield ExportJob(Unplayed(scenario, repeat, plans.of(scenario)), self._settings)

    # -- writing -----------------------------------------------------------------------------------

    def _note(self, taken: EpisodeRows) -> None:
        if taken.problem:
            self.tally.problems.append(f"{taken.id}: {taken.problem}")
        elif taken.left:
            self.tally.left[taken.left] += 1
        else:
            self.tally.episodes[taken.category] += 1
            self.tally.scenes.add(taken.scene)

    def _put(self, row: Row, form: str, split: str, shelf: ExportFiles, seen: set[bytes]) -> None:
        amount = self.tally.amount(form, split)
        if not self._settings.choosing.duplicates:
            # Across splits as well: nothing that is validated on was trained on.
            mark = fingerprint(row)
            if mark in seen:
                amount.duplicates += 1
                return
            seen.add(mark)
        amount.add(row, self._measure)
        shelf.add(row, form, split)

    def _finish(self, paths: Sequence[Path]) -> None:
        """The card, then the manifest, which makes the folder an export."""
        manifest = self._manifest(paths)
        prompt = self._settings.telling.prompt
        if prompt is not None:
            (self._folder / PROMPT).write_text(read_text(prompt), encoding="utf-8")
        (self._folder / CARD).write_text(card(self.tally, manifest, self._unit), encoding="utf-8")
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        write_atomically(self._folder / MANIFEST, text)

    def _manifest(self, paths: Sequence[Path]) -> dict[str, Any]:
        files = {str(path.relative_to(self._folder)): _sha256(path) for path in paths}
        whole = "\n".join(f"{name} {digest}" for name, digest in files.items())
        return {
            "schema": "earsim.export/1",
            "source": self._source,
            "limit": self._limit,
            "settings": self._settings.model_dump(mode="json"),
            "rows": {
                f"{form}/{split}": amount.rows
                for (form, split), amount in sorted(self.tally.amounts.items())
            },
            "files": files,
            "hash": hashlib.sha256(whole.encode()).hexdigest(),
            "versions": {"earsim": version("earsim"), "planner": str(PLANNER_VERSION)},
        }


class _Plans:
    """Lengths of the certified plans of a suite, as far as there are certificates."""

    def __init__(self, source: str, ruleset: str | None) -> None:
        found = find_suite(source)
        places = places_to_read(open_suite(found.source), found.source)
        self._files = [CertificateFile(place) for place in places]
        self._ruleset = ruleset

    def of(self, scenario: Scenario) -> int | None:
        """Decisions of the plan; None without a certificate of this very scenario."""
        key = Key(scenario.hash, RULESETS[self._ruleset or scenario.ruleset].id, PLANNER_VERSION)
        for file in self._files:
            found = file.find(key, scenario)
            if found is not None and found.solution.found == "plan":
                return len(found.solution.plan)
        return None


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
