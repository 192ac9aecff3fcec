"""A tokenizer made from the rows, with a chat template of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from earsim_training.sft.data.corpus import Row

CHAT_TEMPLATE = (
    "{% for m in messages %}"
    "{% if m['role'] == 'assistant' %}<|assistant|>"
    "{% generation %}{{ m['content'] }}<|end|>{% endgeneration %}"
    "{% elif m['content'] %}<|{{ m['role'] }}|>{{ m['content'] }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
"""One token at the head of a message, one after a reply."""

SPECIAL_TOKENS = ("<|end|>", "<|pad|>", "<|system|>", "<|user|>", "<|assistant|>")

_PIECES = r"[ _]?[A-Za-z]+|_?[0-9]| ?[^\sA-Za-z0-9_]+|_|\s+"
"""How text is cut before pairs are merged: an id such as `guest_book_2` falls into its words, each
with the mark before it, and digits stand alone. No piece spans two words, so ids made of unknown
words are spelled with the same pieces wherever they stand."""


def train_tokenizer(rows: Iterable[Row], vocabulary: int, folder: Path) -> Any:
    """Make a byte-level BPE tokenizer and save it.

    Args:
        rows: whose texts it is made from.
        vocabulary: most tokens.
        folder: where it is saved.

    Returns:
        The tokenizer as it is read back: what is saved is what counts.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL_TOKENS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    words.train_from_iterator(_texts(rows), trainer)
    end, pad, *_ = SPECIAL_TOKENS
    made = PreTrainedTokenizerFast(
        tokenizer_object=words,
        eos_token=end,
        pad_token=pad,
        additional_special_tokens=list(SPECIAL_TOKENS[2:]),
        clean_up_tokenization_spaces=False,
    )
    made.chat_template = CHAT_TEMPLATE
    made.save_pretrained(folder)
    return AutoTokenizer.from_pretrained(folder)


def _texts(rows: Iterable[Row]) -> Iterator[str]:
    """Every text once: rows of one episode repeat each other."""
    seen: set[int] = set()
    for row in rows:
        for message in (
            *row.get("messages", ()),
            *row.get("prompt", ()),
            *row.get("completion", ()),
        ):
            text = message["content"]
            mark = hash(text)
            if mark not in seen:
                seen.add(mark)
                yield text
