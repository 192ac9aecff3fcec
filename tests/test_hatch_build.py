"""The compiling build: only when asked, never half, never beside the source."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from earsim.installed import build
from hatch_build import modules

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.source


def built(folder: Path, asked: str, *, by: str = "build_wheel") -> subprocess.CompletedProcess[str]:
    """A build where mypyc cannot be imported."""
    (folder / "mypyc").mkdir()
    (folder / "mypyc" / "__init__.py").write_text("raise ImportError('no compiler here')\n")
    code = f"from hatchling.build import {by}\nprint({by}({str(folder / 'dist')!r}))"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "EARSIM_COMPILE": asked, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )


def test_a_build_that_is_to_compile_and_cannot_fails(tmp_path):
    done = built(tmp_path, "1")
    assert done.returncode != 0
    assert "no compiler here" in done.stderr
    assert not list(tmp_path.rglob("*.whl"))


@pytest.mark.slow
@pytest.mark.parametrize("asked", ["", "0"])
def test_nothing_is_compiled_unasked(tmp_path, asked):
    done = built(tmp_path, asked)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("-py3-none-any.whl")


def test_a_word_that_is_neither_yes_nor_no_is_refused(tmp_path):
    done = built(tmp_path, "yes")
    assert done.returncode != 0
    assert "EARSIM_COMPILE='yes': 1 compiles the core" in done.stderr


@pytest.mark.slow
def test_an_editable_install_stays_plain(tmp_path):
    done = built(tmp_path, "1", by="build_editable")
    assert done.returncode == 0, done.stderr


def test_the_source_has_no_libraries_beside_it():
    assert build() == "pure"
    assert not [path for suffix in ("*.so", "*.pyd") for path in (ROOT / "earsim").rglob(suffix)]


def test_the_whole_way_of_a_step_is_compiled():
    found = {path.as_posix() for path in modules(ROOT)}
    assert {"earsim/engine.py", "earsim/world/world.py", "earsim/actions/grab.py"} <= found
    assert {"earsim/envs/observation.py", "earsim/render/scene_text.py"} <= found
    assert "earsim/world/reading.py" not in found
    assert not [name for name in found if name.startswith("earsim/render/picture/")]
