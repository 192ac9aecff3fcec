"""Baselines on earsim-bench: who knows the rules and looks, who draws, and who guesses.

Episodes that were played are kept in a folder, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from docs.figures.guessing_baseline import Guess, Tie, guess
from earsim import open_suite
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.evaluation.summary import wilson
from earsim.parallel import map_ordered
from earsim.schema import Category
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites import Suite
from earsim.tables.document import ALL, Cell, Table
from earsim_agents.random import RandomPolicy

DECISIONS = 35
"""What `random` gets, whatever the budget of the scenario."""


class Tireless(RandomPolicy):
    """`random` that never says DONE, so that it uses all its decisions."""

    def _pick(self, agent: str, commands: tuple[str, ...]) -> str:
        return super()._pick(agent, tuple(text for text in commands if text != "DONE"))


class Order(NamedTuple):
    """One episode to be played."""

    suite: str
    id: str
    player: str


class Episode(NamedTuple):
    """What became of it."""

    id: str
    category: str
    won: bool
    decisions: int


def episodes(suite: str, player: str, folder: Path, *, jobs: int | None = None) -> list[Episode]:
    """The episodes of a player on a suite; those that the folder has are not played again."""
    file = folder / f"{suite}-{player}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    kept = [Episode(**json.loads(line)) for line in _lines(file)]
    known = {each.id for each in kept}
    orders = (Order(suite, id, player) for id in _opened(suite).ids if id not in known)
    file.write_text("".join(_text(each) for each in kept), encoding="utf-8")
    with file.open("a", encoding="utf-8") as out:
        for each in map_ordered(_play, orders, jobs=jobs):
            out.write(_text(each))
            out.flush()
            kept.append(each)
    return kept


def baselines(suite: str, folder: Path, *, jobs: int | None = None) -> Table:
    """`expert` and `random` on a suite, by category."""
    found = {player: _grouped(episodes(suite, player, folder, jobs=jobs)) for player in _PLAYERS}
    rows: list[tuple[Cell, ...]] = []
    for name, experts in found["expert"].items():
        lucky = found["random"][name]
        won = sum(each.won for each in experts)
        low, high = wilson(sum(each.won for each in lucky), len(lucky))
        rows.append(
            (
                name,
                len(experts),
                f"{won:,}",
                sum(each.decisions for each in experts) / len(experts),
                f"{sum(each.won for each in lucky):,}",
                f"{100 * low:.1f}-{100 * high:.1f} %",
            )
        )
    head = ("category", "scenarios", "expert wins", "decisions", "random wins", "95 %")
    return Table("Baselines", head, name="baselines", spaced=True).with_rows(rows, whole=ALL)


def guesses(suite: str, tie: Tie = Tie.FIRST_ID) -> list[Guess]:
    """Every choice of a suite, guessed."""
    return [each for scenario in open_suite(suite) for each in guess(scenario, tie)]


_PLAYERS: Mapping[str, EpisodeSettings] = {
    "expert": EpisodeSettings(),
    "random": EpisodeSettings(budget=DECISIONS, end_on="goal"),
}


@cache
def _opened(suite: str) -> Suite:
    """Unpacked once per process."""
    return open_suite(suite)


def _play(order: Order) -> Episode:
    scenario = _opened(order.suite).load(order.id)
    policy = Tireless() if order.player == "random" else make_policy(order.player)
    settings = _PLAYERS[order.player]
    trajectory = play(scenario, policy, name=order.player, seed=1, settings=settings)
    assert trajectory.result is not None, "play plays to the end"
    return Episode(
        order.id,
        scenario.task.category.value,
        trajectory.result.success_final,
        trajectory.result.decisions,
    )


def _grouped(found: Sequence[Episode]) -> dict[str, list[Episode]]:
    named = [(c.value, [each for each in found if each.category == c]) for c in Category]
    return {name: group for name, group in (*named, (ALL, list(found))) if group}


def _text(each: Episode) -> str:
    return json.dumps(each._asdict()) + "\n"


def _lines(file: Path) -> Iterator[str]:
    """Whole lines; one that an interrupted run left torn is no line."""
    if file.is_file():
        text = file.read_text(encoding="utf-8")
        yield from text[: text.rfind("\n") + 1].splitlines()
