"""TIP-GAN: its inputs, the oracle, weighted accuracy, bounds and a short training."""

import importlib.util

import numpy as np
import pytest

from earsim.apparatus.sixbox.settings import PARAMETERS as OCEAN
from earsim.apparatus.tipgan.accuracy import merged, weighted_accuracy, weights
from earsim.apparatus.tipgan.inputs import INPUTS, SPANS, settings_of
from earsim.apparatus.tipgan.oracle import NO_SHUT_OFF, SHUT_OFF, labels
from earsim.errors import UsageError
from earsim_training.tipgan.data import RUNS, drawn
from earsim_training.tipgan.making import make, settings_from, write
from earsim_training.tipgan.settings import PARAMETERS

with_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="needs the extra train"
)


def test_thirty_inputs_and_fourteen_hyper_parameters():
    assert len(INPUTS) == len(set(INPUTS)) == 30
    assert len(PARAMETERS) == 14


def test_inputs_lie_within_the_bounds_of_the_ocean():
    bounds = {each.name: each for each in OCEAN}
    for name, span in SPANS.items():
        assert bounds[name].low <= span[0] < span[1] <= bounds[name].high, name


def test_the_oracle_is_a_run_of_the_ocean():
    row = np.zeros(30)
    assert labels(row[None]) == [NO_SHUT_OFF]
    row[INPUTS.index("F_nA")] = 0.9  # 0.855e6 m3/s; the threshold is 0.75e6
    assert settings_of(row)["F_nA"] == pytest.approx(0.855e6)
    assert labels(row[None]) == [SHUT_OFF]


def test_every_class_weighs_the_same():
    true = np.array([0, 0, 0, 0, 0, 0, 1, 1])
    np.testing.assert_allclose(weights(true, 3), [8 / 6 / 2, 8 / 2 / 2, 0.0])
    assert weighted_accuracy(np.zeros(8, int), true, 2) == pytest.approx(0.5)
    assert weighted_accuracy(true, true, 2) == pytest.approx(1.0)
    assert weighted_accuracy(true[:0], true[:0], 2) is None
    assert merged(np.array([0, 1, 2]), 2).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("epochs=0", "epochs=0: out_of_bounds"),
        ("classes=4", "classes=4: out_of_bounds"),
        ("epoch=3", "no hyper-parameter 'epoch': epochs"),
        ("batch=many", "batch=many: bad_value"),
    ],
)
def test_hyper_parameters_have_bounds(given, told):
    with pytest.raises(UsageError, match=told):
        settings_from([given])


@with_torch
@pytest.mark.slow
def test_a_short_training_is_repeatable_and_scored_by_the_oracle(tmp_path):
    assert RUNS == 2_000
    settings = settings_from(["epochs=4", "kernels=4", "generators=2", "batch=16"])
    made, again = (make(settings, runs=120, seed=0) for _ in range(2))
    assert made.facts["score"] == again.facts["score"]
    assert np.isfinite(made.facts["losses"]).all()
    losses = [each.discriminator for each in made.score.losses]
    assert losses[-1] < losses[0]
    assert np.abs(made.score.proposals).max() <= 1.0
    assert made.score.score == pytest.approx((made.score.test + made.score.generated) / 2)
    assert [path.name for path in write(made, tmp_path)] == [
        "proposals.npz",
        "networks.npz",
        "tipgan.json",
    ]
    assert len(drawn(120, 0).rows) <= 120
