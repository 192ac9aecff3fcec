"""tipgan/1: proposals, their judge, the weights, and the golden table of the page."""

import hashlib
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from earsim.apparatus.model import Advanced
from earsim.apparatus.parameter import checked, defaults
from earsim.apparatus.registry import MODELS
from earsim.apparatus.sixbox.presets import preset
from earsim.apparatus.tipgan import TIPGAN, oracle
from earsim.apparatus.tipgan import model as proposing
from earsim.apparatus.tipgan.accuracy import weighted_accuracy
from earsim.apparatus.tipgan.inputs import INPUTS, SPANS, settings_of
from earsim.apparatus.tipgan.model import EVEN, PROPOSAL_COST, TRAINED
from earsim.apparatus.tipgan.networks import SHIPPED, Layer, TipGanNetworks
from earsim.apparatus.tipgan.oracle import (
    BROKEN,
    FURTHEST,
    HALVINGS,
    NO_SHUT_OFF,
    SHUT_OFF,
    ProposalJudgement,
    fate_of,
    judged,
    labels,
)

PAGE = (Path(__file__).parents[2] / "docs/models/tipgan.md").read_text(encoding="utf-8")
SETTINGS = defaults(TIPGAN.parameters)
ROWS = re.findall(r"^\| `(\w+)` \|((?: [\d.]+ \|)+)$", PAGE, re.M)
RESULTS = ("distance", "least_distance", "share_near", "share_on", "share_off", "share_recovered")


def run(until: float = math.inf, **changes: float | str) -> Advanced:
    return TIPGAN.advance(TIPGAN.start({**SETTINGS, **changes}), until)


def test_it_is_registered():
    assert MODELS["tipgan/1"] is TIPGAN


def test_channels_are_the_thirty_settings_with_fate_and_distance():
    names = [channel.name for channel in TIPGAN.channels]
    assert sorted(names[:30]) == sorted(INPUTS)
    assert names[30:] == ["fate", "distance"]


# -- the judge -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_distance_is_the_change_of_freshwater_that_turns_the_fate():
    row = np.zeros(30)
    row[INPUTS.index("F_nA")] = 0.5  # 675,000 m3/s; the threshold is at 750,000
    settings, (fate, distance) = settings_of(row), judged(row)
    assert fate == NO_SHUT_OFF
    assert distance is not None
    bracket = (FURTHEST - 675_000.0) / 2**HALVINGS
    for change, then in ((distance, SHUT_OFF), (distance - bracket, NO_SHUT_OFF)):
        assert fate_of({**settings, "F_nA": 675_000.0 + change}) == then
    assert 675_000.0 + distance == pytest.approx(750_000.0, abs=bracket)


@pytest.mark.slow
def test_where_sinking_is_off_the_threshold_lies_below():
    row = np.zeros(30)
    row[INPUTS.index("F_nA")] = 0.9  # 855,000 m3/s
    fate, distance = judged(row)
    assert fate == SHUT_OFF
    assert distance is not None
    assert fate_of({**settings_of(row), "F_nA": 855_000.0 - distance}) == NO_SHUT_OFF


def test_without_a_threshold_or_an_end_there_is_no_distance(monkeypatch):
    for fate in (NO_SHUT_OFF, SHUT_OFF, BROKEN):
        monkeypatch.setattr(oracle, "fate_of", lambda *args, fate=fate, **options: fate)
        assert judged(np.zeros(30)) == ProposalJudgement(fate, None)


# -- networks --------------------------------------------------------------------------------------


def networks(generators: int = 2, classes: int = 3) -> TipGanNetworks:
    """Small networks of random weights that 16-bit floats can tell."""
    generator = np.random.default_rng(5)

    def layer(inputs: int, outputs: int) -> Layer:
        parts = generator.normal(size=(outputs, inputs)), generator.normal(size=outputs)
        return Layer(*(part.astype(np.float16).astype(float) for part in parts))

    return TipGanNetworks(
        (layer(4, 6), layer(6, 6)),
        tuple(layer(6, len(INPUTS)) for _ in range(generators)),
        (layer(len(INPUTS), 5), layer(5, 5)),
        layer(5, classes),
        "earsim train tipgan",
    )


def test_saved_networks_propose_and_judge_the_same(tmp_path):
    made = networks()
    made.save(tmp_path / "networks.npz")
    loaded = TipGanNetworks.load(tmp_path / "networks.npz")
    rows = made.proposals(7, seed=3)
    assert loaded.made_by == "earsim train tipgan"
    assert rows.shape == (7, 30)
    assert np.abs(rows).max() <= 1.0
    np.testing.assert_array_equal(loaded.proposals(7, seed=3), rows)
    np.testing.assert_array_equal(loaded.told(rows), made.told(rows))
    assert not np.array_equal(made.proposals(7, seed=4), rows)


def test_generators_take_an_even_part_each():
    one, two = networks(generators=1), networks(generators=2)
    two = TipGanNetworks(
        one.generator_trunk, (*one.heads, two.heads[1]), one.discriminator_trunk, one.classes
    )
    np.testing.assert_array_equal(one.proposals(6, 0)[:3], two.proposals(6, 0)[:3])
    assert not np.array_equal(one.proposals(6, 0)[3:], two.proposals(6, 0)[3:])


def test_they_are_what_torch_makes_of_the_same_weights():
    torch = pytest.importorskip("torch", reason="needs the extra train")
    from earsim_training.tipgan import networks as trained
    from earsim_training.tipgan.making import settings_from

    settings = settings_from(["latent=4", "generators=2", "kernels=4"])
    torch.manual_seed(0)
    making, judging = trained.generator(settings), trained.discriminator(settings)
    found = trained.kept(making, judging)
    latent = np.random.default_rng(9).uniform(-1.0, 1.0, (6, 4))
    with torch.no_grad():
        rows = trained.proposed(making, torch.tensor(latent, dtype=torch.float32)).numpy()
        _, classes = trained.judged(judging, torch.tensor(rows))
    np.testing.assert_allclose(found.proposals(6, seed=9), rows, atol=1e-4)
    np.testing.assert_array_equal(found.told(rows.astype(float)), classes.argmax(1).numpy())


@pytest.mark.parametrize("method", TRAINED)
def test_the_weights_are_those_that_the_page_names(method: str):
    path = SHIPPED / f"{method}.npz"
    assert hashlib.sha256(path.read_bytes()).hexdigest() in PAGE
    found = TipGanNetworks.load(path)
    assert found.made_by.startswith("earsim train tipgan --runs 2000 --seed 0")
    assert found.made_by in PAGE
    assert found.heads[0].weight.shape == (30, 128)


def test_weights_and_methods_are_the_same():
    assert sorted(path.stem for path in SHIPPED.iterdir()) == sorted(TRAINED)


# -- runs ------------------------------------------------------------------------------------------


def test_the_page_has_a_row_for_each_method():
    assert [name for name, _ in ROWS] == [EVEN, *TRAINED]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_golden_numbers(row: tuple[str, str]):
    found = TIPGAN.results(run(method=row[0], proposals=200).state)
    printed = [float(text) for text in row[1].split("|") if text.strip()]
    told = [float(found[name] or 0.0) for name in RESULTS]
    told[:2] = [value / 1e3 for value in told[:2]]
    assert [round(value, 1 if at < 2 else 3) for at, value in enumerate(told)] == printed[:6]


@pytest.mark.parametrize("method", [EVEN, TRAINED[0]])
def test_the_ocean_judges_every_proposal(method: str):
    found = run(method=method, proposals=3, seed=2)
    rows = np.array([sample.values[:30] for sample in found.samples])
    names = [channel.name for channel in TIPGAN.channels[:30]]
    for values, sample in zip(rows, found.samples, strict=True):
        settings = {**preset(), **dict(zip(names, map(float, values), strict=True))}
        assert fate_of(settings) == sample.values[30]
        for name, value in zip(names, values, strict=True):
            low, high = SPANS[name]
            assert low - 1e-9 * abs(low) <= value <= high + 1e-9 * abs(high)
    results = TIPGAN.results(found.state)
    distances = [sample.values[31] for sample in found.samples]
    assert results["distance"] == sorted(distances)[1]
    assert results["least_distance"] == min(distances)
    nearest = results["nearest_proposal"]
    assert isinstance(nearest, int)
    assert distances[nearest - 1] == min(distances)


def test_shares_are_of_all_proposals(monkeypatch):
    told = [
        ProposalJudgement(NO_SHUT_OFF, 4e4),
        ProposalJudgement(SHUT_OFF, 6e4),
        ProposalJudgement(SHUT_OFF, None),
        ProposalJudgement(BROKEN, None),
        ProposalJudgement(NO_SHUT_OFF, 5e4),
    ]
    waiting = iter(told)
    monkeypatch.setattr(proposing, "judged", lambda row: next(waiting))
    end = run(method="even", proposals=5)
    results = TIPGAN.results(end.state)
    assert results["share_near"] == 0.4
    assert results["distance"] == 6e4, "what has no threshold is further than all others"
    assert [results[f"share_{name}"] for name in ("on", "off", "recovered", "broken")] == [
        0.4, 0.4, 0.0, 0.2,
    ]  # fmt: skip
    assert results["accuracy"] is None, "even draws have no discriminator"
    assert math.isnan(end.samples[2].values[31])


def test_accuracy_is_that_of_the_discriminator_on_what_came_to_an_end(monkeypatch):
    monkeypatch.setattr(proposing, "_networks", lambda method: networks())
    proposing._proposals.cache_clear()
    rows = networks().proposals(6, seed=0)
    told, fates = networks().told(rows), labels(rows)
    fates[0] = BROKEN
    waiting = iter([ProposalJudgement(int(fate), None) for fate in fates])
    monkeypatch.setattr(proposing, "judged", lambda row: next(waiting))
    results = TIPGAN.results(run(method="balanced", proposals=6).state)
    proposing._proposals.cache_clear()
    assert results["accuracy"] == pytest.approx(weighted_accuracy(told[1:], fates[1:], 3))
    assert results["distance"] is None
    assert results["least_distance"] is None


def test_how_a_run_is_cut_does_not_matter():
    whole, state, samples = run(proposals=3), TIPGAN.start({**SETTINGS, "proposals": 3}), ()
    for share in (0.5, 0.999, 1.0, 2.9, 3.0):
        part = TIPGAN.advance(state, share * PROPOSAL_COST)
        assert part.spent == math.floor(share) * PROPOSAL_COST
        state, samples = pickle.loads(pickle.dumps(part.state)), samples + part.samples
    assert (state, samples) == (whole.state, whole.samples)
    assert whole.spent == TIPGAN.expected({**SETTINGS, "proposals": 3}).cost
    assert [event.name for event in whole.events] == ["done"]


def test_a_run_that_is_stopped_has_no_results():
    part = run(PROPOSAL_COST, proposals=2)
    assert len(part.samples) == 1
    assert set(TIPGAN.results(part.state).values()) == {None}


def test_another_seed_proposes_others():
    one, other, again = (run(proposals=1, seed=seed).samples for seed in (0, 1, 0))
    assert one == again != other


@pytest.mark.parametrize(("name", "value"), [("proposals", 0), ("proposals", 201), ("within", -1)])
def test_settings_have_bounds(name: str, value: float):
    problem = checked(TIPGAN.parameters, {name: value}, among=SETTINGS)
    assert getattr(problem, "reason", None) == "out_of_bounds"
