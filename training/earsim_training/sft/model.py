"""A small transformer of random weights."""

from __future__ import annotations

from typing import Any

from earsim_training.sft.recipe import Scratch


def new_model(shape: Scratch, tokenizer: Any, seed: int) -> Any:
    """A transformer of the Llama family, so that every server can serve it.

    Args:
        shape: how large it is.
        tokenizer: gives the size of the vocabulary and the ids of special tokens.
        seed: of the weights.
    """
    from transformers import LlamaConfig, LlamaForCausalLM, set_seed

    set_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=shape.width,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=shape.positions,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def parameters(model: Any) -> int:
    """How many numbers a model consists of."""
    return sum(each.numel() for each in model.parameters())
