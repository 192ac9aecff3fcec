"""Training data of surrogates: profiles drawn by a seed, each run on a ladder of grids.

A profile is everything of a run but its cells. The ladder doubles from a drawn grid, so that the
check of one run is the next one, which halves the work. Held-out data are whole profiles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.apparatus.parameter import Settings, defaults
from earsim.apparatus.registry import MODELS
from earsim.parallel import map_ordered
from earsim.planner.laboratory.design_problem import RANGES, DesignProblem
from earsim_agents.science.design.surrogate import ENCODINGS, Encoding

Array = NDArray[np.float64]
Runs = tuple[list[list[float]], int]
Watch = Callable[[Iterable[Runs], int], Iterable[Runs]]
"""Passes on what is made of each of so many profiles, for who waits."""

DIGITS = 4
PROFILES: Mapping[str, int] = {"heat1d/1": 1500, "euler1d/1": 300, "ns2d/1": 240}
"""How many profiles are drawn by default: about 9,000, 1,500 and 370 runs.

Those of ns2d for training are one round, with every grid of every boundary type once."""

HELD_OUT = 0.2
"""Share of the profiles that training never sees."""


class Ladder(NamedTuple):
    """A profile and the grids that it is run on.

    Attributes:
        simulator: a model's id.
        profile: settings but for the cells.
        cells: of the runs.
    """

    simulator: str
    profile: Settings
    cells: tuple[int, ...]


class SampleSet(NamedTuple):
    """Runs as a network reads them.

    Attributes:
        inputs: (samples, inputs).
        targets: log10 of error and cost, (samples, 2).
        dropped: runs without an error: they broke off, or it is 0.
    """

    inputs: Array
    targets: Array
    dropped: int


def ladders(simulator: str, seed: int, count: int) -> list[Ladder]:
    """Profiles and their grids; the same seed gives the same."""
    return list(islice(_DRAWN[simulator](np.random.default_rng(seed)), count))


def split(drawn: Sequence[Ladder]) -> tuple[list[Ladder], list[Ladder]]:
    """For training, and held out: the last ones, whole profiles."""
    kept = max(1, round(len(drawn) * (1.0 - HELD_OUT)))
    return list(drawn[:kept]), list(drawn[kept:])


def sampled(
    drawn: Sequence[Ladder], *, jobs: int | None = None, watch: Watch = lambda made, total: made
) -> SampleSet:
    """Make all runs, in several processes; `watch` sees each profile that is done."""
    found = list(watch(map_ordered(_runs, drawn, jobs=jobs), len(drawn)))
    rows = [row for rows, _ in found for row in rows]
    values = np.array(rows) if rows else np.empty((0, ENCODINGS[drawn[0].simulator].inputs + 2))
    return SampleSet(values[:, :-2], values[:, -2:], sum(dropped for _, dropped in found))


def _runs(ladder: Ladder) -> Runs:
    """Inputs and targets of the runs of one profile, and how many runs have no error."""
    encoding = ENCODINGS[ladder.simulator]
    problem = DesignProblem.of(ladder.simulator, ladder.profile, 1.0)
    rows = []
    for cells in ladder.cells:
        run = problem.run(cells)
        if math.isfinite(run.error) and run.error > 0:
            row = encoding.row(problem.design(cells))
            rows.append([*row, math.log10(run.error), math.log10(run.cost)])
    return rows, len(ladder.cells) - len(rows)


def _ladder(simulator: str, profile: Settings, first: float) -> Ladder:
    """Doublings of a grid, as far as designs go."""
    problem = DesignProblem.of(simulator, profile, 1.0)
    cells = [problem.allowed(first)]
    while 2 * cells[-1] <= problem.high:
        cells.append(2 * cells[-1])
    return Ladder(simulator, profile, tuple(cells))


def _evenly(
    simulator: str, profiles: Iterator[Settings], generator: np.random.Generator
) -> Iterator[Ladder]:
    """Ladders of grids drawn evenly in their logarithm between the least and its double."""
    low = RANGES[simulator][0]
    for profile in profiles:
        yield _ladder(simulator, profile, low * 2.0 ** generator.uniform(0.0, 1.0))


# -- profiles --------------------------------------------------------------------------------------


def _slabs(generator: np.random.Generator) -> Iterator[Ladder]:
    """Conditions as those of the model's own profiles, and a time step."""
    from earsim.apparatus.heat1d.reference import LEAST_DIFFERENCE

    drawn = _within(ENCODINGS["heat1d/1"], generator)
    differing = (
        each
        for each in drawn
        if abs(float(each["T_init"]) - float(each["T_inf"])) >= LEAST_DIFFERENCE
    )
    return _evenly("heat1d/1", differing, generator)


def _tubes(generator: np.random.Generator) -> Iterator[Ladder]:
    """The three cases; every other profile is of first order, as the tasks are."""
    profiles = (
        {**profile, "k": -1.0, "beta": 1.0} if number % 2 else profile
        for number, profile in enumerate(_within(ENCODINGS["euler1d/1"], generator))
    )
    return _evenly("euler1d/1", profiles, generator)


def _flows(generator: np.random.Generator) -> Iterator[Ladder]:
    """Every grid of every boundary type once in each round, in a drawn order.

    Obstacles are sets of whole cells, so the error jumps from one number of cells to the next by
    more than the Reynolds number and the time step change it: no grid may be missing.
    """
    low, high = RANGES["ns2d/1"]
    firsts = [cells for cells in range(low, high + 1) if cells % 2 or cells < 2 * low]
    rounds = [(shape, first) for shape in SHAPES for first in firsts]
    profiles = _within(ENCODINGS["ns2d/1"], generator)
    while True:
        for at in generator.permutation(len(rounds)):
            shape, first = rounds[at]
            yield _ladder("ns2d/1", {**next(profiles), "boundary": shape}, first)


_DRAWN: Mapping[str, Callable[[np.random.Generator], Iterator[Ladder]]] = {
    "heat1d/1": _slabs,
    "euler1d/1": _tubes,
    "ns2d/1": _flows,
}


def _within(encoding: Encoding, generator: np.random.Generator) -> Iterator[Settings]:
    """Settings drawn within the bounds of an encoding, with four significant digits."""
    base = defaults(MODELS[encoding.simulator].parameters)
    while True:
        drawn: dict[str, float | str] = {}
        for name, (low, high) in encoding.plain.items():
            drawn[name] = _rounded(generator.uniform(low, high), low, high)
        for name, (low, high) in encoding.logarithmic.items():
            value = math.exp(generator.uniform(math.log(low), math.log(high)))
            drawn[name] = _rounded(value, low, high)
        for name, choices in encoding.words.items():
            drawn[name] = choices[int(generator.integers(len(choices)))]
        yield {**base, **encoding.fixed, **drawn}


def _rounded(value: float, low: float, high: float) -> float:
    return min(max(float(f"{value:.{DIGITS}g}"), low), high)
