"""How questions about ``ns2d/1`` are answered: by doubling the resolution.

``python -m earsim.apparatus.ns2d.reference`` makes the stored curves again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from earsim.apparatus.model import ReferenceAnswer
from earsim.apparatus.ns2d.curves import (
    CFL,
    OMEGA,
    PROFILES,
    RESOLUTIONS,
    THRESHOLD,
    CurvePoint,
    profile,
    profile_run,
)
from earsim.apparatus.ns2d.run import FlowSettings, error_of, reference_run
from earsim.apparatus.parameter import Settings
from earsim.apparatus.publish import publish


def measured(checked: FlowSettings) -> CurvePoint | None:
    """Error and cost of a run, by doing it and the doubled one; None where one blows up."""
    run = reference_run(checked)
    error = error_of(run)
    if error is None:
        return None
    return CurvePoint(checked.resolution, publish(error), run.spent, run.iterations)


def doubling(
    settings: Settings, tolerance: float, *, start: int = 50, tries: int = 4
) -> ReferenceAnswer | None:
    """The first resolution in a series of doublings whose error is within a tolerance.

    Args:
        settings: of all runs but for the resolution.
        tolerance: greatest error.
        start: first resolution.
        tries: most resolutions to try.

    Returns:
        None where none of them is good enough.
    """
    for number in range(tries):
        design = {**settings, "resolution": start * 2**number}
        point = measured(FlowSettings.of(design))
        if point is not None and point.error <= tolerance:
            # every resolution tried was run, and the last one's double
            return ReferenceAnswer(
                design, point.error, point.cost, number + 2, "doubling", "factor 2 in resolution"
            )
    return None


def computed(shape: str, reynolds: float) -> dict[str, Any]:
    """The curve of a profile, as it is stored."""
    found = []
    for resolution in RESOLUTIONS:
        point = measured(profile_run(shape, reynolds, resolution))
        if point is None:
            raise ArithmeticError(f"{shape} at Reynolds number {reynolds} blows up")
        found.append(point._asdict())
    settings = {
        "boundary": shape,
        "reynolds": reynolds,
        "cfl": CFL,
        "relaxation_factor": OMEGA,
        "residual_threshold": THRESHOLD,
    }
    return {"settings": settings, "points": found}


def write(path: Path) -> None:
    """Compute the curves of all profiles and store them."""
    curves = {profile(*each): computed(*each) for each in PROFILES}
    text = json.dumps({"model": "ns2d/1", "curves": curves}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[1] / "curves" / "ns2d.json")
