"""A tokenizer made from the rows, for models from scratch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from earsim_training.sft.data.chat_template import SMALL, SMALL_TOKENS
from earsim_training.sft.data.corpus import Row

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
    from transformers import PreTrainedTokenizerFast

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
        special_tokens=list(SMALL_TOKENS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    words.train_from_iterator(_texts(rows), trainer)
    end, pad, *_ = SMALL_TOKENS
    made = PreTrainedTokenizerFast(
        tokenizer_object=words,
        eos_token=end,
        pad_token=pad,
        additional_special_tokens=list(SMALL_TOKENS[2:]),
        clean_up_tokenization_spaces=False,
    )
    made.chat_template = SMALL
    made.save_pretrained(folder)
    return load_tokenizer(folder)


def load_tokenizer(path: str | Path) -> Any:
    """A tokenizer that was saved, or one of the hub."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(path)


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
