"""The record of a run: what was asked for, with which versions, and what came of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim_generators.difficulty import Band, Measures, band_of
from earsim_generators.suites.generation import Generated
from earsim_generators.suites.run import RunCounts
from earsim_generators.suites.settings import GenerationSettings, domain_named
from earsim_generators.suites.splits import Split
from earsim_generators.version import GENERATOR_VERSION

RECORD_SCHEMA = "earsim.generation/1"

_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(slots=True)
class RunStatistics:
    """What the scenarios of a run are like; small, however many there are.

    Attributes:
        bands: How many fell into each band, by category.
        lengths: How many plans are so long.
    """

    bands: Counter[tuple[str, Band]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)

    def note(self, one: Generated) -> None:
        """Count a scenario."""
        measures: Measures = one.measures
        self.bands[one.made.cell.category.value, band_of(measures)] += 1
        self.lengths[measures.length] += 1


def asked(settings: GenerationSettings) -> dict[str, Any]:
    """What decides the bytes of a suite: two runs that agree in this make the same."""
    return {
        "schema": RECORD_SCHEMA,
        "versions": {
            "earsim": version("earsim"),
            "generator": GENERATOR_VERSION,
            "planner": PLANNER_VERSION,
            "ruleset": RULESETS[settings.ruleset].id,
        },
        "settings": settings.model_dump(mode="json", exclude_defaults=True),
        "scenes": asdict(settings.scene_knobs),
        "domains": {name: _digest(name) for name in _domains(settings)},
    }


def record(
    settings: GenerationSettings, tally: Mapping[Split | None, RunCounts], census: RunStatistics
) -> dict[str, Any]:
    """The whole record of a finished run."""
    parts = {"suite" if split is None else split.value: _part(one) for split, one in tally.items()}
    return {
        **asked(settings),
        "scenarios": sum(part["scenarios"] for part in parts.values()),
        "rejected": sum(sum(part["rejected"].values()) for part in parts.values()),
        "rejection_share": round(_share(tally.values()), 4),
        "parts": parts,
        "by_category": _by_category(tally.values(), census),
        "plan_lengths": {str(length): count for length, count in sorted(census.lengths.items())},
        "plan_length_quantiles": quantiles(census.lengths),
    }


def quantiles(counts: Counter[int]) -> dict[str, int]:
    """Least, quartiles and greatest of counted numbers."""
    numbers = sorted(counts.elements())
    if not numbers:
        return {}
    last = len(numbers) - 1
    return {f"{q:g}": numbers[round(q * last)] for q in _QUANTILES}


def _part(tally: RunCounts) -> dict[str, Any]:
    reasons: Counter[str] = Counter()
    for (_, reason), count in tally.rejected.items():
        reasons[reason.value] += count
    return {
        "scenarios": tally.accepted.total(),
        "scenes": tally.scenes,
        "surplus": tally.surplus,
        "rejected": dict(sorted(reasons.items())),
        "without_scene": dict(sorted(tally.without_scene.items())),
        "shortfalls": dict(sorted(tally.shortfalls.items())),
    }


def _by_category(tallies: Iterable[RunCounts], census: RunStatistics) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = {}
    for tally in tallies:
        for cell, count in tally.accepted.items():
            entry = found.setdefault(cell.category.value, {"scenarios": 0, "rejected": {}})
            entry["scenarios"] += count
        for (cell, reason), count in tally.rejected.items():
            entry = found.setdefault(cell.category.value, {"scenarios": 0, "rejected": {}})
            entry["rejected"][reason.value] = entry["rejected"].get(reason.value, 0) + count
    for (category, band), count in sorted(census.bands.items()):
        found[category].setdefault("bands", {})[band.value] = count
    return dict(sorted(found.items()))


def _share(tallies: Iterable[RunCounts]) -> float:
    listed = list(tallies)
    rejected = sum(tally.rejected.total() for tally in listed)
    proposed = rejected + sum(tally.accepted.total() + tally.surplus for tally in listed)
    return rejected / max(1, proposed)


def _domains(settings: GenerationSettings) -> list[str]:
    parts: tuple[Split | None, ...] = tuple(settings.splits) or (None,)
    return sorted({name for part in parts for name in settings.domains_of(part)})


def _digest(name: str) -> str:
    """A digest of what a domain says, wherever its file lies."""
    text = domain_named(name).model_dump_json()
    return hashlib.sha256(text.encode()).hexdigest()[:16]
