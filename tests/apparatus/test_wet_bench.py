"""The model `wet_bench/1`: what materials come to, how long actions take, what they tell."""

import pytest

from earsim.apparatus.parameter import SettingProblem
from earsim.apparatus.wet_bench import WET_BENCH
from earsim.apparatus.wet_bench.model import WetBench
from earsim.apparatus.wet_bench.pool import BenchPool, described
from earsim.errors import UsageError
from earsim.schema.wet_bench import ActionPool
from earsim.world.pools import compiled

POOL = compiled(
    ActionPool.model_validate(
        {
            "materials": [
                {"id": "tube", "states": {"volume_ul": 0}},
                {"id": "pellet", "exists": False, "states": {"is_dry": False}},
            ],
            "actions": [
                {
                    "name": "fill",
                    "inputs": {"tube": {"volume_ul": 0}},
                    "outputs": {"tube": {"volume_ul": "$volume"}},
                    "parameters": [{"name": "volume", "unit": "uL", "bounds": [1, 500]}],
                    "seconds": 5.0,
                    "gives": [{"name": "before_ul", "factor": 1, "times": ["tube.volume_ul"]}],
                },
                {
                    "name": "spin",
                    "inputs": {"tube": {}},
                    "outputs": {"tube": None, "pellet": {}},
                    "parameters": [{"name": "time", "unit": "min", "bounds": [1, 60], "usual": 2}],
                    "seconds": "time",
                    "gives": [
                        {"name": "mass_mg", "factor": 2, "times": ["tube.volume_ul"]},
                        {"name": "share", "factor": 1, "over": ["tube.volume_ul"]},
                    ],
                },
            ],
        }
    )
)
BENCH = WetBench(POOL)


def settings(action: str, **given: str) -> dict[str, object]:
    read = POOL.actions[action].read(given)
    assert not isinstance(read, SettingProblem)
    return {"action": action, **read}


def test_materials_follow_from_the_actions():
    filled, spun = settings("fill", volume="0.2mL"), settings("spin")
    assert POOL.contents([]) == {"tube": {"volume_ul": 0}}
    assert POOL.contents([filled]) == {"tube": {"volume_ul": 200.0}}
    assert POOL.contents([filled, spun]) == {"pellet": {"is_dry": False}}


@pytest.mark.parametrize(("time", "seconds"), [("", 120.0), ("1.5", 90.0), ("0.5h", 1800.0)])
def test_a_parameter_says_how_long_it_takes(time: str, seconds: float):
    given = {"time": time} if time else {}
    chosen = settings("spin", **given)
    assert BENCH.expected(chosen).allowance == pytest.approx(seconds)
    state = BENCH.start(chosen)
    assert not BENCH.advance(state, seconds - 0.001).done
    end = BENCH.advance(state, seconds + 100.0)
    assert end.done
    assert [event.at for event in end.events] == [pytest.approx(seconds)]


def test_results_follow_from_the_states_before_and_exist_only_at_the_end():
    contents = POOL.contents([settings("fill", volume="50")])
    state = BENCH.begin(settings("spin"), contents)
    nothing = {"before_ul": None, "mass_mg": None, "share": None}
    assert BENCH.results(state) == {"action": "spin", **nothing}
    end = BENCH.advance(state, 120.0).state
    assert BENCH.results(end) == {**nothing, "action": "spin", "mass_mg": 100.0, "share": 0.02}


def test_what_nought_divides_has_no_value():
    end = BENCH.advance(BENCH.start(settings("spin")), 120.0).state
    assert BENCH.results(end)["share"] is None
    assert BENCH.results(end)["mass_mg"] == 0.0


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"volume": "3 min"}, "bad_value"),
        ({"volume": "1mL"}, "out_of_bounds"),
        ({"volume": "1_0"}, "bad_value"),
        ({"volume": "inf"}, "out_of_bounds"),
        ({"volumes": "3"}, "unknown_setting"),
    ],
)
def test_values_that_are_refused(given: dict[str, str], reason: str):
    read = POOL.actions["fill"].read(given)
    assert isinstance(read, SettingProblem)
    assert read.reason == reason


def test_without_a_pool_nothing_can_be_performed():
    assert WET_BENCH.pool == BenchPool({}, {})
    with pytest.raises(UsageError, match="performs the actions of a scene's pool"):
        WET_BENCH.start({})


def test_an_action_in_a_line():
    assert described(POOL.actions["fill"]) == "fill(volume 1 to 500 uL): tube 0 to tube $volume"
