"""Surrogates: small networks that predict error and cost of a design without running it.

They are trained by `earsim train surrogate` and read by numpy alone. A surrogate speaks only of
the conditions that it was trained on: asked for others it raises, and never extrapolates silently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.euler1d.cases import CASES
from earsim.apparatus.ns2d.aliasing import aliasing
from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.apparatus.parameter import Settings, defaults
from earsim.apparatus.registry import MODELS
from earsim.errors import UsageError
from earsim.planner.laboratory.design_problem import DesignProblem
from earsim.planner.laboratory.rules import CELLS

Array = NDArray[np.float64]

WEIGHTS = Path(__file__).parent / "weights"
"""The surrogates that come along."""


class Prediction(NamedTuple):
    """What a surrogate says of a design.

    Attributes:
        error: relative, as a run would tell it.
        cost: cost units.
    """

    error: float
    cost: float


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the settings of a run become the inputs of a network.

    Attributes:
        simulator: a model's id.
        plain: numbers, by name, with the bounds between which they were drawn.
        logarithmic: numbers drawn evenly in their logarithm; the input is log10.
        words: one input for each choice.
        fixed: settings with one value only.
        derived: inputs that follow from the settings without any run; none by default.
    """

    simulator: str
    plain: Mapping[str, tuple[float, float]]
    logarithmic: Mapping[str, tuple[float, float]]
    words: Mapping[str, tuple[str, ...]]
    fixed: Mapping[str, Any]
    derived: Callable[[Settings], Sequence[float]] = lambda settings: ()

    @property
    def inputs(self) -> int:
        """How many inputs there are, log2 of the cells among them."""
        choices = sum(len(choices) for choices in self.words.values())
        derived = len(self.derived(defaults(MODELS[self.simulator].parameters)))
        return 1 + len(self.plain) + len(self.logarithmic) + choices + derived

    def row(self, settings: Settings) -> list[float]:
        """The inputs for settings that hold the cells as well."""
        known = effective(self.simulator, settings)
        row = [float(np.log2(float(known[CELLS[self.simulator]])))]
        row += [float(known[name]) for name in self.plain]
        row += [float(np.log10(float(known[name]))) for name in self.logarithmic]
        for name, choices in self.words.items():
            row += [float(known[name] == choice) for choice in choices]
        return [*row, *self.derived(known)]

    def uncovered(self, settings: Settings) -> str:
        """What of the settings lies outside the training data; empty where nothing does."""
        known = effective(self.simulator, settings)
        for name, (low, high) in {**self.plain, **self.logarithmic}.items():
            if not low <= float(known[name]) <= high:
                return f"{name} {known[name]} is outside {low:g} to {high:g}"
        for name, choices in self.words.items():
            if known[name] not in choices:
                return f"{name} {known[name]} is none of {', '.join(choices)}"
        for name, value in self.fixed.items():
            if known[name] != value:
                return f"{name} is {known[name]}, not {value}"
        return ""


def effective(simulator: str, settings: Settings) -> Settings:
    """Settings of the same run that a surrogate knows: `kappa` of euler1d is `printed` with k 1."""
    if simulator == "euler1d/1" and settings["reconstruction"] == "kappa":
        return {**settings, "reconstruction": "printed", "k": 1.0}
    return settings


def _aliasing(settings: Settings) -> Sequence[float]:
    return aliasing(str(settings["boundary"]), int(settings["resolution"]))


ENCODINGS: Mapping[str, Encoding] = {
    "heat1d/1": Encoding(
        "heat1d/1",
        plain={
            "cfl": (0.2, 1.0),
            "L": (0.1, 0.3),
            "k": (0.5, 1.0),
            "rho": (1000.0, 2000.0),
            "cp": (800.0, 1000.0),
            "T_inf": (-40.0, 40.0),
            "T_init": (0.0, 30.0),
        },
        logarithmic={"h": (0.1, 1e4)},
        words={},
        fixed={"wall": "surface"},
    ),
    "euler1d/1": Encoding(
        "euler1d/1",
        plain={"cfl": (0.1, 0.5), "k": (-1.0, 1.0), "beta": (1.0, 2.0)},
        logarithmic={},
        words={"case": tuple(CASES)},
        fixed={"reconstruction": "printed"},
    ),
    "ns2d/1": Encoding(
        "ns2d/1",
        plain={"cfl": (0.15, 0.25)},
        logarithmic={"reynolds": (1000.0, 6000.0)},
        words={"boundary": tuple(SHAPES)},
        fixed={"relaxation_factor": 1.95, "residual_threshold": 1e-4},
        derived=_aliasing,
    ),
}
"""What surrogates are trained on, by simulator (CAED-Agent; bounds in `docs/design-agents.md`)."""


@dataclass(frozen=True, eq=False)
class Surrogate:
    """A network with one width: ReLU between layers, none after the last.

    Attributes:
        encoding: of its inputs.
        mean: of the inputs in training.
        spread: standard deviation of the inputs in training.
        target_mean: of log10 error and log10 cost.
        target_spread: of the same.
        layers: matrices (outputs, inputs) and vectors (outputs,).
    """

    encoding: Encoding
    mean: Array
    spread: Array
    target_mean: Array
    target_spread: Array
    layers: tuple[tuple[Array, Array], ...]

    def predict(self, settings: Settings) -> Prediction:
        """The prediction for settings that hold the cells as well.

        Raises:
            UsageError: The settings lie outside the training data.
        """
        missing = self.encoding.uncovered(settings)
        if missing:
            raise UsageError(f"the surrogate of {self.encoding.simulator} is no help: {missing}")
        error, cost = self.logs(np.array([self.encoding.row(settings)]))[0]
        return Prediction(float(10.0**error), float(10.0**cost))

    def logs(self, rows: Array) -> Array:
        """Log10 of error and cost, (rows, 2), for rows of inputs."""
        values = (rows - self.mean) / self.spread
        *hidden, last = self.layers
        for matrix, bias in hidden:
            values = np.maximum(values @ matrix.T + bias, 0.0)
        return np.asarray((values @ last[0].T + last[1]) * self.target_spread + self.target_mean)

    def save(self, file: Path) -> None:
        """Write an .npz file in single precision."""
        arrays = {
            "mean": self.mean,
            "spread": self.spread,
            "target_mean": self.target_mean,
            "target_spread": self.target_spread,
        }
        for number, (matrix, bias) in enumerate(self.layers):
            arrays |= {f"matrix_{number}": matrix, f"bias_{number}": bias}
        single: dict[str, Any] = {name: each.astype(np.float32) for name, each in arrays.items()}
        np.savez(file, **single)


def short(simulator: str) -> str:
    """The name of a simulator without its version."""
    return simulator.partition("/")[0]


@lru_cache(maxsize=16)
def load(simulator: str, *, noisy: bool = False, folder: Path = WEIGHTS) -> Surrogate:
    """The surrogate of a simulator.

    Args:
        simulator: a model's id.
        noisy: the one after one epoch of training.
        folder: where `earsim train surrogate` wrote it.

    Raises:
        UsageError: There is none for this simulator, or the file holds something else.
    """
    name = f"{short(simulator)}{'-noisy' if noisy else ''}.npz"
    if simulator not in ENCODINGS or not (folder / name).is_file():
        raise UsageError(f"no surrogate of {simulator} in {folder}: earsim train surrogate")
    try:
        with np.load(folder / name, allow_pickle=False) as file:
            found = {key: np.asarray(file[key], float) for key in file.files}
        numbers = range(sum(key.startswith("matrix_") for key in found))
        layers = tuple((found[f"matrix_{n}"], found[f"bias_{n}"]) for n in numbers)
        names = ("mean", "spread", "target_mean", "target_spread")
        scales: dict[str, Any] = {name: found[name] for name in names}
        made = Surrogate(ENCODINGS[simulator], **scales, layers=layers)
        made.logs(np.zeros((1, made.encoding.inputs)))
    except (OSError, KeyError, ValueError, IndexError) as error:
        raise UsageError(f"{folder / name}: not a surrogate of {simulator}: {error}") from error
    return made


def provenance(simulator: str, folder: Path = WEIGHTS) -> dict[str, Any]:
    """How a surrogate was made, what it was held against, and ten runs of one of its profiles."""
    text = (folder / f"{short(simulator)}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def predictions(
    surrogate: Surrogate, problem: DesignProblem, cells: Sequence[int]
) -> list[Prediction]:
    """What a surrogate says of several designs of a problem."""
    return [surrogate.predict(problem.design(each)) for each in cells]
