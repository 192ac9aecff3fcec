"""What a suite can be won with, without understanding: `python -m docs.figures.cheats SUITE ...`.

`regex` reads the instruction with regular expressions. `alone` does so, too, and its partners say
DONE at once. The others read only which name is spoken of, and choose among the things of that name
by a trick; they play the scenarios in which there is something to choose, and a trick that is worth
nothing wins as often as choosing by chance, within the interval of that.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from earsim import open_suite
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.evaluation.summary import wilson
from earsim.parallel import map_ordered
from earsim.schema import Category, Scenario
from earsim.suites import Suite
from earsim.tables.document import ALL, Cell, Table
from earsim.tables.markdown import table_text

CHANCE = "random"
TRICKS = (CHANCE, "all", "first", "last", "heaviest", "lightest", "for_the_team", "overlap")
PLAYERS = ("expert", "regex", "alone", *TRICKS)


class Order(NamedTuple):
    """One scenario to be played by one player."""

    suite: str
    id: str
    player: str


class Played(NamedTuple):
    """What became of it.

    Attributes:
        kinds: The category of the task, the condition or family if it was made for one, its band.
    """

    player: str
    kinds: tuple[str, ...]
    won: bool


def played(scenario: Scenario, player: str) -> bool:
    """Whether a player wins a scenario."""
    options = {"regex": {}, "alone": {"alone": True}}.get(player, {"choose": player})
    policy = make_policy("expert") if player == "expert" else make_policy("regex", **options)
    return play(scenario, policy, name=player).result.success_final


def is_for(player: str, scenario: Scenario) -> bool:
    """Whether there is something for a player to do: a team without which to go, a choice."""
    if player == "alone":
        return len(scenario.agents) > 1
    return player not in TRICKS or bool(scenario.task.select)


def cheats(
    suites: Sequence[str],
    *,
    every: int = 1,
    jobs: int | None = None,
    players: Sequence[str] = PLAYERS,
    category: Category | None = None,
) -> Table:
    """How often each player wins, by category, by condition or family of the task, by band."""
    orders = [
        Order(suite, id, player)
        for suite in suites
        for id in _of(suite, category)[::every]
        for player in players
    ]
    done = [each for each in map_ordered(_played, orders, jobs=jobs) if each is not None]
    head = ("player", "tasks", "scenarios", "won", "share", "95 %", "chance")
    return Table("Cheats", head, name="cheats", spaced=True).with_rows(rows(done))


def rows(done: Sequence[Played]) -> Iterator[tuple[Cell, ...]]:
    """A row for each player and each kind of task that it played."""
    categories = [category.value for category in Category]
    found = dict.fromkeys(kind for each in done for kind in each.kinds)
    conditions = [kind for kind in found if kind not in categories]
    for player in PLAYERS:
        for name in (*categories, *conditions, ALL):
            of_name = [each for each in done if name in (ALL, *each.kinds)]
            own = [each.won for each in of_name if each.player == player]
            if not own:
                continue
            low, high = wilson(sum(own), len(own))
            chance = _range([each.won for each in of_name if each.player == CHANCE])
            share = f"{100 * sum(own) / len(own):.0f} %"
            told = chance if player in TRICKS and player != CHANCE else None
            yield (
                player,
                name,
                len(own),
                sum(own),
                share,
                f"{100 * low:.0f} to {100 * high:.0f}",
                told,
            )


def _range(won: Sequence[bool]) -> str:
    low, high = wilson(sum(won), len(won))
    return f"{100 * low:.0f} to {100 * high:.0f}"


@cache
def _opened(suite: str) -> Suite:
    """Unpacked once per process."""
    return open_suite(suite)


def _of(suite: str, category: Category | None) -> Sequence[str]:
    opened = _opened(suite)
    return (opened if category is None else opened.select(category=category)).ids


def _played(order: Order) -> Played | None:
    scenario = _opened(order.suite).load(order.id)
    if not is_for(order.player, scenario):
        return None
    return Played(order.player, kinds_of(scenario), played(scenario, order.player))


def kinds_of(scenario: Scenario) -> tuple[str, ...]:
    """The category of a task, the condition or family that it was made for, and its band."""
    condition, family = map(scenario.provenance.get, ("condition", "family"))
    kind = condition["kind"] if isinstance(condition, Mapping) else family
    band = scenario.provenance.get("difficulty", {}).get("band")
    found = (scenario.task.category.value, kind, band)
    return tuple(str(each) for each in found if each is not None)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.cheats", description=__doc__)
    parser.add_argument("suites", metavar="SUITE", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="play every n-th scenario")
    parser.add_argument("--jobs", type=int, help="processes; all cores without")
    parser.add_argument(
        "--players", nargs="+", choices=PLAYERS, default=PLAYERS, help="play these; all without"
    )
    parser.add_argument("--category", type=Category, help="play tasks of this one")
    options = parser.parse_args()
    told = cheats(
        options.suites,
        every=options.every,
        jobs=options.jobs,
        players=options.players,
        category=options.category,
    )
    sys.stdout.write(table_text(told) + "\n")


if __name__ == "__main__":
    main()
