"""The temporal fusion transformer of pytorch-forecasting on the series of the six-box ocean.

It reads 200 years of every series and the settings of the run, and tells how much each series will
have changed in each of the next 100 years (Lim et al., 2021). Torch and pytorch-forecasting are
imported when a network is built; the extra is ``forecast``.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import asdict, dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from earsim.apparatus.forecaster.series import AHEAD, VARIED, WINDOW, Array
from earsim.apparatus.parameter import Settings
from earsim.errors import MissingExtra

SHIPPED = Path(__file__).parent / "weights"
"""What `earsim train forecaster` wrote: the network of the table in ``docs/science-results.md``."""

_FURTHEST = 10.0
"""Changes within a window are clipped to so many of their scales."""


@dataclass(frozen=True, slots=True)
class TransformerSize:
    """Sizes of the network.

    Attributes:
        hidden: width of all layers.
        continuous: width in which a number is embedded.
        heads: of the attention.
    """

    hidden: int = 16
    continuous: int = 8
    heads: int = 2


@dataclass(frozen=True, slots=True)
class Scaling:
    """How numbers are scaled, from the training windows alone.

    Attributes:
        settings: mean and standard deviation, (2, settings).
        values: of the last values of windows, (2, series).
        changes: of a series over the years foretold, (series,).
    """

    settings: Array
    values: Array
    changes: Array

    @classmethod
    def of(cls, settings: Array, before: Array, after: Array) -> Scaling:
        """The scaling of training windows."""
        last = before[:, -1].astype(float)
        return cls(
            _moments(settings), _moments(last), (after[:, -1].astype(float) - last).std(axis=0)
        )


class Transformer:
    """A network and its scaling."""

    def __init__(self, network: Any, scaling: Scaling, size: TransformerSize) -> None:
        """Use `untrained` or `load`."""
        self.network, self.scaling, self.size = network, scaling, size

    @classmethod
    def untrained(cls, scaling: Scaling, size: TransformerSize, *, seed: int) -> Transformer:
        """A network with first weights drawn by a seed.

        Raises:
            MissingExtra: pytorch-forecasting is not installed.
        """
        settings, series = scaling.settings.shape[1], len(scaling.changes)
        return cls(_network(settings, series, size, seed), scaling, size)

    def inputs(self, settings: Array, before: Array) -> dict[str, Any]:
        """What the network reads of some windows.

        Args:
            settings: (windows, settings).
            before: (windows, years, series).
        """
        import torch

        count, years = before.shape[:2]
        mean, spread = self.scaling.values
        fixed = np.concatenate(
            [
                (settings - self.scaling.settings[0]) / self.scaling.settings[1],
                (before[:, -1] - mean) / spread,
            ],
            axis=1,
        )
        moved = np.clip((before - before[:, -1:]) / self.scaling.changes, -_FURTHEST, _FURTHEST)
        time = np.arange(1 - years, 1 + AHEAD) / AHEAD

        def rows(changes: Array, times: Array) -> Any:
            still = np.repeat(fixed[:, None], len(times), axis=1)
            clock = np.broadcast_to(times[None, :, None], (count, len(times), 1))
            return torch.tensor(np.concatenate([still, changes, clock], axis=2).astype(np.float32))

        nothing = np.zeros((count, AHEAD, before.shape[2]))
        return {
            "encoder_cat": torch.zeros(count, years, 0, dtype=torch.long),
            "decoder_cat": torch.zeros(count, AHEAD, 0, dtype=torch.long),
            "encoder_cont": rows(moved, time[:years]),
            "decoder_cont": rows(nothing, time[years:]),
            "encoder_lengths": torch.full((count,), years),
            "decoder_lengths": torch.full((count,), AHEAD),
            "target_scale": torch.tensor([[0.0, 1.0]]).repeat(count, 1),
        }

    def forecast(self, settings: Array, before: Array, *, batch: int = 256) -> Array:
        """What follows windows, (windows, ahead, series)."""
        import torch

        self.network.eval()
        parts = []
        with torch.no_grad():
            for at in range(0, len(before), batch):
                chosen = slice(at, at + batch)
                found = self.network(self.inputs(settings[chosen], before[chosen]))["prediction"]
                parts.append(before[chosen, -1:] + found.numpy() * self.scaling.changes)
        return np.concatenate(parts)

    def save(self, folder: Path) -> None:
        """Write weights, scaling and sizes, none of which holds code."""
        arrays = {f"network/{k}": v.numpy() for k, v in self.network.state_dict().items()}
        arrays |= {f"scaling/{name}": value for name, value in asdict(self.scaling).items()}
        np.savez_compressed(folder / "transformer.npz", **arrays)
        (folder / "transformer.json").write_text(json.dumps(asdict(self.size)) + "\n")

    @classmethod
    def load(cls, folder: Path) -> Transformer:
        """What `save` wrote.

        Raises:
            MissingExtra: pytorch-forecasting is not installed.
            OSError: There is no such file.
        """
        size = TransformerSize(**json.loads((folder / "transformer.json").read_text()))
        with np.load(folder / "transformer.npz", allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        parts = {n.partition("/")[2]: a for n, a in arrays.items() if n.startswith("scaling/")}
        found = cls.untrained(Scaling(**parts), size, seed=0)
        import torch

        weights = {n.partition("/")[2]: a for n, a in arrays.items() if n.startswith("network/")}
        found.network.load_state_dict({n: torch.as_tensor(a) for n, a in weights.items()})
        return found


@cache
def _shipped() -> Transformer:
    return Transformer.load(SHIPPED)


def shipped(settings: Settings, window: Array) -> Array:
    """What the network of this package foretells of one window, with one thread.

    Args:
        settings: of `forecaster/1`.
        window: (years, series).

    Returns:
        (100, series).

    Raises:
        MissingExtra: pytorch-forecasting is not installed.
    """
    network = _shipped()
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        varied = np.array([[float(settings[name]) for name in VARIED]])
        told: Array = network.forecast(varied, window[None])[0]
    finally:
        torch.set_num_threads(threads)
    return told


def _moments(values: Array) -> Array:
    spread = values.std(axis=0)
    return np.stack([values.mean(axis=0), np.where(spread > 0.0, spread, 1.0)])


def _prediction(found: Any) -> Any:
    """The network's own scale is that of the targets."""
    return found["prediction"]


def _network(settings: int, series: int, size: TransformerSize, seed: int) -> Any:
    if find_spec("pytorch_forecasting") is None:
        raise MissingExtra("pytorch-forecasting", "forecast")
    import torch

    with warnings.catch_warnings():  # of its own dependencies, and of attributes it saves
        warnings.simplefilter("ignore")
        from pytorch_forecasting.metrics import MAE
        from pytorch_forecasting.models import TemporalFusionTransformer

        fixed = [f"fixed_{number}" for number in range(settings + series)]
        moving = [f"series_{number}" for number in range(series)]
        torch.manual_seed(seed)
        return TemporalFusionTransformer(
            hidden_size=size.hidden,
            hidden_continuous_size=size.continuous,
            attention_head_size=size.heads,
            lstm_layers=1,
            dropout=0.0,
            output_size=series,
            loss=MAE(),
            output_transformer=_prediction,
            max_encoder_length=WINDOW,
            static_reals=fixed,
            time_varying_reals_encoder=[*moving, "time"],
            time_varying_reals_decoder=["time"],
            x_reals=[*fixed, *moving, "time"],
        )
