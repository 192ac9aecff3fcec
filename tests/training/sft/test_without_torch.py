"""Without the extra `train`, every other command works, and this one says what to install."""

import importlib.util
import json
import subprocess
import sys

import pytest

from earsim_training.sft import libraries
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here


@pytest.mark.parametrize("name", libraries.NEEDED)
@pytest.mark.parametrize(
    "command", [("sft", "--config", "paper.yaml"), ("eval", "run", "--suite", "starter")]
)
def test_it_says_in_one_sentence_what_to_install(earsim, here, monkeypatch, name, command):
    there = importlib.util.find_spec
    monkeypatch.setattr(
        libraries, "find_spec", lambda asked: None if asked == name else there("json")
    )
    result = earsim("train", *command)
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: {name} is not installed; run: pip install 'earsim[train]' (6.4 GB with CUDA; "
        "for processors first: pip install torch --index-url https://download.pytorch.org/whl/cpu)\n"
    )


def test_no_other_command_imports_what_training_needs():
    code = (
        "import json, sys, earsim.cli.app, earsim_training.export.exporter, "
        "earsim_training.sft.recipe, earsim_training.sft.training, earsim_training.sft.evaluation\n"
        "print(json.dumps([*sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert loaded.isdisjoint({*libraries.NEEDED, "peft", "tokenizers", "aiohttp", "regex"})
