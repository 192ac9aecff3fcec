"""The card of a trained model: what it is, what it was made from, how, and how well it does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from earsim_training.sft.models.checkpoint import CheckpointFacts

CARD = "README.md"

NEW_START = "../start"
"""Where a run keeps a model of random weights that it began with, seen from its last model."""

_WAYS = {
    "earsim.sft/1": ("sft", "by imitation of demonstrations in EAR-Sim, with `earsim train sft`"),
    "earsim.grpo/1": ("grpo", "by reinforcement in EAR-Sim, with `earsim train grpo`"),
}
"""By the schema of the recipe: a tag, and a sentence's end."""


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
