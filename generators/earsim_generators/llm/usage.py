"""Answers, tokens and costs by stage and model, those of interrupted earlier runs included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from earsim.evaluation.runs.sweep import Price
from earsim_agents.client.client import Exchange
from earsim_generators.llm.settings import Stage


@dataclass(slots=True)
class StageUsage:
    """Usage of one model at one stage.

    Attributes:
        repairs: Answers to a request to correct another.
        kept: Answers that an earlier run received.
        cached_tokens: Of the prompts, in the server's prefix cache; None if it never said.
    """

    stage: Stage
    model: str
    price: Price | None = None
    answers: int = 0
    repairs: int = 0
    kept: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int | None = None

    def add(self, exchange: Exchange, *, repair: bool) -> None:
        """Count an answer."""
        answer = exchange.answer
        self.answers += 1
        self.repairs += repair
        self.kept += exchange.from_cache
        self.prompt_tokens += answer.prompt_tokens or 0
        self.completion_tokens += answer.completion_tokens or 0
        if answer.cached_tokens is not None:
            self.cached_tokens = (self.cached_tokens or 0) + answer.cached_tokens

    @property
    def cost(self) -> float | None:
        """Cost of the tokens; None without a price."""
        if self.price is None:
            return None
        return self.price.cost(self.prompt_tokens, self.completion_tokens, self.cached_tokens or 0)

    def as_data(self) -> dict[str, Any]:
        """The figures that do not depend on interruptions."""
        return {
            "stage": self.stage.value,
            "model": self.model,
            "answers": self.answers,
            "repairs": self.repairs,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cached_tokens": self.cached_tokens,
            "cost": None if self.cost is None else round(self.cost, 6),
        }


@dataclass(slots=True)
class UsageLedger:
    """Usage of a run; prices are by model, under an empty name of every other model."""

    prices: Mapping[str, Price] = field(default_factory=dict)
    _usage: dict[tuple[Stage, str], StageUsage] = field(default_factory=dict)

    def add(self, stage: Stage, model: str, exchange: Exchange, *, repair: bool) -> None:
        """Count an answer."""
        price = self.prices.get(model, self.prices.get(""))
        usage = self._usage.setdefault((stage, model), StageUsage(stage, model, price))
        usage.add(exchange, repair=repair)

    @property
    def rows(self) -> list[StageUsage]:
        """Usage in the order of the stages."""
        order = list(Stage)
        return sorted(self._usage.values(), key=lambda row: (order.index(row.stage), row.model))

    @property
    def answers(self) -> int:
        """Number of answers."""
        return sum(row.answers for row in self.rows)

    @property
    def tokens(self) -> int:
        """Tokens of prompts and answers."""
        return sum(row.prompt_tokens + row.completion_tokens for row in self.rows)

    @property
    def cost(self) -> float | None:
        """Cost of all models that have a price; None where none has."""
        known = [row.cost for row in self.rows if row.cost is not None]
        return sum(known) if known else None
