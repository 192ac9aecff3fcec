"""A small transformer of random weights."""

from __future__ import annotations

from typing import Any

from earsim_training.sft.recipe import Scratch

_LOOKBACK = 3
"""Tokens that a convolution of LFM2 sees, its own included."""

_SAME = 0.1
"""What all embeddings have in common, beside numbers of the size 0.02."""

_BEFORE = 0.03
"""How loudly a token is handed on to the next one, beside the same."""

_SHARP = 3.0
"""How much more likely attention looks at what it looks for."""

_SLOW = 0.004
"""Angle per token below which a turning pair of numbers tells what a token is, not where."""


def new_model(shape: Scratch, tokenizer: Any, seed: int) -> Any:
    """A transformer of a family that every server can serve.

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
        layer_types=layers, conv_L_cache=_LOOKBACK, block_auto_adjust_ff_dim=False, **common
    )
    model = AutoModelForCausalLM.from_config(config)
    _begin_copying(model)
    return model


def _begin_copying(model: Any) -> None:
    """Let a model of LFM2 begin as one that expects after a token what came after it before.

    Such induction heads (Olsson et al., 2022, arXiv 2209.11895) are what copies names, and random
    weights take long to find them. Here the first convolution hands each token the one before it;
    the attention that follows looks for places whose token before is like the one at hand, and
    passes on what stands there. Training goes on from that as from any other weights.
    """
    import torch

    width, heads = model.config.hidden_size, model.config.num_attention_heads
    size = width // heads
    convolution = model.model.layers[0].conv
    attention = model.model.layers[1].self_attn
    embeddings = model.get_input_embeddings().weight

    def turn() -> Any:
        """A rotation of everything but what all embeddings have in common."""
        found = torch.nn.init.orthogonal_(torch.empty(width, width))
        found[:, 0] = 0
        return found

    with torch.no_grad():
        spread = embeddings[:, 1:].std()
        embeddings[:, 0] = _SAME
        same = _SAME / ((_SAME**2 + (width - 1) * spread**2) / width).sqrt()  # once it is normed
        token, before, passed = turn(), turn(), turn()

        gates, value = convolution.in_proj.weight.split([2 * width, width])
        gates.mul_(0.25)
        gates[:, 0] = 1 / same  # so they begin open
        value.copy_(token)
        convolution.conv.weight.mul_(0.1)
        convolution.conv.weight[:, 0, _LOOKBACK - 2] = 1
        convolution.out_proj.weight.copy_(_BEFORE * before.T)

        speeds = model.config.rope_parameters["rope_theta"] ** (-torch.arange(0, size, 2) / size)
        slow = [at for at, speed in enumerate(speeds.tolist()) if speed < _SLOW]
        slow += [at + size // 2 for at in slow]
        for weight in (attention.q_proj.weight, attention.k_proj.weight):
            weight.mul_(0.1)
        for head in range(heads):
            mixed = torch.nn.init.orthogonal_(torch.empty(width, width))[: len(slow)]
            rows = [head * size + at for at in slow]
            attention.q_proj.weight[rows] = mixed @ token
            attention.k_proj.weight[rows] = mixed @ before
        attention.q_layernorm.weight.fill_(_SHARP)
        attention.v_proj.weight.copy_(0.5 * passed)
        attention.out_proj.weight.copy_(0.5 * passed.T)


def parameters(model: Any) -> int:
    """How many numbers a model consists of."""
    return sum(each.numel() for each in model.parameters())
