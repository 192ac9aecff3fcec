"""Surrogates: what they predict, what they refuse to, and the files that come along."""

import math
from statistics import median

import numpy as np
import pytest

from earsim.apparatus.curves import stored
from earsim.apparatus.parameter import defaults
from earsim.apparatus.registry import MODELS
from earsim.errors import UsageError
from earsim.planner.laboratory.design_problem import DesignProblem
from earsim_agents.science.design.surrogate import (
    ENCODINGS,
    WEIGHTS,
    load,
    predictions,
    provenance,
    short,
)


def off_by_curves(simulator, sizes):
    """|log10 of predicted over true error| at the points of stored curves."""
    found = []
    for curve in stored(short(simulator))["curves"].values():
        problem = DesignProblem.of(simulator, curve["settings"], 1.0)
        for point in curve["points"]:
            cells = point[problem.parameter.name]
            if cells in sizes:
                said = load(simulator).predict(problem.design(cells))
                found.append(abs(math.log10(said.error / point["error"])))
    return found


def test_shipped_surrogates_agree_with_stored_curves_that_they_never_saw():
    assert median(off_by_curves("heat1d/1", range(8, 513))) < 0.05
    assert median(off_by_curves("euler1d/1", range(64, 1025))) < 0.05
    assert median(off_by_curves("ns2d/1", range(16, 65))) < 0.05


def test_the_cost_of_a_run_is_predicted():
    problem = DesignProblem.of("euler1d/1", defaults(MODELS["euler1d/1"].parameters), 0.018)
    [said] = predictions(load("euler1d/1"), problem, [512])
    assert said.cost == pytest.approx(458_240, rel=0.05)


@pytest.mark.parametrize("simulator", ENCODINGS)
def test_what_comes_along_says_how_it_was_made(simulator):
    facts = provenance(simulator)
    assert facts["command"].startswith(f"earsim train surrogate {short(simulator)}")
    off, noisy = facts["held_out_decades"], facts["noisy_held_out_decades"]
    assert off["error_median"] < 0.05 < noisy["error_median"]
    assert facts["profiles"]["held_out"] >= 30
    assert len(facts["examples"]["runs"]) >= 8


def test_what_comes_along_is_small():
    assert sum(file.stat().st_size for file in WEIGHTS.iterdir()) < 300_000


@pytest.mark.parametrize(
    ("simulator", "changes", "reason"),
    [
        ("heat1d/1", {"wall": "plain"}, "wall is plain"),
        ("heat1d/1", {"cfl": 0.1}, "cfl 0.1 is outside 0.2 to 1"),
        ("euler1d/1", {"cfl": 0.9}, "cfl 0.9 is outside"),
        ("ns2d/1", {"relaxation_factor": 1.9}, "relaxation_factor is 1.9, not 1.95"),
    ],
)
def test_a_surrogate_does_not_extrapolate(simulator, changes, reason):
    settings = {**defaults(MODELS[simulator].parameters), **changes}
    with pytest.raises(UsageError, match=reason):
        load(simulator).predict(settings)


def test_kappa_is_the_printed_form_with_k_1():
    base = defaults(MODELS["euler1d/1"].parameters)
    usual = {**base, "reconstruction": "kappa", "k": 0.3, "beta": 2.0}
    printed = {**base, "k": 1.0, "beta": 2.0}
    assert load("euler1d/1").predict(usual) == load("euler1d/1").predict(printed)


def test_a_file_that_is_no_surrogate_is_refused(tmp_path):
    (tmp_path / "heat1d.npz").write_bytes(b"not an archive")
    with pytest.raises(UsageError, match="not a surrogate of heat1d/1"):
        load("heat1d/1", folder=tmp_path)
    np.savez(tmp_path / "euler1d.npz", matrix_0=np.zeros((3, 3)))
    with pytest.raises(UsageError, match="not a surrogate of euler1d/1"):
        load("euler1d/1", folder=tmp_path)


def test_weights_survive_being_written(tmp_path):
    made = load("heat1d/1")
    made.save(tmp_path / "heat1d.npz")
    settings = defaults(MODELS["heat1d/1"].parameters)
    assert load("heat1d/1", folder=tmp_path).predict(settings) == made.predict(settings)
