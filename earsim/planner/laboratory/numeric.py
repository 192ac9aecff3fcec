"""Settings whose results meet what a goal asks for, found by running models beside the world.

What is found is proved by having been computed. That nothing is found proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.design import Requirement, Results, margin, search
from earsim.apparatus.grid_model import GridModel, GridSearch, doubling, scan
from earsim.apparatus.model import Model, ReferenceAnswer
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings, Value, checked
from earsim.planner.laboratory.rules import Bench, ball_tunings, lag_tunings, rungs
from earsim.world.lab import Rig

LEAST_MARGIN = 1e-6
"""Share of a bound by which results have to keep away from it, so that machines agree."""

_LONG = 1e15
"""An allowance, in seconds or cost units, that no run uses up."""


class Design(NamedTuple):
    """Settings that meet requirements.

    Attributes:
        settings: complete.
        method: how they were found, such as ``doubling``.
        grid: among which candidates.
        evaluated: how many runs that took.
        cost: cost units of a run with them; 0 for a rig.
        margin: least distance of a result from its bound, as a share of the bound.
    """

    settings: Settings
    method: str
    grid: str
    evaluated: int
    cost: float
    margin: float


def results_of(model: Model, settings: Settings) -> Results | None:
    """The results of a whole run; None where it does not come to its end."""
    if isinstance(model, GridModel):
        end = model.finish(settings)
    else:
        end = model.advance(model.start(settings), _LONG)
    return model.results(end.state) if end.done else None


def designs(rig: Rig, settings: Settings, requirements: Sequence[Requirement]) -> Iterator[Design]:
    """Settings of an apparatus that meet requirements, what is found soonest first.

    Args:
        rig: the apparatus.
        settings: as they are.
        requirements: on the results of one run; without any, the settings as they are will do.

    Of a workstation there are none: what code to execute is not searched for.
    """
    if isinstance(rig.model, Workstation):
        return
    kept = _met(rig, settings, settings, requirements)
    if kept is not None:
        cost = rig.model.expected(settings).cost or 0.0
        yield Design(settings, "as it is", "", 1 if requirements else 0, cost, kept)
    tried = 1
    for found in _SEARCHES.get(rig.model.id, _unsearched)(rig, settings, requirements):
        tried += found.evaluated
        kept = _met(rig, settings, found.design, requirements)
        if kept is not None:
            yield Design(found.design, found.method, found.grid, tried, found.cost, kept)


def _met(
    rig: Rig, settings: Settings, new: Settings, requirements: Sequence[Requirement]
) -> float | None:
    """The margin of settings that can be configured and meet requirements."""
    if isinstance(checked(rig.parameters, changes(settings, new), among=settings), SettingProblem):
        return None
    results = results_of(rig.model, new) if requirements else {}
    if results is None:
        return None
    found = margin(results, requirements)
    return found if found >= LEAST_MARGIN else None


def changes(settings: Settings, new: Settings) -> dict[str, Value]:
    """What has to be configured."""
    return {name: value for name, value in new.items() if settings.get(name) != value}


def searchable(rig: Rig, settings: Settings) -> dict[str, Parameter]:
    """The parameters of a model within the bounds of here; what is fixed has one value."""
    tunable = {parameter.name: parameter for parameter in rig.parameters}
    return {
        own.name: tunable.get(own.name) or _fixed(own, settings[own.name])
        for own in rig.model.parameters
    }


def _fixed(parameter: Parameter, value: Value) -> Parameter:
    if isinstance(value, str):
        return replace(parameter, choices=(value,))
    return replace(parameter, low=float(value), high=float(value))


# -- searches --------------------------------------------------------------------------------------

Search = Callable[[Rig, Settings, Sequence[Requirement]], Iterator[ReferenceAnswer]]


def _unsearched(
    rig: Rig, settings: Settings, requirements: Sequence[Requirement]
) -> Iterator[ReferenceAnswer]:
    yield from ()


def _tunings(
    rig: Rig,
    settings: Settings,
    requirements: Sequence[Requirement],
    starts: Callable[[Bench], Iterator[Settings]],
) -> Iterator[ReferenceAnswer]:
    """Textbook tunings that meet requirements."""
    bench = Bench({p.name: p for p in rig.parameters}, settings, requirements, rig.levels)
    for tried, design in enumerate(starts(bench), start=1):
        if margin(_or_nothing(rig.model, design), requirements) >= LEAST_MARGIN:
            yield ReferenceAnswer(design, None, 0.0, tried, "textbook tuning", "")


def _gains(
    rig: Rig, settings: Settings, requirements: Sequence[Requirement]
) -> Iterator[ReferenceAnswer]:
    """Of `maglev/1`: textbook tunings; a grid, then a compass, topologies in order."""
    from earsim.apparatus.maglev.reference import reference

    yield from _tunings(rig, settings, requirements, lag_tunings)
    parameters = tuple(searchable(rig, settings).values())
    found = reference(requirements, parameters=parameters, among=settings)
    if found is not None:
        yield found


_LIFTING = {"pd": ("kp", "kd"), "pid": ("kp", "ki", "kd")}
"""The gains that each topology of `levitation/1` has."""


def _lifting(
    rig: Rig, settings: Settings, requirements: Sequence[Requirement]
) -> Iterator[ReferenceAnswer]:
    """Of `levitation/1`: textbook tunings; a grid, then a compass, topologies in order."""
    yield from _tunings(rig, settings, requirements, ball_tunings)
    known = searchable(rig, settings)
    for topology in known["topology"].choices:
        free = [known[name] for name in _LIFTING[topology] if known[name].low < known[name].high]
        rest = {**settings, "topology": topology}
        best = search(
            lambda each: _or_nothing(rig.model, each), requirements, free, among=rest, levels=6
        )
        method = "grid, then compass; topologies in order"
        yield ReferenceAnswer(best.design, None, 0.0, best.evaluated, method, best.grid)


def _or_nothing(model: Model, settings: Settings) -> Results:
    """The results of a run, of one that broke off those that are there."""
    end = model.advance(model.start(settings), _LONG)
    return model.results(end.state)


def _cells(
    rig: Rig, settings: Settings, requirements: Sequence[Requirement]
) -> Iterator[ReferenceAnswer]:
    """Of solvers on a grid: doubled until they converge; then the least grid that does.

    With the settings as they are, then with others of the values that the scene lists.
    """
    model = rig.model
    assert isinstance(model, GridModel), "only these have such a search"
    cells = {parameter.name: parameter for parameter in rig.parameters}.get("n")
    tolerance = _high(requirements, "error")
    if tolerance is None or cells is None:
        return
    tolerance *= 1.0 - LEAST_MARGIN
    spent = 0
    for start in _listed(rig, settings):
        most = _most_cells(model, start, cells, _high(requirements, "cost"))
        for grids, limit in ((doubling, most), (scan, 2.0 * most)):
            found: GridSearch = grids(model, start, tolerance, most=limit)
            if found.reference is not None:
                answer = found.reference
                yield answer._replace(evaluated=answer.evaluated + spent)
            spent += len(found.checks)


def _listed(rig: Rig, settings: Settings) -> Iterator[Settings]:
    """The settings as they are, and the others that the scene lists; cells aside."""
    yield settings
    names = [name for name in rig.levels if name != "n"]
    for values in product(*[rig.levels[name] for name in names]):
        new = {**settings, **dict(zip(names, values, strict=True))}
        if new != settings:
            yield new


def _most_cells(
    model: GridModel, settings: Settings, cells: Parameter, cost: float | None
) -> float:
    """The cells of the finest grid that a run can have."""
    n = int(cells.high)
    while cost is not None and n > cells.low:
        expected = model.expected({**settings, "n": n}).cost
        if expected is None or expected <= cost:
            break
        n //= 2
    return n


def _high(requirements: Sequence[Requirement], result: str) -> float | None:
    """The greatest value of a result that is allowed."""
    bounds = [r.high for r in requirements if r.result == result and r.high is not None]
    return min(bounds, default=None)


def _resolution(
    rig: Rig, settings: Settings, requirements: Sequence[Requirement]
) -> Iterator[ReferenceAnswer]:
    """Of `ns2d/1`: the values that the scene lists, coarse ones first; else doubled from the least.

    Runs are long, so nothing is searched between these.
    """
    from earsim.apparatus.ns2d.reference import doubling as doubled

    tolerance = _high(requirements, "error")
    cells = {parameter.name: parameter for parameter in rig.parameters}.get("resolution")
    if tolerance is None or cells is None:
        return
    listed = {"resolution": (settings["resolution"],), **rig.levels}
    candidates = [
        {**settings, **dict(zip(listed, values, strict=True))}
        for values in product(*listed.values())
    ]
    for tried, new in enumerate(sorted(candidates, key=lambda each: float(each["resolution"])), 1):
        results = results_of(rig.model, new)
        if results is not None and margin(results, requirements) >= LEAST_MARGIN:
            cost, grid = float(results["cost"] or 0.0), "the values that the scene lists"
            yield ReferenceAnswer(new, None, cost, tried, "levels", grid)
    if not rig.levels:
        tries = int(math.log2(cells.high / cells.low)) + 1
        found = doubled(settings, tolerance, start=int(cells.low), tries=tries)
        if found is not None:
            yield found


def _ladder(
    rig: Rig, settings: Settings, requirements: Sequence[Requirement]
) -> Iterator[ReferenceAnswer]:
    """Of `sixbox/1`: one parameter of its questions at a time, doubled and halved."""
    bench = Bench({p.name: p for p in rig.parameters}, settings, requirements, rig.levels)
    for evaluated, new in enumerate(rungs(bench), start=1):
        results = results_of(rig.model, new)
        if results is not None and margin(results, requirements) >= LEAST_MARGIN:
            cost = rig.model.expected(new).cost or 0.0
            grid = f"{' and '.join(changes(settings, new))} doubled and halved within its bounds"
            yield ReferenceAnswer(new, None, cost, evaluated, "ladder", grid)
            return


_SEARCHES: Mapping[str, Search] = {
    "maglev/1": _gains,
    "levitation/1": _lifting,
    "heat1d/1": _cells,
    "euler1d/1": _cells,
    "ns2d/1": _resolution,
    "sixbox/1": _ladder,
}
"""The searches of models, by the model's id; of others only the settings as they are are tried."""
