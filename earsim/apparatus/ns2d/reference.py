"""How questions about ``ns2d/1`` are answered: by doubling the resolution.

``python -m earsim.apparatus.ns2d.reference`` makes the stored curves again.
"""

from __future__ import annotations

import json
from pathlib import Path

from earsim.apparatus.model import Reference
from earsim.apparatus.ns2d.curves import (
    CFL,
    OMEGA,
    RESOLUTIONS,
    REYNOLDS,
    THRESHOLD,
    Point,
    profile_run,
)
from earsim.apparatus.ns2d.run import Checked, error_of, reference_run
from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.apparatus.parameter import Settings
from earsim.apparatus.publish import publish


def measured(checked: Checked) -> Point | None:
    """Error and cost of a run, by doing it and the doubled one; None where one blows up."""
    run = reference_run(checked)
    error = error_of(run)
    if error is None:
        return None
    return Point(checked.resolution, publish(error), run.spent, run.iterations)


def doubling(
    settings: Settings, tolerance: float, *, start: int = 50, tries: int = 4
) -> Reference | None:
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
        point = measured(Checked.of(design))
        if point is not None and point.error <= tolerance:
            # every resolution tried was run, and the last one's double
            return Reference(
                design, point.error, point.cost, number + 2, "doubling", "factor 2 in resolution"
            )
    return None


def write(path: Path) -> None:
    """Compute the curves of all profiles and store them."""
    rows = []
    for shape in SHAPES:
        for reynolds in REYNOLDS:
            for resolution in RESOLUTIONS:
                point = measured(profile_run(shape, reynolds, resolution))
                if point is None:
                    raise ArithmeticError(f"{shape}, {reynolds}, {resolution}: it blows up")
                rows.append({"boundary": shape, "reynolds": reynolds, **point._asdict()})
    common = {"cfl": CFL, "relaxation_factor": OMEGA, "residual_threshold": THRESHOLD}
    head = json.dumps({"model": "ns2d/1", **common})[:-1]
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f'{head}, "points": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[1] / "curves" / "ns2d.json")
