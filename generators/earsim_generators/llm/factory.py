"""From what a command line or a notebook gives to a pipeline that is ready to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from earsim.errors import FileError, Finding, UsageError
from earsim.evaluation.runs.sweep import Price
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim_generators.llm.folder import WritingFolder
from earsim_generators.llm.pipeline import Pipeline
from earsim_generators.llm.settings import ServerSettings, WritingSettings
from earsim_generators.llm.stage import Stage
from earsim_generators.llm.texts import read_texts

_PRICES = ("input", "output", "cached_input")


def open_pipeline(
    out: Path,
    *,
    models: Sequence[str],
    writing: Mapping[str, Any],
    serving: Mapping[str, Any],
    texts: Path | None = None,
    prices: Sequence[str] = (),
) -> Pipeline:
    """A pipeline that writes into a folder; nothing is asked or written yet.

    Args:
        out: the folder.
        models: one for each stage.
        writing: further fields of `WritingSettings`.
        serving: fields of `ServerSettings`; those that are None are left at their defaults.
        texts: a folder of text seeds; ours when None.
        prices: ``[MODEL=]IN,OUT[,CACHED]`` of a million tokens.

    Raises:
        UsageError: Something makes no sense.
        FileError: The texts cannot be read.
    """
    asked = {**writing, "models": dict(zip(Stage, models, strict=True))}
    told = {key: value for key, value in serving.items() if value is not None}
    return Pipeline(
        _validated(asked, WritingSettings),
        _validated(told, ServerSettings),
        WritingFolder(out),
        texts=read_texts(texts),
        prices=dict(map(_price, prices)),
    )


def _validated(data: dict[str, Any], model: Any) -> Any:
    try:
        return validated(Document("the settings", data), model)
    except FileError as error:
        raise UsageError(str(error)) from None


def _price(text: str) -> tuple[str, Price]:
    """A price with its model; without a name it is that of every model that has none."""
    model, _, numbers = text.rpartition("=")
    try:
        values = [float(number) for number in numbers.split(",")]
        if not 2 <= len(values) <= len(_PRICES):
            raise FileError(text, [Finding(text, "", f"{len(values)} numbers")])
        data = dict(zip(_PRICES, values, strict=False))
        return model, validated(Document("the price", data), Price)
    except (ValueError, FileError):
        raise UsageError(f"price {text}: expected [MODEL=]IN,OUT[,CACHED]") from None
