"""The models that a scene can name: those that are here, and those that a user has attached."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from earsim.apparatus.model import Model
from earsim.registry import Lazy, Registry

_ATTACHED = Lazy("earsim.link.remote.model:attached")
_ADDRESSES = Lazy("earsim.link.remote.addresses:addresses")


class ModelRegistry(Registry[Model]):
    """Models by id; what is here is never replaced by one that lives elsewhere."""

    def __getitem__(self, name: str) -> Model:
        """A model; one that lives elsewhere is asked what it is.

        Raises:
            UnknownName: There is none.
            UsageError: It is attached and does not answer.
        """
        if name not in self._entries and name in self._elsewhere():
            return cast(Callable[[str], Model], _ATTACHED.load())(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._elsewhere()

    def __iter__(self) -> Iterator[str]:
        yield from self._entries
        yield from [name for name in self._elsewhere() if name not in self._entries]

    def __len__(self) -> int:
        return len({*self._entries, *self._elsewhere()})

    def _elsewhere(self) -> Mapping[str, str]:
        """By id, where the attached models live."""
        if not os.environ.get("EARSIM_MODELS"):
            return {}
        return cast(Callable[[], Mapping[str, str]], _ADDRESSES.load())()


MODELS: Registry[Model] = ModelRegistry(
    "model",
    {
        "maglev/1": Lazy("earsim.apparatus.maglev:MAGLEV"),
        "levitation/1": Lazy("earsim.apparatus.levitation:LEVITATION"),
        "heat1d/1": Lazy("earsim.apparatus.heat1d:HEAT1D"),
        "euler1d/1": Lazy("earsim.apparatus.euler1d:EULER1D"),
        "ns2d/1": Lazy("earsim.apparatus.ns2d:NS2D"),
        "sixbox/1": Lazy("earsim.apparatus.sixbox:SIXBOX"),
        "forecaster/1": Lazy("earsim.apparatus.forecaster:FORECASTER"),
        "tipgan/1": Lazy("earsim.apparatus.tipgan:TIPGAN"),
        "python/1": Lazy("earsim.apparatus.bodies:PYTHON"),
        "octave/1": Lazy("earsim.apparatus.bodies:OCTAVE"),
        "wet_bench/1": Lazy("earsim.apparatus.wet_bench:WET_BENCH"),
        "dry_bench/1": Lazy("earsim.apparatus.dry_bench:DRY_BENCH"),
        "library/1": Lazy("earsim.apparatus.library:LIBRARY"),
        "figures/1": Lazy("earsim.apparatus.figures:FIGURES"),
    },
)
