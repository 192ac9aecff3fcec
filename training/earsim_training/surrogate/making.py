"""Making a surrogate: samples, a fit, what it is off on held-out profiles, and three files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from earsim.apparatus.parameter import Settings
from earsim.atomic import write_atomically
from earsim.errors import UsageError
from earsim.planner.laboratory.design_problem import DesignProblem
from earsim_agents.science.design.surrogate import ENCODINGS, short
from earsim_training.surrogate.fitting import Fitted, HeldOutError, fit, held_out
from earsim_training.surrogate.samples import PROFILES, SampleSet, Watch, ladders, sampled, split
from earsim_training.surrogate.schedule import PRESETS, USUAL

EXAMPLES = 10
"""True runs of one training profile that are kept, for the signal `fixed`."""


@dataclass(frozen=True, slots=True)
class SurrogateRun:
    """What is to be made.

    Attributes:
        simulator: a model's id.
        preset: a name in `PRESETS`; empty for the usual one of the simulator.
        seed: of profiles, grids, first weights and batches.
        profiles: how many are drawn.
    """

    simulator: str
    preset: str = ""
    seed: int = 0
    profiles: int = 0

    @property
    def command(self) -> str:
        """The command that makes the same."""
        name = short(self.simulator)
        return (
            f"earsim train surrogate {name} --preset {self.preset} --seed {self.seed} "
            f"--profiles {self.profiles}"
        )


class Made(NamedTuple):
    """What was made.

    Attributes:
        fitted: the surrogate, and the one after one epoch.
        samples: runs for training.
        off: on held-out profiles.
        noisy_off: the same of the one after one epoch.
        facts: all of it as a JSON value.
    """

    fitted: Fitted
    samples: int
    off: HeldOutError
    noisy_off: HeldOutError
    facts: Mapping[str, Any]


def simulator_of(name: str) -> str:
    """The model's id for a name with or without its version.

    Raises:
        UsageError: It has no surrogate.
    """
    for simulator in ENCODINGS:
        if name in (simulator, short(simulator)):
            return simulator
    known = ", ".join(short(each) for each in ENCODINGS)
    raise UsageError(f"no surrogate can be made of {name!r}: take {known}")


def make(
    run: SurrogateRun,
    *,
    jobs: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
    watch: Watch = lambda made, total: made,
) -> Made:
    """Run the simulator, train, and hold against profiles that training never saw.

    Args:
        run: what is to be made; its profiles 0 for the usual number, its preset empty for the
            usual one.
        jobs: processes for the runs; all cores by default.
        tell: shows a line to whoever waits.
        watch: sees every profile whose runs are made.

    Raises:
        UsageError: There are too few profiles to hold any out, or no such preset.
    """
    preset = run.preset or USUAL[run.simulator]
    if preset not in PRESETS:
        raise UsageError(f"no preset {preset!r}: take {', '.join(PRESETS)}")
    count = run.profiles or PROFILES[run.simulator]
    if count < 5:
        raise UsageError(f"{count} profiles are too few: with 5 one is held out")
    run = SurrogateRun(run.simulator, preset, run.seed, count)
    seen, unseen = split(ladders(run.simulator, run.seed, count))
    tell(f"{len(seen):,} profiles to learn from, {len(unseen):,} held out")
    samples, held = (sampled(each, jobs=jobs, watch=watch) for each in (seen, unseen))
    tell(f"{len(samples.inputs):,} and {len(held.inputs):,} runs")
    schedule = PRESETS[run.preset]
    fitted = fit(ENCODINGS[run.simulator], samples, schedule, seed=run.seed)
    off, noisy = held_out(fitted.trained, held), held_out(fitted.noisy, held)
    facts = {
        "command": run.command,
        "simulator": run.simulator,
        "seed": run.seed,
        "profiles": {"training": len(seen), "held_out": len(unseen)},
        "samples": _samples(samples, held),
        "schedule": {"preset": run.preset, **asdict(schedule), "updates": schedule.updates},
        "held_out_decades": off._asdict(),
        "noisy_held_out_decades": noisy._asdict(),
        "examples": _examples(run.simulator, seen[0].profile),
    }
    return Made(fitted, len(samples.inputs), off, noisy, facts)


def write(made: Made, folder: Path) -> list[Path]:
    """Write weights and provenance; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    name = short(str(made.facts["simulator"]))
    files = [folder / f"{name}.npz", folder / f"{name}-noisy.npz", folder / f"{name}.json"]
    made.fitted.trained.save(files[0])
    made.fitted.noisy.save(files[1])
    write_atomically(files[2], json.dumps(made.facts, indent=1) + "\n")
    return files


def _samples(samples: SampleSet, held: SampleSet) -> dict[str, int]:
    return {
        "training": len(samples.inputs),
        "held_out": len(held.inputs),
        "broken_off": samples.dropped + held.dropped,
    }


def _examples(simulator: str, profile: Settings) -> dict[str, Any]:
    """True runs of a profile, evenly over the logarithm of the cells."""
    problem = DesignProblem.of(simulator, profile, 1.0)
    ratio = problem.high / problem.low
    cells = [
        problem.allowed(problem.low * ratio ** (at / (EXAMPLES - 1))) for at in range(EXAMPLES)
    ]
    runs = [problem.run(each) for each in dict.fromkeys(cells)]
    kept = [run._asdict() for run in runs if math.isfinite(run.error)]
    return {"settings": dict(profile), "runs": kept}
