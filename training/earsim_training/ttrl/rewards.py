"""Rewards of test-time reinforcement learning: format, novelty, and a plan that reaches a goal.

After SGI (arXiv 2512.16969), section on test-time RL: R = format + novelty, one to one. Novelty
alone also pays for what has nothing to do with the question, gibberish included: `Novelty` can ask
for relevance, and `PlanReward` pays for what works.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from earsim.evaluation.scorers.embedding import Embedder, mean_cosine
from earsim.ids import well_formed
from earsim.schema import Scenario
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim_training.rewarded_episode import RewardedEpisode
from earsim_training.ttrl.works import WorkIndex

THRESHOLD = 5.0
"""Novelty above which an answer is paid, of 0 to 10, for embedders of sentences (the paper's)."""

_REPLY = re.compile(r"\s*<think>(.*?)</think>\s*<answer>(.*?)</answer>\s*", re.DOTALL)
_TAG = re.compile(r"</?(?:think|answer)>")
_PLAN = re.compile(r"<plan>(.*?)</plan>", re.DOTALL)
_MOST_COMMANDS = 200


def answer_of(reply: str) -> str | None:
    """The answer of a reply in the form demanded; None for any other reply."""
    match = _REPLY.fullmatch(reply)
    if match is None or any(_TAG.search(part) or not part.strip() for part in match.groups()):
        return None
    return match[2].strip()


def format_reward(reply: str) -> float:
    """1 for exactly one thinking part followed by one answer part, and nothing outside; else 0."""
    return float(answer_of(reply) is not None)


class Novelty:
    """1 for an answer that is far enough from the works nearest to it; else 0.

    Attributes:
        threshold: of 0 to 10.
    """

    def __init__(
        self,
        corpus: WorkIndex,
        *,
        nearest: int = 4,
        threshold: float = THRESHOLD,
        relevance: float = 0.0,
    ) -> None:
        """Make one.

        Args:
            corpus: known works.
            nearest: how many works an answer is compared with.
            threshold: which its innovation must pass.
            relevance: cosine to the question that it must have; 0 asks for none, as the paper.
        """
        self.threshold = threshold
        self._corpus, self._nearest, self._relevance = corpus, nearest, relevance

    def innovation(self, answer: str, *, without: int | None = None) -> float:
        """Ten times the distance to the nearest works, 0 to 10 (S_inn); 0 where none is measured.

        A syllable that no work has is far from all of them, and no idea.
        """
        found = self._corpus.similarity(answer, nearest=self._nearest, without=without)
        return 0.0 if found is None else innovation(found)

    def __call__(self, answer: str, question: str = "") -> float:
        """The reward of an answer; of an empty one 0."""
        if not answer.strip() or self.innovation(answer) <= self.threshold:
            return 0.0
        if self._relevance:
            near = mean_cosine(self._corpus.embed, answer, [question])
            return float(near >= self._relevance)
        return 1.0

    def references(self) -> list[float]:
        """The innovation of each known work among the others."""
        works = self._corpus.works
        return [self.innovation(work.words, without=at) for at, work in enumerate(works)]


def innovation(similarity: float) -> float:
    """S_inn of S_avg: clip(10 (1 - S_avg), 0, 10)."""
    return min(max(10 * (1 - similarity), 0.0), 10.0)


class Calibration(NamedTuple):
    """How a threshold was found.

    Attributes:
        embedder: whose it is.
        threshold: above which the pass rate of known works is the one asked for.
        pass_rate: the rate that it has.
        works: how many there are.
    """

    embedder: str
    threshold: float
    pass_rate: float
    works: int


def calibrated(corpus: WorkIndex, *, nearest: int, pass_rate: float) -> Calibration:
    """The threshold at which that share of the known works, each among the others, is novel.

    Innovations of two embedders cannot be compared, but shares of works that pass can.
    """
    values = Novelty(corpus, nearest=nearest).references()
    threshold = float(np.quantile(values, 1 - pass_rate))
    passed = sum(value > threshold for value in values) / len(values)
    return Calibration(corpus.embed.name, threshold, passed, len(values))


def passing(corpus: WorkIndex, *, nearest: int, threshold: float = THRESHOLD) -> float:
    """The share of known works, each among the others, that a threshold lets pass."""
    values = Novelty(corpus, nearest=nearest).references()
    return sum(value > threshold for value in values) / len(values)


class PlanReward:
    """1 for an answer whose plan, written as commands, reaches the goal of a scenario; else 0.

    A plan is what stands between ``<plan>`` and ``</plan>`` in the answer, a command a line; the
    first 200 are taken. Lines are commands of the only agent and nothing else: none is executed
    outside of the world.
    """

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    def __call__(self, answer: str) -> float:
        """The reward of an answer."""
        match = _PLAN.search(answer)
        lines = match[1].strip().splitlines() if match else []
        settings = EpisodeSettings(ruleset=None, end_on="goal", observability="partial")
        play = RewardedEpisode(self._scenario, settings, None)
        agent = self._scenario.agents[0].id
        for line in lines[:_MOST_COMMANDS]:
            if play.over:
                break
            play.step({agent: well_formed(line.strip())})
        return float(play.episode.success)


def sentence_embedder(path: str) -> Embedder:
    """A model of sentence-transformers, from a folder or by its name.

    Raises:
        MissingExtra: sentence-transformers is not installed.
        UsageError: The model cannot be loaded.
    """
    return _SentenceEmbedder(path)


class _SentenceEmbedder:
    def __init__(self, path: str) -> None:
        from earsim.errors import MissingExtra, UsageError

        try:
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError as error:
            raise MissingExtra("sentence-transformers", "ideas") from error
        try:
            self._model = SentenceTransformer(path, device="cpu")
        except (OSError, ValueError) as error:
            raise UsageError(f"embedder {path}: {str(error).splitlines()[0]}") from None
        self.name = f"sentences: {path.rstrip('/').rpartition('/')[2]}"

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, shape (texts, dimension)."""
        found = self._model.encode(list(texts), normalize_embeddings=True)
        return np.asarray(found, dtype=np.float64)
