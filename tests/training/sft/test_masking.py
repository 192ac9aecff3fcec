"""Only the agent's replies carry loss, and the token that ends each, in both forms of data."""

from __future__ import annotations

import pytest

from earsim.errors import UsageError
from earsim_training.sft.data.chat_template import training_template
from earsim_training.sft.data.masking import IGNORED, conversation_of, encode
from tests.training.exported import export, flat, rows
from tests.training.sft.tokenizers_of import ENDS, template_of, tokenizer
from tiny_model.tokenizer import CHAT_TEMPLATE

MODELS = tuple(ENDS)


def learned(encoded, tokens) -> list[str]:
    """The stretches of text that carry loss."""
    found, before = [], IGNORED
    for id, label in zip(encoded.ids, encoded.labels, strict=True):
        if label != IGNORED:
            assert label == id
            found += [] if before != IGNORED else [[]]
            found[-1].append(id)
        before = label
    return [tokens.decode(ids) for ids in found]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """An export with recoveries, in the style that shows earlier replies."""
    folder = tmp_path_factory.mktemp("data")
    how = {"perturb": 0.3, "seed": 2}
    export(flat(folder), folder / "out", demonstrating=how, telling={"rationale": True})
    return folder / "out"


@pytest.mark.parametrize("model", MODELS)
def test_of_a_decision_the_completion_alone_is_learned(data, model):
    tokens = tokenizer(model)
    template = training_template(tokens, whole_episodes=False)
    found = rows(data)
    for row, encoded in zip(
        found, encode(tokens, map(conversation_of, found), template), strict=True
    ):
        assert learned(encoded, tokens) == [row["completion"][0]["content"] + ENDS[model]]


@pytest.mark.parametrize("model", MODELS)
def test_of_an_episode_the_supervised_replies_are_learned(data, model):
    tokens = tokenizer(model)
    template = training_template(tokens, whole_episodes=True)
    found = rows(data, "episodes")
    assert any(not all(row["supervised"]) for row in found)
    for row, encoded in zip(
        found, encode(tokens, map(conversation_of, found), template), strict=True
    ):
        said = [m["content"] for m in row["messages"] if m["role"] == "assistant"]
        taught = [
            text for text, is_taught in zip(said, row["supervised"], strict=True) if is_taught
        ]
        assert learned(encoded, tokens) == [text + ENDS[model] for text in taught]


@pytest.mark.parametrize("model", MODELS)
def test_what_is_read_is_what_a_server_would_send(data, model):
    tokens = tokenizer(model)
    template = training_template(tokens, whole_episodes=False)
    row = rows(data)[3]
    (encoded,) = encode(tokens, [conversation_of(row)], template)
    asked = tokens.apply_chat_template(row["prompt"], tokenize=False, add_generation_prompt=True)
    assert tokens.decode(encoded.ids).startswith(asked)


def test_trl_learns_the_same_but_for_the_line_break_after_a_turn(data):
    tokens = tokenizer("qwen2_5")
    row = rows(data, "episodes")[0] | {"supervised": None}
    template = training_template(tokens, whole_episodes=True)
    (ours,) = encode(tokens, [conversation_of(row)], template)
    theirs = tokens.apply_chat_template(
        row["messages"],
        chat_template=template,
        return_dict=True,
        return_assistant_tokens_mask=True,
    )
    assert theirs["input_ids"] == ours.ids
    more = {
        tokens.decode([id])
        for id, label, mask in zip(ours.ids, ours.labels, theirs["assistant_masks"], strict=True)
        if mask and label == IGNORED
    }
    less = [
        label for label, mask in zip(ours.labels, theirs["assistant_masks"], strict=True)
        if label != IGNORED and not mask
    ]  # fmt: skip
    assert more == {"\n"}
    assert less == []


def test_a_template_that_changes_replies_is_refused(data):
    tokens = tokenizer("qwen2_5")
    shouting = CHAT_TEMPLATE.replace(
        "{{ m['content'] }}<|end|>", "{{ m['content'] | upper }}<|end|>"
    )
    with pytest.raises(UsageError, match="changes what the assistant says"):
        list(encode(tokens, map(conversation_of, rows(data)), shouting))


# -- templates -------------------------------------------------------------------------------------


def test_a_template_without_markers_that_nobody_knows_is_refused():
    tokens = tokenizer("qwen2_5")
    tokens.chat_template = template_of("qwen2_5") + "{# mine #}"
    with pytest.raises(UsageError, match="generation"):
        training_template(tokens, whole_episodes=True)
    assert training_template(tokens, whole_episodes=True, trusted=True) is None


def test_a_tokenizer_without_a_template_is_refused():
    tokens = tokenizer("qwen2_5")
    tokens.chat_template = None
    with pytest.raises(UsageError, match="no chat template"):
        training_template(tokens, whole_episodes=False)


def test_marked_templates_are_used_as_they_are():
    tokens = tokenizer("qwen2_5")
    tokens.chat_template = template_of("qwen2_5_training")
    assert training_template(tokens, whole_episodes=True) is None


def test_conversations_of_rows():
    asked = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "earlier"}]
    row = {"prompt": asked, "completion": [{"role": "assistant", "content": "now"}]}
    assert conversation_of(row).taught == [False, True]
    assert conversation_of({"messages": asked}).taught == [True]
    assert conversation_of({"messages": asked, "supervised": [False]}).taught == [False]
