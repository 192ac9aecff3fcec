"""Weights of LFM2 that copy before they have learned anything.

An induction head (Olsson et al., 2022, arXiv 2209.11895) expects after a token what came after it
before. Names are copied by such heads, and from random weights it takes a small model most of its
training to find them. Many ids end alike, so these heads look at two tokens: after the end of
`cup_1` they expect what came after `cup_1`, rather than what came after any `_1`. Training goes on
from these weights as from any others.
"""

from __future__ import annotations

from typing import Any

LOOKBACK = 5
"""Tokens that a convolution of LFM2 sees, its own included."""

_SAME = 0.1
"""What all embeddings have in common, beside numbers of the size 0.02."""

_BEFORE = 0.03
"""How loudly a token is handed on to the next ones, beside the same."""

_SHARP = 3.0
"""How much more likely attention looks at what it looks for."""

_SLOW = 0.004
"""Angle per token below which a turning pair of numbers tells what a token is, not where."""


def begin_copying(model: Any) -> None:
    """Make the first two layers of a fresh model an induction head.

    The convolution hands each token the two before it; the attention after it looks for places
    whose two tokens before are like the one at hand and the one before that, and passes on what
    stands there.
    """
    import torch

    embeddings = model.get_input_embeddings().weight
    width = embeddings.shape[1]
    with torch.no_grad():
        spread = embeddings[:, 1:].std()
        embeddings[:, 0] = _SAME
        same = _SAME / ((_SAME**2 + (width - 1) * spread**2) / width).sqrt()  # once it is normed
        token, before, passed = (_turn(width) for _ in range(3))
        attention = model.model.layers[1].self_attn
        _hand_on(model.model.layers[0].conv, token, before, same)
        _look_for(attention, token, before, model.config)
        attention.v_proj.weight.copy_(0.5 * passed)
        attention.out_proj.weight.copy_(0.5 * passed.T)


def _turn(width: int) -> Any:
    """A rotation of everything but what all embeddings have in common."""
    import torch

    found = torch.nn.init.orthogonal_(torch.empty(width, width))
    found[:, 0] = 0
    return found


def _hand_on(convolution: Any, token: Any, before: Any, same: Any) -> None:
    """Write the last two tokens into each place, where `before` reads them.

    One half of what it reads is the first half of what `token` reads of the token before, the other
    half likewise of the one before that.
    """
    width = len(token)
    gates, value = convolution.in_proj.weight.split([2 * width, width])
    gates.mul_(0.25)
    gates[:, 0] = 1 / same  # so they begin open
    convolution.conv.weight.mul_(0.1)
    for back, half in enumerate(_halves(width), start=1):
        value[half] = token[: width // 2]
        convolution.conv.weight[half, 0, LOOKBACK - 1 - back] = 1
    convolution.out_proj.weight.copy_(_BEFORE * before.T)


def _look_for(attention: Any, token: Any, before: Any, config: Any) -> None:
    """Ask for the last two tokens, and answer with the two before, wherever they stand."""
    import torch

    heads, width = config.num_attention_heads, config.hidden_size
    size = width // heads
    speeds = config.rope_parameters["rope_theta"] ** (-torch.arange(0, size, 2) / size)
    slow = [at for at, speed in enumerate(speeds.tolist()) if speed < _SLOW]
    slow += [at + size // 2 for at in slow]
    for weight in (attention.q_proj.weight, attention.k_proj.weight):
        weight.mul_(0.1)
    first, _ = _halves(width)
    asked = torch.cat([token[first], before[first]])
    for head in range(heads):
        mixed = torch.nn.init.orthogonal_(torch.empty(width, width))[: len(slow)]
        rows = [head * size + at for at in slow]
        attention.q_proj.weight[rows] = mixed @ asked
        attention.k_proj.weight[rows] = mixed @ before
    attention.q_layernorm.weight.fill_(_SHARP)


def _halves(width: int) -> tuple[slice, slice]:
    return slice(width // 2), slice(width // 2, width)
