"""A trained model as a folder: weights, tokenizer, what it was made from, how it is asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field

from earsim.atomic import write_atomically
from earsim.errors import FileError, Finding, UsageError
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.model import FileModel
from earsim_training.export.settings import PromptSettings

FACTS = "earsim.json"

CARD = "README.md"

NEW_START = "../start"
"""Where a run keeps a model of random weights that it began with, seen from its last model."""

_WAYS = {
    "earsim.sft/1": ("sft", "by imitation of demonstrations in EAR-Sim, with `earsim train sft`"),
    "earsim.grpo/1": ("grpo", "by reinforcement in EAR-Sim, with `earsim train grpo`"),
    "earsim.ttrl/1": ("ttrl", "by answering open questions, with `earsim train ttrl`"),
}
"""By the schema of the recipe: a tag, and a sentence's end."""


class CheckpointFacts(FileModel):
    """What EAR-Sim knows about a checkpoint.

    Attributes:
        name: Of the recipe.
        data: Hash of the rows it was made from.
        recipe: As it was resolved.
        rows: The report on the rows.
        telling: How it was asked, and so must be asked again; None where nobody has noted it.
        start: Folder or name of the model before training, relative to this folder if it is one.
        reply_tokens: Longest reply that was learned, in tokens.
        scores: What `earsim train eval` found, in its order.
        versions: Of the libraries.
    """

    schema_: Literal["earsim.checkpoint/1"] = Field(
        default="earsim.checkpoint/1", validation_alias="schema", serialization_alias="schema"
    )
    name: str
    data: str = ""
    recipe: dict[str, Any] = Field(default_factory=dict)
    rows: dict[str, int] = Field(default_factory=dict)
    telling: PromptSettings | None = None
    start: str | None = None
    reply_tokens: int = 64
    scores: tuple[dict[str, Any], ...] = ()
    versions: dict[str, str] = Field(default_factory=dict)


class LoadedModel(NamedTuple):
    """A model that is ready to write."""

    model: Any
    tokenizer: Any


def read_facts(folder: Path) -> CheckpointFacts | None:
    """What a folder says about its model; None for a model that was not trained here.

    Raises:
        FileError: It says something unreadable.
    """
    path = folder / FACTS
    if not path.is_file():
        return None
    return validated(parse_json(read_text(path), str(path)), CheckpointFacts)


def save_facts(facts: CheckpointFacts, folder: Path) -> None:
    """Write them; the file appears complete or not at all."""
    text = json.dumps(facts.model_dump(mode="json", by_alias=True), indent=2) + "\n"
    write_atomically(folder / FACTS, text)


def final_folder(path: Path) -> Path:
    """The folder with the weights: the one given, or `model` in the folder of a run.

    Raises:
        FileError: There is no model.
    """
    for folder in (path, path / "model"):
        if (folder / "config.json").is_file() or (folder / "adapter_config.json").is_file():
            return folder
    expected = "the folder of a run of `earsim train sft`, or of any transformers model"
    raise FileError(str(path), [Finding(str(path), "", "no model in it", expected)])


def facts_folder(home: Path) -> Path:
    """The folder that says what a model is: its own, or that of the one its run ended with."""
    beside = home.resolve().parent / "model"
    on_the_way = home.resolve().name.startswith("checkpoint-") and not (home / FACTS).is_file()
    return beside if on_the_way and (beside / FACTS).is_file() else home


def load(path: str | Path, **options: Any) -> LoadedModel:
    """A model with its tokenizer, for writing.

    Args:
        path: its folder.
        options: of transformers, for weights that are no adapter.

    Raises:
        UsageError: Weights, configuration and tokenizer do not belong together.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} has no usable tokenizer: {_first_line(error)}") from None
    model = _merged(path) if is_adapter(path) else load_weights(path, **options)
    rows = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise UsageError(
            f"{path}: the tokenizer has {len(tokenizer):,} tokens and the model {rows:,}: they are "
            "of different models"
        )
    return LoadedModel(model.eval(), tokenizer)


def load_weights(path: str | Path, **options: Any) -> Any:
    """The weights of a language model, all of them and no others.

    transformers fills what is missing with random numbers and only warns.

    Raises:
        UsageError: They are of another architecture than the configuration, or of another size.
    """
    from transformers import AutoModelForCausalLM

    try:
        model, info = AutoModelForCausalLM.from_pretrained(
            path, output_loading_info=True, **options
        )
    except (OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        raise UsageError(
            f"{path} cannot be loaded as a language model: {_first_line(error)}"
        ) from None
    for what in ("missing_keys", "mismatched_keys", "unexpected_keys"):
        odd = sorted(map(str, info.get(what) or ()))
        if odd:
            raise UsageError(
                f"{path}: the weights are of another architecture than its config.json says "
                f"({len(odd)} {what.replace('_', ' ')}, such as {odd[0]})"
            )
    return model


def eos_token_ids(model: Any, tokenizer: Any) -> list[int]:
    """Tokens that end a reply: the tokenizer's, and those of the model's generation config."""
    configured = getattr(model.generation_config, "eos_token_id", None)
    more = configured if isinstance(configured, list) else [configured]
    ids = [tokenizer.eos_token_id, *more]
    return list(dict.fromkeys(token for token in ids if token is not None))


def context_of(model: Any) -> int:
    """Tokens that a model can read and write in all."""
    return int(getattr(model.config, "max_position_embeddings", 2_048))


def weights_hash(folder: Path) -> str:
    """Of everything that decides what a model writes: two models under one name differ in it."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")) + sorted(folder.glob("tokenizer*.json")):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                digest.update(part)
    return digest.hexdigest()[:16]


def is_adapter(path: str | Path) -> bool:
    """Whether a folder holds low-rank adapters of another model."""
    return (Path(path) / "adapter_config.json").is_file()


def _merged(path: str | Path) -> Any:
    """An adapter put into the weights of its base model."""
    from peft import AutoPeftModelForCausalLM

    return AutoPeftModelForCausalLM.from_pretrained(path).merge_and_unload()


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def write_card(facts: CheckpointFacts, folder: Path) -> None:
    """Write the card of a model into its folder."""
    (folder / CARD).write_text("\n".join(_lines(facts)) + "\n", encoding="utf-8")


def _lines(facts: CheckpointFacts) -> Iterator[str]:
    model = facts.recipe.get("model", {})
    is_new = facts.start == NEW_START or "scratch" in model
    base = None if is_new else model.get("path")
    tag, way = _WAYS[facts.recipe.get("schema", "earsim.sft/1")]
    yield "---"
    yield "library_name: transformers"
    yield "pipeline_tag: text-generation"
    yield f"tags: [earsim, embodied-agents, text-world, {tag}]"
    if base:
        yield f"base_model: {base}"
    yield "---"
    yield ""
    yield f"# {facts.name}"
    yield ""
    yield f"Trained {way}."
    yield ""
    yield f"- made from: `{base}`" if base else "- made from: random weights"
    yield f"- data: hash `{facts.data}`"
    rows = facts.rows
    if rows:
        yield f"- {rows['rows']:,} rows, {rows['tokens']:,} tokens, {rows['supervised']:,} learned"
    if facts.telling is not None:
        told = facts.telling.model_dump(mode="json")
        words = ", ".join(f"{key} {value}" for key, value in told.items() if value is not None)
        yield f"- asked with: {words}"
    yield "- " + ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    yield ""
    yield from _scores(facts)
    yield "## Recipe"
    yield ""
    yield "```json"
    yield json.dumps(facts.recipe, indent=2)
    yield "```"


def _scores(facts: CheckpointFacts) -> Iterator[str]:
    yield "## Scores"
    yield ""
    if not facts.scores:
        yield "None yet; `earsim train eval` measures them."
        yield ""
        return
    yield "Success in percent, with the number of episodes."
    yield ""
    yield "| suite | category | model | replies | temperature | success | episodes |"
    yield "|---|---|---|---|---|---|---|"
    for score in facts.scores:
        share = "-" if score["success"] is None else f"{100 * score['success']:.1f}"
        how = (score["replies"], score.get("temperature", 0.0))
        cells = (score["suite"], score["category"], score["model"], *how, share)
        yield f"| {' | '.join(map(str, cells))} | {score['episodes']:,} |"
    yield ""
