"""`earsim validate` checks domain files, and they are in the wheel."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim_generators.catalogue import domain_names

ROOT = Path(__file__).resolve().parents[3]


def validate(path: Path):
    return CliRunner().invoke(app, ["validate", str(path)])


def test_a_sound_domain(shed, tmp_path):
    path = tmp_path / "shed.yaml"
    path.write_text(shed)
    result = validate(path)
    assert result.exit_code == 0
    assert "2 types of rooms, 2 kinds of furniture, 4 kinds of items" in result.stdout


def test_findings_have_file_and_line(shed, tmp_path):
    path = tmp_path / "shed.yaml"
    path.write_text(shed.replace("material: clay", "material: clya"))
    result = validate(path)
    assert result.exit_code == 1
    assert f"{path}:12: items[0].material: unknown material 'clya'" in result.stdout


def test_a_misspelt_schema_of_a_domain_is_judged_as_a_domain(shed, tmp_path):
    path = tmp_path / "shed.yaml"
    path.write_text(shed.replace("earsim.domain/1", "earsim.domains/1"))
    result = validate(path)
    assert result.exit_code == 1
    assert f"{path}:1: schema: 'earsim.domains/1'" in result.stdout


@pytest.mark.source
@pytest.mark.slow
def test_the_wheel_brings_every_domain(tmp_path):
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path, ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    catalogue = "earsim_generators/catalogue"
    wanted = [f"{catalogue}/domains/{name}.yaml" for name in domain_names()]
    assert set(names) >= {*wanted, f"{catalogue}/materials.csv"}
