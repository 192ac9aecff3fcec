"""Stage 3 of a study, after the run: numbers, tools and grades of each episode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
        model: that was asked; empty where none was.
    """

    criterion: str
    score: float | None
    why: str
    model: str = ""


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
    scoring that was killed: they are written as they are given. So is a reply of the same model
    that held no grade: it is not asked for another.

    Raises:
        FileError: There is no run, or the scores that are there cannot be read.
    """
    kept = _grades_kept(folder / SCORES, grade.model) | _grades_kept(folder / GRADING, grade.model)
    ahead = {each.episode: each for each in _scored_before(folder / GRADING)}
    scores = StudyScores(episodes=())
    with Store.open(folder / RUN, readonly=True) as store:
        players = _players(folder)
        for row in store.episodes():
            ahead.pop(row.episode, None)
            steps, calls = list(store.steps(row.episode)), list(store.calls(row.episode))
            found = _with_kept(_scored(row, steps, calls, players), custom, kept)
            for graded in _graded(found, _said(calls, steps), custom, grade):
                found = graded
                partial = StudyScores(episodes=(*scores.episodes, found, *ahead.values()))
                _write(partial, folder / GRADING)
            scores = StudyScores(episodes=(*scores.episodes, found))
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


def _with_kept(
    found: EpisodeScores,
    custom: Sequence[StudyMetric],
    kept: Mapping[tuple[str, str], GradeRecord],
) -> EpisodeScores:
    keys = {
        metric.name: (found.episode, metric.rubric.criterion)
        for metric in custom
        if metric.rubric is not None and found.numbers is not None
    }
    grades = {name: kept[key] for name, key in keys.items() if key in kept}
    return found.model_copy(update={"grades": grades})


def _graded(
    found: EpisodeScores, said: str, custom: Sequence[StudyMetric], grade: Grader
) -> Iterator[EpisodeScores]:
    """An episode with one more of the grades that it lacks, until it has all."""
    for metric in custom:
        if metric.rubric is None or found.numbers is None or metric.name in found.grades:
            continue
        given = grade(metric.rubric, said)
        record = GradeRecord(
            criterion=metric.rubric.criterion, score=given.score, why=given.why, model=grade.model
        )
        found = found.model_copy(update={"grades": {**found.grades, metric.name: record}})
        yield found


def _said(calls: Sequence[CallRow], steps: Sequence[StepRow]) -> str:
    """What a policy said in an episode: replies, or its commands where it asked no model."""
    if calls:
        return "\n".join(call.reply for call in calls if call.reply)
    return "\n".join(text for step in steps for text in (step.commands or {}).values())


def _grades_kept(path: Path, model: str) -> dict[tuple[str, str], GradeRecord]:
    """Grades of an earlier scoring, by episode and criterion, and what else a model replied."""
    return {
        (episode.episode, grade.criterion): grade
        for episode in _scored_before(path)
        for grade in episode.grades.values()
        if grade.score is not None or (model and grade.model == model)
    }


def _scored_before(path: Path) -> tuple[EpisodeScores, ...]:
    return load_scores(path).episodes if path.exists() else ()


def load_scores(path: Path) -> StudyScores:
    """The scores of a study.

    Raises:
        FileError: They cannot be read.
    """
    return validated(parse_json(read_text(path), str(path)), StudyScores)
