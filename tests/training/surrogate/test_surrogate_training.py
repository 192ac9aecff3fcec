"""Training of surrogates: data by a seed, held-out profiles, schedules, and the same weights."""

from collections import Counter
from dataclasses import asdict, replace
from itertools import product

import numpy as np
import pytest

from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.errors import UsageError
from earsim.planner.laboratory.design_problem import RANGES
from earsim.planner.laboratory.rules import CELLS
from earsim_agents.science.design.surrogate import ENCODINGS, load, provenance
from earsim_training.surrogate import making
from earsim_training.surrogate.making import SurrogateRun, make, simulator_of, write
from earsim_training.surrogate.samples import PROFILES, ladders, sampled, split
from earsim_training.surrogate.schedule import PRESETS, USUAL

QUICK = replace(PRESETS["default"], micro_steps=300, width=8, hidden=2)


@pytest.mark.parametrize("simulator", ENCODINGS)
def test_profiles_come_by_seed_and_are_covered(simulator):
    drawn = ladders(simulator, 0, 10)
    assert drawn == ladders(simulator, 0, 10)
    assert drawn != ladders(simulator, 1, 10)
    for ladder in drawn:
        assert ENCODINGS[simulator].uncovered(ladder.profile) == ""
        assert list(ladder.cells) == [ladder.cells[0] * 2**at for at in range(len(ladder.cells))]


def test_held_out_are_whole_profiles_that_training_never_sees():
    drawn = ladders("heat1d/1", 0, 20)
    seen, unseen = split(drawn)
    assert (len(seen), len(unseen)) == (16, 4)
    profiles = [tuple(sorted(each.profile.items())) for each in seen]
    assert not any(tuple(sorted(each.profile.items())) in profiles for each in unseen)


def test_training_sees_every_grid_of_every_boundary_type_once():
    low, high = RANGES["ns2d/1"]
    seen, unseen = split(ladders("ns2d/1", 0, PROFILES["ns2d/1"]))
    grids = Counter((each.profile["boundary"], cells) for each in seen for cells in each.cells)
    assert grids == Counter(product(SHAPES, range(low, high + 1)))
    assert len({each.profile["boundary"] for each in unseen}) == len(SHAPES)


@pytest.mark.parametrize("simulator", ENCODINGS)
def test_what_comes_along_was_made_by_the_usual_command(simulator):
    facts, preset = provenance(simulator), USUAL[simulator]
    run = SurrogateRun(simulator, preset, 0, PROFILES[simulator])
    assert facts["command"] == run.command
    schedule = PRESETS[preset]
    expected = {"preset": preset, **asdict(schedule), "updates": schedule.updates}
    assert facts["schedule"] == expected


@pytest.mark.parametrize("simulator", ["euler1d/1", "ns2d/1"])
def test_weights_that_come_along_learned_from_the_samples_of_the_usual_command(simulator):
    encoding, cells = ENCODINGS[simulator], CELLS[simulator]
    seen, _ = split(ladders(simulator, 0, PROFILES[simulator]))
    rows = [encoding.row({**each.profile, cells: n}) for each in seen for n in each.cells]
    assert len(rows) == provenance(simulator)["samples"]["training"]  # no run broke off
    surrogate = load(simulator)
    assert surrogate.mean == pytest.approx(np.mean(rows, axis=0), rel=1e-5, abs=1e-6)
    assert surrogate.spread == pytest.approx(np.std(rows, axis=0), rel=1e-5, abs=1e-6)


def test_samples_are_logs_of_true_runs():
    [ladder] = ladders("heat1d/1", 0, 1)
    small = ladder._replace(cells=ladder.cells[:2])
    found = sampled([small], jobs=1)
    assert found.inputs.shape == (2, 9)
    assert found.inputs[:, 0] == pytest.approx(np.log2(small.cells))
    from earsim.planner.laboratory.design_problem import DesignProblem

    run = DesignProblem.of("heat1d/1", ladder.profile, 1.0).run(small.cells[0])
    assert 10 ** found.targets[0] == pytest.approx([run.error, run.cost])


def test_the_printed_schedule_counts_micro_steps():
    paper = PRESETS["paper"]
    assert (paper.micro_steps, paper.accumulation, paper.updates) == (8_000, 100, 80)
    assert paper.rate(99) == paper.peak  # the warm-up ends: counted in updates it never would
    assert paper.rate(8_000) < 1e-2 * paper.peak
    weights = 9 * 64 + 64 + 2 * (64 * 64 + 64) + 64 * 2 + 2
    assert weights == 9_090
    assert PRESETS["default"].accumulation == 1


def test_the_same_run_gives_the_same_bytes(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    monkeypatch.setattr(making, "PRESETS", {"default": QUICK})
    monkeypatch.setattr(making, "EXAMPLES", 2)
    monkeypatch.setattr(making, "ladders", _small)
    for name in ("a", "b"):
        write(make(SurrogateRun("heat1d/1", profiles=10), jobs=1), tmp_path / name)
    for file in ("heat1d.npz", "heat1d-noisy.npz", "heat1d.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    trained, noisy = (load("heat1d/1", noisy=noisy, folder=tmp_path / "a") for noisy in (0, 1))
    assert not np.array_equal(trained.layers[0][0], noisy.layers[0][0])


def _small(simulator, seed, count):
    return [each._replace(cells=each.cells[:3]) for each in ladders(simulator, seed, count)]


def test_what_cannot_be_made_is_refused():
    with pytest.raises(UsageError, match="take heat1d, euler1d, ns2d"):
        simulator_of("maglev")
    with pytest.raises(UsageError, match="too few"):
        make(SurrogateRun("heat1d/1", profiles=3))
    with pytest.raises(UsageError, match="no preset 'mine': take default, paper"):
        make(SurrogateRun("heat1d/1", preset="mine"))
