"""A run of GRPO: both hooks, what is written down, and what is told before anything runs."""

from __future__ import annotations

import json
from itertools import cycle
from types import SimpleNamespace

import pytest

from earsim.errors import FileError, UsageError
from earsim_training.grpo.play import Earned, Play
from earsim_training.grpo.training import GrpoTraining
from earsim_training.sft.checkpoint import load, read_facts
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here
from tests.training.grpo.toy import fields, recipe, small_model, tool_model, warm_model
from tests.training.sft.trained import stack

pytestmark = pytest.mark.filterwarnings("ignore")

TOLD = {
    "reward", "success", "progress", "step_cost", "spread", "groups_without_spread",
    "decisions", "unread", "refused", "left", "loss", "seconds",
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _stack():
    stack()


def metrics(folder):
    lines = map(json.loads, (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    return [line for line in lines if "loss" in line]


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
    how = recipe(folder, keeping={"log_every": 1, "save_every": 1})
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
    monkeypatch.setattr(Play, "earned", property(lambda play: Earned(next(paid), 0.0, -4.0)))
    how = recipe(run.folder, optimisation={"steps": 1})
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
    monkeypatch.setattr(Play, "earned", property(lambda play: Earned(next(paid), 0.0, -4.0)))
    lora = {"path": str(run.folder / "model"), "lora": {"rank": 2}}
    how = recipe(run.folder, model=lora, optimisation={"steps": 1})
    first = GrpoTraining(how, tmp_path / "adapters").run(lambda told: None)
    assert (first / "adapter_config.json").is_file()
    how = recipe(run.folder, model={"path": str(first)}, optimisation={"steps": 1})
    second = GrpoTraining(how, tmp_path / "whole").run(lambda told: None)
    assert is_changed(load(second), load(first))
    how = recipe(run.folder, model={"path": str(first), "lora": {"rank": 2}})
    with pytest.raises(UsageError, match="holds adapters"):
        _ = GrpoTraining(how, tmp_path / "more").loaded


def test_text_a_distance_to_the_start_can_be_kept(run, tmp_path):
    how = recipe(run.folder, optimisation={"steps": 1, "reference": 0.1})
    GrpoTraining(how, tmp_path / "run").run(lambda told: None)
    (line,) = metrics(tmp_path / "run")
    assert line["kl"] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("weights", [{"success": 0.0, "progress": 0.0, "step_cost": 1.0}])
def test_text_what_has_no_weight_is_measured_all_the_same(run, tmp_path, weights):
    how = recipe(run.folder, rewards=weights, optimisation={"steps": 1})
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


# -- tools -----------------------------------------------------------------------------------------

CALL = '<tool_call>\n{{"name": "act", "arguments": {{"command": "{}"}}}}\n</tool_call>'


def faked(monkeypatch, texts):
    """Let the model say these, one after another, in every episode of a batch."""
    from trl import GRPOTrainer

    waiting = iter(texts)

    def written(self, prompt_ids, *others, **more):
        ids = self.processing_class(next(waiting), add_special_tokens=False)["input_ids"]
        return [[*ids, self.processing_class.eos_token_id] for _ in prompt_ids], None

    found = {}
    generate = GRPOTrainer._generate

    def noted(self, prompts):
        found["ids"], found["completions"], found["mask"], *_ = made = generate(self, prompts)
        return made

    monkeypatch.setattr(GRPOTrainer, "_generate_single_turn", written)
    monkeypatch.setattr(GRPOTrainer, "_generate", noted)
    return found


@pytest.fixture(scope="module")
def tool_home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tools")
    tool_model(folder / "model")
    return folder


def tool_recipe(folder, **changes):
    playing = {"hook": "tools", "turns": 6}
    rewards = {"success": 1.0, "progress": 0.0, "step_cost": 0.0}
    small = {"batch": 4, "steps": 1}
    return recipe(
        folder, **{"playing": playing, "rewards": rewards, "optimisation": small} | changes
    )


def test_tools_a_model_that_calls_them_plays_to_the_end(tool_home, tmp_path, monkeypatch):
    commands = ["EXPLORE", "GOTO lamp", "TURN_ON lamp"]
    said = [CALL.format(command) for command in commands]
    found = faked(monkeypatch, [*said, "It is on."])
    GrpoTraining(tool_recipe(tool_home), tmp_path / "run").run(lambda told: None)
    (line,) = metrics(tmp_path / "run")
    assert line["reward"] == line["success"] == line["progress"] == 1.0
    assert line["step_cost"] == -3.0
    assert line["left"] == line["refused"] == 0.0
    tokenizer = load(tool_home / "model").tokenizer
    for ids, mask in zip(found["completions"], found["mask"], strict=True):
        own = [token for token, learned in zip(ids, mask, strict=True) if learned]
        expected = [f"{text}<|im_end|>" for text in (*said, "It is on.")]
        assert tokenizer.decode(own) == "".join(expected)
        others = tokenizer.decode([t for t, learned in zip(ids, mask, strict=True) if not learned])
        assert "The episode is over" in others
        assert "Lamp" in others


def test_tools_a_random_model_calls_none_and_earns_nothing(tool_home, tmp_path):
    how = tool_recipe(tool_home, optimisation={"batch": 4, "steps": 2})
    final = GrpoTraining(how, tmp_path / "run").run(lambda told: None)
    lines = metrics(tmp_path / "run")
    assert [line["step"] for line in lines] == [1, 2]
    assert all(line.keys() >= TOLD for line in lines)
    assert all(line["groups_without_spread"] == line["left"] == 1.0 for line in lines)
    assert read_facts(final).telling is None


# -- what is wrong ---------------------------------------------------------------------------------


def test_a_folder_without_a_model_is_told(tmp_path):
    with pytest.raises(FileError, match="no model in it"):
        GrpoTraining(recipe(tmp_path), tmp_path / "run")


def test_a_template_without_tools_is_told(run):
    how = recipe(run.folder, playing={"hook": "tools"})
    training = GrpoTraining(how, run.folder / "other")
    with pytest.raises(UsageError, match="cannot tell of calls of tools"):
        _ = training.rollouts


CHANGES_WHAT_WAS_CALLED = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}"
    "{% for c in m.get('tool_calls', []) %}{% if not loop.last or messages[-1]['role'] == 'tool' %}"
    "{{ c['function']['name'] }} {{ c['function']['arguments'] }}{% endif %}{% endfor %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def test_a_template_that_changes_earlier_calls_is_told(tool_home, tmp_path):
    (tmp_path / "odd.jinja").write_text(CHANGES_WHAT_WAS_CALLED, encoding="utf-8")
    how = tool_recipe(tool_home, template=str(tmp_path / "odd.jinja"))
    with pytest.raises(UsageError, match="not prefix-preserving"):
        _ = GrpoTraining(how, tmp_path / "run").rollouts


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
    ran = earsim("train", "grpo", "--config", config(here), "--set", "optimisation.steps=1")
    assert ran.exit_code == 0, ran.stderr
    assert "written: runs/grpo-toy/model" in ran.stdout
    again = earsim("train", "grpo", "--config", config(here), "--set", "optimisation.steps=1")
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
        playing={"group": 8, "turns": 8},
        optimisation={"steps": 40, "batch": 32, "per_device": 32, "learning_rate": 1.5e-3},
    )
    GrpoTraining(how, tmp_path / "run").run(print)  # shown with `pytest -s`
    rewards = [line["reward"] for line in metrics(tmp_path / "run")]
    first, last = sum(rewards[:5]) / 5, sum(rewards[-5:]) / 5
    assert last > first + 0.3
