"""What a model is told when it designs a grid: CAED-Agent's parts of a prompt, in our words."""

from __future__ import annotations

from collections.abc import Iterable

from earsim.planner.laboratory.design_problem import DesignProblem
from earsim_agents.science.design.pool import Rated

PROPOSE, REFINE, GUESS = "propose", "refine", "guess"
"""Roles: new designs for the pool; the next true run or a stop; an answer from knowledge alone."""

_PHYSICS = {
    "heat1d/1": (
        "Heat conducts through a slab, T_t = alpha T_xx with alpha = k/(rho cp), over 240 s: "
        "convection h to a fluid of T_inf at one face, no flux at the other, T_init at the start. "
        "Finite volumes, n cells, explicit time steps of cfl dx^2/(2 alpha). The error is that of "
        "the flux through the cooled face at the end, against a run on 2n cells."
    ),
    "euler1d/1": (
        "A shock tube: the equations of Euler in one dimension, by Roe's scheme on n cells with "
        "explicit time steps of cfl dx over the fastest wave. Slopes of weight k with a limiter "
        "beta; k -1 is of first order. The error is the relative RMS difference of density, "
        "velocity and pressure from a run on 2n cells. n has to be even."
    ),
    "ns2d/1": (
        "Incompressible flow in a channel of height 1 and length 2 past obstacles, on a staggered "
        "grid of `resolution` cells up and twice as many along, until t = 1; time steps of cfl dx, "
        "pressure by relaxation sweeps. The error is the relative RMS difference of the velocity "
        "from a run on the doubled grid."
    ),
}

_NAMELESS = (
    "There is one number to choose. Nothing is known of what it stands for: use no prior "
    "knowledge, only the values and scores that you are shown."
)


def system(problem: DesignProblem, *, physics_prior: bool) -> str:
    """Instruction, problem and criteria.

    Args:
        problem: what is designed.
        physics_prior: tell the equations and the frozen settings; else the problem is nameless.
    """
    name = problem.parameter.name if physics_prior else "value"
    lines = [
        f"You choose the {name} of an experiment: as accurate as asked for, at the least cost."
    ]
    if physics_prior:
        fixed = ", ".join(
            f"{key} {value}" for key, value in problem.settings.items() if key != name
        )
        lines += [_PHYSICS[problem.simulator], f"Fixed: {fixed}."]
        lines.append(
            "A run on more cells is more accurate and costs more, by a power of the cells."
        )
    else:
        lines.append(_NAMELESS)
    step = problem.parameter.multiple_of
    whole = "whole" if step == 1 else f"whole, divisible by {step}"
    lines.append(f"{name} is {whole}, from {problem.low} to {problem.high}.")
    if physics_prior:
        lines.append(f"Tolerance: an error of {problem.tolerance:g} at most.")
    lines.append(
        "Scores: accuracy is 1.0 where the error is within the tolerance and falls to 0 beyond; "
        "efficiency is the cost of a usual choice over its own. Accuracy 1.0 comes first, then "
        "efficiency."
    )
    return "\n".join(lines)


def table(rated: Iterable[Rated]) -> str:
    """Designs with their scores, as the model reads them."""
    return "\n".join(
        f"<design><value>{each.cells}</value><accuracy>{each.utility:.4f}</accuracy>"
        f"<efficiency>{each.efficiency:.4g}</efficiency></design>"
        for each in rated
    )


def propose(rated: Iterable[Rated], count: int) -> str:
    """The pool, and the demand for new designs."""
    return (
        f"Designs so far, the best last:\n{table(rated)}\n"
        f"Propose {count} new values, none of those above: accuracy 1.0 first, then the cheapest. "
        'Reply with JSON only: {"values": [NUMBER, ...]}'
    )


def examples(rated: Iterable[Rated]) -> str:
    """Runs of other conditions, and the demand for an answer."""
    return (
        f"Designs that were run under other conditions, with the same tolerance:\n{table(rated)}\n"
        'Answer with one value for yours. Reply with JSON only: {"values": [NUMBER]}'
    )


def refine(true: Iterable[Rated], expected: Iterable[Rated]) -> str:
    """True runs and the pool, and the demand for the next run or a stop."""
    shown = table(expected)
    told = f"Designs as they are expected to be, the best last:\n{shown}\n" if shown else ""
    return (
        f"{told}Designs that were run, the best last:\n{table(true)}\n"
        "Every run is paid for, and what counts is the best accuracy over the cost of all runs. "
        "Stop, or give the next value to run. Reply with JSON only: "
        '{"should_stop": true or false, "values": [NUMBER]}'
    )


GUESS_NOW = 'Answer with one value. Reply with JSON only: {"values": [NUMBER]}'
