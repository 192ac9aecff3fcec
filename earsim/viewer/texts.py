"""All that was said and answered in a run, for a search over every episode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from earsim.evaluation.store.database import Store
from earsim.viewer.run import Run

EPISODES = 64
"""Episodes whose texts are handed out at once."""

Said = list[Any]
"""A kind (`reply`, `thought`, `command`, `refusal`), the decision, the agent, and the text."""


def texts_after(run: Run, episode: str) -> list[Any]:
    """The texts of the next `EPISODES` episodes after one, in the order of ids; empty at the end.

    Each as its id and a list of `Said`.
    """
    with Store.open(run.path, readonly=True) as store:
        ids = sorted(id for id in store.outcomes() if id > episode)[:EPISODES]
        return [[id, list(_said(store, id))] for id in ids]


def all_texts(run: Run) -> Iterator[list[Any]]:
    """The texts of all episodes, in parts as `texts_after` makes them."""
    after = ""
    while part := texts_after(run, after):
        yield part
        after = part[-1][0]


def _said(store: Store, episode: str) -> Iterator[Said]:
    for call in store.calls(episode):
        for kind, text in (("thought", call.reasoning), ("reply", call.reply)):
            if text:
                yield [kind, call.decision, call.agent, text]
    for step in store.steps(episode):
        for agent, command in (step.commands or {}).items():
            yield ["command", step.decision, agent, command]
        for outcome in step.outcomes:
            if outcome.reason is not None:
                said = f"{outcome.reason}: {outcome.message or ''}"
                yield ["refusal", step.decision, outcome.agent, said]
