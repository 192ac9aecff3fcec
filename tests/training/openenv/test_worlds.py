"""What a server plays, and what it says when something is wrong; all of it without OpenEnv."""

import socket
import subprocess
import sys

import pytest
from gymnasium.utils import seeding

from earsim.envs import OmniEAREnv
from earsim.errors import UnknownName, UsageError
from earsim_training.openenv import __main__ as program
from earsim_training.openenv import server
from earsim_training.openenv.worlds import Worlds, WorldSettings
from tests.training.exported import flat

NO_OPENENV = "import sys; sys.modules['openenv'] = None; "


def worlds(folder, **settings):
    return Worlds(WorldSettings(suite=str(flat(folder)), **settings))


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_the_tasks_for_one_agent_are_played(tmp_path):
    assert worlds(tmp_path).ids == ("flat/cup", "flat/wash")
    assert worlds(tmp_path, category="tool_use").ids == ("flat/wash",)


def test_a_seed_draws_what_the_gymnasium_environment_draws(tmp_path):
    made = worlds(tmp_path)
    env = OmniEAREnv(suite=made.settings.suite)
    for seed in range(12):
        chance, _ = seeding.np_random(seed)
        assert made.draw(chance) == env.reset(seed=seed)[1]["scenario_id"]


@pytest.mark.parametrize(
    ("settings", "error", "told"),
    [
        ({"suite": "statrer"}, UnknownName, "did you mean 'starter'"),
        ({"ruleset": "phisical"}, UnknownName, "did you mean 'physical'"),
        ({"category": "direct"}, UnknownName, "unknown category 'direct'"),
        ({"category": "implicit_collaboration"}, UsageError, "for one agent"),
        ({"observation": "graph"}, UsageError, "observation='graph'"),
        ({"reward": "dense"}, UsageError, "reward='dense'"),
        ({"budget": 0}, UsageError, "budget=0"),
    ],
)
def test_wrong_settings_are_told_before_a_server_starts(tmp_path, settings, error, told):
    with pytest.raises(error, match=told):
        Worlds(WorldSettings(**{"suite": str(flat(tmp_path)), **settings}))


@pytest.mark.parametrize("id", ["flat/cups", "flat/safe", "flat.yaml", "/etc/passwd", ""])
def test_an_id_is_an_id_of_the_suite_and_never_a_path(tmp_path, id):
    with pytest.raises(UnknownName, match="scenario for one agent"):
        worlds(tmp_path).env(id)


def test_a_port_that_is_taken_is_told_in_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(UsageError) as told:
            server._listening("127.0.0.1", port)
    assert str(told.value) == (
        f"cannot listen at 127.0.0.1, port {port}: it is taken; choose another --port"
    )


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.1", -1), ("127.0.0.1", 70_000), ("192.0.2.1", 0), ("no host", 0)]
)
def test_an_address_that_is_none_of_ours_is_told(host, port):
    with pytest.raises(UsageError, match=r"listen|--port"):
        server._listening(host, port)


@pytest.mark.parametrize("sessions", ["0", "-3"])
def test_a_server_has_at_least_one_session(sessions):
    with pytest.raises(UsageError, match="--sessions"):
        program.run(["--sessions", sessions])


def test_an_unknown_suite_ends_the_program():
    with pytest.raises(UnknownName, match=r"^unknown suite 'statrer'; did you mean 'starter'\?$"):
        program.run(["--suite", "statrer"])


def test_without_the_extra_one_sentence_says_what_to_install():
    ran = python(
        NO_OPENENV + "import runpy; sys.argv = ['openenv']; "
        "runpy.run_module('earsim_training.openenv', run_name='__main__')"
    )
    assert (ran.returncode, ran.stderr) == (
        2,
        "error: openenv is not installed; run: pip install 'earsim[openenv]'\n",
    )


def test_without_the_extra_an_import_says_so_too():
    ran = python(NO_OPENENV + IMPORTS)
    told = "MissingExtra: openenv is not installed"
    assert [told in line for line in ran.stdout.splitlines()] == [True] * 3, ran.stderr


IMPORTS = """
import importlib
for name in ("client", "environment", "models"):
    try:
        importlib.import_module(f"earsim_training.openenv.{name}")
        print(name, "was imported")
    except Exception as error:
        print(type(error).__name__, error, sep=": ")
"""


def test_the_address_is_the_loopback_unless_told_otherwise():
    assert program._parser().parse_args([]).host == "127.0.0.1"
