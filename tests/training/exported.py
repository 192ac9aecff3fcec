"""What tests of exports and of training on them share: a small scene, and its rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from earsim.schema.files.load import load_scenarios
from earsim_training.export.card import ExportCounts
from earsim_training.export.exporter import Export
from earsim_training.export.settings import ExportSettings

FLAT = """\
schema: earsim.scene/1
id: {id}
perceived_by: {{mass_kg: seen}}
rooms:
  - {{id: kitchen, name: Kitchen, connects: [hall]}}
  - {{id: hall, name: Hall, connects: [cellar]}}
  - {{id: cellar, name: Cellar}}
objects:
  - {{id: table, name: Table, kind: furniture, in: kitchen, mass_kg: 20}}
  - {{id: chest, name: Chest, kind: furniture, in: hall, mass_kg: 30, container: {{}},
     states: {{is_open: false}}}}
  - {{id: cup, name: Cup, kind: item, in: chest, mass_kg: 0.3, states: {{is_dirty: true}}}}
  - {{id: rag, name: Rag, kind: item, in: cellar, mass_kg: 0.1, provides: [clean]}}
  - {{id: safe, name: Safe, kind: item, in: cellar, mass_kg: 70}}
abilities: [open, close, clean]
tasks:
  - id: cup
    category: direct_command
    agents: [{{id: ada, name: Ada, max_mass_kg: 40, hands: 2}}]
    goal: {{all: [{{at: {{object: cup, on: table}}}}]}}
    instruction: "Put the cup on the table."
    budget: 30
  - id: wash
    category: tool_use
    agents: [{{id: ada, name: Ada, max_mass_kg: 40, hands: 2}}]
    goal: {{all: [{{has_state: {{object: cup, state: is_dirty, equals: false}}}}]}}
    instruction: "Clean the cup."
    budget: 40
  - id: safe
    category: implicit_collaboration
    agents: [{{id: ada, name: Ada, max_mass_kg: 40, hands: 2}},
             {{id: ben, name: Ben, max_mass_kg: 40, hands: 2}}]
    goal: {{all: [{{inside_room: {{object: safe, room: kitchen}}}}]}}
    instruction: "Bring the safe to the kitchen."
    budget: 40
"""


def flat(folder: Path, *ids: str) -> Path:
    """A suite of such scenes, one file each."""
    home = folder / "flats"
    home.mkdir(exist_ok=True)
    for id in ids or ("flat",):
        (home / f"{id}.yaml").write_text(FLAT.format(id=id), encoding="utf-8")
    return home


def scenario(folder: Path, task: str) -> Any:
    """One of its scenarios."""
    return scenario_of(flat(folder), task)


def scenario_of(home: Path, task: str) -> Any:
    """One of the scenarios of a suite that has been written already."""
    found = load_scenarios(home / "flat.yaml")
    return next(each for each in found if each.id == f"flat/{task}")


def export(source: object, folder: Path, **settings: Any) -> ExportCounts:
    """An export in this process, as JSON lines."""
    made = Export(str(source), ExportSettings.model_validate(settings), folder, formats=["jsonl"])
    for _ in made.run(jobs=1):
        pass
    return made.tally


def rows(folder: Path, form: str = "decisions", split: str = "train") -> list[dict[str, Any]]:
    """What an export holds."""
    path = folder / form / f"{split}.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def replies(folder: Path) -> list[str]:
    """What is learned in decisions."""
    return [row["completion"][0]["content"] for row in rows(folder)]
