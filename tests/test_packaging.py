"""The wheel, as a user gets it: built, installed, and used from another folder."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("earsim", "earsim_agents", "earsim_generators", "earsim_training")

pytestmark = [pytest.mark.slow, pytest.mark.source]


def run(*command: str | Path, cwd: Path) -> str:
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    env |= {"COLUMNS": "200"}  # a table as wide as it likes: nothing is cut off
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from the sdist, so that whatever the sdist lacks is missed here."""
    dist = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, ROOT, cwd=dist)
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The bin folder of an environment with the wheel; dependencies come from the current one.

    A `.pth` file adds the current site-packages to the path without running the `.pth` files in
    it, so an editable install of the repository stays out of sight.
    """
    home = tmp_path_factory.mktemp("user") / "venv"
    venv.create(home, symlinks=True)
    paths = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    (site / "dependencies.pth").write_text("\n".join(sorted(paths)))
    python = home / "bin" / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
    ]
    run(*pip, "--ignore-installed", wheel, cwd=home)
    return home / "bin"


def test_the_command_knows_its_version(installed, tmp_path):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version in run(installed / "earsim", "--version", cwd=tmp_path)


def test_every_command_can_be_imported(installed, tmp_path):
    assert " doctor " in run(installed / "earsim", "--help", cwd=tmp_path)


def test_the_four_packages_come_from_the_wheel_and_are_typed(installed, tmp_path):
    code = f"import {', '.join(PACKAGES)}\nfor p in ({', '.join(PACKAGES)}): print(p.__file__)"
    files = [
        Path(line) for line in run(installed / "python", "-c", code, cwd=tmp_path).splitlines()
    ]
    assert len(files) == len(PACKAGES)
    for file in files:
        assert file.is_relative_to(installed.parent)
        assert file.with_name("py.typed").exists()


def test_the_scenes_are_in_the_wheel_and_found(installed, tmp_path):
    shipped = next(installed.parent.rglob("earsim/_scenes"))
    ours = sorted((ROOT / "scenes").rglob("*.yaml"))
    assert ours
    listing = run(installed / "earsim", "list", cwd=tmp_path)
    for path in ours:
        assert (shipped / path.relative_to(ROOT / "scenes")).read_bytes() == path.read_bytes()
        scene = yaml.safe_load(path.read_text(encoding="utf-8"))
        if scene["schema"].startswith("earsim.scene/") and scene.get("tasks"):
            assert scene["id"] in listing


def test_the_benchmark_is_in_the_wheel_packed_and_opens_by_name(wheel, installed, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        held = [file for file in archive.infolist() if "/earsim-bench/" in file.filename]
    assert {Path(file.filename).name for file in held} == {
        path.name for path in (ROOT / "scenes" / "earsim-bench").iterdir()
    }
    assert sum(file.compress_size for file in held) <= 6_000_000
    code = (
        "import earsim\n"
        "for name in ('earsim-bench', 'earsim-bench-mini'):\n"
        "    suite = earsim.open_suite(name)\n"
        "    print(len(suite), suite.load(suite.ids[-1]).ruleset)"
    )
    told = run(installed / "python", "-c", code, cwd=tmp_path).split()
    assert told == ["1400", "physical", "140", "physical"]


def test_the_prompts_are_in_the_wheel(installed, tmp_path):
    code = (
        "from earsim_agents.prompts import prompt_of\n"
        "from earsim_agents.settings import ModelSettings\n"
        "for style in ('chat', 'paper'):\n"
        "    print(prompt_of(ModelSettings(model='m', style=style)).name)"
    )
    names = run(installed / "python", "-c", code, cwd=tmp_path).split()
    assert [name.split("@")[0] for name in names] == ["chat", "paper"]
