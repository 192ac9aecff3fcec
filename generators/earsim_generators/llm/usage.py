"""What asking cost: requests, tokens and money, by stage and model.

Counted is every answer that the suite rests on, whether it came now or in an earlier go of the same
command, so the same suite has the same ledger however often its making was interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from earsim.evaluation.runs.sweep import Price
from earsim_agents.client.client import Exchange
from earsim_generators.llm.stage import Stage


@dataclass(slots=True)
class StageUsage:
    """The answers of one model at one stage.

    Attributes:
        answers: how many there were.
        repairs: of these, those to a request to correct another.
        kept: of these, those that came from the file of answers in this go.
        retried: requests of this go that brought no answer.
        cached_tokens: of the prompts, those that a server's prefix cache had; None if none told.
    """

    answers: int = 0
    repairs: int = 0
    kept: int = 0
    retried: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int | None = None

    def add(self, exchange: Exchange, *, repair: bool) -> None:
        """Count an answer."""
        answer = exchange.answer
        self.answers += 1
        self.repairs += repair
        self.kept += exchange.from_cache
        self.retried += max(0, exchange.attempts - 1)
        self.prompt_tokens += answer.prompt_tokens or 0
        self.completion_tokens += answer.completion_tokens or 0
        if answer.cached_tokens is not None:
            self.cached_tokens = (self.cached_tokens or 0) + answer.cached_tokens

    def cost(self, price: Price | None) -> float | None:
        """What the tokens cost; None without a price."""
        if price is None:
            return None
        return price.cost(self.prompt_tokens, self.completion_tokens, self.cached_tokens or 0)


class UsageRow(NamedTuple):
    """One account with its names and its cost."""

    stage: Stage
    model: str
    account: StageUsage
    cost: float | None

    def as_data(self) -> dict[str, Any]:
        """What is written down: what would be the same in another go."""
        account = self.account
        return {
            "stage": self.stage.value,
            "model": self.model,
            "answers": account.answers,
            "repairs": account.repairs,
            "prompt_tokens": account.prompt_tokens,
            "completion_tokens": account.completion_tokens,
            "cached_tokens": account.cached_tokens,
            "cost": None if self.cost is None else round(self.cost, 6),
        }


@dataclass(slots=True)
class UsageLedger:
    """All accounts of a run.

    Attributes:
        prices: by model; under an empty name, of every other model.
    """

    prices: Mapping[str, Price] = field(default_factory=dict)
    _accounts: dict[tuple[Stage, str], StageUsage] = field(default_factory=dict)

    def add(self, stage: Stage, model: str, exchange: Exchange, *, repair: bool) -> None:
        """Count an answer."""
        account = self._accounts.setdefault((stage, model), StageUsage())
        account.add(exchange, repair=repair)

    @property
    def rows(self) -> list[UsageRow]:
        """The accounts in the order of the stages."""
        order = list(Stage)
        keys = sorted(self._accounts, key=lambda key: (order.index(key[0]), key[1]))
        return [self._row(stage, model) for stage, model in keys]

    @property
    def answers(self) -> int:
        """Of all stages together."""
        return sum(account.answers for account in self._accounts.values())

    @property
    def asked(self) -> int:
        """Answers that a server gave in this go."""
        return sum(account.answers - account.kept for account in self._accounts.values())

    @property
    def tokens(self) -> int:
        """Of prompts and answers together."""
        accounts = self._accounts.values()
        return sum(each.prompt_tokens + each.completion_tokens for each in accounts)

    @property
    def cost(self) -> float | None:
        """Of all that has a price; None where nothing has."""
        known = [row.cost for row in self.rows if row.cost is not None]
        return sum(known) if known else None

    def _row(self, stage: Stage, model: str) -> UsageRow:
        account = self._accounts[stage, model]
        price = self.prices.get(model, self.prices.get(""))
        return UsageRow(stage, model, account, account.cost(price))
