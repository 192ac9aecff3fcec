"""A run of GRPO: what is learned and written down, and what is told before anything runs."""

from __future__ import annotations

import json
from itertools import cycle
from types import SimpleNamespace

import pytest

from earsim.errors import FileError, UsageError
from earsim_training.grpo.training import GrpoTraining
from earsim_training.rewarded_episode import EpisodeReward, RewardedEpisode
from earsim_training.sft.checkpoint import load, read_facts
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here
from tests.training.grpo.toy import TOLD, fields, metrics, recipe, small_model, warm_model
from tests.training.sft.trained import stack

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def _stack():
    stack()


def is_changed(one, two):
    import torch

    pairs = zip(one.model.parameters(), two.model.parameters(), strict=True)
    return not all(torch.equal(first, second) for first, second in pairs)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two updates of a random model that replies with text."""
    folder = tmp_path_factory.mktemp("run")
    start = small_model(folder / "model")
    told = []
    how = recipe(folder, keeping={"logging_steps": 1, "save_steps": 1}, playing={"turns": 2})
    training = GrpoTraining(how, folder / "run")
    final = training.run(told.append)
    return SimpleNamespace(folder=folder, start=start, told=told, final=final, recipe=how)


# -- text ------------------------------------------------------------------------------------------


def test_text_every_update_is_written_down(run):
    lines = metrics(run.folder / "run")
    assert [line["step"] for line in lines] == [1, 2]
    assert all(line.keys() >= TOLD for line in lines)
    for line in lines:
        expected = line["success"] + 0.5 * line["progress"] + 0.01 * line["step_cost"]
        assert line["reward"] == pytest.approx(expected, abs=1e-5)
        assert line["step_cost"] == pytest.approx(-line["decisions"])
    assert run.told[0].startswith("step 1/2, reward")


def test_text_the_model_is_saved_with_what_is_known_of_it(run):
    facts = read_facts(run.final)
    assert facts.telling.style == "compact-chat"
    assert facts.recipe["schema"] == "earsim.grpo/1"
    assert (run.final / facts.start).resolve() == (run.folder / "model").resolve()
    assert (run.final / "prompt.md").is_file()
    assert "earsim train grpo" in (run.final / "README.md").read_text(encoding="utf-8")


def test_text_episodes_that_differ_change_the_model(run, tmp_path, monkeypatch):
    paid = cycle([0.0, 1.0])
    monkeypatch.setattr(
        RewardedEpisode, "earned", property(lambda play: EpisodeReward(next(paid), 0.0, -4.0))
    )
    how = recipe(run.folder, optimisation={"max_steps": 1})
    final = GrpoTraining(how, tmp_path / "run").run(lambda told: None)
    (line,) = metrics(tmp_path / "run")
    assert line["groups_without_spread"] == 0.0
    assert line["spread"] > 0.1
    assert is_changed(load(final), run.start)


def test_text_episodes_that_are_alike_teach_nothing(run):
    """A random model never wins: that is told, and nothing is learned."""
    assert all(line["groups_without_spread"] == 1.0 for line in metrics(run.folder / "run"))
    assert not is_changed(load(run.final), run.start)


def test_text_the_same_run_is_finished_and_another_is_refused(run):
    assert GrpoTraining(run.recipe, run.folder / "run").finished
    with pytest.raises(UsageError, match="another recipe"):
        GrpoTraining(recipe(run.folder, name="other"), run.folder / "run")


def test_text_a_run_goes_on_where_it_stopped(run, tmp_path):
    import shutil

    shutil.copytree(run.folder / "run", tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "model")
    saved = tmp_path / "run" / "checkpoint-2" / "trainer_state.json"
    assert saved.is_file()
    again = GrpoTraining(run.recipe, tmp_path / "run")
    assert not again.finished
    final = again.run(lambda told: None)
    assert not is_changed(load(final), load(run.final))


def test_text_adapters_can_be_trained_and_trained_on(run, tmp_path, monkeypatch):
    pytest.importorskip("peft", reason="the extra `train` is not installed")
    paid = cycle([0.0, 1.0])
    monkeypatch.setattr(
        RewardedEpisode, "earned", property(lambda play: EpisodeReward(next(paid), 0.0, -4.0))
    )
    lora = {"path": str(run.folder / "model"), "lora": {"rank": 2}}
    how = recipe(run.folder, model=lora, optimisation={"max_steps": 1})
    first = GrpoTraining(how, tmp_path / "adapters").run(lambda told: None)
    assert (first / "adapter_config.json").is_file()
    how = recipe(run.folder, model={"path": str(first)}, optimisation={"max_steps": 1})
    second = GrpoTraining(how, tmp_path / "whole").run(lambda told: None)
    assert is_changed(load(second), load(first))
    how = recipe(run.folder, model={"path": str(first), "lora": {"rank": 2}})
    with pytest.raises(UsageError, match="holds adapters"):
        _ = GrpoTraining(how, tmp_path / "more").loaded


def test_text_a_distance_to_the_start_can_be_kept(run, tmp_path):
    how = recipe(run.folder, optimisation={"max_steps": 1, "beta": 0.1})
    GrpoTraining(how, tmp_path / "run").run(lambda told: None)
    (line,) = metrics(tmp_path / "run")
    assert line["kl"] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("weights", [{"success": 0.0, "progress": 0.0, "step_cost": 1.0}])
def test_text_what_has_no_weight_is_measured_all_the_same(run, tmp_path, weights):
    how = recipe(run.folder, rewards=weights, optimisation={"max_steps": 1})
    GrpoTraining(how, tmp_path / "run").run(lambda told: None)
    (line,) = metrics(tmp_path / "run")
    assert line.keys() >= TOLD
    assert line["reward"] == pytest.approx(line["step_cost"])


def test_text_a_small_suite_fills_an_update(run):
    """TRL leaves out what does not fill one, and with that everything."""
    training = GrpoTraining(run.recipe, run.folder / "run")
    assert len(training.tasks) == 1
    rows = training.tasks.rows(run.recipe.groups)
    assert [row.scenario for row in rows] == ["lodge/lamp"] * 2
    assert len(set(rows)) == 2


# -- what is wrong ---------------------------------------------------------------------------------


def test_a_folder_without_a_model_is_told(tmp_path):
    with pytest.raises(FileError, match="no model in it"):
        GrpoTraining(recipe(tmp_path), tmp_path / "run")


def test_a_template_without_tools_is_told(run):
    how = recipe(run.folder, playing={"hook": "tools"})
    training = GrpoTraining(how, run.folder / "other")
    with pytest.raises(UsageError, match="cannot tell of calls of tools"):
        _ = training.rollouts


@pytest.mark.parametrize(
    "telling",
    [{"style": "paper"}, {"style": "compact"}, {"style": "chat", "role": "decentralized"}],
)
def test_what_is_no_single_sequence_is_told(run, telling):
    how = recipe(run.folder)
    how = how.model_copy(update={"telling": type(how.telling)(**telling)})
    with pytest.raises(UsageError, match="one sequence of tokens"):
        _ = GrpoTraining(how, run.folder / "other").telling


def test_a_context_beyond_the_model_is_told(run):
    how = recipe(run.folder, playing={"context": 9_999})
    with pytest.raises(UsageError, match="reads 512 only"):
        _ = GrpoTraining(how, run.folder / "other").rollouts


# -- the command -----------------------------------------------------------------------------------


def config(folder, **changes):
    path = folder / "toy.yaml"
    path.write_text(json.dumps(fields(folder, **changes)), encoding="utf-8")
    return path


def test_a_dry_run_plays_a_group_and_shows_an_episode(earsim, here):
    small_model(here / "model")
    result = earsim("train", "grpo", "--config", config(here), "--dry-run")
    assert result.exit_code == 0, result.stderr
    assert "tasks: 1, groups in an update: 2" in result.stderr
    assert result.stderr.count("\nreward ") == 4
    assert "<|user|>Not searched: hall" in result.stderr
    assert "<|assistant|>[[" in result.stderr
    assert not (here / "runs" / "grpo-toy" / "recipe.json").exists()


def test_the_command_trains_and_the_result_can_be_evaluated(earsim, here):
    small_model(here / "model")
    ran = earsim("train", "grpo", "--config", config(here), "--set", "optimisation.max_steps=1")
    assert ran.exit_code == 0, ran.stderr
    assert "written: runs/grpo-toy/model" in ran.stdout
    again = earsim("train", "grpo", "--config", config(here), "--set", "optimisation.max_steps=1")
    assert "finished before" in again.stderr
    result = earsim(
        "train", "eval", "runs/grpo-toy", "--suite", "lodge", "--category", "direct_command",
        "--free-only", "--threads", 1,
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "before, free" in result.stdout


def test_a_suite_without_such_tasks_is_told_in_a_sentence(earsim, here):
    small_model(here / "model")
    path = config(here, playing={"category": "compound_reasoning"})
    result = earsim("train", "grpo", "--config", path)
    assert result.exit_code == 2
    assert "no scenario of the category compound_reasoning" in result.stderr


# -- does it learn ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_reward_of_a_toy_case_rises(tmp_path):
    """The figures in docs/training-rl.md are those of this test."""
    home = warm_model(tmp_path, steps=80)
    how = recipe(
        tmp_path,
        model={"path": str(home)},
        telling=None,
        playing={"num_generations": 8, "turns": 8},
        optimisation={
            "max_steps": 40,
            "batch": 32,
            "per_device_train_batch_size": 32,
            "learning_rate": 1.5e-3,
        },
    )
    GrpoTraining(how, tmp_path / "run").run(print)  # shown with `pytest -s`
    rewards = [line["reward"] for line in metrics(tmp_path / "run")]
    first, last = sum(rewards[:5]) / 5, sum(rewards[-5:]) / 5
    assert last > first + 0.3
