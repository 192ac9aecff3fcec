"""A question about figures that were drawn from runs, and the scene in which it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple

from earsim_generators.families.apparatus.station import (
    RIG,
    BenchLooks,
    Experiment,
    document,
    first_fitting,
    significant,
)
from earsim_generators.families.draft import Fields

_LOOKS: Final = BenchLooks(
    "Figure screen", "Reader's card", "Data cassette", "thickness_mm", 18.0, (0.9, 0.2, 0.6)
)
_DIGITS: Final = 5
_MOST_DECOYS: Final = {"easy": 1, "medium": 2, "hard": 3}


class Curve(NamedTuple):
    """A data series over times.

    Attributes:
        name: As the legend has it.
        points: Times, that go up, and values.
    """

    name: str
    points: tuple[tuple[float, float], ...]

    def at(self, t: float) -> float:
        """Its value at a time, on straight lines between its points; NaN outside of them."""
        for (t0, y0), (t1, y1) in pairwise(self.points):
            if t0 <= t <= t1:
                return y0 + (y1 - y0) * (t - t0) / (t1 - t0)
        return float("nan")

    def passes(self, level: float) -> list[float]:
        """When it passes a level, on straight lines between its points."""
        return [
            t0 + (t1 - t0) * (level - y0) / (y1 - y0)
            for (t0, y0), (t1, y1) in pairwise(self.points)
            if (y0 - level) * (y1 - level) < 0.0
        ]

    def area(self, start: float, end: float) -> float:
        """What lies below it between two times, by trapezoids."""
        inside = [t for t, _ in self.points if start < t < end]
        times = [start, *inside, end]
        return sum((b - a) * (self.at(a) + self.at(b)) / 2.0 for a, b in pairwise(times))


class DrawnFigure(NamedTuple):
    """A figure of lines over time.

    Attributes:
        title: One line.
        time: Label and unit of the axis below.
        y: Label and unit of the axis on the left.
        curves: At least one.
        caption: What stands below it.
    """

    title: str
    time: tuple[str, str]
    y: tuple[str, str]
    curves: Sequence[Curve]
    caption: str = ""

    def fields(self, id: str) -> Fields:
        """As a file gives it."""
        return {
            "id": id,
            "title": self.title,
            "caption": self.caption,
            "kind": "line",
            "x": {"label": self.time[0], "unit": self.time[1]},
            "y": {"label": self.y[0], "unit": self.y[1]},
            "series": [
                {"name": c.name, "points": [list(p) for p in c.points]} for c in self.curves
            ],
        }


class FigureQuestion(NamedTuple):
    """What is asked about figures.

    Attributes:
        name: Of the task.
        domain: Of science.
        figures: Those that have to be looked at.
        decoys: Others that are there as well; they are about other runs or other quantities.
        asks: The question, in words.
        answer: The number that is submitted.
        within: By which it may be off.
        choice: A word that is submitted as well, by its name; empty for none.
        guesses: Numbers that one may give who does not think, or looks at something else.
        facts: What somebody finds out on the way.
    """

    name: str
    domain: str
    figures: Sequence[DrawnFigure]
    decoys: Sequence[DrawnFigure]
    asks: str
    answer: float
    within: float
    choice: Mapping[str, str]
    guesses: Sequence[float]
    facts: Sequence[str]

    @property
    def is_guessed(self) -> bool:
        """Whether a guess is near enough to the answer."""
        return any(abs(guess - self.answer) <= 1.5 * self.within for guess in self.guesses)


def screen_scene(
    rng: Random, difficulty: str, draw: Callable[[Random], FigureQuestion | None]
) -> Fields:
    """A scene with the figures on a screen; what the screen takes lies elsewhere."""
    found: FigureQuestion | None = None

    def drawn() -> Experiment | None:
        nonlocal found
        found = draw(rng)
        if found is None or found.is_guessed:
            return None
        return _experiment(rng, found, _MOST_DECOYS[difficulty])

    experiment = first_fitting(drawn)
    assert found is not None, "an experiment is made of it"
    made = document(rng, difficulty, _LOOKS, experiment)
    facts = list(found.facts)
    made["tasks"][0]["workflow"] = {"family": "figure", "domain": found.domain, "facts": facts}
    return made


def _experiment(rng: Random, question: FigureQuestion, decoys: int) -> Experiment:
    shown = [*question.figures, *question.decoys[:decoys]]
    order = rng.sample(range(len(shown)), len(shown))
    ids = {place: f"figure_{number}" for number, place in enumerate(order, start=1)}
    wanted = [ids[place] for place in range(len(question.figures))]
    answers: dict[str, Any] = {**question.choice, "value": question.answer}
    submitted: list[Fields] = [
        {"name": name, "equals": word} for name, word in question.choice.items()
    ]
    submitted.append({"name": "value", "equals": question.answer, "within": question.within})
    names = " ".join(f"{name}=LETTER" for name in question.choice)
    template = f"{names} value=NUMBER".strip()
    return Experiment(
        name=question.name,
        title="What runs have drawn",
        block={
            "model": "figures/1",
            "figures": {"figures": [shown[place].fields(ids[place]) for place in order]},
        },
        goal=[
            *({"submitted": each} for each in submitted),
            *(
                {
                    "operation": {
                        "apparatus": RIG,
                        "status": "completed",
                        "settings": {"action": "show", "figure": id},
                    }
                }
                for id in wanted
            ),
        ],
        says=(
            f"{question.asks} The {{{RIG}}} lists and shows the figures; between points, curves "
            f"are straight. SAY why, then SUBMIT {template}, right within {question.within:g}."
        ),
        limits={},
        runs=len(shown) + 1,
        commands=[
            *_looked(f"RUN {RIG} list"),
            *(each for id in wanted for each in _looked(f"RUN {RIG} show figure={id}")),
            "SUBMIT " + " ".join(f"{name}={value}" for name, value in answers.items()),
        ],
    )


def _looked(command: str) -> list[str]:
    return [command, f"WAIT UNTIL {RIG} done", f"READ {RIG}"]


def tidy(value: float) -> float:
    """A number with the digits that a figure has."""
    return significant(value, _DIGITS)
