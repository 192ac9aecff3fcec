"""The fourteen hyper-parameters of a TIP-GAN, and the bounds within which one is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from earsim.apparatus.parameter import Parameter, Settings


def _count(name: str, says: str, default: int, low: int, high: int) -> Parameter:
    return Parameter(name, says, default, low=low, high=high, integer=True)


PARAMETERS: Final = (
    Parameter("learning_rate", "of Adam, for both networks", 1e-3, low=1e-5, high=1e-2),
    _count("generators", "heads of the generator", 3, 1, 5),
    _count("epochs", "passes over the training data", 50, 1, 200),
    _count("batch", "runs in an update", 32, 8, 128),
    _count("latent", "numbers drawn for a proposal", 64, 2, 256),
    _count("generator_width", "of two hidden layers", 128, 8, 256),
    _count("discriminator_width", "of two hidden layers", 128, 8, 256),
    _count("kernels", "of minibatch discrimination; 0 for none", 128, 0, 256),
    _count("kernel_size", "numbers in a kernel", 8, 1, 32),
    Parameter("source_weight", "of telling generators from data", 1.0, low=0.0, high=10.0),
    Parameter("confusion_weight", "of proposals whose class is uncertain", 1.0, low=0.0, high=10.0),
    Parameter("beta", "first moment's decay of Adam", 0.5, low=0.0, high=0.99),
    Parameter("test_share", "of the data, held out", 0.2, low=0.1, high=0.5),
    _count("classes", "2: shut off or not; 3: recovery as well", 3, 2, 3),
)
"""Defaults are what the agent of the paper chose, where it is printed."""


@dataclass(frozen=True, slots=True)
class TipGanSettings:
    """Hyper-parameters; see `PARAMETERS`."""

    learning_rate: float
    generators: int
    epochs: int
    batch: int
    latent: int
    generator_width: int
    discriminator_width: int
    kernels: int
    kernel_size: int
    source_weight: float
    confusion_weight: float
    beta: float
    test_share: float
    classes: int

    @classmethod
    def of(cls, settings: Settings) -> TipGanSettings:
        """Those of checked settings."""
        kinds = {each.name: int if each.integer else float for each in PARAMETERS}
        values: dict[str, Any] = {name: kind(settings[name]) for name, kind in kinds.items()}
        return cls(**values)
