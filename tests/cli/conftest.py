"""The command line in this process, in an empty folder, and a small scene to give it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from earsim.cli import app

Earsim = Callable[..., Any]

SCENE = """\
schema: earsim.scene/1
id: hut
rooms:
  - {id: hall, name: "[red]Hall[/red]", connects: [loft]}
  - {id: loft, name: Loft}
objects:
  - {id: chest, name: Chest, kind: furniture, in: hall, mass_kg: 30}
  - {id: lamp, name: "Lamp :skull:", kind: item, on: chest, mass_kg: 1, states: {is_on: false}}
  - {id: piano, name: Piano, kind: item, in: loft, mass_kg: 60}
tasks:
  - id: light
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: lamp, state: is_on}}]}
    instruction: "Light the [bold]lamp[/bold]."
    budget: 6
    walkthrough: [EXPLORE, GOTO lamp, TURN_ON lamp]
  - id: carry
    category: implicit_collaboration
    agents: [{id: eva, name: Eva, max_mass_kg: 40}, {id: tom, name: Tom, max_mass_kg: 40}]
    goal: {all: [{inside_room: {object: piano, room: hall}}]}
    instruction: "Bring the piano to the hall."
    budget: 12
    walkthrough:
      - {eva: GOTO loft, tom: GOTO loft}
      - {eva: EXPLORE, tom: EXPLORE}
      - {eva: GOTO piano, tom: GOTO piano}
      - {eva: CORP_GRAB piano, tom: CORP_GRAB piano}
      - {eva: CORP_GOTO hall, tom: CORP_GOTO hall}
      - {eva: CORP_PLACE piano in hall, tom: CORP_PLACE piano in hall}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder; wide, so that no table is broken."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.fixture
def earsim(here: Path) -> Earsim:
    """Run `earsim` with arguments; the result has `exit_code`, `stdout` and `stderr`."""
    runner = CliRunner()

    def run(*args: object) -> Any:
        result = runner.invoke(app, [str(arg) for arg in args])
        expected = result.exception is None or isinstance(result.exception, SystemExit)
        assert expected, repr(result.exception)
        return result

    return run


@pytest.fixture
def scene(here: Path) -> Path:
    """A scene file with a task for one and a task for two."""
    path = here / "hut.yaml"
    path.write_text(SCENE, encoding="utf-8")
    return path
