"""A leaderboard file: what entrants came to on one suite, and what it takes to check it.

Every hash in it can be computed again from what it is said to be the hash of, so nobody has to be
believed who has the run, the suite or the settings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, StringConstraints, model_validator

from earsim.schema.model import FieldProblem, FileModel, JsonDict, Name, Text, raise_problems

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 in hex."""

_Amount = Annotated[int, Field(strict=True, ge=0)]
_Spent = Annotated[float, Field(strict=True, ge=0)]


def sha256_of(settings: dict[str, Any]) -> str:
    """SHA-256 of a JSON value: its keys sorted, no spaces, ASCII alone."""
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class SuiteSignature(FileModel):
    """Which tasks were played.

    Attributes:
        scenarios: How many.
        sha256: Of the lines ``ID HASH``, sorted by id, with the hash of each scenario.
    """

    name: Name
    scenarios: int = Field(strict=True, ge=1)
    sha256: Sha256


class SettingsSignature(FileModel):
    """Who played, or which model was asked: everything that decides what it does.

    Attributes:
        settings: Policy, options, prompts, knowledge and limits; or model and request parameters.
        sha256: Of the settings, see `sha256_of`.
    """

    settings: JsonDict
    sha256: Sha256

    @classmethod
    def of(cls, settings: dict[str, Any]) -> Self:
        """The settings with their hash."""
        return cls(settings=settings, sha256=sha256_of(settings))

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        found = sha256_of(self.settings)
        if found != self.sha256:
            problem = FieldProblem(
                ("sha256",), f"{self.sha256} is not that of the settings", f"it is {found}"
            )
            raise_problems("SettingsSignature", [problem])
        return self


class RunFingerprint(FileModel):
    """The folder of a run, and the SHA-256 of every episode in it, times aside."""

    name: Name
    sha256: Sha256


class EntryCost(FileModel):
    """What all episodes of an entry took together; None where it is not known.

    Attributes:
        seconds: Wall-clock time of the episodes, each counted by itself.
        calls: Model calls.
        calls_without_counts: Those for which no tokens were told: the tokens are lower bounds.
        cached_tokens: Of the prompt, those that a prefix cache had.
        money: In the currency of the prices; only where every call has one.
    """

    decisions: _Amount
    seconds: _Spent | None = None
    calls: _Amount = 0
    calls_without_counts: _Amount = 0
    prompt_tokens: _Amount | None = None
    completion_tokens: _Amount | None = None
    cached_tokens: _Amount | None = None
    money: _Spent | None = None


class LeaderboardScore(FileModel):
    """One number with its 95 % interval.

    Attributes:
        metric: Its id; see the page of metrics.
        group: Over ``all`` episodes, or those of one ``category``.
        value_of: Which category; ``all`` over all.
        n: The denominator of the metric.
    """

    metric: Name
    group: Literal["all", "category"]
    value_of: Name
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: _Amount

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        raise_problems("LeaderboardScore", self._problems())
        return self

    def _problems(self) -> Iterator[FieldProblem]:
        if (self.low is None) != (self.high is None):
            yield FieldProblem(("low",), "one end of an interval", "expected both ends, or none")
        elif self.low is not None and self.high is not None and self.low > self.high:
            found = f"an interval from {self.low} to {self.high}"
            yield FieldProblem(("low",), found, "expected low <= high")
        if self.value is None and self.low is not None:
            yield FieldProblem(("value",), "an interval without a value", "expected both, or none")


class ScorePlace(NamedTuple):
    """What tells a score of an entry from the others."""

    metric: str
    group: str
    value_of: str


class LeaderboardEntry(FileModel):
    """One row of a leaderboard: all episodes of one entrant in one way of playing.

    Attributes:
        label: What tables call it; unique in the file.
        runs: Folders that it was read from; several for people, who are one entry together.
        cells: Of these runs, that it is made of.
        versions: By name of distribution, as in the manifest of the first run.
        git: What ``git describe`` said of the checkout.
        ruleset: In force, with its version.
        model: None for a policy that asks none.
        repeats: How often each scenario was played; the least, where that differs.
        episodes: All of them, every one measured.
        assisted: Episodes of people who were told what policies are not: hints, parts of the
            goal, plans; or who took decisions back.
    """

    label: Name
    runs: tuple[RunFingerprint, ...] = Field(min_length=1)
    cells: tuple[Name, ...] = Field(min_length=1)
    versions: dict[Name, Text]
    git: Text | None = None
    ruleset: Name
    policy: SettingsSignature
    model: SettingsSignature | None = None
    repeats: int = Field(strict=True, ge=1)
    episodes: int = Field(strict=True, ge=1)
    assisted: _Amount = 0
    cost: EntryCost
    scores: tuple[LeaderboardScore, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _says_each_once(self) -> Self:
        seen: dict[ScorePlace, int] = {}
        problems = []
        for index, score in enumerate(self.scores):
            place = ScorePlace(score.metric, score.group, score.value_of)
            first = seen.setdefault(place, index)
            if first != index:
                found = f"{' '.join(place)} stands at scores[{first}] already"
                problems.append(FieldProblem(("scores", index), found, "each number stands once"))
        raise_problems("LeaderboardEntry", problems)
        return self


class Leaderboard(FileModel):
    """Entries that may be compared: all of the same tasks.

    Attributes:
        suites: One, or the parts of one benchmark; every entry played all of them.
    """

    schema_: Literal["earsim.leaderboard/1"] = Field(
        default="earsim.leaderboard/1", validation_alias="schema", serialization_alias="schema"
    )
    suites: tuple[SuiteSignature, ...] = Field(min_length=1)
    entries: tuple[LeaderboardEntry, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _labels_differ(self) -> Self:
        labels = [each.label for each in self.entries]
        problems = [
            FieldProblem(("entries", index, "label"), f"{label!r} stands twice", "another label")
            for index, label in enumerate(labels)
            if label in labels[:index]
        ]
        raise_problems("Leaderboard", problems)
        return self
