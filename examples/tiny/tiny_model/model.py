"""A small transformer of random weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from earsim.errors import UsageError
from tiny_model.copy_initialisation import LOOKBACK, begin_copying


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The architecture and its sizes.

    Attributes:
        architecture: ``llama``, or ``lfm2``: layers of short convolutions in turn with layers of
            attention, which begins as an induction head.
        layers: of the transformer.
        width: of its hidden states.
        heads: of attention, in each layer.
        inner: width between the two halves of a feed-forward block.
        vocabulary: tokens at most.
        positions: longest context that it can be used with.
    """

    architecture: Literal["llama", "lfm2"] = "llama"
    layers: int = 4
    width: int = 128
    heads: int = 4
    inner: int = 384
    vocabulary: int = 2_000
    positions: int = 2_048

    def __post_init__(self) -> None:
        """Refuse what transformers would stumble over.

        Raises:
            UsageError: The sizes do not fit together.
        """
        if self.architecture == "lfm2" and self.layers < 2:
            raise UsageError("layers: the second layer of lfm2 is the first with attention")
        if self.width % (2 * self.heads):
            raise UsageError(
                f"heads: {self.heads} do not divide a width of {self.width} into even parts"
            )


def new_model(shape: Shape, tokenizer: Any, seed: int) -> Any:
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
