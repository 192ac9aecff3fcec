"""Questions about figures of six-box oceans, `sixbox/1`, whose coefficients are drawn."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from earsim.apparatus.model import Sample
from earsim.apparatus.sixbox.model import SIXBOX
from earsim.apparatus.sixbox.presets import PRESETS, preset
from earsim.apparatus.sixbox.settings import PARAMETERS
from earsim_generators.families.apparatus.station import significant
from earsim_generators.families.figures.question import Curve, DrawnFigure, FigureQuestion, tidy

_DRAWN: Final = ("F_s", "F_nA", "F_nP", "F_IB", "eps_A", "eps_P", "M_ek", "M_SD", "D_A0", "D_P0")
"""Coefficients of which most are drawn anew for every run."""

_SPREAD: Final = 0.35
_STEPS: Final = 800
_YEARS: Final = 200.0
_TIME: Final = ("Time", "years")
_RUNS: Final = "ABCD"


class _Quantity(NamedTuple):
    """What a figure shows.

    Attributes:
        channel: Of the model.
        says: What it is.
        unit: Its unit.
        least: Range that its curve must have.
    """

    channel: str
    says: str
    unit: str
    least: float


_QUANTITIES: Final = (
    _Quantity("M_A", "Sinking in the northern Atlantic", "Sv", 2.0),
    _Quantity("M_P", "Sinking in the northern Pacific", "Sv", 2.0),
    _Quantity("D_A", "Depth of the Atlantic pycnocline", "m", 20.0),
    _Quantity("D_P", "Depth of the Pacific pycnocline", "m", 20.0),
    _Quantity("S_nA", "Salinity of the northern Atlantic", "psu", 0.2),
    _Quantity("S_nP", "Salinity of the northern Pacific", "psu", 0.2),
)


def passing(rng: Random) -> FigureQuestion | None:
    """When a curve passes a level."""
    about, *others = rng.sample(_QUANTITIES, 3)
    run, other = _run(rng), _run(rng)
    curve = _curve("run A", run, about)
    level = _level(rng, curve)
    found = curve.passes(level)
    if _span(curve) < about.least or len(found) != 1:
        return None
    elsewhere = _curve("run B", other, about).passes(level)
    return _timed(
        "passing",
        figures=[_figure(about, [curve])],
        decoys=[_figure(each, [_curve("run A", run, each)]) for each in others],
        asks=f"In which year does the {_lower(about)} of run A pass {level:g} {about.unit}?",
        answer=found[0],
        guesses=[0.0, _YEARS / 2, _YEARS, *elsewhere],
        facts=[f"{about.says} passes {level:g} {about.unit} in the year {found[0]:.0f}."],
    )


def changing(rng: Random) -> FigureQuestion | None:
    """Which of four runs changes most between two years, and by how much."""
    about, *others = rng.sample(_QUANTITIES, 3)
    runs = [_run(rng) for _ in _RUNS]
    curves = [_curve(f"run {n}", run, about) for n, run in zip(_RUNS, runs, strict=True)]
    start, end = sorted(rng.sample(range(10, int(_YEARS), 10), 2))
    rises = [curve.at(end) - curve.at(start) for curve in curves]
    order = sorted(range(len(rises)), key=lambda place: -abs(rises[place]))
    most, second = (abs(rises[place]) for place in order[:2])
    if end - start < 50 or most < about.least / 2 or second > 0.85 * most:
        return None
    best = curves[order[0]]
    return FigureQuestion(
        name="changing",
        domain="earth",
        figures=[_figure(about, curves)],
        decoys=[_figure(each, [_curve("run A", runs[0], each)]) for each in others],
        asks=(
            f"In which of four runs does the {_lower(about)} change most between the years "
            f"{start} and {end}, up or down, and by how many {about.unit}, less than zero where "
            "it falls?"
        ),
        answer=tidy(rises[order[0]]),
        within=significant(0.04 * most, 1),
        choice={"run": _RUNS[order[0]]},
        guesses=[
            *(sign * value for sign in (1, -1) for value in (_span(best), rises[order[1]])),
            -rises[order[0]],
            best.points[-1][1] - best.points[0][1],
            best.at(end),
        ],
        facts=[f"Run {_RUNS[order[0]]} changes by {rises[order[0]]:.3g} {about.unit}."],
    )


def meanwhile(rng: Random) -> FigureQuestion | None:
    """What one quantity is when another one of the same run passes a level: two figures."""
    about, read, third = rng.sample(_QUANTITIES, 3)
    runs = [_run(rng) for _ in _RUNS]
    place = rng.randrange(len(runs))
    first = [_curve(f"run {n}", run, about) for n, run in zip(_RUNS, runs, strict=True)]
    then = [_curve(f"run {n}", run, read) for n, run in zip(_RUNS, runs, strict=True)]
    level = _level(rng, first[place])
    found = first[place].passes(level)
    if min(_span(first[place]) / about.least, _span(then[place]) / read.least) < 1.0:
        return None
    if len(found) != 1:
        return None
    asked, other = then[place], _run(rng)
    answer = asked.at(found[0])
    rng.shuffle(then)
    return FigureQuestion(
        name="meanwhile",
        domain="earth",
        figures=[_figure(about, first), _figure(read, then)],
        decoys=[
            _figure(third, [_curve("run A", runs[0], third)]),
            _figure(about, [_curve("run E", other, about)], "Another ocean"),
            _figure(read, [_curve("run E", other, read)], "Another ocean"),
        ],
        asks=(
            f"When the {_lower(about)} of run {_RUNS[place]} passes {level:g} {about.unit}, what "
            f"is the {_lower(read)} of the same run, in {read.unit}?"
        ),
        answer=tidy(answer),
        within=significant(0.03 * _span(asked), 1),
        choice={},
        guesses=[
            *(each.at(found[0]) for each in then if each is not asked),
            *(asked.points[end][1] for end in (0, -1)),
        ],
        facts=[f"It passes {level:g} {about.unit} in the year {found[0]:.0f}."],
    )


def _timed(
    name: str,
    *,
    figures: list[DrawnFigure],
    decoys: list[DrawnFigure],
    asks: str,
    answer: float,
    guesses: list[float],
    facts: list[str],
) -> FigureQuestion:
    """A question that is answered by a year."""
    return FigureQuestion(
        name, "earth", figures, decoys, asks, tidy(answer), 3.0, {}, guesses, facts
    )


def _figure(about: _Quantity, curves: list[Curve], title: str = "") -> DrawnFigure:
    says = f"{title}: {_lower(about)}" if title else about.says
    return DrawnFigure(says, _TIME, (about.says, about.unit), curves)


def _lower(about: _Quantity) -> str:
    return about.says[:1].lower() + about.says[1:]


def _run(rng: Random) -> tuple[Sample, ...]:
    settings = {**preset(), **PRESETS[rng.choice(tuple(PRESETS))], "N": _STEPS}
    for each in PARAMETERS:
        if each.name in _DRAWN:
            value = float(settings[each.name]) * rng.uniform(1.0 - _SPREAD, 1.0 + _SPREAD)
            settings[each.name] = significant(min(max(value, each.low), each.high))
    return SIXBOX.advance(SIXBOX.start(settings), float("inf")).samples


def _curve(name: str, run: tuple[Sample, ...], about: _Quantity) -> Curve:
    place = [channel.name for channel in SIXBOX.channels].index(about.channel)
    return Curve(name, tuple((sample.t, tidy(sample.values[place])) for sample in run))


def _level(rng: Random, curve: Curve) -> float:
    values = [y for _, y in curve.points]
    share = rng.uniform(0.25, 0.75)
    return significant(min(values) + share * (max(values) - min(values)), 4)


def _span(curve: Curve) -> float:
    values = [y for _, y in curve.points]
    return max(values) - min(values)
