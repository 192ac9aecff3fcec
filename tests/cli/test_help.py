"""Every command says what it does and how it is typed, and one version is told everywhere."""

from importlib.metadata import version

import pytest

from earsim.cli.app import GROUPS, app

COMMANDS = [command.name for command in app.registered_commands]


def test_no_arguments_show_the_commands(earsim):
    shown = earsim().output
    assert all(name in shown for name in COMMANDS)


def test_commands_are_told_in_groups(earsim):
    shown = earsim("--help").output
    places = [shown.index(f" {group} ") for group in GROUPS]
    assert places == sorted(places)
    assert shown.index(" Scenes ") < shown.index(" validate ") < shown.index(" Proofs ")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(earsim, command):
    result = earsim(command, "--help")
    assert result.exit_code == 0
    assert f"earsim {command}" in result.stdout.partition("Examples:")[2]


def test_version(earsim):
    assert earsim("--version").stdout == f"earsim {version('earsim')}\n"
