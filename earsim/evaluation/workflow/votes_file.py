"""Votes on the ideas of a run, in its folder: `votes.jsonl`, a vote a line.

A vote is appended as soon as it is cast, so judging that was killed goes on where it stopped; a
torn last line is what is left of a vote that was on its way, and is forgotten. A vote holds for the
text that was judged: where an episode has another idea now, it is left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field

from earsim.atomic import replacing
from earsim.evaluation.scorers.votes import Preference, Vote
from earsim.evaluation.store.lines import append_lines, as_line, read_lines
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.workflow.outcome import WorkflowOutcome
from earsim.ids import printable
from earsim.schema.model import FileModel
from earsim.schema.workflow import IdeaDimension

VOTES = "votes.jsonl"
_MOST_WHY = 500


class VoteKey(NamedTuple):
    """What a vote is about, and whose it is; `idea` identifies the text that was judged."""

    episode: str
    idea: str
    dimension: IdeaDimension
    judge: str


class VoteRecord(FileModel):
    """A vote as it is written.

    Attributes:
        episode: whose idea it is.
        idea: hash of the text that was judged.
        dimension: by which.
        judge: who.
        options: the judge was asked with; empty without a model.
        forward: asked with the idea first.
        backward: asked with the reference first.
        why: the reasons, in this order.
    """

    schema_: Literal["earsim.vote/1"] = Field(
        default="earsim.vote/1", validation_alias="schema", serialization_alias="schema"
    )
    episode: str
    idea: str
    dimension: IdeaDimension
    judge: str
    options: dict[str, Any] = Field(default_factory=dict)
    forward: Preference
    backward: Preference
    why: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, key: VoteKey, vote: Vote, options: Mapping[str, Any]) -> VoteRecord:
        """The record of a vote; reasons are cut, and what cannot be printed is taken out."""
        first, second = (printable(why)[:_MOST_WHY] for why in vote.why)
        return cls(
            **key._asdict(), options=dict(options), forward=vote.forward, backward=vote.backward,
            why=(first, second),
        )  # fmt: skip

    @property
    def key(self) -> VoteKey:
        """What it is about."""
        return VoteKey(self.episode, self.idea, self.dimension, self.judge)

    @property
    def vote(self) -> Vote:
        """The vote that was written."""
        return Vote(self.judge, self.forward, self.backward, self.why)


class RunVotes:
    """The votes on the ideas of a run, by what they are about."""

    def __init__(self, records: Iterable[VoteRecord] = ()) -> None:
        """Of several votes about the same the first counts."""
        self.records: dict[VoteKey, VoteRecord] = {}
        for record in records:
            self.records.setdefault(record.key, record)
        self._on: dict[tuple[str, str], dict[str, tuple[Vote, ...]]] = {}
        for key, record in self.records.items():
            found = self._on.setdefault((key.episode, key.idea), {})
            found[key.dimension] = (*found.get(key.dimension, ()), record.vote)

    def on(self, row: EpisodeRow) -> dict[str, tuple[Vote, ...]]:
        """The votes on the idea of an episode as it is now, by dimension."""
        outcome = WorkflowOutcome.of_record(row.extra.get("workflow", {}))
        if outcome is None:
            return {}
        return self._on.get((row.episode, idea_hash(outcome.idea)), {})


def idea_hash(parts: Mapping[str, str]) -> str:
    """Identifies the text of an idea."""
    text = json.dumps(dict(parts), sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def load_votes(run: Path) -> RunVotes:
    """The votes of a run; none where nobody has judged it.

    Raises:
        FileError: A line that is not torn is no vote.
    """
    return RunVotes(read_lines(run / VOTES, VoteRecord))


def append_votes(run: Path, records: Iterable[VoteRecord]) -> None:
    """Append votes, in one write; a torn last line gives way."""
    append_lines(run / VOTES, records)


def arrange_votes(run: Path) -> None:
    """Put the votes in order, so that judging in one go and in several gives the same bytes."""
    votes = load_votes(run).records
    if votes:
        with replacing(run / VOTES) as partial:
            partial.write_bytes(b"".join(as_line(votes[key]) for key in sorted(votes)))


def merge_votes(runs: Sequence[Path], out: Path) -> None:
    """Put the votes of several runs together; of several about the same the first counts.

    Raises:
        FileError: Those of a run cannot be read.
    """
    there = load_votes(out).records
    votes = RunVotes(each for run in runs for each in load_votes(run).records.values()).records
    append_votes(out, [record for key, record in votes.items() if key not in there])
    arrange_votes(out)
