"""Making a TIP-GAN: hyper-parameters within bounds, training, and the files."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from earsim.apparatus.parameter import SettingProblem, defaults
from earsim.apparatus.tipgan.inputs import INPUTS
from earsim.atomic import write_atomically
from earsim.errors import UsageError, near_misses
from earsim_training.tipgan.settings import PARAMETERS, TipGanSettings
from earsim_training.tipgan.training import TipGanScore, train


class MadeTipGan(NamedTuple):
    """What was made: its score, and all of it as a JSON value."""

    score: TipGanScore
    facts: Mapping[str, Any]

    @property
    def numbers(self) -> Mapping[str, float | None]:
        """What is shown of the score."""
        found: Mapping[str, float | None] = self.facts["score"]
        return found


def settings_from(assigned: Iterable[str]) -> TipGanSettings:
    """Hyper-parameters with some of them changed.

    Args:
        assigned: each ``NAME=VALUE``.

    Raises:
        UsageError: One does not exist, or its value is out of bounds.
    """
    known, values = {each.name: each for each in PARAMETERS}, defaults(PARAMETERS)
    for text in assigned:
        name, _, given = text.partition("=")
        if name not in known:
            near = near_misses(name, known)
            raise UsageError(f"no hyper-parameter {name!r}: {', '.join(near or known)}")
        value = known[name].read(given)
        if isinstance(value, SettingProblem):
            facts = ", ".join(f"{key} {fact}" for key, fact in value.facts.items() if fact != "")
            raise UsageError(f"{text}: {value.reason} ({facts})")
        values = {**values, name: value}
    return TipGanSettings.of(values)


def make(
    settings: TipGanSettings,
    *,
    runs: int,
    seed: int,
    tell: Callable[[str], None] = lambda text: None,
) -> MadeTipGan:
    """Train and score.

    Args:
        settings: hyper-parameters.
        runs: of the ocean, for training and test.
        seed: of all that is drawn.
        tell: shows a line to whoever waits.
    """
    started = time.monotonic()
    score = train(
        settings,
        runs=runs,
        seed=seed,
        tell=lambda epoch, losses: tell(
            f"epoch {epoch} of {settings.epochs}: discriminator {losses.discriminator:.3f}, "
            f"generators {losses.generator:.3f}"
        ),
    )
    numbers = {
        "held-out runs": score.test,
        "proposals": score.generated,
        "score": score.score,
        "rarest class among proposals": score.rarest,
        "proposals that broke off": score.broken,
    }
    command = _command(settings, runs, seed)
    facts = {
        "command": command,
        "hyper_parameters": asdict(settings),
        "runs": runs,
        "seed": seed,
        "seconds": {
            "all": round(time.monotonic() - started, 1),
            "processor": round(time.process_time(), 1),
        },
        "score": {n: None if each is None else round(each, 4) for n, each in numbers.items()},
        "losses": [[round(each, 4) for each in losses] for losses in score.losses],
        "inputs": list(INPUTS),
    }
    return MadeTipGan(score._replace(networks=replace(score.networks, made_by=command)), facts)


def _command(settings: TipGanSettings, runs: int, seed: int) -> str:
    """The command that makes the same."""
    usual, given = defaults(PARAMETERS), asdict(settings)
    changed = [f" --set {name}={given[name]}" for name in given if given[name] != usual[name]]
    return f"earsim train tipgan --runs {runs} --seed {seed}{''.join(changed)}"


def write(made: MadeTipGan, folder: Path) -> list[Path]:
    """Write proposals, networks and provenance; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / "proposals.npz", folder / "networks.npz", folder / "tipgan.json"]
    np.savez(files[0], proposals=made.score.proposals)
    made.score.networks.save(files[1])
    write_atomically(files[-1], json.dumps(made.facts, indent=1) + "\n")
    return files
