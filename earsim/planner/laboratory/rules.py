"""Rules that tune an apparatus from what its runs tell, without computing anything beside them.

A rule is a generator: it yields settings to be run and is sent what came of the run, the results or
None where it broke off, and returns settings that will do, or None where it gives up. It knows
what the page of the model says of the apparatus, and nothing of its equations' solutions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from earsim.apparatus.design import Requirement, Results, margin
from earsim.apparatus.parameter import Parameter, Settings, Value

Asks = Generator[Settings, Results | None, Settings | None]
"""Settings to run, each answered by `send` with results; returns what will do."""

Rule = Callable[["Bench"], Asks]


class Bench(NamedTuple):
    """What a rule may change, and what it is to reach.

    Attributes:
        parameters: that can be configured here, by name.
        settings: as they are.
        requirements: on the results of one run.
        levels: values that are listed here, by setting.
    """

    parameters: Mapping[str, Parameter]
    settings: Settings
    requirements: Sequence[Requirement]
    levels: Mapping[str, Sequence[Value]]

    def with_(self, changes: Mapping[str, Value]) -> Settings | None:
        """The settings with some changed, within bounds; None where one of them is fixed here."""
        new = dict(self.settings)
        for name, value in changes.items():
            parameter = self.parameters.get(name)
            if parameter is None and value != self.settings[name]:
                return None
            if parameter is not None and isinstance(value, float):
                value = min(max(float(f"{value:.4g}"), parameter.low), parameter.high)
            if parameter is not None and parameter.choices and value not in parameter.choices:
                return None
            new[name] = value
        return new

    def met(self, results: Results | None) -> bool:
        """Whether a run shows what is asked for."""
        return results is not None and margin(results, self.requirements) >= 0.0


def rule(model: str, bench: Bench) -> Asks:
    """The rule of a model; for one without, the settings as they are are all that is tried."""
    return _RULES.get(model, _as_it_is)(bench)


def replayed(asks: Asks, tried: Sequence[tuple[Settings, Results | None]]) -> Settings | None:
    """What a rule wants to be run next, or None where it has ended.

    Args:
        asks: a rule at its start.
        tried: what came of earlier runs.
    """
    try:
        wanted = next(asks)
        while True:
            known = next((results for settings, results in tried if settings == wanted), _NOT_RUN)
            if known is _NOT_RUN:
                return wanted
            wanted = asks.send(known)
    except StopIteration:
        return None


_NOT_RUN: Results = {"not run": None}


def _as_it_is(bench: Bench) -> Asks:
    results = yield bench.settings
    return bench.settings if bench.met(results) else None


# -- gains -----------------------------------------------------------------------------------------


def _gains(starts: Callable[[Bench], Iterable[Settings]], names: tuple[str, ...]) -> Rule:
    """Textbook tunings first, then one gain after the other, up and down, from the best so far."""

    def asks(bench: Bench) -> Asks:
        best, best_margin = bench.settings, -math.inf
        for settings in starts(bench):
            results = yield settings
            if bench.met(results):
                return settings
            found = -math.inf if results is None else margin(results, bench.requirements)
            if found > best_margin or best is bench.settings:
                best, best_margin = settings, found
        around = bench._replace(settings=best)
        return (yield from _coordinates(around, names, best_margin))

    return asks


_FACTORS = (1.4, 1.15, 1.05)


def _coordinates(bench: Bench, names: tuple[str, ...], best_margin: float) -> Asks:
    """Coordinate search: each gain times and by a factor, a smaller one where none is better."""
    best = bench.settings
    for factor in _FACTORS:
        better = True
        while better:
            better = False
            for name, step in ((name, step) for name in names for step in (factor, 1 / factor)):
                new = bench._replace(settings=best).with_({name: float(best[name]) * step})
                if new is None or new == best:
                    continue
                results = yield new
                if bench.met(results):
                    return new
                found = -math.inf if results is None else margin(results, bench.requirements)
                if found > best_margin:
                    best, best_margin, better = new, found, True
    return None


CLOSED_LOOP_S = (1.0, 0.5, 2.0)
"""Time constants of the closed loop that are aimed at, one after the other."""


def lag_tunings(bench: Bench) -> Iterator[Settings]:
    """Of `maglev/1`: internal model control of its three lags after the half rule.

    Skogestad, "Simple analytic rules for model reduction and PID controller tuning", 2003.
    """
    from earsim.apparatus.maglev.equations import LAGS_S

    small, middle, large = sorted(LAGS_S)
    topologies = dict.fromkeys(["pid", str(bench.settings["topology"])])
    for topology in topologies:
        for aim in CLOSED_LOOP_S:
            if topology == "pid":
                first, second, delay = large, middle + small / 2, small / 2
            else:
                first, second, delay = large + middle / 2, 0.0, middle / 2 + small
            gain = first / (aim + delay)
            reset = min(first, 4.0 * (aim + delay))
            changes: dict[str, Value] = {
                "topology": str(topology),
                "Kp": gain * (1 + second / reset),
            }
            changes |= {"Ki": gain / reset} if topology != "p" else {}
            changes |= {"Kd": gain * second} if topology == "pid" else {}
            settings = bench.with_(changes)
            if settings is not None:
                yield settings


STIFFNESS = (2.0, 1.5, 3.0)
"""Proportional gains as multiples of the least that holds the ball."""

_RESET = 0.2
"""Integral gain over the greatest with which the loop is stable."""


def ball_tunings(bench: Bench) -> Iterator[Settings]:
    """Of `levitation/1`: critical damping of the loop linearised at the set point.

    First without an integral part, which a ball of another mass needs.
    """
    from earsim.apparatus.levitation.equations import LEAST_KP, critical_kd, greatest_ki

    for topology in ("pd", "pid"):
        for multiple in STIFFNESS:
            kp = multiple * LEAST_KP
            kd = critical_kd(kp)
            ki = _RESET * greatest_ki(kp, kd) if topology == "pid" else bench.settings["ki"]
            settings = bench.with_({"topology": topology, "kp": kp, "kd": kd, "ki": ki})
            if settings is not None:
                yield settings


# -- grids -----------------------------------------------------------------------------------------

_SAFETY = 1.03
"""A grid is taken a little finer than a law of convergence says."""


CELLS: Mapping[str, str] = {"heat1d/1": "n", "euler1d/1": "n", "ns2d/1": "resolution"}
"""The parameter that is the number of cells, by the model's id."""


def _cells(name: str, order: float, better: Mapping[str, Value], *, careful: bool = False) -> Rule:
    """Secant of log error over log cells.

    A run that breaks off, or whose numbers are not sound, is made again with half the time step,
    where that can be changed, else with twice the cells.

    Args:
        name: of the parameter that is the number of cells.
        order: of convergence, until two runs tell it.
        better: settings that lower the error at the same cost, where they can be changed here.
        careful: begin with the coarsest grid and no greater a time step than the model's own, and
            go on to a grid that is listed here, if any is: of a model whose runs are dear, break
            off easily, and converge unevenly.
    """

    def asks(bench: Bench) -> Asks:
        cells = bench.parameters.get(name)
        tolerance = _tolerance(bench.requirements)
        if cells is None or tolerance is None:
            return (yield from _as_it_is(bench))
        listed = sorted(int(value) for value in bench.levels.get(name, ())) if careful else []
        base = bench.with_(better) if better.keys() <= bench.parameters.keys() else None
        settings = dict(base or bench.settings)
        if careful:
            settings |= _coarsest(bench, cells, listed)
        seen: dict[int, float] = {}
        while True:
            results = yield dict(settings)
            if bench.met(results):
                return settings
            n = int(settings[name])
            error = None if results is None else results.get("error")
            sound = results is not None and results.get("sound") is not False
            if sound and isinstance(error, float) and error > 0.0:
                seen[n] = error
                new = _fitting(n, seen, tolerance, order)
            elif _coarse_steps(bench, settings):
                settings["cfl"] = max(float(settings["cfl"]) / 2.0, bench.parameters["cfl"].low)
                continue
            else:
                new = 2 * n
            new = next((value for value in listed if value >= new), new)
            step = cells.multiple_of
            new = min(max(-(-new // step) * step, int(cells.low)), int(cells.high) // step * step)
            if new in seen or new == n:
                return None
            settings[name] = new

    return asks


def _coarsest(bench: Bench, cells: Parameter, listed: Sequence[int]) -> Settings:
    """The least cells that are listed or can be set, and a time step to begin with."""
    step, least = cells.multiple_of, math.ceil(cells.low)
    found: dict[str, Value] = {cells.name: listed[0] if listed else -(-least // step) * step}
    cfl = bench.parameters.get("cfl")
    if cfl is not None:
        found["cfl"] = min(float(bench.settings["cfl"]), float(cfl.default))
    return found


def _coarse_steps(bench: Bench, settings: Settings) -> bool:
    """Whether time steps can be made smaller here."""
    cfl = bench.parameters.get("cfl")
    return cfl is not None and float(settings["cfl"]) > cfl.low


def _tolerance(requirements: Sequence[Requirement]) -> float | None:
    bounds = [r.high for r in requirements if r.result == "error" and r.high is not None]
    return min(bounds, default=None)


def _fitting(n: int, seen: Mapping[int, float], tolerance: float, order: float) -> int:
    """Cells at which the error comes to a tolerance, by the last two runs; at most four times."""
    if len(seen) > 1:
        before, last = list(seen)[-2:]
        told = math.log(seen[before] / seen[last]) / math.log(last / before)
        order = min(max(told, 0.5 * order), 2.0 * order)
    fitting: float = _SAFETY * n * (seen[n] / tolerance) ** (1.0 / order)
    new = min(math.ceil(fitting), 4 * n)
    return max(new, n + 1) if seen[n] > tolerance else new


# -- oceans ----------------------------------------------------------------------------------------


def rungs(bench: Bench) -> Iterator[Settings]:
    """Of `sixbox/1`: each parameter of its questions twice and half, then by four, and so on.

    One parameter is changed at a time, as far as the bounds of here go.
    """
    from earsim.apparatus.sixbox.questions import QUESTIONS

    names = list(dict.fromkeys(q.parameter for q in QUESTIONS if q.parameter in bench.parameters))
    seen = [bench.settings]
    for power in range(1, _RUNGS + 1):
        for name, factor in ((name, 2.0**sign) for name in names for sign in (power, -power)):
            new = bench.with_({name: float(bench.settings[name]) * factor})
            if new is not None and new not in seen:
                seen.append(new)
                yield new


_RUNGS = 12


def _ladder(bench: Bench) -> Asks:
    """The settings as they are, then rung by rung."""
    for settings in (bench.settings, *rungs(bench)):
        results = yield settings
        if bench.met(results):
            return settings
    return None


_RULES: Mapping[str, Rule] = {
    "maglev/1": _gains(lag_tunings, ("Kp", "Kd", "Ki")),
    "levitation/1": _gains(ball_tunings, ("kd", "kp", "ki")),
    "heat1d/1": _cells(CELLS["heat1d/1"], 2.0, {}),
    "euler1d/1": _cells(CELLS["euler1d/1"], 0.45, {"reconstruction": "kappa", "beta": 2.0}),
    "ns2d/1": _cells(CELLS["ns2d/1"], 1.5, {}, careful=True),
    "sixbox/1": _ladder,
}
"""The rules of models, by the model's id."""
