"""Conversations as tokens that only grow, for the templates of well-known models."""

from __future__ import annotations

import pytest

from earsim.errors import UsageError
from earsim_training.grpo.tokens import ChatTokens
from tests.training.sft.tokenizers_of import tokenizer
from tests.training.sft.trained import stack
from tiny_model.tokenizer import CHAT_TEMPLATE

pytestmark = pytest.mark.filterwarnings("ignore")

CHANGES = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['role'] == 'assistant' and loop.index > 3 %}(said: {{ m['content'] }})"
    "{% else %}{{ m['content'] }}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
RUNS_ON = (
    "{% for m in messages %}\n{{ m['role'] }}: {{ m['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}\nassistant: {% endif %}"
)
SAID = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Agent eva in hall"},
    {"role": "assistant", "content": "Action: EXPLORE"},
    {"role": "user", "content": "Agent eva at lamp"},
    {"role": "assistant", "content": "Action: DONE"},
    {"role": "user", "content": "Agent eva in hall"},
]


@pytest.fixture(scope="module", autouse=True)
def _stack():
    stack()


@pytest.mark.parametrize("name", ["qwen2_5", "qwen3", "llama3_1"])
def test_prompts_and_replies_make_the_text_of_the_template(name):
    tokens = tokenizer(name)
    end = tokens.eos_token_id
    chat_tokens = ChatTokens(tokens, [end])
    ids = chat_tokens.first(SAID[:2])
    for upto in (4, 6):
        reply = tokens(SAID[upto - 2]["content"], add_special_tokens=False)["input_ids"]
        ids += [*reply, end]
        ids += chat_tokens.more(SAID[:upto], end)
    text = tokens.apply_chat_template(SAID, tokenize=False, add_generation_prompt=True)
    assert tokens.decode(ids) == text


def test_a_reply_that_was_cut_off_is_ended():
    tokens = tokenizer("qwen2_5")
    end = tokens.eos_token_id
    chat_tokens = ChatTokens(tokens, [end])
    whole = chat_tokens.more(SAID[:4], end)
    assert chat_tokens.more(SAID[:4], 7) == [end, *whole]


def test_a_reply_may_be_spelled_in_any_tokens():
    """The model may write `Action` in six tokens: these stay, whatever the tokenizer would do."""
    tokens = tokenizer("qwen2_5")
    chat_tokens = ChatTokens(tokens, [tokens.eos_token_id])
    changed = [*SAID[:2], {"role": "assistant", "content": "anything at all"}, SAID[3]]
    end = tokens.eos_token_id
    assert chat_tokens.more(changed, end) == chat_tokens.more(SAID[:4], end)


def test_a_template_that_changes_what_was_said_is_refused():
    tokens = tokenizer("qwen2_5")
    tokens.chat_template = CHANGES
    with pytest.raises(UsageError, match="prefix-preserving"):
        ChatTokens(tokens, [tokens.eos_token_id])


def test_a_template_that_does_not_end_replies_is_refused():
    tokens = tokenizer("qwen2_5")
    tokens.chat_template = RUNS_ON
    with pytest.raises(UsageError, match="does not end a reply"):
        ChatTokens(tokens, [tokens.eos_token_id])
    tokens.chat_template = None
    with pytest.raises(UsageError, match="no chat template"):
        ChatTokens(tokens, [tokens.eos_token_id])


def test_the_small_template_will_do():
    tokens = tokenizer("qwen2_5")
    tokens.add_special_tokens({"eos_token": "<|end|>"})
    tokens.chat_template = CHAT_TEMPLATE
    ChatTokens(tokens, [tokens.eos_token_id])
