import json
from dataclasses import replace
from itertools import chain, repeat

import pytest

from earsim.errors import FileError, UsageError
from earsim.suites import open_suite
from earsim.suites.packed import pack
from tests.training.ppo.boxes import box_scenarios

torch = pytest.importorskip("torch", reason="torch is not installed (extra `train`)")

from earsim_training.graphs.env_slots import EnvSlot, SlotSettings, guessing, measure, scenarios_of  # noqa: E402
from earsim_training.ppo import (  # noqa: E402
    Learner,
    PpoSettings,
    advantages_of,
    load,
    main,
    parser,
    save,
    train,
)

TINY = PpoSettings(
    total_timesteps=256,
    num_envs=4,
    num_steps=16,
    num_minibatches=2,
    update_epochs=2,
    width=16,
    check_every=2,
)


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "boxes.jsonl"
    pack(box_scenarios(), path)
    return str(path)


def learner(settings=TINY):
    return Learner(settings, box_scenarios())


def weights(one):
    return torch.cat([weight.flatten() for weight in one.policy.parameters()])


def test_advantages_are_those_worked_out_by_hand():
    # Two environments, discount 0.5, trace 0.5. In the first nothing ends:
    #   surprise: 1 + 0.5*4 - 2 = 1;  0 + 0.5*8 - 4 = 0;  advantage: 1 + 0.25*0 = 1; 0.
    # In the second the first decision ends the episode, so what comes after does not count:
    #   surprise: 1 - 2 = -1;  3 + 0.5*2 - 4 = 0.
    advantages = advantages_of(
        torch.tensor([[1.0, 1.0], [0.0, 3.0]]),
        torch.tensor([[2.0, 2.0], [4.0, 4.0], [8.0, 2.0]]),
        torch.tensor([[False, True], [False, False]]),
        gamma=0.5,
        gae_lambda=0.5,
    )
    torch.testing.assert_close(advantages, torch.tensor([[1.0, -1.0], [0.0, 0.0]]))


def test_a_later_surprise_reaches_back_by_discount_and_trace():
    advantages = advantages_of(
        torch.tensor([[0.0], [0.0], [8.0]]),
        torch.zeros(4, 1),
        torch.tensor([[False], [False], [True]]),
        gamma=0.5,
        gae_lambda=0.5,
    )
    torch.testing.assert_close(advantages, torch.tensor([[0.5], [2.0], [8.0]]))


def test_the_reward_is_success_less_what_decisions_cost():
    seat, scenario = EnvSlot(SlotSettings(step_cost=0.1)), box_scenarios()[0]
    seat.reset(scenario)
    turns = [seat.step(seat.commands.index(c)) for c in ("EXPLORE", "GOTO box_0", "OPEN box_0")]
    assert [turn.reward for turn in turns] == pytest.approx([-0.1, -0.1, 0.9])
    assert turns[-1].ended == pytest.approx((True, 1.0, 3, 0.7))


def test_shaping_sums_to_nothing_where_nothing_is_discounted():
    scenario = box_scenarios()[0]
    for progress in (0.0, 5.0):
        seat = EnvSlot(SlotSettings(progress=progress, discount=1.0))
        seat.reset(scenario)
        for command in ("EXPLORE", "GOTO box_0"):
            seat.step(seat.commands.index(command))
        assert seat.step(seat.commands.index("OPEN box_0")).ended.reward == pytest.approx(0.97)


def test_opening_what_must_be_shut_in_the_end_costs_nothing():
    scenario = open_suite("starter").load("old_exchange/headset_behind_glass")
    seat = EnvSlot(SlotSettings(step_cost=0.0, discount=1.0))
    seat.reset(scenario)
    plan = [command for command in scenario.task.walkthrough if command != "DONE"]
    turns = [seat.step(seat.commands.index(command)) for command in plan]
    assert turns[-1].ended.won
    assert min(turn.reward for turn in turns) == 0


def test_equal_seeds_give_equal_weights_and_others_do_not():
    one, two, other = learner(), learner(), learner(replace(TINY, seed=1))
    losses = [each.update() for each in (one, two, other)]
    assert losses[0] == losses[1] != losses[2]
    assert torch.equal(weights(one), weights(two))
    assert not torch.equal(weights(one), weights(other))


@pytest.mark.slow
def test_it_learns_to_open_the_box_that_is_told():
    settings = PpoSettings(
        total_timesteps=6144,
        num_envs=16,
        num_steps=32,
        num_minibatches=4,
        width=32,
        learning_rate=3e-3,
    )
    pupil = learner(settings)
    before = measure(box_scenarios(), guessing(0))
    while pupil.steps < settings.total_timesteps:
        pupil.update()
    assert before["success"] <= 0.4
    after = [one.won for one in list(pupil.recent)[-100:]]
    assert sum(after) >= 95


def test_a_checkpoint_goes_on_where_it_was(tmp_path):
    one = learner()
    one.update()
    save(one, tmp_path / "policy.pt", 12.5)
    two = learner()
    assert load(two, tmp_path / "policy.pt") == 12.5
    assert two.steps == one.steps
    assert torch.equal(weights(one), weights(two))
    assert [path.name for path in tmp_path.iterdir()] == ["policy.pt"]


def test_a_checkpoint_of_another_build_is_refused(tmp_path):
    save(learner(), tmp_path / "policy.pt", 0.0)
    with pytest.raises(FileError, match=r"policy\.pt.*--width"):
        load(learner(replace(TINY, width=8)), tmp_path / "policy.pt")


def test_what_is_no_checkpoint_is_refused(tmp_path):
    (tmp_path / "policy.pt").write_bytes(b"nothing of the kind")
    with pytest.raises(FileError, match="no checkpoint"):
        load(learner(), tmp_path / "policy.pt")
    with pytest.raises(FileError, match="no checkpoint"):
        load(learner(), tmp_path / "missing.pt")


def test_a_run_leaves_curve_checkpoint_settings_and_result(suite, tmp_path):
    out, lines = tmp_path / "run", []
    settings = replace(TINY, suite=suite, held_out=(suite,), out=str(out))
    result = main(settings, lines.append)
    rows = [json.loads(line) for line in (out / "curve.jsonl").read_text().splitlines()]
    assert [row["steps"] for row in rows] == [64, 128, 192, 256]
    assert {"won", "progress", "decisions", "reward", "cpu_s"} <= set(rows[-1])
    assert {"policy_loss", "value_loss", "entropy", "clipfrac"} <= set(rows[-1])
    assert [("greedy" in row) for row in rows] == [False, True, False, True]
    assert len(lines) == 2
    assert json.loads((out / "result.json").read_text()) == result
    assert result["greedy"][suite]["episodes"] == len(box_scenarios())
    assert json.loads((out / "settings.json").read_text())["suite"] == suite
    assert (out / "policy.pt").exists()


def test_a_run_is_not_overwritten_but_resumed(suite, tmp_path):
    settings = replace(TINY, suite=suite, out=str(tmp_path / "run"), total_timesteps=128)
    main(settings)
    with pytest.raises(UsageError, match="--resume"):
        main(settings)
    with (tmp_path / "run" / "curve.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"steps": 192}\n{"ste')  # it was killed before the next checkpoint
    result = main(replace(settings, total_timesteps=256, resume=True))
    rows = (tmp_path / "run" / "curve.jsonl").read_text().splitlines()
    assert result["steps"] == 256
    assert [json.loads(row)["steps"] for row in rows] == [64, 128, 192, 256]


def test_minutes_end_a_run(suite, tmp_path):
    settings = replace(
        TINY, suite=suite, out=str(tmp_path / "run"), total_timesteps=10**9, minutes=1e-6
    )
    assert main(settings)["steps"] <= 64


def test_a_run_goes_on_until_its_minutes_are_up(tmp_path):
    one = learner(replace(TINY, total_timesteps=10**9, minutes=2, check_every=0))
    train(one, {}, tmp_path, lambda: float(one.steps), str)  # a second for each step
    assert one.steps == 128


def test_a_blink_of_an_update_counts_as_time(suite, tmp_path, monkeypatch):
    clock = chain([0.0, 0.0], repeat(0.03))  # when it starts, before the first update, from then on
    monkeypatch.setattr("earsim_training.ppo.time.process_time", lambda: next(clock))
    settings = replace(TINY, suite=suite, out=str(tmp_path / "run"), minutes=1e-6)
    assert main(settings)["steps"] == 64


def test_a_suite_for_teams_only_is_refused(tmp_path):
    path = tmp_path / "none.jsonl"
    pack([], path)
    with pytest.raises(UsageError, match="no scenario is for one agent"):
        scenarios_of(str(path))


@pytest.mark.parametrize(
    "field", ["total_timesteps", "num_envs", "num_steps", "num_minibatches", "minutes"]
)
def test_a_setting_that_makes_no_sense_is_refused(field):
    with pytest.raises(UsageError, match=f"{field}=0"):
        PpoSettings(**{field: 0})


def test_more_minibatches_than_decisions_are_refused():
    with pytest.raises(UsageError, match=r"at most num_envs \* num_steps = 64"):
        replace(TINY, num_minibatches=65)


def test_minibatches_share_the_decisions_of_an_update_evenly():
    uneven = learner(replace(TINY, num_minibatches=3))
    sizes, loss = [], uneven._loss

    def counted(rollout, chosen, ent_coef):
        sizes.append(len(chosen))
        return loss(rollout, chosen, ent_coef)

    uneven._loss = counted
    uneven.update()
    assert sizes == [22, 21, 21] * TINY.update_epochs


def test_every_setting_is_a_flag():
    flags = vars(
        parser().parse_args(["--held-out", "a", "b", "--total-timesteps", "7", "--resume"])
    )
    assert (flags["held_out"], flags["total_timesteps"], flags["resume"]) == (["a", "b"], 7, True)
    assert set(flags) == set(PpoSettings.__dataclass_fields__)
