"""Small tokenizers with the chat templates and the special tokens of well-known models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SPECIALS = {
    "qwen2_5": ("<|im_start|>", "<|im_end|>", "<|endoftext|>"),
    "qwen3": ("<|im_start|>", "<|im_end|>", "<|endoftext|>"),
    "llama3_1": ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
}
ENDS = {"qwen2_5": "<|im_end|>", "qwen3": "<|im_end|>", "llama3_1": "<|eot_id|>"}


def template_of(name: str) -> str:
    """A chat template as TRL ships it."""
    trl = pytest.importorskip("trl", reason="the extra `train` is not installed")
    return (Path(trl.__file__).parent / "chat_templates" / f"{name}.jinja").read_text("utf-8")


def tokenizer(name: str) -> Any:
    """A byte-level tokenizer of some hundred tokens in the manner of a model."""
    pytest.importorskip("transformers", reason="the extra `train` is not installed")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(SPECIALS[name]),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    words.train_from_iterator(["Action: GOTO kitchen\nThe cup (cup) on the table."] * 4, trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token=ENDS[name], pad_token=SPECIALS[name][-1]
    )
    made.chat_template = template_of(name)
    return made
