"""Making forecasters: runs, two fits, scores on held-out runs, and the files."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from earsim.apparatus.forecaster.autoregression import Autoregression, FittedAutoregression
from earsim.apparatus.forecaster.series import SERIES, VARIED, Array
from earsim.atomic import write_atomically
from earsim.errors import UsageError
from earsim_training.forecaster.fitting import (
    ForecasterSchedule,
    fit_autoregression,
    fit_transformer,
)
from earsim_training.forecaster.scores import HorizonScore, scores
from earsim_training.forecaster.transformer import Scaling, Transformer, TransformerSize
from earsim_training.forecaster.windows import BAND, drawn, windows

FEWEST = 100
"""With fewer runs there is next to nothing to hold out."""


@dataclass(frozen=True, slots=True)
class ForecasterRun:
    """What is to be made.

    Attributes:
        runs: of the six-box ocean.
        updates: of the transformer; with 0 there is none.
        seed: of settings, noise, first weights and batches.
        threads: of the processor, for the transformer.
    """

    runs: int = 10_000
    updates: int = 1_200
    seed: int = 0
    threads: int = 1

    @property
    def command(self) -> str:
        """The command that makes the same."""
        return (
            f"earsim train forecaster --runs {self.runs} --updates {self.updates} "
            f"--seed {self.seed} --threads {self.threads}"
        )


class MadeForecasters(NamedTuple):
    """What was made.

    Attributes:
        found: forecasters by name: persistence, ar and, unless left out, tft.
        scale: unit of errors, by series.
        held: by the kind of held-out run, scores by forecaster.
        facts: all of it as a JSON value.
    """

    found: Mapping[str, Autoregression | Transformer]
    scale: Array
    held: Mapping[str, Mapping[str, list[HorizonScore]]]
    facts: Mapping[str, Any]


def make(
    run: ForecasterRun, *, jobs: int | None = None, tell: Callable[[str], None] = lambda text: None
) -> MadeForecasters:
    """Make runs of the ocean, fit forecasters, and hold them against runs they never saw.

    Args:
        run: what is to be made.
        jobs: processes for the runs; all cores by default.
        tell: shows a line to whoever waits.

    Raises:
        UsageError: There are too few runs to hold any out.
        MissingExtra: pytorch-forecasting is not installed, and a transformer is asked for.
    """
    if run.runs < FEWEST:
        raise UsageError(f"{run.runs} runs are too few: {FEWEST} at least")
    started = time.monotonic()
    draws = drawn(run.seed, run.runs)
    training, ordinary, band = (windows(each, jobs=jobs) for each in draws)
    made_s = time.monotonic() - started
    counts = {
        "training": len(training.before),
        "new settings": len(ordinary.before),
        "band of F_nA": len(band.before),
        "broken off": training.dropped + ordinary.dropped + band.dropped,
    }
    tell(", ".join(f"{name}: {count:,}" for name, count in counts.items()))
    scale = Scaling.of(training.settings, training.before, training.after).changes
    found: dict[str, Autoregression | Transformer] = {
        "persistence": Autoregression.persistence(len(SERIES)),
        "ar": fit_autoregression(training),
    }
    if run.updates:
        schedule = replace(ForecasterSchedule(), updates=run.updates)
        found["tft"] = fit_transformer(
            training, schedule, TransformerSize(), seed=run.seed, threads=run.threads, tell=tell
        )
    held = {
        "new settings": scores(found, ordinary, scale),
        "band of F_nA": scores(found, band, scale),
    }
    autoregression = found["ar"]
    assert isinstance(autoregression, Autoregression)
    facts = {
        "command": run.command,
        "runs": counts,
        "varied": {name: list(span) for name, span in VARIED.items()},
        "held_out_band": list(BAND),
        "order": autoregression.order,
        "seconds": {
            "runs": round(made_s, 1),
            "all": round(time.monotonic() - started, 1),
            "processor": round(time.process_time(), 1),
        },
        "size": asdict(TransformerSize()),
        "scores": {
            kind: {name: [each._asdict() for each in rows] for name, rows in by.items()}
            for kind, by in held.items()
        },
    }
    return MadeForecasters(found, scale, held, facts)


def write(made: MadeForecasters, folder: Path) -> list[Path]:
    """Write weights and provenance; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    autoregression, transformer = made.found["ar"], made.found.get("tft")
    assert isinstance(autoregression, Autoregression)
    fit = FittedAutoregression(autoregression, made.scale, made.facts["command"])
    fit.save(folder / "autoregression.json")
    files = [folder / "autoregression.json", folder / "forecaster.json"]
    if isinstance(transformer, Transformer):
        transformer.save(folder)
        files[1:1] = [folder / "transformer.npz", folder / "transformer.json"]
    write_atomically(files[-1], json.dumps(made.facts, indent=1) + "\n")
    return files
