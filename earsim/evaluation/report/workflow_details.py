"""Tables of single ideas and of the steps of protocols."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from earsim.apparatus.alignment import AlignedStep, StepMark
from earsim.evaluation.metrics.definitions.workflow import dimension_of
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.report.numbers import NOTHING
from earsim.evaluation.scorers.votes import Vote
from earsim.schema.workflow import IdeaDimension, WorkflowFamily
from earsim.tables.document import Table

_MOST_IDEAS = 100
"""Rows of single ideas for one subject."""


def ideas(subjects: Sequence[ResultsGroup]) -> Table:
    """Every idea that was voted on: its dimensions, and for each the points of its votes."""
    head = ("subject", "episode", *(each.value for each in IdeaDimension))
    rows = []
    for subject in subjects:
        judged = [each for each in subject.episodes if _is_judged(each)]
        for episode in judged[:_MOST_IDEAS]:
            cells = (_dimension(episode, each.value) for each in IdeaDimension)
            rows.append((subject.label, episode.id, *cells))
    note = (
        "Value from 0 to 100, then points of the votes that count; a judge has two, one for each "
        f"order. At most {_MOST_IDEAS} ideas of a subject; `earsim view` shows all with their "
        "texts and reasons."
    )
    return Table("Ideas", head, texts=2, note=note).with_rows(rows)


def protocols(subjects: Sequence[ResultsGroup]) -> Table:
    """Steps of protocols by what became of them, scenario by scenario."""
    head = ("subject", "scenario", "episodes", "in order", "missing", "extra", "swapped",
            "wrong parameters", "most often")  # fmt: skip
    rows = []
    for subject in subjects:
        for scenario, episodes in _by_scenario(subject.episodes).items():
            steps = [step for each in episodes for step in _steps(each)]
            marks = Counter(step.mark for step in steps)
            wrong = sum(not p.right for step in steps if step.done_at for p in step.parameters)
            rows.append(
                (subject.label, scenario, f"{len(episodes):,}",
                 *(_per(marks[mark], episodes) for mark in (StepMark.SAME, StepMark.MISSING,
                                                           StepMark.EXTRA, StepMark.SWAPPED)),
                 _per(wrong, episodes), _commonest(steps))
            )  # fmt: skip
    note = (
        "Steps an episode, beside the reference of the goal. `earsim view` aligns each protocol "
        "with it step by step."
    )
    return Table("Steps of protocols", head, texts=2, note=note).with_rows(rows)


def _is_judged(episode: CountedEpisode) -> bool:
    found = episode.workflow
    return episode.measured and found is not None and found.family == WorkflowFamily.IDEA and bool(
        episode.votes
    )  # fmt: skip


def _dimension(episode: CountedEpisode, name: str) -> str:
    value, votes = dimension_of(episode, name), episode.votes.get(name, ())
    return NOTHING if value is None else f"{value:.1f} ({_points(votes)})"


def _points(votes: Sequence[Vote]) -> str:
    counting = [vote for vote in votes if vote.is_readable]
    return f"{sum(vote.points for vote in counting):g} of {2 * len(counting)}"


def _by_scenario(episodes: Sequence[CountedEpisode]) -> dict[str, list[CountedEpisode]]:
    found: dict[str, list[CountedEpisode]] = {}
    for each in episodes:
        if each.measured and each.workflow is not None and each.workflow.protocols:
            found.setdefault(each.scenario_id, []).append(each)
    return found


def _steps(episode: CountedEpisode) -> Iterator[AlignedStep]:
    for protocol in () if episode.workflow is None else episode.workflow.protocols:
        yield from protocol.steps


def _per(count: int, episodes: Sequence[CountedEpisode]) -> str:
    return f"{count / len(episodes):.2f}"


def _commonest(steps: Sequence[AlignedStep]) -> str:
    """The step that most often is not as in the reference."""
    found = Counter((s.action, s.mark.value) for s in steps if s.mark is not StepMark.SAME)
    if not found:
        return NOTHING
    (action, mark), count = min(found.items(), key=lambda entry: (-entry[1], entry[0]))
    return f"{action} {mark} ({count})"
