"""Every metric by hand: what it counts, what it is divided by, and what it says of nothing."""

import math

import pytest

from earsim.evaluation.metrics.episode import RoleUsage, level_of
from earsim.evaluation.metrics.failure import MODES
from earsim.evaluation.metrics.level import LEVELS
from earsim.evaluation.metrics.metric import MetricEstimate
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.summary import wilson
from earsim.schema import Category
from tests.evaluation.runs import episode

LOST = episode("lost", measured=False, termination="server_fault")


def one(metric: str, *episodes) -> MetricEstimate:
    return METRICS[metric].one(episodes)


def parts(metric: str, *episodes) -> dict[str, float | None]:
    return {each.part: each.value for each in METRICS[metric](episodes)}


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_every_metric_explains_itself(metric):
    assert metric.formula
    assert metric.denominator
    assert metric.title
    assert metric.doc.strip().endswith(".")


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
@pytest.mark.parametrize("episodes", [(), (LOST,)], ids=["none", "not measured"])
def test_every_metric_bears_that_there_is_nothing(metric, episodes):
    for estimate in metric(episodes):
        assert estimate.value in (None, 0.0)
        assert estimate.n == (1 if episodes and estimate.value == 0 else 0)


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_an_interval_holds_its_value(metric):
    episodes = [
        episode(
            name,
            won=won,
            repeat=repeat,
            decisions=9 + repeat,
            first_true=7 if won else None,
            plan=6,
            claimed=repeat == 0,
            commands=10,
            rejections={"not_near": 3},
            usage={"llm": RoleUsage(1, 100 + repeat, 10, 5, cost=0.5)},
            signs={"gave_up": ()},
        )
        for name, won in (("a", True), ("b", False), ("c", True), ("d", False))
        for repeat in range(2)
    ]
    estimates = metric(episodes)
    assert estimates
    for estimate in estimates:
        if estimate.low is not None and estimate.high is not None:
            assert estimate.value is not None
            assert estimate.low - 1e-9 <= estimate.value <= estimate.high + 1e-9


# -- success -------------------------------------------------------------------------------------


def test_what_was_not_measured_counts_and_is_no_success():
    found = one("success", episode("a", won=True), episode("b"), LOST)
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3
    assert (found.low, found.high) == tuple(wilson(1, 3))
    assert one("success.measured", episode("a", won=True), episode("b"), LOST).value == 0.5
    assert one("coverage", episode("a", won=True), episode("b"), LOST).value == pytest.approx(2 / 3)


def test_latched_and_final_are_told_apart():
    undone = episode("a", latched=True, final=False)
    assert one("success.latched", undone).value == 1
    assert one("success.final", undone).value == 0


def test_the_reference_has_its_own_denominator():
    loads = episode("a", won=True, loads_in_reference=True)
    refused = episode("b", loads_in_reference=False)
    assert one("success", loads, refused).value == 0.5
    assert one("success.reference_files", loads, refused).value == 1
    assert one("success.reference_files", episode("a", won=True)).value is None


def test_repeats_of_a_scenario_are_no_independent_trials():
    alike = [episode(name, won=name < "c", repeat=r) for name in "abcd" for r in range(25)]
    assert one("success", *alike)[2:4] == pytest.approx(tuple(wilson(2, 4)))
    mixed = [episode(name, won=r % 2 == 0, repeat=r) for name in "abcd" for r in range(24)]
    assert one("success", *mixed)[2:4] == pytest.approx(tuple(wilson(48, 96)))
    never = [episode(name, repeat=r) for name in "abcd" for r in range(25)]
    assert one("success", *never).high == pytest.approx(wilson(0, 4).high)


def test_what_was_not_measured_never_held():
    lost = episode("a", measured=False, latched=True, final=True)
    assert one("success.latched", lost).value == one("success.final", lost).value == 0


def test_one_scenario_has_a_mean_and_no_interval():
    found = one("steps.success", episode("a", won=True, decisions=4))
    assert found == (4, 1, None, None, "")
    several = [episode(name, won=True, decisions=4) for name in "ab"]
    assert one("steps.success", *several) == (4, 2, 4, 4, "")


@pytest.mark.parametrize(
    ("category", "stored", "level"),
    [
        ("tool_use", "L2", "one agent, L2"),
        ("implicit_collaboration", "L2", "several agents, L2"),
        ("tool_use", None, "unknown"),
        ("tool_use", "", "unknown"),
        ("", "L2", "unknown"),
        ("cooking", "L2", "unknown"),
    ],
)
def test_a_level_is_told_with_whom_it_is_for(category, stored, level):
    assert level_of(category, stored) == level


def test_categories_have_the_levels_of_the_taxonomy():
    alone = [LEVELS[category] for category in Category if not category.is_collaboration]
    assert alone == ["L1", "L2", "L2", "L3"]
    several = [LEVELS[category] for category in Category if category.is_collaboration]
    assert several == ["L1", "L2", "L3"]


# -- steps ---------------------------------------------------------------------------------------


def test_steps_are_those_of_successes():
    won = episode("a", won=True, decisions=10, first_true=7)
    assert one("steps.success", won, episode("b", decisions=35)).value == 10
    undone = episode("c", latched=True, decisions=35, first_true=1)
    assert one("steps.to_goal", won, undone).value == 8


def test_the_step_ratio_compares_the_plan_with_the_way_to_the_goal():
    half = episode("a", won=True, decisions=12, first_true=9, plan=5)
    whole = episode("b", won=True, decisions=9, first_true=7, plan=8)
    unknown = episode("c", won=True, decisions=9, first_true=7)
    lost = episode("d", plan=5, latched=True, first_true=4)
    found = (half, whole, unknown, lost)
    assert one("step_ratio.median", *found)[:2] == (0.75, 2)
    assert one("step_ratio.mean", *found).value == 0.75
    assert parts("step_ratio.quantiles", *found)["q25"] == pytest.approx(0.625)
    assert one("step_ratio.coverage", *found)[:2] == (pytest.approx(2 / 3), 3)


def test_success_weighted_by_path_length_counts_failures_as_nothing():
    half = episode("a", won=True, first_true=9, plan=5)
    shorter = episode("b", won=True, first_true=3, plan=8)
    lost = episode("c", plan=5)
    without_plan = episode("d", won=True, first_true=3)
    assert one("spl", half, shorter, lost, without_plan)[:2] == (0.5, 3)
    assert one("spl", without_plan).value is None


def test_the_step_ratio_by_its_quantiles():
    found = [
        episode(f"s{number}", won=True, first_true=99, plan=10 * number) for number in range(11)
    ]
    assert parts("step_ratio.quantiles", *found) == pytest.approx(
        {"q10": 0.19, "q25": 0.325, "q75": 0.775, "q90": 0.91}
    )
    assert {each.n for each in METRICS["step_ratio.quantiles"](found)} == {10}
    estimate = one("step_ratio.median", *found)
    assert estimate[:2] == (pytest.approx(0.55), 10)
    assert 0.1 < estimate.low < 0.55 < estimate.high < 1.0


def test_what_has_one_scenario_has_a_median_and_no_interval():
    found = one("step_ratio.median", episode("a", won=True, first_true=9, plan=5))
    assert found == (0.5, 1, None, None, "")


def test_a_goal_reached_at_once_took_one_decision():
    assert one("steps.to_goal", episode("a", won=True, first_true=0)).value == 1
    assert one("steps.to_goal", episode("a", won=True)).n == 0


def test_a_goal_that_held_from_the_start_has_no_ratio():
    assert episode("a", won=True, first_true=0, plan=0).step_ratio is None


# -- claims, commands ----------------------------------------------------------------------------


def test_claims_against_truth():
    found = (
        episode("a", won=True, claimed=True),
        episode("b", won=True),
        episode("c", claimed=True),
        episode("d"),
        LOST,
    )
    assert set(parts("claims.table", *found).values()) == {0.25}
    assert one("claims.precision", *found)[:2] == (0.5, 2)
    assert one("claims.recall", *found)[:2] == (0.5, 2)
    assert one("claims.accuracy", *found)[:2] == (0.5, 4)


def test_each_cell_of_claim_against_truth():
    cells = [(True, True)] * 4 + [(True, False)] * 3 + [(False, True)] + [(False, False)] * 2
    found = [
        episode(f"s{number}", claimed=claimed, won=won)
        for number, (claimed, won) in enumerate(cells)
    ]
    assert parts("claims.table", *found) == {
        "claimed and true": 0.4,
        "claimed, not true": 0.3,
        "not claimed, true": 0.1,
        "not claimed, not true": 0.2,
    }
    assert one("claims.precision", *found)[:2] == (pytest.approx(4 / 7), 7)
    assert one("claims.recall", *found)[:2] == (0.8, 5)
    assert one("claims.accuracy", *found)[:2] == (0.6, 10)
    lost = episode("x", claimed=True, won=True, measured=False)
    assert one("claims.precision", lost).n == one("claims.recall", lost).n == 0


def test_refusals_come_in_order_and_are_of_measured_episodes():
    found = (
        episode("a", commands=9, rejections={"b": 1, "c": 2, "a": 1}),
        episode("x", measured=False, commands=9, decisions=9, unread=9, rejections={"d": 9}),
    )
    assert list(parts("commands.rejections", *found)) == ["c", "a", "b"]
    assert one("commands.accepted", *found)[:2] == (pytest.approx(5 / 9), 9)
    assert one("commands.unread", found[1])[:2] == (None, 0)


def test_commands_and_why_they_were_refused():
    found = (
        episode("a", commands=10, rejections={"not_near_grab": 2, "overweight": 1}, decisions=12),
        episode("b", commands=10, rejections={"overweight": 3}, decisions=8, unread=2),
    )
    assert one("commands.accepted", *found)[:2] == (0.7, 20)
    assert parts("commands.rejections", *found) == {"overweight": 0.2, "not_near_grab": 0.1}
    assert one("commands.unread", *found)[:2] == (0.1, 20)


# -- tokens, repeats -----------------------------------------------------------------------------


def test_tokens_and_cost_per_episode_and_role():
    talker = {"llm": RoleUsage(2, 200, 20, 100, cost=0.5), "judge": RoleUsage(1, 50, 5, cost=0.25)}
    found = (
        episode("a", usage=talker),
        episode("b", usage={"llm": RoleUsage(4, 400, 40, 0, untold=1, retries=3, cost=1.0)}),
        episode("without a model"),
    )
    assert parts("tokens.total", *found) == {"all": 357.5, "llm": 330, "judge": 27.5}
    assert one("tokens.total", *found).part == "all"
    assert parts("calls", *found) == {"all": 3.5, "llm": 3, "judge": 0.5}
    assert parts("calls.retries", *found)["all"] == 1.5
    assert one("tokens.cached", *found).value == pytest.approx(100 / 650)
    assert one("tokens.untold", *found)[:2] == (pytest.approx(1 / 7), 7)
    assert parts("cost", *found) == {"all": 0.875, "llm": 0.75, "judge": 0.125}


def test_usage_of_what_was_not_measured_does_not_count():
    used = {"llm": RoleUsage(2, 200, 20, 100, cost=0.5)}
    lost = episode("x", measured=False, usage=used)
    for metric in ("tokens.total", "tokens.prompt", "tokens.completion", "calls", "cost"):
        assert METRICS[metric]([lost]) == ((None, 0, None, None, "all"),)
    assert parts("tokens.prompt", episode("a", usage=used), lost) == {"all": 200, "llm": 200}
    assert parts("tokens.completion", episode("a", usage=used)) == {"all": 20, "llm": 20}


def test_one_call_without_a_price_makes_an_episode_priceless():
    assert one("cost", episode("a", usage={"llm": RoleUsage(1, 100, 10)})).value is None


def test_pass_at_k_and_pass_hat_k():
    found = [
        *(episode("a", won=r < 1, repeat=r) for r in range(4)),
        *(episode("b", won=True, repeat=r) for r in range(4)),
        *(episode("c", repeat=r) for r in range(2)),
    ]
    at, hat = parts("pass@k", *found), parts("pass^k", *found)
    assert at["k=1"] == hat["k=1"] == pytest.approx((0.25 + 1 + 0) / 3)
    assert at["k=2"] == pytest.approx((0.5 + 1 + 0) / 3)
    assert hat["k=2"] == pytest.approx((0 + 1 + 0) / 3)
    assert at["k=4"] == 1
    assert hat["k=4"] == 0.5
    assert [each.n for each in METRICS["pass@k"](found)] == [3, 3, 2, 2]


def test_an_attempt_without_a_measurement_is_no_success():
    found = [episode("a", won=True), episode("a", repeat=1, measured=False)]
    assert parts("pass^k", *found)["k=2"] == 0


def test_intervals_of_several_attempts_are_resampled():
    found = [
        episode(name, won=repeat < number, repeat=repeat)
        for number, name in enumerate("abcde")
        for repeat in range(4)
    ]
    (first, *_, last) = METRICS["pass@k"](found)
    assert first.value == 0.5
    assert 0.1 < first.low < 0.5 < first.high < 0.9
    assert (last.value, last.high) == (0.8, 1.0)
    (alone,) = METRICS["pass^k"]([episode("a", won=True)])
    assert alone == (1, 1, None, None, "k=1")
    assert METRICS["pass^k"]([]) == ()


# -- failure modes -------------------------------------------------------------------------------


def test_each_failure_has_one_main_mode_and_may_have_several():
    found = (
        episode("a", signs={"missing_tool": (), "gave_up": ()}),
        episode("b", signs={"gave_up": ()}),
        episode("c", signs=None),
        episode("d", won=True),
    )
    main = parts("failures.main", *found)
    assert list(main) == [*(mode.id for mode in MODES), "unexplained"]
    assert parts("failures.main", episode("a", signs={"unexplained": ()}))["unexplained"] == 1
    lost = episode("x", measured=False, signs={"gave_up": ()})
    assert parts("failures.main", *found, lost) == main
    assert main["missing_tool"] == main["gave_up"] == 0.5
    assert math.fsum(value or 0 for value in main.values()) == 1
    assert parts("failures.any", *found)["gave_up"] == 1
    assert one("failures.determined", *found)[:2] == (pytest.approx(2 / 3), 3)
