"""Having a jury vote on the ideas of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from earsim.errors import UsageError
from earsim.evaluation.scorers.votes import Judge
from earsim.evaluation.store.manifest import alone_in
from earsim.evaluation.workflow.jury import ToldIdea, vote_on
from earsim.evaluation.workflow.votes_file import (
    VOTES,
    RunVotes,
    VoteKey,
    VoteRecord,
    append_votes,
    arrange_votes,
    idea_hash,
    load_votes,
)
from earsim.schema.workflow import IdeaDimension

_AT_ONCE = 8
"""Votes that are asked for at the same time."""


class Judged(NamedTuple):
    """How far judging has come.

    Attributes:
        episode: whose idea was judged last.
        asked: judges and dimensions that were asked now; what was voted before is kept.
    """

    episode: str
    asked: int


def judge_run(run: Path, ideas: Mapping[str, ToldIdea], jury: Sequence[Judge]) -> Iterator[Judged]:
    """Have a jury vote on every idea of a run; each vote is on disk as soon as it is cast.

    What was voted is not asked again, so the same call goes on where one was stopped. Votes of
    other judges stay, and count too.

    Args:
        run: its folder.
        ideas: by episode.
        jury: judges with different names.

    Raises:
        FileError: The votes that are there cannot be read.
        MissingExtra: A package is missing.
        ServerFault: A judge's server gave no answer.
        UsageError: Two judges have one name, a judge voted with other options before, or another
            process is at work in the folder.
    """
    names = [judge.name for judge in jury]
    if len({*names}) < len(names):
        raise UsageError(f"judges need different names: {', '.join(names)}")
    with alone_in(run):
        known = load_votes(run)
        for judge in jury:
            _check_options(known, judge, run)
        court = _Court(run, known)
        for episode, idea in ideas.items():
            yield Judged(episode, court.hear(episode, idea, jury))
        arrange_votes(run)


def _check_options(known: RunVotes, judge: Judge, run: Path) -> None:
    options = dict(judge.options)
    before = [r.options for r in known.records.values() if r.judge == judge.name]
    if any(each != options for each in before):
        raise UsageError(
            f"{judge.name} voted with other options before, in {run / VOTES}: ask with those, or "
            "remove its lines there"
        )


class _Court:
    """Asks several judges at once, and keeps what they say."""

    def __init__(self, run: Path, known: RunVotes) -> None:
        self._run = run
        self._known = known.records
        self._lock = Lock()

    def hear(self, episode: str, idea: ToldIdea, jury: Sequence[Judge]) -> int:
        """Ask for every vote on an idea that is not there; returns for how many."""
        text = idea_hash(idea.parts)
        missing = [
            (VoteKey(episode, text, dimension, judge.name), judge)
            for dimension in IdeaDimension
            for judge in jury
            if VoteKey(episode, text, dimension, judge.name) not in self._known
        ]
        pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="judge")
        try:
            asked = [pool.submit(self._ask, key, idea, judge) for key, judge in missing]
            return sum(each.result() for each in asked)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _ask(self, key: VoteKey, idea: ToldIdea, judge: Judge) -> bool:
        """Whether there is a vote; it is on disk then."""
        vote = vote_on(idea, key.dimension, judge)
        if vote is None:
            return False
        with self._lock:
            append_votes(self._run, [VoteRecord.of(key, vote, judge.options)])
        return True
