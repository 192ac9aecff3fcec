"""A small transformer of random weights."""

from __future__ import annotations

from typing import Any

from earsim_training.sft.models.copy_initialisation import LOOKBACK, begin_copying
from earsim_training.sft.recipe import Scratch


def new_model(shape: Scratch, tokenizer: Any, seed: int) -> Any:
    """A transformer of a family that transformers knows.

    Args:
        shape: which, and how large it is.
        tokenizer: gives the size of the vocabulary and the ids of special tokens.
        seed: of the weights.
    """
    from transformers import AutoModelForCausalLM, Lfm2Config, LlamaConfig, set_seed

    set_seed(seed)
    common: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": shape.width,
        "intermediate_size": shape.inner,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.heads,
        "max_position_embeddings": shape.positions,
        "tie_word_embeddings": True,
        "bos_token_id": None,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    if shape.architecture == "llama":
        return AutoModelForCausalLM.from_config(LlamaConfig(**common))
    layers = [("conv", "full_attention")[at % 2] for at in range(shape.layers)]
    config = Lfm2Config(
        layer_types=layers, conv_L_cache=LOOKBACK, block_auto_adjust_ff_dim=False, **common
    )
    model = AutoModelForCausalLM.from_config(config)
    begin_copying(model)
    return model


def parameters(model: Any) -> int:
    """How many numbers a model consists of."""
    return sum(each.numel() for each in model.parameters())
