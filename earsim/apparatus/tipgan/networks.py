"""Trained networks of a TIP-GAN, run forward in numpy: generators, and the classes' discriminator.

`earsim train tipgan` writes them. Weights are kept as 16-bit floats and summed in double precision;
what is proposed has four digits, so that another build of numpy proposes the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.tipgan.inputs import Array

DIGITS = 4
"""Of proposals, after the point."""

SHIPPED = Path(__file__).with_name("weights")
"""Of the networks that `tipgan/1` proposes with, a file each."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A linear layer.

    Attributes:
        weight: (outputs, inputs).
        bias: (outputs,).
    """

    weight: Array
    bias: Array

    def __call__(self, rows: Array) -> Array:
        """(rows, outputs) for (rows, inputs)."""
        found: Array = rows @ self.weight.T + self.bias
        return found


@dataclass(frozen=True, slots=True)
class TipGanNetworks:
    """What generators propose, and which class the discriminator takes a proposal to be of.

    Attributes:
        generator_trunk: shared by all generators.
        heads: of the generators, with tanh.
        discriminator_trunk: of the discriminator.
        classes: its head of the classes.
        made_by: the command that makes the same.
    """

    generator_trunk: tuple[Layer, ...]
    heads: tuple[Layer, ...]
    discriminator_trunk: tuple[Layer, ...]
    classes: Layer
    made_by: str = ""

    def proposals(self, count: int, seed: int) -> Array:
        """Proposals of the generators in turn, each of an even part.

        Args:
            count: of proposals.
            seed: of the latent numbers.

        Returns:
            (count, inputs), between -1 and 1.
        """
        latent = self.generator_trunk[0].weight.shape[1]
        numbers = np.random.default_rng(seed).uniform(-1.0, 1.0, (count, latent))
        features = _through(self.generator_trunk, numbers)
        parts = np.array_split(features, len(self.heads))
        made = [np.tanh(head(part)) for head, part in zip(self.heads, parts, strict=True)]
        return np.round(np.concatenate(made), DIGITS)

    def told(self, rows: Array) -> NDArray[np.int64]:
        """The classes that the discriminator takes proposals to be of."""
        found: NDArray[np.int64] = self.classes(_through(self.discriminator_trunk, rows)).argmax(1)
        return found

    def save(self, path: Path) -> None:
        """Write them as ``npz``, which holds no code."""
        parts = {
            "generator_trunk": self.generator_trunk,
            "heads": self.heads,
            "discriminator_trunk": self.discriminator_trunk,
            "classes": (self.classes,),
        }
        arrays: dict[str, Any] = {
            f"{part}/{number}/{kind}": array.astype(np.float16)
            for part, layers in parts.items()
            for number, layer in enumerate(layers)
            for kind, array in (("weight", layer.weight), ("bias", layer.bias))
        }
        np.savez_compressed(path, made_by=np.array(json.dumps(self.made_by)), **arrays)

    @classmethod
    def load(cls, path: Path) -> TipGanNetworks:
        """What `save` wrote.

        Raises:
            OSError: There is no such file.
        """
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        made_by = json.loads(str(arrays.pop("made_by")))
        return cls(
            _layers(arrays, "generator_trunk"),
            _layers(arrays, "heads"),
            _layers(arrays, "discriminator_trunk"),
            _layers(arrays, "classes")[0],
            made_by,
        )


def _layers(arrays: Mapping[str, NDArray[np.float16]], part: str) -> tuple[Layer, ...]:
    numbers = sorted({int(name.split("/")[1]) for name in arrays if name.startswith(f"{part}/")})
    return tuple(
        Layer(*(arrays[f"{part}/{number}/{kind}"].astype(float) for kind in ("weight", "bias")))
        for number in numbers
    )


def _through(trunk: tuple[Layer, ...], rows: Array) -> Array:
    """Layers with ELU after each."""
    for layer in trunk:
        rows = layer(rows)
        rows = np.where(rows > 0.0, rows, np.expm1(np.minimum(rows, 0.0)))
    return rows
