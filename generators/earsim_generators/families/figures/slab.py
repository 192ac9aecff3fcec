"""Questions about figures of slabs that cool or warm, `heat1d/1`."""

from __future__ import annotations

import math
from random import Random
from typing import Final

from earsim.apparatus.heat1d import HEAT1D
from earsim.apparatus.heat1d.reference import CONDITIONS, LOGARITHMIC
from earsim.apparatus.parameter import Settings, defaults
from earsim_generators.families.apparatus.station import significant
from earsim_generators.families.figures.question import Curve, DrawnFigure, FigureQuestion, tidy

_CELLS: Final = 64
_TIME: Final = ("Time", "s")
_END_S: Final = 240.0
_SLABS: Final = "ABCD"
_LEAST_DIFFERENCE_K: Final = 15.0
_FILM: Final = (20.0, 2000.0)
"""Heat transfer of the film, W/(m2 K), so that both slab and film count."""

_TITLES: Final = {
    "flux_wpm2": ("Heat flux out of the face of slabs", ("Heat flux", "W/m2")),
    "wall_c": ("Temperature of the face of slabs", ("Temperature", "C")),
    "mean_c": ("Mean temperature of slabs", ("Temperature", "C")),
    "end_c": ("Temperature of the insulated end of slabs", ("Temperature", "C")),
}


def falling(rng: Random) -> FigureQuestion | None:
    """When the flux has fallen to a share of what it was."""
    run, other = _run(rng), _run(rng)
    curve, elsewhere = _curve("slab A", run, "flux_wpm2"), _curve("slab B", other, "flux_wpm2")
    early = rng.choice((20, 30, 40, 50, 60))
    percent = rng.choice((80, 75, 60, 50, 40))
    found = curve.passes(curve.at(early) * percent / 100)
    if len(found) != 1 or not early + 20 < found[0] < _END_S - 20:
        return None
    return FigureQuestion(
        name="falling",
        domain="physics",
        figures=[_figure("flux_wpm2", [curve])],
        decoys=[_figure(each, [_curve("slab A", run, each)]) for each in ("wall_c", "mean_c")],
        asks=(
            f"After how many seconds is the heat flux out of slab A down to {percent} % of what it "
            f"is after {early} s?"
        ),
        answer=tidy(found[0]),
        within=3.0,
        choice={},
        guesses=[
            0.0,
            early,
            _END_S / 2,
            _END_S,
            early * 100 / percent,
            early * (100 / percent) ** 2,
            *elsewhere.passes(elsewhere.at(early) * percent / 100),
        ],
        facts=[f"After {early} s the flux is {curve.at(early):.4g} W/m2."],
    )


def giving(rng: Random) -> FigureQuestion | None:
    """Which of four slabs gives off most heat between two times, and how much: an area."""
    runs = [_run(rng, warm=True) for _ in _SLABS]
    curves = [_curve(f"slab {n}", run, "flux_wpm2") for n, run in zip(_SLABS, runs, strict=True)]
    start, end = sorted(rng.sample(range(20, int(_END_S) + 1, 20), 2))
    heat = [curve.area(start, end) / 1000 for curve in curves]
    order = sorted(range(len(heat)), key=lambda place: -heat[place])
    most, second = heat[order[0]], heat[order[1]]
    if end - start < 80 or most < 10.0 or second > 0.9 * most:
        return None
    best = curves[order[0]]
    width = end - start
    return FigureQuestion(
        name="giving",
        domain="energy",
        figures=[_figure("flux_wpm2", curves)],
        decoys=[
            _figure(
                each, [_curve(f"slab {n}", run, each) for n, run in zip(_SLABS, runs, strict=True)]
            )
            for each in ("mean_c", "end_c", "wall_c")
        ],
        asks=(
            f"Which of four slabs gives off most heat through its face from {start} s to {end} s, "
            "and how much is that, in kJ per m2?"
        ),
        answer=tidy(most),
        within=significant(0.03 * most, 1),
        choice={"slab": _SLABS[order[0]]},
        guesses=[
            *(heat[place] for place in order[1:]),
            best.at(start) * width / 1000,
            best.at(end) * width / 1000,
            best.area(best.points[0][0], _END_S) / 1000,
        ],
        facts=[f"Slab {_SLABS[order[0]]} gives off {most:.3g} kJ per m2."],
    )


def film(rng: Random) -> FigureQuestion | None:
    """The heat transfer of the film at one of four slabs: two figures, and a caption."""
    runs = [_run(rng) for _ in _SLABS]
    place = rng.randrange(len(runs))
    t = rng.choice(range(30, int(_END_S), 30))
    flux = [_curve(f"slab {n}", run, "flux_wpm2") for n, run in zip(_SLABS, runs, strict=True)]
    wall = [_curve(f"slab {n}", run, "wall_c") for n, run in zip(_SLABS, runs, strict=True)]
    settings = [each for each, _ in runs]
    fluid = float(settings[place]["T_inf"])
    drop = wall[place].at(t) - fluid
    if abs(drop) < 2.0:
        return None
    answer = flux[place].at(t) / drop
    caption = "Fluid: " + ", ".join(
        f"slab {n} {float(each['T_inf']):g} C" for n, each in zip(_SLABS, settings, strict=True)
    )
    guesses = [
        *(flux[k].at(t) / (wall[k].at(t) - float(settings[k]["T_inf"]))
          for k in range(len(runs)) if k != place),
        flux[place].at(t) / wall[place].at(t),
        abs(flux[place].at(t)) / abs(float(settings[place]["T_init"]) - fluid),
    ]  # fmt: skip
    rng.shuffle(wall)
    return FigureQuestion(
        name="film",
        domain="physics",
        figures=[_figure("flux_wpm2", flux), _figure("wall_c", wall, caption)],
        decoys=[
            _figure(
                each, [_curve(f"slab {n}", run, each) for n, run in zip(_SLABS, runs, strict=True)]
            )
            for each in ("mean_c", "end_c")
        ],
        asks=(
            f"What is the heat transfer of the film at the face of slab {_SLABS[place]}, its flux "
            "over the difference of temperature between face and fluid, in W per m2 and K?"
        ),
        answer=tidy(answer),
        within=significant(0.04 * answer, 1),
        choice={},
        guesses=guesses,
        facts=[f"The fluid along slab {_SLABS[place]} has {fluid:g} C."],
    )


_Run = tuple[Settings, tuple[tuple[float, tuple[float, ...]], ...]]
"""Settings, and samples of all channels."""


def _run(rng: Random, *, warm: bool = False) -> _Run:
    """A run whose slab and fluid differ; the slab is the warmer one if `warm`."""
    while True:
        drawn = dict(defaults(HEAT1D.parameters))
        for each in HEAT1D.parameters:
            low, high = _FILM if each.name == "h" else (each.low, each.high)
            if each.name in LOGARITHMIC:
                drawn[each.name] = significant(math.exp(rng.uniform(math.log(low), math.log(high))))
            elif each.name in CONDITIONS:
                drawn[each.name] = significant(rng.uniform(low, high))
        drop = float(drawn["T_init"]) - float(drawn["T_inf"])
        if (drop if warm else abs(drop)) >= _LEAST_DIFFERENCE_K:
            break
    drawn["n"] = _CELLS
    samples = HEAT1D.advance(HEAT1D.start(drawn), float("inf")).samples
    return drawn, tuple((each.t, each.values) for each in samples)


def _curve(name: str, run: _Run, channel: str) -> Curve:
    place = [each.name for each in HEAT1D.channels].index(channel)
    return Curve(name, tuple((tidy(t), tidy(values[place])) for t, values in run[1]))


def _figure(channel: str, curves: list[Curve], caption: str = "") -> DrawnFigure:
    title, y = _TITLES[channel]
    return DrawnFigure(title, _TIME, y, curves, caption)
