"""What comes of every escape, under each isolation that this machine has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from earsim.sandbox import bubblewrap
from earsim.sandbox.escapes.table import ESCAPES
from earsim.sandbox.escapes.trial import EscapeTrial, TrialOutcome, try_all, try_one
from earsim.sandbox.inside.orders import BUBBLEWRAP, LANDLOCK, LIMITS, NAMESPACES, SECCOMP
from earsim.sandbox.measure import failure, level_of, measured
from earsim.tables.document import Table

_NOT_TRIED = "not tried"


def escape_table() -> Table:
    """A row for each escape, a column for each isolation with its level; it takes a minute."""
    columns: list[tuple[str, ...] | None] = [None, *_isolations(measured().means)]
    results = [_results(means) for means in columns]
    rows = [
        (escape.group, escape.title, *(found.get(name, _NOT_TRIED) for found in results))
        for name, escape in ESCAPES.items()
    ]
    head = ("kind", "escape", *map(_head, columns))
    return Table("Escapes", head, texts=len(head)).with_rows(rows)


def _isolations(means: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What this machine has, part by part, and all of it together."""
    if not means:
        return
    parts = [(), (LANDLOCK,), (LANDLOCK, SECCOMP), (NAMESPACES,)]
    if bubblewrap.installed() and not failure((BUBBLEWRAP,)):
        parts.append((BUBBLEWRAP,))
    everything = {tuple(means): None}
    for part in parts:
        if set(part) <= {*means, BUBBLEWRAP} and (*part, LIMITS) not in everything:
            yield (*part, LIMITS)
    yield from everything


def _head(means: tuple[str, ...] | None) -> str:
    if means is None:
        return "no sandbox"
    return f"{' + '.join(means)}: level {level_of(means)[0]}"


def _results(means: tuple[str, ...] | None) -> dict[str, str]:
    """What came of each escape, by its name."""
    tried = [name for name, escape in ESCAPES.items() if escape.control or means is not None]
    quick = [name for name in tried if ESCAPES[name].quick]
    slow = [name for name in tried if name not in quick]
    found = [*try_all(quick, means), *(try_one(name, means) for name in slow)]
    return {trial.name: _said(trial) for trial in found}


def _said(trial: EscapeTrial) -> str:
    if trial.outcome is TrialOutcome.SUCCEEDED:
        return trial.outcome
    return f"{trial.outcome}: {trial.detail}"
