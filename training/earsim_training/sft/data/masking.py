"""Which tokens carry loss: those of the agent's replies, and the one that ends each of them.

The replies are found in the text that the chat template makes, and the tokens by their places in
that text. So the tokens that are learned are exactly those that a model writes when it is asked:
neither the head of its turn, nor an empty block of thoughts that a template puts there, nor the
line break after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from earsim.errors import UsageError

IGNORED = -100
"""The label of tokens without loss."""

Message = Mapping[str, str]


class TaughtConversation(NamedTuple):
    """Messages, and which replies among them are taught.

    Attributes:
        taught: for each message of the assistant, in order.
    """

    messages: Sequence[Message]
    taught: Sequence[bool]


class Encoded(NamedTuple):
    """A row as numbers: `labels` are the ids, or `IGNORED`."""

    ids: list[int]
    labels: list[int]

    @property
    def supervised(self) -> int:
        """Tokens that carry loss."""
        return sum(label != IGNORED for label in self.labels)


class CharSpan(NamedTuple):
    """Characters from `start` up to `end`."""

    start: int
    end: int


def conversation_of(row: Mapping[str, Any]) -> TaughtConversation:
    """A row of either form as a conversation.

    A row of the form `decisions` teaches its completion and nothing else.
    """
    if "messages" in row:
        messages = row["messages"]
        replies = sum(message["role"] == "assistant" for message in messages)
        taught = row.get("supervised")
        return TaughtConversation(messages, [True] * replies if taught is None else taught)
    before = sum(message["role"] == "assistant" for message in row["prompt"])
    taught = [False] * before + [True] * len(row["completion"])
    return TaughtConversation([*row["prompt"], *row["completion"]], taught)


def encode(
    tokenizer: Any, conversations: Iterable[TaughtConversation], template: str | None = None
) -> Iterator[Encoded]:
    """Conversations as numbers, in their order.

    Args:
        tokenizer: with a chat template.
        conversations: as many as fit into memory.
        template: to use instead of the tokenizer's own.

    Raises:
        UsageError: The template changes a reply, so that it cannot be found in the text.
    """
    conversations = list(conversations)
    texts = [
        tokenizer.apply_chat_template(list(each.messages), tokenize=False, chat_template=template)
        for each in conversations
    ]
    if not texts:
        return
    found = tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True)
    specials = frozenset(tokenizer.all_special_ids) | frozenset(
        id for id, token in tokenizer.added_tokens_decoder.items() if token.special
    )
    rows = zip(conversations, texts, found["input_ids"], found["offset_mapping"], strict=True)
    for each, text, ids, offsets in rows:
        yield Encoded(ids, _labels(ids, offsets, _replies(each, text), specials))


def _replies(conversation: TaughtConversation, text: str) -> list[CharSpan]:
    """Where the replies that are taught stand in the text, in order."""
    spans, cursor = [], 0
    taught = iter(conversation.taught)
    for message in conversation.messages:
        content = message["content"].strip()
        start = text.find(content, cursor)
        is_reply = message["role"] == "assistant"
        if start < 0:
            if is_reply:
                raise UsageError(
                    "the chat template changes what the assistant says, so its replies cannot be "
                    "found in the text; use another with data.template"
                )
            continue  # a template may leave a system message out
        cursor = start + len(content)
        if is_reply and next(taught) and content:
            spans.append(CharSpan(start, cursor))
    return spans


def _labels(
    ids: Sequence[int],
    offsets: Sequence[tuple[int, int]],
    spans: Sequence[CharSpan],
    specials: frozenset[int],
) -> list[int]:
    """The ids of tokens within the spans and of the special token after each; the rest ignored."""
    labels = [IGNORED] * len(ids)
    at = 0
    for span in spans:
        while at < len(ids) and offsets[at][1] <= span.start:
            at += 1
        while at < len(ids) and offsets[at][0] < span.end:
            labels[at] = ids[at]
            at += 1
        if at < len(ids) and ids[at] in specials:
            labels[at] = ids[at]
    return labels


class TokenSpan(NamedTuple):
    """Tokens in a row, all learned or all read."""

    ids: list[int]
    learned: bool


def token_spans(ids: Sequence[int], learned: Sequence[object]) -> list[TokenSpan]:
    """Tokens, cut where loss begins and ends."""
    pairs = groupby(zip(ids, map(bool, learned), strict=True), key=itemgetter(1))
    return [TokenSpan([id for id, _ in group], is_learned) for is_learned, group in pairs]
