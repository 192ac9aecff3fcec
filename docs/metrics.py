"""The page of metrics and failure modes, read off their registries."""

from __future__ import annotations

from docs.tables import table
from earsim.evaluation.metrics.episode import UNKNOWN
from earsim.evaluation.metrics.failure import MODES, UNEXPLAINED
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.statistics import RESAMPLES

_INTRODUCTION = f"""\
Every number of [a report](../reports.md) is one of these. All are computed from what a run
stored; none asks a model, so they can be computed again at any time and come out the same.

**Success** is the verdict that the ruleset publishes: `ear-bench` latches it (once true stays
true), `physical` takes the state at the end. Both are always reported.

**Denominators.** An episode is a success, a failure or *no measurement* (the server gave out,
the scenario could not be loaded, it was never played). What was not measured stays in the
denominator of every rate and is no success, so a rate is a lower bound wherever `coverage` is
below 1.

**Intervals** are 95 %. Rates have Wilson's. Where scenarios are repeated, the repeats are no
independent trials: the number of trials is divided by the design effect (Kish 1965), and never
falls below the number of scenarios. Everything else is bootstrapped by scenario, {RESAMPLES:,}
resamples with a fixed seed. A single scenario has no such interval.

**Groups.** Each metric is computed over all episodes, and for each category, level and suite.
Episodes under different rules or by different versions are never in one group. What could not
be told is `{UNKNOWN}`."""

_MODES = f"""\
A failed episode has every mode whose rule fits. Its *main* mode is the first of them in this
order, which goes from what makes anything else impossible to what says least; `{UNEXPLAINED}`
is what no rule fits. For the rules the recorded commands are carried out again; an episode
whose scenario is not at hand, has changed, or does not end in the recorded world, is left out
and counted by `failures.determined`."""


def metrics_page() -> str:
    """The page."""
    parts = ["# Metrics", _INTRODUCTION]
    for metric in METRICS.values():
        rows = [["formula", metric.formula], ["denominator", metric.denominator]]
        rows.append(["unit", metric.unit.value])
        parts += [f"## `{metric.id}`", metric.doc, table(["", ""], rows)]
    parts += ["## Failure modes", _MODES]
    for mode in MODES:
        parts += [f"### `{mode.id}`", mode.doc]
    return "\n\n".join(parts)
