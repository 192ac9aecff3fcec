"""Problems of a slab that cools or warms through one face, with the answers of `heat1d`."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from earsim.apparatus.heat1d import HEAT1D
from earsim.apparatus.heat1d.equations import Conditions
from earsim.apparatus.heat1d.exact import flux, temperature
from earsim.apparatus.heat1d.reference import CONDITIONS, LOGARITHMIC
from earsim_generators.families.apparatus.station import significant
from earsim_generators.families.dry.problem import TESTS, DrawnProblem, rounded

_LEAST_DIFFERENCE_K = 20.0
_LEAST_ANSWER = 1.0
_SECONDS = (30.0, 900.0)

_UNITS = {
    "L": "m, thickness", "k": "W/(m K), conductivity", "h": "W/(m2 K), of the film at the face",
    "rho": "kg/m3", "cp": "J/(kg K)", "T_inf": "C, of the fluid",
    "T_init": "C, of the whole slab at the start",
}  # fmt: skip

_STATEMENT = """\
a slab of thickness L has one temperature T_init at the start. From then on a fluid of temperature \
T_inf flows along one face, with a film of heat transfer h; the other face is insulated. Heat is \
conducted in one dimension, k, rho and cp are constants, and all of them stand in data.py. Return \
{what} after so many seconds."""

_SOLUTION = """\
import numpy
from data import L, T_inf, T_init, cp, h, k, rho

CELLS = 400


def {function}(seconds):
    dx = L / CELLS
    between = k / dx
    wall = 1 / (1 / h + dx / 2 / k)
    matrix = numpy.diag(numpy.full(CELLS, 2 * between))
    matrix[0, 0] = between + wall
    matrix[-1, -1] = between
    matrix -= numpy.diag(numpy.full(CELLS - 1, between), 1)
    matrix -= numpy.diag(numpy.full(CELLS - 1, between), -1)
    rates, shapes = numpy.linalg.eigh(matrix / (rho * cp * dx))
    start = numpy.full(CELLS, T_init - T_inf)
    now = shapes @ (numpy.exp(-rates * seconds) * (shapes.T @ start))
    q = wall * now[0]
    return {result}
"""


def slab(rng: Random) -> DrawnProblem | None:
    """The flux through the face, or its temperature, after some seconds."""
    drawn = {
        each.name: significant(
            math.exp(rng.uniform(math.log(each.low), math.log(each.high)))
            if each.name in LOGARITHMIC
            else rng.uniform(each.low, each.high)
        )
        for each in HEAT1D.parameters
        if each.name in CONDITIONS
    }
    conditions = Conditions.of(drawn)
    is_flux = rng.random() < 0.5
    seconds = sorted({significant(rng.uniform(*_SECONDS)) for _ in range(TESTS)})
    answers = [_answer(conditions, t, is_flux=is_flux) for t in seconds]
    if len(seconds) < TESTS or min(map(abs, answers)) < _LEAST_ANSWER:
        return None
    if abs(conditions.initial - conditions.fluid) < _LEAST_DIFFERENCE_K:
        return None
    function, result = ("flux", "q") if is_flux else ("face_temperature", "T_inf + q / h")
    what = (
        "the heat flux out of that face in W/m2, negative where heat flows in,"
        if is_flux
        else "the temperature of that face, the slab's own and not the fluid's, in C"
    )
    return DrawnProblem(
        name=function,
        title="What flows through a face",
        domain="energy",
        statement=_STATEMENT.format(what=what),
        signature=f"{function}(seconds)",
        says="Flux out of the face, W/m2." if is_flux else "Temperature of the face, C.",
        constants=[f"{name} = {drawn[name]:g}  # {_UNITS[name]}" for name in sorted(drawn)],
        tests=[([t], rounded(answer)) for t, answer in zip(seconds, answers, strict=True)],
        solution=_SOLUTION.format(function=function, result=result),
    )


def _answer(conditions: Conditions, seconds: float, *, is_flux: bool) -> float:
    if is_flux:
        return float(flux(conditions, seconds))
    return float(temperature(conditions, seconds, np.zeros(1))[0])
