"""`forecaster/1`: what will the six-box ocean be like in some years, and how far is that off?

A run has the ocean make 200 years, foretells the years after these by a method, and tells how far
the forecast is off the same run gone on. Weights are files of this distribution. Persistence and
autoregression tell the same wherever they run; the transformer needs the extra ``forecast``, and
torch may round otherwise elsewhere, so what it tells has four digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from earsim.apparatus.events import system_event
from earsim.apparatus.forecaster.autoregression import Autoregression, FittedAutoregression
from earsim.apparatus.forecaster.series import (
    AHEAD,
    LATEST,
    SERIES,
    STEPS_A_YEAR,
    VARIED,
    WINDOW,
    Array,
    record,
)
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
from earsim.apparatus.sixbox.model import SIXBOX, STEP_COST
from earsim.apparatus.sixbox.presets import preset
from earsim.errors import MissingExtra
from earsim.registry import Lazy

PERSISTENCE, AR, TRANSFORMER = "persistence", "ar", "transformer"

MISSING = "missing_extra"
"""The event where the transformer cannot be run here."""

_TRANSFORMER = Lazy("earsim_training.forecaster.transformer:shipped", extra="forecast")

Row = tuple[float, ...]


class Foretold(NamedTuple):
    """A forecast beside what came.

    Attributes:
        rows: of each year foretold, in the order of `SERIES`.
        truth: of the last of these years, as the ocean went on.
    """

    rows: tuple[Row, ...]
    truth: Row


@dataclass(frozen=True, slots=True)
class ForecastRun:
    """A forecast after some of its years.

    Attributes:
        settings: what it runs with.
        foretold: the whole forecast; None before the window is there.
        years: of these so many are told.
        failed: why it ended: an event, or the sentence that says what is missing.
    """

    settings: Settings
    foretold: Foretold | None = None
    years: int = 0
    failed: str | None = None

    @property
    def horizon(self) -> int:
        """Years to be foretold."""
        return int(self.settings["horizon"])

    @property
    def window_cost(self) -> float:
        """Cost units of the ocean until the window ends."""
        return STEP_COST * STEPS_A_YEAR * (int(self.settings["first"]) + WINDOW)

    @property
    def spent(self) -> float:
        """Cost units; a window that broke off was made, too."""
        made = self.foretold is not None or self.failed is not None
        return self.window_cost * made + self.years * len(SERIES)

    @property
    def done(self) -> bool:
        """Whether all years are told."""
        return self.foretold is not None and self.years == self.horizon


class Forecaster(Model):
    """Forecasts of the ocean's 16 series; a year costs one unit for each of them."""

    id: ClassVar[str] = "forecaster/1"
    title: ClassVar[str] = "forecasts of the six-box ocean"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("method", "how it is foretold", AR, choices=(PERSISTENCE, AR, TRANSFORMER)),
        Parameter("horizon", "years ahead", AHEAD, "yr", low=1, high=AHEAD, integer=True),
        Parameter("first", "year that the window begins", 100, "yr", 0, LATEST, integer=True),
        *(each.narrowed(*VARIED[each.name]) for each in SIXBOX.parameters if each.name in VARIED),
        Parameter("seed", "of the noise", 0, low=0, high=999_999, integer=True),
    )
    channels: ClassVar[tuple[ModelOutput, ...]] = SIXBOX.channels
    quantities: ClassVar[tuple[ModelOutput, ...]] = (
        *(each._replace(says=f"{each.says}, foretold") for each in SIXBOX.channels),
        ModelOutput("error", "", "mean over the series, in units of their spread over 100 years"),
        ModelOutput("sinking_error", "Sv", "of the sinking in the northern Atlantic"),
    )
    events: ClassVar[tuple[str, ...]] = ("nan", MISSING, "done")
    rate: ClassVar[float | None] = SIXBOX.rate

    def start(self, settings: Settings) -> ForecastRun:
        """Nothing is foretold yet."""
        return ForecastRun(settings)

    def advance(self, state: Any, allowance: float) -> Advanced:
        """Make the window as soon as it is paid for, then tell one year after the other."""
        run: ForecastRun = state
        events: list[ModelEvent] = []
        if run.foretold is None and run.failed is None and allowance >= run.window_cost:
            run = _begun(run)
            if run.failed == "nan":
                events.append(system_event(run.failed, run.spent, 0.0))
            elif run.failed:
                facts = {"message": run.failed}
                events.append(ModelEvent(run.spent, 0.0, MISSING, Severity.ERROR, facts))
        samples: list[Sample] = []
        if run.foretold is not None and not run.done:
            paid = (allowance * (1.0 + 1e-12) - run.window_cost) / len(SERIES)
            until = math.floor(min(run.horizon, paid))
            while run.years < until:
                run = replace(run, years=run.years + 1)
                assert run.foretold is not None
                row = run.foretold.rows[run.years - 1]
                samples.append(Sample(run.spent, float(run.years), tuple(map(publish, row))))
            if run.done:
                told = system_event("done", run.spent, float(run.years), years=run.years)
                events.append(told)
        whole = run.window_cost + len(SERIES) * run.horizon
        part = run.spent / whole
        return Advanced(run, tuple(samples), tuple(events), run.spent, part, run.done, run.failed)

    def results(self, state: Any) -> Mapping[str, Value | None]:
        """The last year foretold and how far it is off, of a completed run."""
        run: ForecastRun = state
        if run.foretold is None or not run.done:
            return dict.fromkeys(each.name for each in self.quantities)
        told, truth = run.foretold.rows[-1], run.foretold.truth
        off = dict(zip(SERIES, map(_distance, told, truth), strict=True))
        scale = dict(zip(SERIES, _fit().scale.tolist(), strict=True))
        error = math.fsum(off[name] / scale[name] for name in SERIES) / len(SERIES)
        found: dict[str, Value | None] = dict(zip(SERIES, map(publish, told), strict=True))
        return found | {"error": publish(error), "sinking_error": publish(off["M_A"])}

    def expected(self, settings: Settings) -> Expected:
        """Known beforehand: the window, and one unit for each number foretold."""
        run = ForecastRun(settings)
        cost = run.window_cost + len(SERIES) * run.horizon
        return Expected(cost, cost)


@cache
def _fit() -> FittedAutoregression:
    return FittedAutoregression.load()


def _begun(run: ForecastRun) -> ForecastRun:
    """With the whole forecast; what the ocean does after the window is for the error alone."""
    given, first = run.settings, int(run.settings["first"])
    ocean = {**preset(), **{name: given[name] for name in VARIED}}
    years = WINDOW + run.horizon
    rows = record(ocean, first=first, years=years, seed=int(given["seed"]))
    if rows is None:
        return replace(run, failed="nan")
    try:
        told = _told(given, rows[:WINDOW])[: run.horizon].tolist()
    except MissingExtra as error:
        return replace(run, failed=str(error))
    return replace(run, foretold=Foretold(tuple(map(tuple, told)), tuple(rows[-1].tolist())))


def _told(settings: Settings, window: Array) -> Array:
    """The next 100 years by the method that is set, (years, series)."""
    if settings["method"] == PERSISTENCE:
        return Autoregression.persistence(len(SERIES)).forecast(window)
    if settings["method"] == AR:
        return _fit().forecaster.forecast(window)
    foretell = cast(Callable[[Settings, Array], Array], _TRANSFORMER.load())
    return np.array([[float(f"{x:.4g}") for x in row] for row in foretell(settings, window)])


def _distance(one: float, other: float) -> float:
    return abs(one - other)


FORECASTER = Forecaster()
