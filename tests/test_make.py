"""The Makefile: what its targets would run, and what it says where it cannot."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def make(*args: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    return subprocess.run(
        ["make", "--no-print-directory", *args],
        cwd=ROOT,
        env=inherited,
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no checkout")
def test_what_commands_write_by_default_is_ignored_by_git():
    sources = (path.read_text("utf-8") for path in (ROOT / "earsim" / "cli").rglob("*.py"))
    folders = {found for text in sources for found in re.findall(r'(?:or|=) Path\("(\w+)"\)', text)}
    assert {"runs", "audits", "generated", "logs", "pddl"} <= folders
    command = ["git", "check-ignore", *(f"{folder}/" for folder in sorted(folders))]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert {line.rstrip("/") for line in told.split()} == folders


@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("demo", ".venv/bin/earsim demo"),
        ("test", 'pytest -q -n auto --dist worksteal -m "not slow"'),
        ("test-slow", "pytest -q -n auto --dist worksteal -m slow"),
        ("test-slow-compiled", '-o "pythonpath=. examples/tiny" -m slow'),
        ("test-training", 'pytest -q -n auto --dist worksteal tests/training -m "not slow"'),
        ("test-lowest", ".venv-lowest/bin/python -m pytest -q tests/training"),
        ("test-lowest", "--resolution lowest-direct -r pyproject.toml --extra train"),
        ("mutants", ".venv/bin/python -m tests.mutation"),
        ("check", "ruff format --check"),
        ("check", "-m mypy"),
        ("bench", ".venv/bin/python -m benchmarks"),
        ("docs", "mkdocs build --strict"),
    ],
)
def test_a_target_runs_its_command(target, command):
    assert command in make("-n", target).stdout


def test_what_tests_leave_in_caches_does_not_make_the_wheel_old(tmp_path):
    """Numba keeps what it compiled there, and a wheel takes minutes to build."""
    cache = tmp_path / "earsim" / "__pycache__"
    cache.mkdir(parents=True)
    for path in (cache / "compiled.py311.nbi", cache.parent / "engine.py"):
        path.touch()
    show = ["--eval", "packed: ; @echo $(PACKED)", "packed"]
    told = make("-s", "-f", str(ROOT / "Makefile"), "-C", str(tmp_path), *show).stdout
    assert told.split() == ["earsim/engine.py"]


def test_help_names_every_target():
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None
    assert set(re.findall(r"^  make (\S+)", make("help").stdout, re.MULTILINE)) == set(
        phony[1].split()
    )


def test_a_fresh_folder_gets_an_environment_and_an_install(tmp_path):
    commands = make("-n", "demo", f"VENV={tmp_path / 'new'}").stdout
    assert commands.index("-m venv") < commands.index("install --editable '.[dev]'")
    assert commands.index("install --editable '.[dev]'") < commands.index("earsim demo")


@pytest.mark.parametrize(
    ("fails_on", "sentence"),
    [
        ("version_info", "needs Python 3.11 or newer"),
        ("ensurepip", "cannot make virtual environments"),
    ],
)
def test_an_unfit_python_is_refused_in_one_sentence(tmp_path, fails_on, sentence):
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\ncase "$*" in *{fails_on}*) exit 1;; esac\n')
    python.chmod(0o755)
    done = make("demo", f"PYTHON={python}", f"VENV={tmp_path / 'new'}")
    assert done.returncode != 0
    assert sentence in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert not (tmp_path / "new").exists()
