"""Apparatus as data: the runs of an episode with their readings, and what was booked for them."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any

from earsim.apparatus.figures.model import FigureBoard
from earsim.apparatus.lookup import Consultation, LookUpModel
from earsim.apparatus.model import Sample
from earsim.ids import printable
from earsim.render.pictures import picture
from earsim.world import Blueprint, World
from earsim.world.lab import Lab, LabRun, Rig

_MOST_POINTS = 400
"""Points of one channel; of more readings the least and the greatest of each stretch are kept."""


def lab_of(world: World) -> Lab | None:
    """The apparatus of a world as they are now; None where there are none."""
    return None if world.timeline is None else world.timeline.lab


def laboratory(blueprint: Blueprint, lab: Lab | None) -> dict[str, Any] | None:
    """All runs, the ledger and the limits; None in a scene without apparatus.

    Clocks are in s. `apparatus` is in file order, `runs` and `ledger` in the order of the clock.
    """
    if lab is None or blueprint.live is None:
        return None
    rigs = blueprint.live.rigs
    return {
        "apparatus": list(rigs),
        "runs": [_run(run, rigs[run.apparatus]) for run in lab.runs.values()],
        "ledger": list(_ledger(lab)),
        "limits": dict(lab.limits),
    }


def _run(run: LabRun, rig: Rig) -> dict[str, Any]:
    return {
        "id": run.operation.id,
        "apparatus": run.apparatus,
        "model": rig.model.id,
        "agents": list(run.agents),
        "from": run.started_ms / 1000,
        "to": None if run.ended_ms is None else run.ended_ms / 1000,
        "status": ended_as(run),
        "message": run.message,
        "settings": {name: run.settings[name] for name in _changed(run, rig)},
        "results": {name: value for name, value in run.results.items() if value is not None},
        "events": [[event.t, event.name, event.severity.value] for event in run.events],
        "readings": list(_readings(run, rig)),
        **_looked_up(run, rig),
    }


def _looked_up(run: LabRun, rig: Rig) -> dict[str, Any]:
    """What was asked of a library or of figures and answered: lines of others, a picture."""
    model = rig.model
    if not isinstance(model, LookUpModel) or not isinstance(run.state, Consultation):
        return {}
    found: dict[str, Any] = {
        "asked": dict(run.settings),
        "lines": [printable(line) for line in model.lines(run.state)],
    }
    figure = model.shown(run.settings) if isinstance(model, FigureBoard) else None
    if figure is not None and run.state.over:
        drawn = picture(figure)
        data = b64encode(drawn.png).decode("ascii")
        found["picture"] = {"alt": drawn.alt, "src": f"data:image/png;base64,{data}"}
    return found


def ended_as(run: LabRun) -> str:
    """How a run ended: ``completed``, or why it failed; ``running`` while it goes on."""
    if run.ended_ms is None:
        return "running"
    failure = run.operation.failure
    return "completed" if failure is None else failure.value


def _changed(run: LabRun, rig: Rig) -> list[str]:
    """The settings that are not the model's own, in its order."""
    return [p.name for p in rig.model.parameters if run.settings[p.name] != p.default]


def _readings(run: LabRun, rig: Rig) -> Iterator[dict[str, Any]]:
    """Each channel over the model's own time; those on the display first."""
    channels = list(enumerate(rig.model.channels_of(run.settings)))
    shown = [entry for entry in channels if not rig.show or entry[1].name in rig.show]
    for k, channel in [*shown, *(entry for entry in channels if entry not in shown)]:
        yield {
            "channel": channel.name,
            "unit": channel.unit,
            "says": channel.says,
            "shown": (k, channel) in shown,
            "points": thinned(run.samples, k),
        }


def thinned(samples: Sequence[Sample], k: int) -> list[tuple[float, float]]:
    """Time and value of one channel, without what is not finite and at most `_MOST_POINTS`."""
    points = [(s.t, s.values[k]) for s in samples if math.isfinite(s.values[k])]
    if len(points) <= _MOST_POINTS:
        return points
    stretches = _MOST_POINTS // 2 - 1
    kept = {0, len(points) - 1}
    for part in range(stretches):
        here = range(part * len(points) // stretches, (part + 1) * len(points) // stretches)
        kept |= {min(here, key=lambda i: points[i][1]), max(here, key=lambda i: points[i][1])}
    return [points[i] for i in sorted(kept)]


def _ledger(lab: Lab) -> Iterator[dict[str, Any]]:
    """Every row with what its account comes to after it."""
    sums: dict[str, float] = {}
    for row in lab.ledger:
        sums[row.account] = sums.get(row.account, 0.0) + row.amount
        yield {**row._asdict(), "sum": round(sums[row.account], 9)}
