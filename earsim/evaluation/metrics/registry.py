"""Every metric by its id."""

from __future__ import annotations

from earsim.evaluation.metrics.definitions import (
    claims,
    commands,
    designs,
    failures,
    repeats,
    steps,
    success,
    thresholds,
    tokens,
    verification,
    workflow,
)
from earsim.evaluation.metrics.metric import Metric
from earsim.registry import Registry

_ALL = (
    *success.METRICS,
    *steps.METRICS,
    *claims.METRICS,
    *commands.METRICS,
    *failures.METRICS,
    *tokens.METRICS,
    *repeats.METRICS,
    *designs.METRICS,
    *workflow.METRICS,
    *verification.METRICS,
    *thresholds.METRICS,
)

METRICS: Registry[Metric] = Registry("metric", {metric.id: metric for metric in _ALL})
"""Every metric, in the order of reports."""
