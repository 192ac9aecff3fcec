"""Stage 3 of a study, after the run: numbers, tools and grades of each episode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from earsim.atomic import write_atomically
from earsim.evaluation.runs.run_config import title
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import load_run_manifest
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StepRow
from earsim.evaluation.study.files import GRADING, RUN, SCORES, StudyMetric
from earsim.evaluation.study.grading import Grader
from earsim.evaluation.study.numbers import numbers_of, tools_of
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.model import FileModel


class GradeRecord(FileModel):
    """A grade.

    Attributes:
        criterion: by which.
        score: 0 to 10; None where it could not be graded.
        why: the grader's reason.
    """

    criterion: str
    score: float | None
    why: str


class ToolRecord(FileModel):
    """How often a kind of tool was used in an episode, and how long all uses took in seconds."""

    uses: int
    seconds: float


class EpisodeScores(FileModel):
    """What is known of one episode.

    Attributes:
        numbers: None where it was not measured.
        error: why it was not.
    """

    episode: str
    scenario: str
    category: str
    player: str
    numbers: dict[str, float] | None
    error: str | None = None
    tools: dict[str, ToolRecord] = Field(default_factory=dict)
    grades: dict[str, GradeRecord] = Field(default_factory=dict)


class StudyScores(FileModel):
    """All episodes of a study."""

    schema_: Literal["earsim.study-scores/1"] = Field(
        default="earsim.study-scores/1", validation_alias="schema", serialization_alias="schema"
    )
    episodes: tuple[EpisodeScores, ...]


def score(folder: Path, custom: Sequence[StudyMetric], grade: Grader) -> StudyScores:
    """Score every episode of a study's run, and write them into its folder.

    Grades that stand there already, of the same episode and criterion, are kept, also those of a
    scoring that was killed: they are written after each episode that got one.

    Raises:
        FileError: There is no run, or the scores that are there cannot be read.
    """
    kept = _grades_kept(folder / SCORES) | _grades_kept(folder / GRADING)
    scores = StudyScores(episodes=())
    with Store.open(folder / RUN, readonly=True) as store:
        players = _players(folder)
        for row in store.episodes():
            steps, calls = list(store.steps(row.episode)), list(store.calls(row.episode))
            found = _scored(row, steps, calls, players)
            grades = dict(_graded(found, calls, steps, custom, grade, kept))
            graded = found.model_copy(update={"grades": grades})
            scores = StudyScores(episodes=(*scores.episodes, graded))
            if any((row.episode, each.criterion) not in kept for each in grades.values()):
                _write(scores, folder / GRADING)
    _write(scores, folder / SCORES)
    (folder / GRADING).unlink(missing_ok=True)
    return scores


def _write(scores: StudyScores, path: Path) -> None:
    write_atomically(path, scores.model_dump_json(by_alias=True, indent=1) + "\n")


def _players(folder: Path) -> dict[str, str]:
    """What to call who plays each cell."""
    cells = load_run_manifest(folder / RUN).cells
    return {name: title(cell.entrant) for name, cell in cells.items()}


def _scored(
    row: EpisodeRow, steps: Sequence[StepRow], calls: Sequence[CallRow], players: dict[str, str]
) -> EpisodeScores:
    used: dict[str, list[float]] = defaultdict(list)
    for tool in tools_of(steps, calls):
        used[tool.kind].append(tool.seconds)
    return EpisodeScores(
        episode=row.episode,
        scenario=row.scenario_id,
        category=row.category,
        player=players.get(row.cell, row.policy),
        numbers=numbers_of(row, steps, calls),
        error=row.error,
        tools={k: ToolRecord(uses=len(v), seconds=round(sum(v), 3)) for k, v in used.items()},
    )


def _graded(
    found: EpisodeScores,
    calls: Sequence[CallRow],
    steps: Sequence[StepRow],
    custom: Sequence[StudyMetric],
    grade: Grader,
    kept: dict[tuple[str, str], GradeRecord],
) -> Iterator[tuple[str, GradeRecord]]:
    for metric in custom:
        if metric.rubric is None or found.numbers is None:
            continue
        criterion = metric.rubric.criterion
        record = kept.get((found.episode, criterion))
        if record is None:
            given = grade(metric.rubric, _said(calls, steps))
            record = GradeRecord(criterion=criterion, score=given.score, why=given.why)
        yield metric.name, record


def _said(calls: Sequence[CallRow], steps: Sequence[StepRow]) -> str:
    """What a policy said in an episode: replies, or its commands where it asked no model."""
    if calls:
        return "\n".join(call.reply for call in calls if call.reply)
    return "\n".join(text for step in steps for text in (step.commands or {}).values())


def _grades_kept(path: Path) -> dict[tuple[str, str], GradeRecord]:
    """Grades of an earlier scoring, by episode and criterion."""
    if not path.exists():
        return {}
    return {
        (episode.episode, grade.criterion): grade
        for episode in load_scores(path).episodes
        for grade in episode.grades.values()
        if grade.score is not None
    }


def load_scores(path: Path) -> StudyScores:
    """The scores of a study.

    Raises:
        FileError: They cannot be read.
    """
    return validated(parse_json(read_text(path), str(path)), StudyScores)
