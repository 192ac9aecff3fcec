"""Bands of difficulty that were measured: who wins a scenario, and what `expert` needs for it."""

import json

import pytest

from earsim import open_suite
from earsim_generators.bench.builder import in_words, lines
from earsim_generators.bench.measured import (
    MOST_DECISIONS,
    MeasuredDifficulty,
    measured_difficulty,
)
from earsim_generators.difficulty import Band


@pytest.mark.parametrize(
    ("expert", "won_by", "band"),
    [
        (MOST_DECISIONS[Band.EASY], (), Band.EASY),
        (MOST_DECISIONS[Band.EASY] + 1, (), Band.MEDIUM),
        (MOST_DECISIONS[Band.MEDIUM], (), Band.MEDIUM),
        (MOST_DECISIONS[Band.MEDIUM] + 1, (), Band.HARD),
        (None, (), None),
        (None, None, None),
        (MOST_DECISIONS[Band.MEDIUM], None, Band.MEDIUM),
        (MOST_DECISIONS[Band.MEDIUM] + 1, ("regex",), Band.EASY),
        (None, ("regex",), Band.EASY),
    ],
)
def test_what_a_baseline_wins_is_easy_and_the_expert_parts_the_rest(expert, won_by, band):
    assert MeasuredDifficulty(expert, won_by).band is band


@pytest.mark.slow
def test_a_baseline_wins_what_it_can_read_and_nothing_else():
    scenario = open_suite("earsim-bench").load(open_suite("earsim-bench").ids[0])
    nonsense = scenario.task.model_copy(update={"instruction": "Colourless green ideas sleep."})
    assert measured_difficulty(scenario).won_by == ("regex",)
    assert measured_difficulty(scenario.model_copy(update={"task": nonsense})).won_by == ()


@pytest.mark.slow
def test_what_the_benchmark_tells_is_measured_again():
    suite = open_suite("earsim-bench-2-mini")
    for id in suite.ids[::20]:
        scenario = suite.load(id)
        told = scenario.provenance["difficulty"]
        found = measured_difficulty(scenario)
        won_by = None if found.won_by is None else [*found.won_by]
        assert (found.expert, won_by) == (told["expert"], told["won_by"])


@pytest.mark.slow
def test_measuring_changes_bands_and_nothing_that_is_hashed(recipe):
    counted = {name: [] for name in recipe.parts}
    for line in lines(recipe, jobs=1):
        counted[line.suite].append(line)
    measured = in_words(recipe.model_copy(update={"measured": True}), counted, {}, jobs=1)
    assert in_words(recipe, counted, {}).keys() == measured.keys()
    for name in recipe.parts:
        for before, after in zip(counted[name], measured[name], strict=True):
            old, new = json.loads(before.scenario), json.loads(after.scenario)
            told = new["provenance"]["difficulty"]
            assert told.keys() - old["provenance"]["difficulty"].keys() == {"expert", "won_by"}
            assert after.candidate.band == told["band"]
            old["provenance"], new["provenance"] = {}, {}
            assert old == new
            assert before.certificate == after.certificate
