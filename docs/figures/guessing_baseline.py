"""The baseline that guesses: what can be known of an answer from the instruction alone.

For every choice that a task asks for it takes, of the things that the noun fits, the one whose own
words stand in the instruction best, and of those that match alike the one with the first id, as
somebody would who types `jar_1`. Whoever does better than chance so has found a trace of the answer
in a name or in an id. Other ways to break ties look for one in the last ids, in the order of the
file, and in what the agents can lift.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from statistics import fmean
from typing import NamedTuple

from earsim.engine import Engine
from earsim.evaluation.summary import Interval, wilson
from earsim.schema import Category, Scenario
from earsim.tables.document import ALL, Cell, Table
from earsim_generators.difficulty import lookalikes

_WORD = re.compile(r"[a-z0-9]+")


class Tie(StrEnum):
    """Which is taken of the things that match alike."""

    FIRST_ID = "first id"
    LAST_ID = "last id"
    FIRST_IN_FILE = "first in file"
    LAST_IN_FILE = "last in file"
    TAKES_ALL = "too heavy for one"
    """One that nobody lifts alone and all together do, if there is any; else the first id."""


class Guess(NamedTuple):
    """One choice, and how it was guessed.

    Attributes:
        candidates: Things among which it is made.
    """

    category: Category
    candidates: int
    is_right: bool


class Guesses(NamedTuple):
    """Guesses of one category, against chance.

    Attributes:
        chance: The mean of one over the number of candidates.
    """

    choices: int
    right: int
    chance: float
    least: int

    @classmethod
    def of(cls, guesses: Iterable[Guess]) -> Guesses | None:
        """What they amount to; None without any."""
        found = list(guesses)
        if not found:
            return None
        return cls(
            len(found),
            sum(guess.is_right for guess in found),
            fmean(1 / guess.candidates for guess in found),
            min(guess.candidates for guess in found),
        )

    @property
    def rate(self) -> float:
        """The part that was right."""
        return self.right / self.choices

    @property
    def interval(self) -> Interval:
        """Bounds of the rate, 95 %."""
        return wilson(self.right, self.choices)

    @property
    def is_at_chance(self) -> bool:
        """Whether chance lies within the bounds of the rate."""
        low, high = self.interval
        return low <= self.chance <= high


def guess(scenario: Scenario, tie: Tie = Tie.FIRST_ID) -> Iterator[Guess]:
    """Guess every choice of a scenario.

    Args:
        scenario: what is guessed about.
        tie: which is taken of the things that match alike.
    """
    engine = Engine(scenario)
    world = engine.start()
    said = _words(engine.instruction)
    for name, selector in scenario.task.select.items():
        candidates = _ordered(lookalikes(selector, world), tie, engine)
        guessed = max(candidates, key=lambda node: _match(engine, node, said))
        yield Guess(scenario.task.category, len(candidates), guessed == engine.task.answer[name])


def by_category(guesses: Iterable[Guess]) -> dict[str, Guesses]:
    """Guesses of every category in which there is something to choose, and all of them at last."""
    found = list(guesses)
    groups = {c.value: Guesses.of(g for g in found if g.category is c) for c in Category}
    groups[ALL] = Guesses.of(found)
    return {name: group for name, group in groups.items() if group is not None}


def table(found: dict[str, Guesses]) -> Table:
    """Guesses as a table of a report."""
    rows: list[tuple[Cell, ...]] = []
    for name, group in found.items():
        low, high = group.interval
        rows.append(
            (
                name,
                group.choices,
                group.least,
                f"{100 * group.chance:.1f} %",
                f"{100 * group.rate:.1f} %",
                f"{100 * low:.1f}-{100 * high:.1f}",
                "yes" if group.is_at_chance else "no",
            )
        )
    head = ("category", "choices", "fewest candidates", "chance", "guessed", "95 %", "at chance")
    return Table("Guessing", head, name="guessing", spaced=True).with_rows(rows, whole=ALL)


def _ordered(candidates: Sequence[str], tie: Tie, engine: Engine) -> Sequence[str]:
    """A crowd in which those that are taken before others that match alike come first."""
    if tie in (Tie.FIRST_ID, Tie.LAST_ID, Tie.TAKES_ALL):
        candidates = sorted(candidates, key=_counting)
    if tie is Tie.TAKES_ALL:
        return sorted(candidates, key=lambda node: not _takes_all(engine, node))
    return candidates if tie in (Tie.FIRST_ID, Tie.FIRST_IN_FILE) else candidates[::-1]


def _takes_all(engine: Engine, node: str) -> bool:
    """Whether each agent is too weak for a thing, and all together are not."""
    strengths = [agent.max_mass_kg for agent in engine.scenario.agents]
    mass_kg = engine.blueprint.things[node].mass_kg
    return max(strengths) < mass_kg <= sum(strengths)


def _match(engine: Engine, node: str, said: frozenset[str]) -> tuple[int, int]:
    """How many words of a thing are said, and how few are not; its name and its id count."""
    own = _words(f"{engine.blueprint.name(node)} {node}")
    return len(own & said), -len(own - said)


def _counting(id: str) -> tuple[str, int]:
    """`jar_10` comes after `jar_9`."""
    stem, _, number = id.rpartition("_")
    return (stem, int(number)) if number.isdecimal() else (id, 0)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold().replace("_", " ")))
