"""How well a checkpoint does: it plays suites through the ordinary evaluation, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import UsageError
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.jobs import WHOLE, Shard
from earsim.evaluation.runs.sweep import ModelConfig, Sweep
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.summary import wilson
from earsim.evaluation.termination import EpisodeOutcome
from earsim_training.export.exporter import PROMPT
from earsim_training.export.settings import PromptSettings
from earsim_training.sft.checkpoint import (
    CheckpointFacts,
    facts_folder,
    final_folder,
    load,
    read_facts,
    save_facts,
    weights_hash,
    write_card,
)

BEFORE, AFTER = "before", "after"
FREE, CONSTRAINED = "free", "constrained"
ALL = "all"

_HOPELESS = 5
"""Unreadable replies in a row that end an episode: a model that reads no history will go on so."""

_MORE_TOKENS = 8
"""Beyond the longest reply that was learned: ids in other scenes may be longer."""


class EvaluationSettings(NamedTuple):
    """What is to be played, and how.

    Attributes:
        suites: names, paths or scenario ids.
        before: play the model before training, too.
        constrained: play once more, with replies held to the admissible commands.
        telling: how the model is asked.
        in_flight: episodes at the same time, written for together.
        limit: only the first so many scenarios of each suite.
        category: only this one.
        temperature: of the draws of tokens; 0 for the likeliest each.
        base_url: of servers that have the model; None to write in this process.
        served_as: its name there.
    """

    suites: tuple[str, ...]
    telling: PromptSettings
    before: bool = True
    constrained: bool = True
    in_flight: int = 128
    limit: int | None = None
    category: str | None = None
    temperature: float = 0.0
    base_url: str | None = None
    served_as: str | None = None


class CheckpointScore(NamedTuple):
    """One cell of the table.

    Attributes:
        category: or `all` of them.
        model: `before` or `after`.
        replies: `free`, or `constrained` to the admissible commands, after a line of thought where
            the model was taught to write one.
        success: share of the episodes; None where there are none.
        low: end of the 95 % interval (Wilson), as is `high`.
        temperature: of the draws of tokens; 0 for the likeliest each.
    """

    suite: str
    category: str
    model: str
    replies: str
    episodes: int
    success: float | None
    low: float | None
    high: float | None
    temperature: float = 0.0


class CheckpointEvaluation:
    """A checkpoint at play.

    Attributes:
        folder: of the evaluation, which `earsim report` reads.
    """

    def __init__(self, checkpoint: Path, match: EvaluationSettings, folder: Path) -> None:
        """Look up what is to be played.

        Raises:
            FileError: There is no model.
            UsageError: It has to be said how the model is asked.
        """
        self.folder = folder
        self._home = final_folder(checkpoint)
        self._told_in = facts_folder(self._home)
        self._facts = read_facts(self._told_in)
        self._match = match

    @contextmanager
    def evaluation(self, device: str, *, shard: Shard = WHOLE) -> Iterator[Evaluation]:
        """The evaluation, with the models at hand for as long as the block lasts.

        Raises:
            UsageError: Weights, configuration and tokenizer do not belong together.
        """
        with self._served(device) as url:
            yield Evaluation(self._sweep(url), self.folder, shard=shard)

    def scores(self) -> list[CheckpointScore]:
        """All that was measured, by suite, category, model and kind of reply."""
        with Store.open(self.folder, readonly=True) as store:
            rows = list(store.episodes())
        temperature = self._match.temperature
        return [score._replace(temperature=temperature) for score in scores_of(rows)]

    def note(self, scores: Sequence[CheckpointScore]) -> None:
        """Write the scores into the card of the model, in place of earlier ones of these suites.

        Checkpoints on the way have no card.
        """
        if self._facts is None or self._told_in != self._home:
            return
        found = {(score.suite, score.temperature) for score in scores}
        kept = [
            score
            for score in self._facts.scores
            if (score.get("suite"), score.get("temperature", 0.0)) not in found
        ]
        noted = (*kept, *(score._asdict() for score in scores))
        facts = self._facts.model_copy(update={"scores": noted})
        save_facts(facts, self._home)
        write_card(facts, self._home)

    # -- who plays ---------------------------------------------------------------------------------

    def _served(self, device: str) -> Any:
        """A context that gives the URL of a server with the models."""
        if self._match.base_url is not None:
            return nullcontext(self._match.base_url)
        from earsim_training.sampling import Sampler
        from earsim_training.sft.server import serving

        homes: dict[str, str | Path | None] = {AFTER: self._home, BEFORE: self._start()}
        found = {name: load(home) for name, home in homes.items() if home is not None}
        return serving(
            {name: Sampler(each.model.to(device), each.tokenizer) for name, each in found.items()}
        )

    def _start(self) -> str | None:
        """The model before training, where it is asked for and there is one."""
        if not self._match.before or self._facts is None or self._facts.start is None:
            return None
        beside = (self._told_in / self._facts.start).resolve()
        return str(beside) if beside.is_dir() else self._facts.start

    def _sweep(self, url: str) -> Sweep:
        match, telling = self._match, self._match.telling
        entrants = [self._entrant(AFTER, url, FREE)]
        if match.constrained:
            entrants.append(self._entrant(AFTER, url, CONSTRAINED))
        if match.base_url is None and self._start() is not None:
            entrants.insert(0, self._entrant(BEFORE, url, FREE))
        return Sweep(
            models=tuple(entrants),
            suites=match.suites,
            styles=(telling.style,),
            knowledge=(telling.knowledge,),
            in_flight=match.in_flight,
            limit=match.limit,
            category=match.category,
            give_up_after=_HOPELESS,
        )

    def _entrant(self, model: str, url: str, replies: str) -> ModelConfig:
        telling = self._match.telling
        longest = 64 if self._facts is None else self._facts.reply_tokens
        held = "reasoned" if telling.rationale else "admissible"
        options: dict[str, Any] = {
            "model": self._match.served_as or model,
            "base_url": [url],
            "temperature": self._match.temperature,
            "max_tokens": longest + _MORE_TOKENS,
            "grammar": telling.grammar,
            "constrain": held if replies == CONSTRAINED else "none",
            "deployment": weights_hash(self._home) if model == AFTER else "",
            "concurrency": self._match.in_flight,
            "timeout_s": 3_600.0,
        }
        if telling.prompt is not None:
            ours = self._told_in / PROMPT
            options["prompt"] = str(ours if ours.is_file() else telling.prompt)
        return ModelConfig(policy=telling.role, name=f"{model}-{replies}", options=options)


def telling_of(checkpoint: Path, **changes: Any) -> PromptSettings:
    """How a checkpoint is asked: as its data were told, unless something else is said.

    Args:
        checkpoint: a model, or the folder of a run.
        changes: fields of `PromptSettings`; those that are None were not given.

    Raises:
        FileError: There is no model.
        UsageError: Nothing is known of it, and no style is given.
    """
    given = {key: value for key, value in changes.items() if value is not None}
    facts: CheckpointFacts | None = read_facts(facts_folder(final_folder(checkpoint)))
    if facts is not None and facts.telling is not None:
        return facts.telling.model_copy(update=given)
    if "style" not in given:
        raise UsageError(f"{checkpoint} does not say how it is to be asked; give --style")
    return PromptSettings(**given)


def scores_of(rows: Sequence[EpisodeRow]) -> list[CheckpointScore]:
    """Success by suite, category, model and kind of reply; what was not measured counts as lost."""
    groups: dict[tuple[str, str, str, str], list[bool]] = {}
    for row in rows:
        model, replies, *_ = row.cell.split("-")
        for category in (row.category, ALL):
            key = (row.suite, category, model, replies)
            groups.setdefault(key, []).append(row.outcome == EpisodeOutcome.SUCCESS)
    return [_score(key, won) for key, won in sorted(groups.items())]


def _score(key: tuple[str, str, str, str], won: Sequence[bool]) -> CheckpointScore:
    interval = wilson(sum(won), len(won))
    return CheckpointScore(*key, len(won), sum(won) / len(won), interval.low, interval.high)
