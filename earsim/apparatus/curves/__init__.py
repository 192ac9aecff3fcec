"""Stored curves: error and cost over the number of cells, computed by the models themselves.

Tolerances of tasks and plots rest on them. `python -m earsim.apparatus.curves` computes them
again, within a minute.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from earsim.apparatus import euler1d, heat1d
from earsim.apparatus.euler1d import reference as tubes
from earsim.apparatus.grid_model import ErrorCheck, GridModel, curve
from earsim.apparatus.heat1d import reference as slabs
from earsim.apparatus.parameter import Settings

FOLDER = Path(__file__).parent


class CurveSet(NamedTuple):
    """The curves of one model.

    Attributes:
        model: that computes them.
        profiles: settings by name.
        sizes: numbers of cells.
    """

    model: GridModel
    profiles: Mapping[str, Settings]
    sizes: tuple[int, ...]

    def compute(self) -> dict[str, Any]:
        """The curves of all profiles, as they are stored."""
        return {
            "model": self.model.id,
            "curves": {
                name: {
                    "settings": {key: settings[key] for key in settings if key != "n"},
                    "points": [_point(check) for check in curve(self.model, settings, self.sizes)],
                }
                for name, settings in self.profiles.items()
            },
        }


def curve_sets() -> dict[str, CurveSet]:
    """What is stored, by file name."""
    slabs_by_name = {f"profile_{i:02d}": settings for i, settings in enumerate(slabs.profiles())}
    return {
        "heat1d": CurveSet(heat1d.HEAT1D, slabs_by_name, (8, 16, 32, 64, 128, 256, 512)),
        "euler1d": CurveSet(euler1d.EULER1D, tubes.profiles(), (64, 128, 256, 512, 1024)),
    }


def stored(name: str) -> dict[str, Any]:
    """The curves of one file.

    Raises:
        FileNotFoundError: no curves have that name.
    """
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def write(folder: Path = FOLDER) -> None:
    """Compute all curves and store them."""
    for name, curves in curve_sets().items():
        text = json.dumps(curves.compute(), indent=1) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def _point(check: ErrorCheck) -> dict[str, Any]:
    return {"n": check.n, "cost": check.cost, "error": check.error, "sound": check.sound}
