"""Sampling with `generate` of transformers: a generator for each row, replies held to a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from transformers import GenerationConfig, LogitsProcessor

from earsim_training.sft.checkpoint import context_of, eos_token_ids

_BATCH_TOKENS = 16_384
"""Prompt tokens of a batch, padding included; more would not be faster."""

_MATCH_TIMEOUT_S = 2.0
"""For matching one text: a pattern of somebody else's may take for ever."""


class SamplingRequest(NamedTuple):
    """A prompt and the sampling parameters of its reply.

    Attributes:
        prompt: tokens.
        max_new_tokens: of the reply.
        temperature: 0 for greedy decoding.
        seed: of the row's random generator.
        pattern: compiled by `regex`; the whole reply has to match it. None for any reply.
    """

    prompt: Sequence[int]
    max_new_tokens: int
    temperature: float = 0.0
    seed: int = 0
    pattern: Any = None


class Completion(NamedTuple):
    """A sampled reply.

    Attributes:
        ids: tokens, the end-of-sequence token included.
        ended: the model ended it, before `max_new_tokens` were used up.
    """

    ids: list[int]
    ended: bool


class Sampler:
    """A causal language model with its tokenizer.

    Attributes:
        eos_token_ids: tokens that end a reply.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model, self._tokenizer = model, tokenizer
        self.eos_token_ids = eos_token_ids(model, tokenizer)

    @property
    def device(self) -> Any:
        """Where the model runs."""
        return self._model.device

    @property
    def context(self) -> int:
        """Tokens of prompt and reply at most."""
        return context_of(self._model)

    def encode(self, messages: Sequence[dict[str, str]]) -> list[int]:
        """The tokens of a chat prompt."""
        text = self._tokenizer.apply_chat_template(
            list(messages), tokenize=False, add_generation_prompt=True
        )
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of a reply."""
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True)
        return text

    def sample(self, requests: Sequence[SamplingRequest]) -> list[Completion]:
        """The replies to prompts, in their order; prompts of similar length share a batch.

        A reply depends on its own request alone, up to the rounding of sums, which differs with the
        shape of a batch.
        """
        completions: dict[int, Completion] = {}
        for batch in _batches([len(request.prompt) for request in requests]):
            found = self.sample_batch([requests[row] for row in batch])
            completions.update(zip(batch, found, strict=True))
        return [completions[row] for row in range(len(requests))]

    def sample_batch(self, requests: Sequence[SamplingRequest]) -> list[Completion]:
        """The same in one batch, padded on the left."""
        width = max(len(request.prompt) for request in requests)
        pad = self._tokenizer.pad_token_id or 0
        pads = [width - len(request.prompt) for request in requests]
        rows = [[pad] * n + [*r.prompt] for n, r in zip(pads, requests, strict=True)]
        mask = [[0] * n + [1] * (width - n) for n in pads]
        # What is not given here would be taken from the file that came with the model.
        config = GenerationConfig(
            max_new_tokens=max(request.max_new_tokens for request in requests),
            eos_token_id=self.eos_token_ids,
            pad_token_id=pad,
            do_sample=False,
            num_beams=1,
            repetition_penalty=1.0,
            no_repeat_ngram_size=0,
        )
        sequences = self._model.generate(
            torch.tensor(rows, device=self.device),
            attention_mask=torch.tensor(mask, device=self.device),
            generation_config=config,
            logits_processor=[RowSampling(self, requests, width)],
        )
        replies = sequences[:, width:].tolist()
        return [self._cut(*each) for each in zip(replies, requests, strict=True)]

    def _cut(self, ids: list[int], request: SamplingRequest) -> Completion:
        """A row of the batch without what follows the end of its reply."""
        ids = ids[: request.max_new_tokens]
        end = next((at for at, token in enumerate(ids) if token in self.eos_token_ids), None)
        return Completion(ids if end is None else ids[: end + 1], end is not None)


class RowSampling(LogitsProcessor):
    """Makes the highest score of each row its next token, by the row's own sampling parameters.

    Drawing is the Gumbel-max trick, so greedy decoding of what comes out of here is sampling.
    """

    def __init__(self, sampler: Sampler, requests: Sequence[SamplingRequest], start: int) -> None:
        """Prepare a batch.

        Args:
            sampler: has the tokenizer.
            requests: a row each.
            start: place of the first token of the replies.
        """
        self._sampler, self._start = sampler, start
        self._active = dict(enumerate(requests))
        self._generators = [
            torch.Generator(sampler.device).manual_seed(request.seed) for request in requests
        ]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Scores of shape (rows, tokens) of the vocabulary."""
        written = input_ids.shape[1] - self._start
        for row, request in list(self._active.items()):
            is_over = written and int(input_ids[row, -1]) in self._sampler.eos_token_ids
            if is_over or written >= request.max_new_tokens:
                del self._active[row]
                continue
            if request.temperature:
                noise = torch.empty_like(scores[row])
                noise.exponential_(generator=self._generators[row])
                scores[row] = scores[row] / request.temperature - noise.log()
            if request.pattern is not None:
                token = self._allowed(input_ids[row, self._start :].tolist(), scores[row], request)
                scores[row] = -torch.inf
                scores[row, token] = 0.0
        return scores

    def _allowed(self, reply: list[int], scores: Any, request: SamplingRequest) -> int:
        """The token of the highest score among those that a match can go on with."""
        best = int(scores.argmax())
        if self._fits(reply, best, request):
            return best
        order = scores.argsort(descending=True).tolist()
        fitting = (token for token in order[1:] if self._fits(reply, token, request))
        return next(fitting, self._sampler.eos_token_ids[0])

    def _fits(self, reply: list[int], token: int, request: SamplingRequest) -> bool:
        before = self._sampler.decode(reply)
        if token in self._sampler.eos_token_ids:
            return request.pattern.fullmatch(before, timeout=_MATCH_TIMEOUT_S) is not None
        text = self._sampler.decode([*reply, token])
        partial = request.pattern.fullmatch(text, partial=True, timeout=_MATCH_TIMEOUT_S)
        return text != before and partial is not None


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows that share a batch: by length, the longest first."""
    order = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    while order:
        count = max(1, _BATCH_TOKENS // max(1, lengths[order[0]]))
        yield order[:count]
        order = order[count:]
