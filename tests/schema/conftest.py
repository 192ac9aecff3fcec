"""A small clinic, as a file and as pieces to break."""

from collections.abc import Callable
from pathlib import Path

import pytest

from earsim.errors import FileError
from earsim.schema import parse

CLINIC = """\
schema: earsim.scene/1
id: clinic_night
title: Night shift
rooms:
  - {id: ward, name: Ward, area_m2: 40}
  - {id: store, name: Store room, temperature_c: 8, attributes: {lighting: dim}, connects: [ward]}
doors:
  - {id: store_door, between: [ward, store], states: {is_locked: true}, key: brass_key}
objects:
  - {id: trolley, name: Steel trolley, kind: furniture, in: ward, mass_kg: 38, container: {}}
  - {id: brass_key, kind: item, on: trolley, mass_kg: 0.03}
  - {id: oxygen_a, name: Oxygen, kind: item, in: store, mass_kg: 64, pressure_bar: 90}
  - {id: oxygen_b, name: Oxygen, kind: item, in: ward, mass_kg: 66, pressure_bar: 150}
abilities: [open, close]
tasks:
  - id: move_fullest
    category: implicit_collaboration
    agents: [{id: porter, in: ward, max_mass_kg: 45}, {id: nurse, max_mass_kg: 40, hands: 1}]
    select: {target: {largest: pressure_bar, among: {name: Oxygen}}}
    goal: {all: [{inside_room: {object: $target, room: ward}}]}
    instruction: "Bring the {target} to the {ward}."
    walkthrough:
      - {porter: GOTO store, nurse: EXPLORE}
"""


@pytest.fixture
def clinic() -> str:
    return CLINIC


@pytest.fixture
def clinic_file(tmp_path: Path) -> Path:
    path = tmp_path / "clinic_night.yaml"
    path.write_text(CLINIC, encoding="utf-8")
    return path


@pytest.fixture
def findings_after() -> Callable[[str, str], list[str]]:
    """Findings of the clinic after one piece of its text is replaced."""

    def change(old: str, new: str) -> list[str]:
        assert old in CLINIC
        try:
            parse(CLINIC.replace(old, new, 1), source="clinic.yaml")
        except FileError as error:
            return [str(finding) for finding in error.findings]
        return []

    return change
