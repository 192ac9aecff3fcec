"""A run of GRPO in which the model calls the tool `act`."""

from __future__ import annotations

import pytest

from earsim.errors import UsageError
from earsim_training.grpo.training import GrpoTraining
from earsim_training.sft.checkpoint import load, read_facts
from tests.training.grpo.toy import TOLD, metrics, recipe, tool_model
from tests.training.sft.trained import stack

pytestmark = pytest.mark.filterwarnings("ignore")


CALL = '<tool_call>\n{{"name": "act", "arguments": {{"command": "{}"}}}}\n</tool_call>'


@pytest.fixture(scope="module", autouse=True)
def _stack():
    stack()


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
    small = {"batch": 4, "max_steps": 1}
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
    how = tool_recipe(tool_home, optimisation={"batch": 4, "max_steps": 2})
    final = GrpoTraining(how, tmp_path / "run").run(lambda told: None)
    lines = metrics(tmp_path / "run")
    assert [line["step"] for line in lines] == [1, 2]
    assert all(line.keys() >= TOLD for line in lines)
    assert all(line["groups_without_spread"] == line["left"] == 1.0 for line in lines)
    assert read_facts(final).telling is None


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
