"""Without the extra `train`, the command says what to install, and nothing imports it unasked."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

from earsim_training.sft import libraries
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here


@pytest.mark.parametrize("name", libraries.NEEDED)
def test_it_says_in_one_sentence_what_to_install(earsim, here, monkeypatch, name):
    there = importlib.util.find_spec
    monkeypatch.setattr(
        libraries, "find_spec", lambda asked: None if asked == name else there("json")
    )
    result = earsim("train", "grpo", "--config", "grpo-tiny.yaml")
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: {name} is not installed; run: pip install 'earsim[train]' (6.4 GB with CUDA; "
        "for processors first: pip install torch --index-url https://download.pytorch.org/whl/cpu)\n"
    )


def test_recipes_hooks_and_runs_are_read_without_it():
    code = (
        "import json, sys, earsim_training.grpo.training, earsim_training.grpo.tools\n"
        "import earsim_training.grpo.tools\n"
        "print(json.dumps([*sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert loaded.isdisjoint({*libraries.NEEDED, "peft", "tokenizers", "aiohttp", "regex"})
