"""What the tests of GRPO share: a hall with a lamp, and a model of a few thousand numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from earsim_training.export.settings import PromptSettings
from earsim_training.grpo.recipe import GrpoRecipe
from earsim_training.grpo.tasks import Tasks
from tests.training.sft.tokenizers_of import SPECIALS, tokenizer
from tests.training.sft.trained import model

SCENE = """\
schema: earsim.scene/1
id: lodge
rooms:
  - {id: hall, name: Hall}
objects:
  - {id: shelf, name: Shelf, kind: furniture, in: hall, mass_kg: 30}
  - {id: lamp, name: Lamp, kind: item, on: shelf, mass_kg: 1, states: {is_on: false}}
  - {id: fan, name: Fan, kind: item, on: shelf, mass_kg: 1, states: {is_on: false}}
tasks:
  - id: lamp
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: lamp, state: is_on}}]}
    instruction: "Turn on the lamp."
    budget: 12
    walkthrough: [EXPLORE, GOTO lamp, TURN_ON lamp]
  - id: both
    category: tool_use
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: lamp, state: is_on}},
                 {has_state: {object: fan, state: is_on}}]}
    instruction: "Turn on the lamp and the fan."
    budget: 12
    walkthrough: [EXPLORE, GOTO lamp, TURN_ON lamp, GOTO fan, TURN_ON fan]
  - id: team
    category: implicit_collaboration
    agents: [{id: eva, name: Eva, max_mass_kg: 20}, {id: tom, name: Tom, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: lamp, state: is_on}}]}
    instruction: "Turn on the lamp."
    budget: 12
    walkthrough: [{eva: EXPLORE, tom: EXPLORE}, {eva: GOTO lamp}, {eva: TURN_ON lamp}]
"""

PROMPT = Path(__file__).parents[3] / "training/earsim_training/recipes/tiny-chat-prompt.md"
TELLING = {"style": "compact-chat", "prompt": str(PROMPT)}
SHAPE = {"layers": 1, "width": 32, "heads": 2, "inner": 64, "vocabulary": 400, "positions": 512}

TOLD = {
    "reward", "success", "progress", "step_cost", "design", "spread", "groups_without_spread",
    "decisions", "unread", "refused", "left", "loss", "seconds",
}  # fmt: skip
"""What is written down of every update."""


def suite(folder: Path) -> Path:
    """The scene as a suite."""
    home = folder / "lodge"
    home.mkdir(exist_ok=True)
    (home / "lodge.yaml").write_text(SCENE, encoding="utf-8")
    return home


def fields(folder: Path, **changes: Any) -> dict[str, Any]:
    """A recipe as it stands in a file; a change of a section is put into it."""
    made: dict[str, Any] = {
        "schema": "earsim.grpo/1",
        "name": "toy",
        "model": {"path": str(folder / "model")},
        "playing": {
            "suite": str(suite(folder)),
            "category": "direct_command",
            "num_generations": 4,
            "turns": 4,
            "end_on": "goal",
            "reply_tokens": 8,
        },
        "telling": dict(TELLING),
        "rewards": {"success": 1.0, "progress": 0.5, "step_cost": 0.01},
        "optimisation": {
            "max_steps": 2,
            "batch": 8,
            "per_device_train_batch_size": 4,
            "learning_rate": 1e-3,
            "bf16": False,
            "gradient_checkpointing": False,
            "threads": 1,
        },
    }
    for section, change in changes.items():
        there = made.get(section)
        is_section = isinstance(there, dict) and isinstance(change, dict)
        made[section] = {**there, **change} if is_section else change
    return made


def recipe(folder: Path, **changes: Any) -> GrpoRecipe:
    """The same, read."""
    return GrpoRecipe.model_validate(fields(folder, **changes), by_alias=True)


def tasks(folder: Path, **playing: Any) -> Tasks:
    """What such a recipe plays."""
    how = recipe(folder, playing=playing)
    return Tasks(how.playing, PromptSettings(**TELLING), seed=0)


def metrics(folder: Path) -> list[dict[str, Any]]:
    """What a run wrote down, a line for each update."""
    lines = map(json.loads, (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    return [line for line in lines if "loss" in line]


def small_model(folder: Path) -> Any:
    """A random model with the template of models from scratch, saved in a folder."""
    texts = [
        "Action: EXPLORE",
        "Action: GOTO lamp",
        "Action: TURN_ON lamp",
        "Here: hall\nAgent eva",
    ]
    rows = [{"prompt": [{"role": "user", "content": text}]} for text in texts * 3]
    return model(folder, rows, seed=4, **SHAPE | {"vocabulary": 330})


def tool_model(folder: Path, template: str = "qwen3") -> Any:
    """A random model with a template that shows tools, saved in a folder."""
    from earsim_training.sft.checkpoint import load
    from tiny_model.model import Shape, new_model

    tokens = tokenizer(template)
    tokens.save_pretrained(folder)
    shape = {**SHAPE, "positions": 4_096}
    new_model(Shape(**shape), tokens, seed=4).save_pretrained(folder)
    assert SPECIALS[template]
    return load(folder)


def warm_model(folder: Path, *, steps: int) -> Path:
    """A model from scratch that has seen a few demonstrations of the first task."""
    from earsim_training.sft.data.corpus import read_corpus
    from earsim_training.sft.recipe import DataSettings, SftRecipe
    from earsim_training.sft.training import Training
    from tests.training.exported import export

    export(
        suite(folder),
        folder / "rows",
        telling=TELLING,
        demonstrating={"policy": "walkthrough", "perturb": 0.4, "repeats": 12},
        choosing={"categories": ["direct_command"]},
        forms=["episodes"],
    )
    data = DataSettings(path=str(folder / "rows"), form="episodes")
    model(folder / "start", read_corpus(data).train, **SHAPE)
    made = {
        "schema": "earsim.sft/1",
        "name": "warm",
        "data": {"path": str(folder / "rows"), "form": "episodes", "context": 512},
        "model": {"path": str(folder / "start")},
        "optimisation": {
            "max_steps": steps,
            "batch": 8,
            "per_device_train_batch_size": 8,
            "learning_rate": 1e-2,
            "bf16": False,
            "gradient_checkpointing": False,
            "threads": 1,
        },
    }
    training = Training(SftRecipe.model_validate(made, by_alias=True), folder / "warm")
    return training.run(lambda told: None)
