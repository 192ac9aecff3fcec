"""Writing replies with a model in this process: many prompts at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from earsim_training.sft.inference.constrained_decoding import Constraint
from earsim_training.sft.models.checkpoint import LoadedModel

_TOKENS_AT_ONCE = 16_384
"""Prompt tokens, padding included, that are read in one go; more would not be faster."""


class GenerationPrompt(NamedTuple):
    """A prompt.

    Attributes:
        messages: as they are sent.
        most: tokens of the reply at most.
        constraint: what the reply has to be; None for anything.
        temperature: of the draws; 0 for the likeliest token each.
        seed: decides all draws.
    """

    messages: Sequence[dict[str, str]]
    most: int
    constraint: Constraint | None = None
    temperature: float = 0.0
    seed: int = 0


class Reply(NamedTuple):
    """What a model wrote.

    Attributes:
        ended: it came to an end by itself, before its tokens were used up.
        read: tokens of the prompt.
        written: tokens of the reply, the one that ends it included.
    """

    text: str
    ended: bool
    read: int
    written: int


class Generator:
    """A model that writes."""

    def __init__(self, loaded: LoadedModel, *, device: str = "cpu") -> None:
        """Take a model.

        Args:
            loaded: with its tokenizer, which has a chat template.
            device: where it runs.
        """
        self._model = loaded.model.to(device)
        self._tokenizer = loaded.tokenizer
        self._device = device
        self._ends = ends_of(loaded)
        self._pad = loaded.tokenizer.pad_token_id or 0

    @property
    def context(self) -> int:
        """Tokens that the model can read and write in all."""
        return int(getattr(self._model.config, "max_position_embeddings", 2_048))

    def encode(self, messages: Sequence[dict[str, str]]) -> list[int]:
        """A prompt as the model reads it."""
        text = self._tokenizer.apply_chat_template(
            list(messages), tokenize=False, add_generation_prompt=True
        )
        found: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def write(self, asked: Sequence[GenerationPrompt]) -> list[Reply]:
        """The replies to prompts, in their order.

        Prompts of about one length are read together. What is written depends on the prompt alone,
        up to the rounding of sums, which differs with the shape of a batch.
        """
        prompts = [self.encode(each.messages) for each in asked]
        replies: list[Reply | None] = [None] * len(asked)
        for batch in _batches(prompts):
            found = self._write([prompts[at] for at in batch], [asked[at] for at in batch])
            for at, reply in zip(batch, found, strict=True):
                replies[at] = reply
        return [reply for reply in replies if reply is not None]

    def _write(self, prompts: list[list[int]], asked: list[GenerationPrompt]) -> list[Reply]:
        """One batch, padded on the left so that all replies begin at the same place."""
        import torch

        longest = max(map(len, prompts))
        pads = [longest - len(ids) for ids in prompts]
        rows = [[self._pad] * pad + ids for pad, ids in zip(pads, prompts, strict=True)]
        ids = torch.tensor(rows, device=self._device)
        mask = (
            torch.arange(longest, device=self._device) >= torch.tensor(pads)[:, None].to(ids)
        ).long()
        writing = [_Writing(each, self._ends) for each in asked]
        cache, last = None, ids
        with torch.inference_mode():
            while not all(each.over for each in writing):
                positions = (mask.cumsum(-1) - 1).clamp(min=0)[:, -last.shape[1] :]
                out = self._model(
                    input_ids=last,
                    attention_mask=mask,
                    position_ids=positions,
                    past_key_values=cache,
                    use_cache=True,
                    logits_to_keep=1,
                )
                cache = out.past_key_values
                logits = out.logits[:, -1].float()
                chosen = [
                    self._choose(each, row) for each, row in zip(writing, logits, strict=True)
                ]
                last = torch.tensor(chosen, device=self._device)[:, None]
                mask = torch.cat([mask, mask.new_ones(len(asked), 1)], dim=1)
        return [
            Reply(self._text(each.ids), each.ended, len(prompt), len(each.ids) + each.ended)
            for each, prompt in zip(writing, prompts, strict=True)
        ]

    def _choose(self, writing: _Writing, logits: Any) -> int:
        if writing.over:
            return self._pad
        constraint = writing.asked.constraint
        scores = writing.drawn(logits)
        token = int(scores.argmax())
        if constraint is not None and not self._fits(constraint, writing, token):
            order = scores.argsort(descending=True).tolist()
            token = next(
                (t for t in order[1:] if self._fits(constraint, writing, t)), self._ends[0]
            )
        writing.take(token)
        return token

    def _fits(self, constraint: Constraint, writing: _Writing, token: int) -> bool:
        if token in self._ends:
            return constraint.allows_end(self._text(writing.ids))
        text = self._text([*writing.ids, token])
        return text != self._text(writing.ids) and constraint.allows(text)

    def _text(self, ids: list[int]) -> str:
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True)
        return text


class _Writing:
    """A reply in progress."""

    def __init__(self, asked: GenerationPrompt, ends: Sequence[int]) -> None:
        self.asked = asked
        self.ids: list[int] = []
        self.ended = False
        self._ends = ends
        self._dice: Any = None

    def drawn(self, logits: Any) -> Any:
        """Numbers of which the largest is that of the next token (the Gumbel-max trick)."""
        if not self.asked.temperature:
            return logits
        import torch

        if self._dice is None:
            self._dice = torch.Generator().manual_seed(self.asked.seed)
        exponential = torch.empty(logits.shape).exponential_(generator=self._dice)
        return logits / self.asked.temperature - exponential.log().to(logits)

    @property
    def over(self) -> bool:
        return self.ended or len(self.ids) >= self.asked.most

    def take(self, token: int) -> None:
        """Go on by one token."""
        if token in self._ends:
            self.ended = True
        else:
            self.ids.append(token)


def _batches(prompts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of prompts that are read together: by length, the longest first."""
    order = sorted(range(len(prompts)), key=lambda at: (-len(prompts[at]), at))
    while order:
        longest = len(prompts[order[0]])
        count = max(1, _TOKENS_AT_ONCE // max(1, longest))
        yield order[:count]
        order = order[count:]


def ends_of(loaded: LoadedModel) -> list[int]:
    """Tokens that end a reply: the tokenizer's, and those that the model's own settings name."""
    configured = getattr(loaded.model.generation_config, "eos_token_id", None)
    more = configured if isinstance(configured, list) else [configured]
    ends = [loaded.tokenizer.eos_token_id, *more]
    return list(dict.fromkeys(token for token in ends if token is not None))
