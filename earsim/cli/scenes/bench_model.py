"""`earsim bench-model`: what runs of the models of apparatus take on this machine."""

from __future__ import annotations

import math
import statistics
import time
from typing import Annotated

import typer

from earsim.apparatus.model import Model
from earsim.apparatus.parameter import defaults
from earsim.apparatus.registry import MODELS
from earsim.cli.screen import Screen, examples, row, table
from earsim.errors import EarSimError

EXAMPLES = examples("earsim bench-model", "earsim bench-model maglev/1 sixbox/1 --repeats 9")

_LOOP = 10**6


def command(
    models: Annotated[list[str] | None, typer.Argument(help="Models; all without any.")] = None,
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="Runs of each.")] = 3,
) -> None:
    """Time runs of the models with their default settings, beside a fixed loop."""
    screen = Screen()
    shown = table(
        "model", "median", "least", "readings", "a reading",
        whole=("model",), numbers=("median", "least", "readings", "a reading"),
    )  # fmt: skip
    for name in models or list(MODELS):
        try:
            row(shown, name, *_measured(MODELS[name], repeats))
        except EarSimError as error:
            row(shown, name, str(error), "", "", "")
    screen.print(shown)
    screen.say(f"CPU time; x += i & 7 over 10^6 values took {_calibrated() * 1000:.0f} ms")


def _measured(model: Model, repeats: int) -> tuple[str, str, str, str]:
    settings = defaults(model.parameters)
    took, readings = [], 0
    for _ in range(repeats + 1):  # the first compiles, or fills caches
        started = time.process_time()
        progress = model.advance(model.start(settings), math.inf)
        took.append(time.process_time() - started)
        readings = len(progress.samples)
    median, least = statistics.median(took[1:]), min(took[1:])
    each = f"{least / readings * 1e6:.0f} us" if readings else "-"
    return f"{median * 1000:.2f} ms", f"{least * 1000:.2f} ms", str(readings), each


def _calibrated() -> float:
    started = time.process_time()
    x = 0
    for i in range(_LOOP):
        x += i & 7
    return time.process_time() - started
