"""How numbers of each unit are shown."""

from __future__ import annotations

from earsim.evaluation.metrics.metric import MetricEstimate, MetricUnit

NOTHING = "-"


def shown(estimate: MetricEstimate, unit: MetricUnit) -> str:
    """The value: `73.3 %`, `12.4`, `0.57`, `1,234`; a dash where there is none."""
    return NOTHING if estimate.value is None else number(estimate.value, unit)


def bounds(estimate: MetricEstimate, unit: MetricUnit) -> str:
    """The 95 % interval in the same unit, `61-84`; a dash where there is none."""
    if estimate.low is None or estimate.high is None:
        return NOTHING
    if unit is MetricUnit.SHARE:
        return f"{100 * estimate.low:.0f}-{100 * estimate.high:.0f}"
    return f"{number(estimate.low, unit)}-{number(estimate.high, unit)}"


def with_bounds(estimate: MetricEstimate, unit: MetricUnit) -> str:
    """Value and interval in one cell: `73.3 % (61-84)`."""
    interval = bounds(estimate, unit)
    value = shown(estimate, unit)
    return value if interval == NOTHING else f"{value} ({interval})"


def number(value: float, unit: MetricUnit) -> str:
    """One number."""
    match unit:
        case MetricUnit.SHARE:
            return f"{100 * value:.1f} %"
        case MetricUnit.RATIO:
            return f"{value:.2f}"
        case MetricUnit.NUMBER:
            return f"{value:,.4g}"
        case MetricUnit.TOKENS:
            return f"{value:,.0f}"
        case MetricUnit.SECONDS:
            return f"{value:.3g} s"
        case MetricUnit.MONEY:
            return f"{value:.4f}"
        case MetricUnit.DECISIONS | MetricUnit.CALLS:
            return f"{value:.1f}"


def p_value(p: float | None) -> str:
    """`0.032`, or `<0.001`."""
    if p is None:
        return NOTHING
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def points(difference: float | None) -> str:
    """A difference of shares, in points: `+4.4`."""
    return NOTHING if difference is None else f"{100 * difference:+.1f}"
