"""The six-box ocean as a model of an apparatus: `sixbox/1`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from earsim.apparatus.model import (
    Advanced,
    Expected,
    Model,
    ModelEvent,
    ModelOutput,
    Sample,
    Severity,
)
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish
from earsim.apparatus.sixbox.boxes import YEAR_S, circulation, deep_volume, march
from earsim.apparatus.sixbox.noise import noise
from earsim.apparatus.sixbox.ocean import NOTHING, Boxes, Fresh, Ocean, Tally
from earsim.apparatus.sixbox.regimes import regimes
from earsim.apparatus.sixbox.settings import (
    BASINS,
    PARAMETERS,
    WHERE,
    fresh_of,
    ocean_of,
    start_of,
)

STEP_COST = 6.0
"""Cost units of one step: one per box."""

SAMPLES = 25
"""Samples of a run, evenly over its steps; the last is its end."""

SVERDRUP = 1e6
"""m3/s."""

TAIL = 10
"""Regimes and sinking are taken over the last steps: this part of all."""

EOS_T = (-2.0, 40.0)
EOS_S = (0.0, 42.0)
"""Where EOS-80 holds: temperatures in C, salinities on the practical scale."""


@dataclass(frozen=True, slots=True)
class OceanRun:
    """A run of the six-box ocean after some steps.

    Attributes:
        ocean: what stays as it is.
        fresh: freshwater fluxes without noise.
        amplitude: of the noise, m3/s.
        seed: of the noise.
        steps: of the whole run.
        boxes: as they are, all numbers finite.
        step: steps done.
        tally: over the steps of the tail that are done.
        raised: names of the events raised, each once.
        failed: the name of the event that ended the run before its end.
    """

    ocean: Ocean
    fresh: Fresh
    amplitude: float
    seed: int
    steps: int
    boxes: Boxes
    step: int = 0
    tally: Tally = NOTHING
    raised: frozenset[str] = frozenset()
    failed: str | None = None

    @property
    def years(self) -> float:
        """Time inside the model."""
        return self.step * self.ocean.dt / YEAR_S

    @property
    def spent(self) -> float:
        """Cost units; a step that broke was made, too."""
        return STEP_COST * (self.step + (self.failed is not None))

    @property
    def done(self) -> bool:
        """Whether all steps are done."""
        return self.step == self.steps

    def until(self, step: int) -> OceanRun:
        """The run after so many steps, or where it broke before."""
        rows = noise(self.amplitude, self.seed, self.step, step)
        tail = self.steps - self.steps // TAIL
        went = march()(self.boxes, self.ocean, self.fresh, rows, self.step, step, tail, self.tally)
        failed = "nan" if went.broken else None
        return replace(self, boxes=went.boxes, step=went.step, tally=went.tally, failed=failed)


class SixBox(Model):
    """Overturning circulation of two basins: depths, temperatures, salinities, regimes."""

    id: ClassVar[str] = "sixbox/1"
    title: ClassVar[str] = "ocean overturning in six boxes"
    parameters: ClassVar[tuple[Parameter, ...]] = PARAMETERS
    channels: ClassVar[tuple[ModelOutput, ...]] = (
        *(
            ModelOutput(f"D_{b}", "m", f"depth of the {says} pycnocline")
            for b, says in BASINS.items()
        ),
        *(
            ModelOutput(f"T_{box}", "C", f"temperature of the {says}")
            for box, says in WHERE.items()
        ),
        *(ModelOutput(f"S_{box}", "psu", f"salinity of the {says}") for box, says in WHERE.items()),
        *(ModelOutput(f"M_{b}", "Sv", f"sinking in the northern {s}") for b, s in BASINS.items()),
    )
    quantities: ClassVar[tuple[ModelOutput, ...]] = (
        *(
            ModelOutput(
                f"regime_{b}", "", f"of the {says}: 3 deep, 2 intermediate, 1 shallow (off)"
            )
            for b, says in BASINS.items()
        ),
        *(
            ModelOutput(f"M_{b}", "Sv", f"mean sinking in the northern {says} over the last tenth")
            for b, says in BASINS.items()
        ),
        *channels[:-2],
    )
    events: ClassVar[tuple[str, ...]] = ("nan", "unphysical", "out_of_range", "done")
    rate: ClassVar[float | None] = 2e5

    def start(self, settings: Settings, *, seed: int = 0) -> OceanRun:
        """The first state of a run.

        Args:
            settings: checked.
            seed: of the noise; 0 or more.
        """
        amplitude, steps = float(settings["noise"]), int(settings["N"])
        given = ocean_of(settings), fresh_of(settings)
        return OceanRun(*given, amplitude, seed, steps, start_of(settings))

    def advance(self, state: Any, allowance: float) -> Advanced:
        """Do the steps that an allowance, in cost units since the start, pays for."""
        run: OceanRun = state
        samples: list[Sample] = []
        events: list[ModelEvent] = []
        # 6 N as rate times time may come out one rounding short of paying for the last step
        paid = math.floor(min(run.steps, allowance * (1.0 + 1e-12) / STEP_COST))
        while run.step < paid and run.failed is None:
            mark = _next_sample(run)
            run = run.until(min(mark, paid))
            if run.step == mark and run.failed is None:
                samples.append(_sample(run))
            if run.step == mark or run.failed:
                warnings = tuple(_warnings(run))
                if warnings:
                    events += warnings
                    run = replace(run, raised=run.raised | {event.name for event in warnings})
            if run.failed or run.done:
                events.append(_end(run))
        part = run.step / run.steps
        return Advanced(run, tuple(samples), tuple(events), run.spent, part, run.done, run.failed)

    def results(self, state: Any) -> Mapping[str, Value | None]:
        """Depths, temperatures, salinities so far; regimes and sinking of a completed run."""
        run: OceanRun = state
        found: dict[str, Value | None] = dict.fromkeys(q.name for q in self.quantities)
        now = zip(self.quantities[4:], run.boxes, strict=True)
        found |= {quantity.name: publish(value) for quantity, value in now}
        seen = regimes(run.tally) if run.done else None
        if seen is not None:
            count = run.steps // TAIL * SVERDRUP
            found |= {"regime_A": seen.a, "M_A": publish(run.tally.sinking_a / count)}
            found |= {"regime_P": seen.p, "M_P": publish(run.tally.sinking_p / count)}
        return found

    def expected(self, settings: Settings) -> Expected:
        """What a run costs: known beforehand."""
        cost = STEP_COST * int(settings["N"])
        return Expected(cost, cost)


def _next_sample(run: OceanRun) -> int:
    """The number of steps at which the next sample is due."""
    number = run.step * SAMPLES // run.steps + 1
    return -(-number * run.steps // SAMPLES)


def _sample(run: OceanRun) -> Sample:
    a, p = circulation(run.boxes, run.ocean)
    values = (*run.boxes, a.sinking / SVERDRUP, p.sinking / SVERDRUP)
    return Sample(run.spent, publish(run.years), tuple(map(publish, values)))


def _warnings(run: OceanRun) -> Iterator[ModelEvent]:
    """What the numbers of a run show for the first time."""
    y, deep = run.boxes, deep_volume(run.boxes, run.ocean)
    if "unphysical" not in run.raised and not min(y.depth_a, y.depth_p, deep) > 0.0:
        positive = {"V_d": deep, "D_A": y.depth_a, "D_P": y.depth_p}
        name, value = next(item for item in positive.items() if not item[1] > 0.0)
        facts = {"quantity": name, "value": publish(value)}
        yield _event(run, "unphysical", Severity.ERROR, facts)
    if "out_of_range" not in run.raised:
        for kind, (low, high), values in (("T", EOS_T, y[2:8]), ("S", EOS_S, y[8:])):
            if not low <= min(values) <= max(values) <= high:
                found = {f"{kind}_{box}": value for box, value in zip(WHERE, values, strict=True)}
                facts = {**_outside(found, low, high), "low": low, "high": high}
                yield _event(run, "out_of_range", Severity.WARNING, facts)
                return


def _outside(numbers: Mapping[str, float], low: float, high: float) -> dict[str, Any]:
    """The number furthest outside of its bounds."""
    name = max(numbers, key=lambda name: max(low - numbers[name], numbers[name] - high))
    return {"quantity": name, "value": publish(numbers[name])}


def _end(run: OceanRun) -> ModelEvent:
    if run.failed:
        return _event(run, run.failed, Severity.ERROR, {"step": run.step + 1})
    return _event(run, "done", Severity.INFO, {"step": run.step})


def _event(run: OceanRun, name: str, severity: Severity, facts: Mapping[str, Any]) -> ModelEvent:
    return ModelEvent(run.spent, publish(run.years), name, severity, facts)


SIXBOX = SixBox()
