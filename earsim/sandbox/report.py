"""What comes of every escape, under each isolation that this machine has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earsim.sandbox.escapes.table import ESCAPES
from earsim.sandbox.escapes.trial import EscapeTrial, TrialOutcome, try_all, try_one
from earsim.sandbox.inside.orders import LANDLOCK, LIMITS, NAMESPACES, SECCOMP
from earsim.sandbox.measure import measured
from earsim.tables.document import Table

_NOT_TRIED = "not tried"


class Column(NamedTuple):
    """An isolation that is reported on.

    Attributes:
        head: its name.
        means: by which it isolates; None for none at all.
    """

    head: str
    means: tuple[str, ...] | None


def escape_table() -> Table:
    """A row for each escape, a column for each isolation; it takes about a minute."""
    columns = list(_columns(measured().means))
    results = [_results(column.means) for column in columns]
    rows = [
        (escape.group, escape.title, *(found.get(name, _NOT_TRIED) for found in results))
        for name, escape in ESCAPES.items()
    ]
    head = ("kind", "escape", *(column.head for column in columns))
    return Table("Escapes", head, texts=len(head)).with_rows(rows)


def _columns(means: Sequence[str]) -> Iterator[Column]:
    yield Column("no sandbox", None)
    if not means:
        return
    yield Column("limits", (LIMITS,))
    for parts in ((LANDLOCK,), (LANDLOCK, SECCOMP), (NAMESPACES,)):
        if set(parts) < set(means) - {LIMITS}:
            yield Column(" + ".join(parts), (*parts, LIMITS))
    if set(means) != {LIMITS}:
        yield Column("all that there is", tuple(means))


def _results(means: tuple[str, ...] | None) -> dict[str, str]:
    """What came of each escape, by its name."""
    tried = [name for name, escape in ESCAPES.items() if escape.control or means is not None]
    quick = [name for name in tried if ESCAPES[name].quick]
    found = try_all(quick, means)
    found += tuple(try_one(name, means) for name in tried if name not in quick)
    return {trial.name: _said(trial) for trial in found}


def _said(trial: EscapeTrial) -> str:
    if trial.outcome is TrialOutcome.SUCCEEDED:
        return trial.outcome
    return f"{trial.outcome}: {trial.detail}"
