"""The numbers of a report as a table for programs: one row per number, CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from earsim.atomic import replacing
from earsim.errors import MissingExtra
from earsim.evaluation.metrics.measurement import Measurement
from earsim.evaluation.metrics.metric import MetricUnit
from earsim.evaluation.report import published
from earsim.tables.csv_text import csv_text

_NUMBERS = {"value": "float64", "low": "float64", "high": "float64", "n": "int64"}


def numbers_csv(rows: Iterable[Measurement]) -> str:
    """All rows, with a head."""
    return csv_text(Measurement._fields, rows)


def write_parquet(rows: Iterable[Measurement], path: Path) -> None:
    """All rows as one Parquet file; it appears complete or not at all.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "report") from error
    fields = [(name, getattr(pa, _NUMBERS.get(name, "string"))()) for name in Measurement._fields]
    columns = list(zip(*rows, strict=True)) or [()] * len(fields)
    arrays = [pa.array(column, kind) for column, (_, kind) in zip(columns, fields, strict=True)]
    with replacing(path) as partial:
        parquet.write_table(pa.table(arrays, schema=pa.schema(fields)), partial)


def published_measurements() -> Iterator[Measurement]:
    """The published numbers in the same form; their source says what they are."""
    for model, scores in published.TABLE_1.items():
        for category, score in scores.items():
            yield _quoted(model, category, "success", score.success / 100, MetricUnit.SHARE)
            yield _quoted(model, category, "steps.success", score.steps, MetricUnit.DECISIONS)
    for category, (median, mean) in published.STEP_RATIO.items():
        yield _quoted("all models", category, "step_ratio.median", median, MetricUnit.RATIO)
        yield _quoted("all models", category, "step_ratio.mean", mean, MetricUnit.RATIO)


def _quoted(model: str, category: str, metric: str, value: float, unit: MetricUnit) -> Measurement:
    return Measurement(
        source=published.SOURCE,
        subject=model,
        run="arXiv 2508.05614",
        version="",
        ruleset="",
        group="category",
        value_of=str(category),
        metric=metric,
        part="",
        value=value,
        low=None,
        high=None,
        n=0,
        unit=unit.value,
    )
