"""The table of cheats: who won what, by category and by kind of condition."""

import pytest

from docs.figures import cheats
from earsim_generators import GenerationSettings, generate
from earsim_generators.difficulty import band_of

ORDER = ("attribute_reasoning", "order")
COUNT = ("direct_command", "count")


def test_a_row_for_each_player_and_kind_that_it_played():
    done = [
        cheats.Played("regex", ORDER, won=False),
        cheats.Played("regex", COUNT, won=True),
        cheats.Played("regex", COUNT, won=False),
        cheats.Played("random", ORDER, won=True),
        cheats.Played("last", ORDER, won=True),
    ]
    found = {(row[0], row[1]): row[2:5] for row in cheats.rows(done)}
    assert found == {
        ("regex", "attribute_reasoning"): (1, 0, "0 %"),
        ("regex", "direct_command"): (2, 1, "50 %"),
        ("regex", "order"): (1, 0, "0 %"),
        ("regex", "count"): (2, 1, "50 %"),
        ("regex", "all"): (3, 1, "33 %"),
        ("random", "attribute_reasoning"): (1, 1, "100 %"),
        ("random", "order"): (1, 1, "100 %"),
        ("random", "all"): (1, 1, "100 %"),
        ("last", "attribute_reasoning"): (1, 1, "100 %"),
        ("last", "order"): (1, 1, "100 %"),
        ("last", "all"): (1, 1, "100 %"),
    }


@pytest.mark.slow
def test_a_task_with_a_condition_is_of_its_kind_and_of_its_band():
    (made,) = generate(GenerationSettings(n=1, seed=7, preset="conditions"))
    kinds = cheats.kinds_of(made.scenario)
    band = band_of(made.measures).value
    assert kinds == (made.scenario.task.category.value, made.quota.label, band)
