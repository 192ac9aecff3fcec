"""Drawing replies for many growing sequences together, each token read once.

What was read stays in the cache of keys and values from turn to turn, so an episode costs what is
new in it. Sequences of a batch grow by different lengths; the shorter ones get holes, which the
attention mask hides and the positions do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from earsim_training.grpo.transcript import Sampled


class Sampler:
    """A batch of sequences and the model that writes in them.

    It draws from the global generator of torch, which a trainer seeds.
    """

    def __init__(
        self, model: Any, *, ends: Sequence[int], pad: int, temperature: float, rows: int
    ) -> None:
        """Begin with empty sequences.

        Args:
            model: writes; in the mode that `writing` puts it in.
            ends: tokens that end a reply.
            pad: a token to fill holes with.
            temperature: of the distribution that is drawn from.
            rows: how many sequences.
        """
        import torch

        self._model, self._pad, self._temperature = model, pad, temperature
        self._device = next(model.parameters()).device
        self._ends = frozenset(ends)
        self._cache: Any = None
        self._mask = torch.zeros(rows, 0, dtype=torch.long, device=self._device)
        self._unread: list[list[int]] = [[] for _ in range(rows)]

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these sequences only, which are numbered anew."""
        import torch

        if not rows or len(rows) == len(self._unread):
            return  # the same, or none: then nothing is written any more
        chosen = torch.tensor(list(rows), device=self._device)
        self._mask = self._mask[chosen]
        self._unread = [self._unread[row] for row in rows]
        if self._cache is not None:
            self._cache.batch_select_indices(chosen)

    def write(self, new: Sequence[Sequence[int]], most: int) -> list[Sampled]:
        """Read what is new in every sequence, and reply.

        Args:
            new: tokens after the last reply; at first, the prompt.
            most: tokens of a reply at most.
        """
        for unread, more in zip(self._unread, new, strict=True):
            unread += more
        replies = [Sampled([], [], ended=False) for _ in new]
        going = [True] * len(replies)
        while any(going):
            tokens, logprobs = self._draw(self._read(going))
            for row, reply in enumerate(replies):
                if not going[row]:
                    continue
                reply.ids.append(tokens[row])
                reply.logprobs.append(logprobs[row])
                self._unread[row] = [tokens[row]]
                ended = tokens[row] in self._ends
                replies[row] = reply._replace(ended=ended)
                going[row] = not ended and len(reply.ids) < most
        return replies

    def _read(self, going: Sequence[bool]) -> Any:
        """Let the model read what it has not; logits of the next tokens, shape (rows, tokens)."""
        import torch

        new = [unread if on else [] for unread, on in zip(self._unread, going, strict=True)]
        width = max(map(len, new))
        ids = torch.tensor([[self._pad] * (width - len(row)) + row for row in new])
        seen = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in new])
        self._mask = torch.cat([self._mask, seen.to(self._device)], dim=1)
        out = self._model(
            input_ids=ids.to(self._device),
            attention_mask=self._mask,
            position_ids=(self._mask.cumsum(-1) - 1).clamp(min=0)[:, -width:],
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self._cache = out.past_key_values
        return out.logits[:, -1].float()

    def _draw(self, logits: Any) -> tuple[list[int], list[float]]:
        """A token per row, and the logarithm of its probability."""
        import torch

        logprobs = (logits / self._temperature).log_softmax(-1)
        drawn = torch.multinomial(logprobs.exp(), 1)
        return drawn[:, 0].tolist(), logprobs.gather(1, drawn)[:, 0].tolist()


@contextmanager
def writing(model: Any) -> Iterator[None]:
    """Put a model into the mode for writing, for as long as the block lasts."""
    import torch

    was = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was)
