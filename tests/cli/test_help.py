"""Every command says what it does and how it is typed, and one version is told everywhere."""

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import earsim.cli
from earsim.cli.app import GROUPS
from earsim_generators.presets import PRESETS

PLACES = {name: place for names in GROUPS.values() for name, place in names.items()}
IMPORTED = """
import json, sys
from earsim.cli import app
try:
    app([sys.argv[1], "--help"])
except SystemExit:
    print(json.dumps([name for name in sys.modules if name.startswith("earsim.cli.")]))
"""


def test_no_arguments_show_the_commands(earsim):
    shown = earsim().output
    assert all(name in shown for name in PLACES)


def test_commands_are_told_in_groups(earsim):
    shown = earsim("--help").output
    places = [shown.index(f" {group} ") for group in GROUPS]
    assert places == sorted(places)
    assert shown.index(" Scenes ") < shown.index(" validate ") < shown.index(" Proofs ")


@pytest.mark.parametrize("command", PLACES)
def test_help_has_examples(earsim, command):
    result = earsim(command, "--help")
    assert result.exit_code == 0
    assert f"earsim {command}" in result.stdout.partition("Examples:")[2]


def test_every_preset_is_named(earsim):
    told = earsim("generate", "--help").stdout
    assert all(re.search(rf"\b{name}\b", told) for name in PRESETS)


def test_version(earsim):
    assert earsim("--version").stdout == f"earsim {version('earsim')}\n"


def test_every_module_of_a_command_has_a_name():
    home = Path(earsim.cli.__file__).parent
    told = {
        path.relative_to(home).with_suffix("").as_posix().replace("/", ".")
        for path in home.rglob("*.py")
        if path.name != "app.py"
        and ("\ndef command(" in (text := path.read_text()) or "\napp = " in text)
    }
    assert told == set(PLACES.values())


def test_only_the_command_that_is_asked_for_is_imported():
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, "schema"], capture_output=True, text=True, check=True
    )
    imported = {
        name.removeprefix("earsim.cli.") for name in json.loads(done.stdout.splitlines()[-1])
    }
    assert imported & set(PLACES.values()) == {"scenes.schema"}
