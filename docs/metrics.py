"""The page of metrics and failure modes, read off their registries."""

from __future__ import annotations

from docs.tables import table
from earsim.evaluation.metrics.episode import UNKNOWN
from earsim.evaluation.metrics.failure import MODES, UNEXPLAINED
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.statistics import RESAMPLES

_INTRODUCTION = f"""\
Every number of [a report](../reports.md) is one of these. All are computed from what a run
stored; none queries a model, so they can be computed again at any time with the same result.

**Success** is the verdict that the ruleset publishes: `ear-bench` latches it (once true stays
true), `physical` takes the state at the end. Both are always reported.

**Denominators.** An episode is a success, a failure or *no measurement* (the server failed, the
scenario could not be loaded, it was never played). Episodes without a measurement stay in the
denominator of every rate and are no success, so a rate is a lower bound wherever `coverage` is
below 1.

**Intervals** are 95 %. Rates have Wilson's. Repeats of a scenario are not
independent trials: the number of trials is divided by the design effect (Kish 1965), and never
falls below the number of scenarios. Everything else is bootstrapped by scenario, {RESAMPLES:,}
resamples with a fixed seed. A single scenario has no such interval.

**Groups.** Each metric is computed over all episodes, and for each category, level and suite.
Episodes under different rules or by different versions are never in one group. Unknown values
are shown as `{UNKNOWN}`."""

_MODES = f"""\
A failed episode has every mode whose rule applies. Its *main* mode is the first of them in this
order, from the most to the least specific cause; `{UNEXPLAINED}` means that no rule applies.
The rules need a replay of the recorded commands; an episode whose scenario is missing, has
changed, or does not end in the recorded world, is left out and counted by
`failures.determined`."""


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
