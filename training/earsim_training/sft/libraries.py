"""The libraries that training needs, and the one sentence about how to get them."""

from __future__ import annotations

import os
import warnings
from importlib.util import find_spec

from earsim.errors import MissingExtra

NEEDED = ("torch", "transformers", "trl", "datasets", "accelerate")


def require(*more: str) -> None:
    """See that everything is installed, before any of it is imported.

    Args:
        more: further packages, such as peft.

    Raises:
        MissingExtra: Something is not installed.
    """
    for name in (*NEEDED, *more):
        if find_spec(name) is None:
            raise MissingExtra(name, "train")


def device() -> str:
    """Where a model runs in this process."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def prepare(threads: int | None = None) -> None:
    """Make the libraries well-behaved: offline where nothing is asked for, quiet, no spinning.

    Threads of OpenMP that spin while they wait take the cores from each other and from everybody
    else, so they are told to sleep. This has to be said before torch is imported.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    if threads is not None:
        os.environ["OMP_NUM_THREADS"] = str(threads)
    import torch
    import transformers

    if threads is not None:
        torch.set_num_threads(threads)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    import datasets

    datasets.disable_progress_bars()
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"(trl|transformers)\b")


def is_first() -> bool:
    """Whether this process is the one that tells and writes."""
    return int(os.environ.get("RANK", "0")) == 0


def processes() -> int:
    """How many there are."""
    return int(os.environ.get("WORLD_SIZE", "1"))
