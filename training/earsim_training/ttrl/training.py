"""A run of test-time reinforcement learning: from a recipe to a folder with a model."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import UsageError
from earsim.evaluation.scorers.embedding import TfIdf
from earsim.suites.finding import find_scenario
from earsim_training.sft.checkpoint import LoadedModel, final_folder, load
from earsim_training.sft.run import MODEL, TrainingRun
from earsim_training.ttrl.recipe import TtrlRecipe
from earsim_training.ttrl.rewards import (
    Calibration,
    Novelty,
    PlanReward,
    answer_of,
    calibrated,
    format_reward,
    passing,
    sentence_embedder,
)
from earsim_training.ttrl.works import OpenQuestion, Work, WorkIndex, read_records

SYSTEM = """\
You answer an open scientific question with an idea of your own.
Reply in two parts and nothing else: <think>your thoughts</think><answer>your idea</answer>"""

PLAN = """
In your answer, write the plan as commands, one a line, between <plan> and </plan>."""


Rows = Sequence[dict[str, Any]]


class Scored(NamedTuple):
    """The rewards of one reply, by their names in a recipe."""

    format: float
    novelty: float
    plan: float


Score = Callable[[str, str], Scored]


class TtrlTraining(TrainingRun[TtrlRecipe]):
    """A run of test-time reinforcement learning."""

    @cached_property
    def home(self) -> Path:
        """The folder of the model to begin with.

        Raises:
            FileError: There is none.
        """
        return final_folder(Path(self.recipe.model.path))

    @cached_property
    def questions(self) -> list[OpenQuestion]:
        """What is asked.

        Raises:
            FileError: The file cannot be read.
        """
        return read_records(Path(self.recipe.asking.questions), OpenQuestion)

    @cached_property
    def corpus(self) -> WorkIndex:
        """Known works with their embedder.

        Raises:
            FileError: The file cannot be read.
            MissingExtra: The embedder is not installed.
        """
        settings = self.recipe.novelty
        works = read_records(Path(settings.works), Work)
        if settings.embedder == TfIdf.name:
            return WorkIndex(works, TfIdf([work.words for work in works]))
        return WorkIndex(works, sentence_embedder(settings.embedder))

    @cached_property
    def calibration(self) -> Calibration:
        """The threshold of novelty, given or calibrated, and the share of works that pass it."""
        settings, corpus = self.recipe.novelty, self.corpus
        if settings.threshold is None:
            return calibrated(corpus, nearest=settings.nearest, pass_rate=settings.pass_rate)
        rate = passing(corpus, nearest=settings.nearest, threshold=settings.threshold)
        return Calibration(corpus.embed.name, settings.threshold, rate, len(corpus.works))

    @cached_property
    def novelty(self) -> Novelty:
        """The reward for novelty."""
        settings = self.recipe.novelty
        return Novelty(
            self.corpus,
            nearest=settings.nearest,
            threshold=self.calibration.threshold,
            relevance=settings.relevance,
        )

    @cached_property
    def plan(self) -> PlanReward | None:
        """The reward for a plan that works; None where no scenario is named.

        Raises:
            UnknownName: There is no such scenario.
            UsageError: It is for several agents.
        """
        if self.recipe.asking.scenario is None:
            return None
        scenario = find_scenario(self.recipe.asking.scenario)
        if len(scenario.agents) > 1:
            raise UsageError(f"{scenario.id} has several agents; a plan commands one")
        return PlanReward(scenario)

    def score(self, reply: str, question: str) -> Scored:
        """All rewards of a reply; what is not in the form demanded has no answer, and earns 0."""
        answer = answer_of(reply)
        if answer is None:
            return Scored(0.0, 0.0, 0.0)
        plan = 0.0 if self.plan is None else self.plan(answer)
        return Scored(format_reward(reply), self.novelty(answer, question), plan)

    def prompts(self) -> list[dict[str, Any]]:
        """A row for each question, as chat messages."""
        system = SYSTEM + (PLAN if self.plan is not None else "")
        return [
            {
                "question": each.question,
                "prompt": [
                    {"role": "system", "content": system},
                    {"role": "user", "content": each.question},
                ],
            }
            for each in self.questions
        ]

    @cached_property
    def loaded(self) -> LoadedModel:
        """The model before training.

        Raises:
            UsageError: It cannot be loaded.
            OSError: The disk has no room for what training writes.
        """
        found = load(self.home, **self.loading_options())
        found.model.requires_grad_(requires_grad=True)
        self.check_room(found.model)
        return found

    def run(self, tell: Callable[[str], None]) -> Path:
        """Train, from the last checkpoint if there is one, and save the model.

        Args:
            tell: shows a line to whoever waits.

        Returns:
            The folder of the model.

        Raises:
            OSError: The disk is full; the same call goes on from the last checkpoint.
        """
        from earsim_training.ttrl.trainer import make_trainer

        rows = self.prompts()
        self.begin()
        trainer = make_trainer(self.recipe, self.loaded, rows, self.score, self.folder, tell)
        self.train(trainer)
        asked = "\n".join(row["question"] for row in rows)
        return self.finish(
            trainer,
            None,
            data=hashlib.sha256(asked.encode()).hexdigest(),
            start=os.path.relpath(self.home, self.folder / MODEL),
            reply_tokens=self.recipe.asking.reply_tokens,
        )
