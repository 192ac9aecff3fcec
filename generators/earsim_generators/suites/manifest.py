"""Manifest of a run: settings, versions and counts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim_generators.difficulty import Band
from earsim_generators.suites.folder import part_name
from earsim_generators.suites.run import RunCounts, SourceCounts
from earsim_generators.suites.settings import ORDINARY, GenerationSettings, domain_named
from earsim_generators.suites.splits import Split

RECORD_SCHEMA = "earsim.generation/1"

_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


def asked(settings: GenerationSettings) -> dict[str, Any]:
    """Everything that decides the bytes of a suite; of a secret seed, its hash."""
    parts = {split: settings.of_part(split) for split in settings.parts}
    sources = {split: part.sources_of(split) for split, part in parts.items()}
    domains = {
        name
        for split, part in parts.items()
        for name in part.domains_of(split)
        if ORDINARY in sources[split]
    }
    families = sorted({name for found in sources.values() for name in found if name})
    return {
        "schema": RECORD_SCHEMA,
        "versions": {
            "earsim": version("earsim"),
            "generator": str(settings.generator),
            "planner": PLANNER_VERSION,
            "ruleset": RULESETS[settings.ruleset].id,
        },
        "settings": settings.model_dump(
            mode="json", exclude_defaults=True, exclude={"seed"} if settings.seal else None
        ),
        "scenes": asdict(settings.scene_parameters),
        "domains": {name: _digest(name) for name in sorted(domains)},
        **({"families": families} if families else {}),
    }


def record(
    settings: GenerationSettings, by_split: Mapping[Split | None, RunCounts]
) -> dict[str, Any]:
    """The manifest of a finished run."""
    counts = by_split.values()
    lengths = sum((each.lengths for each in counts), Counter[int]())
    rejected = sum(each.rejected.total() for each in counts)
    families, conditions = (_by_label(counts, of=source) for source in ("family", "condition"))
    return {
        **asked(settings),
        "scenarios": sum(each.accepted.total() for each in counts),
        "rejected": rejected,
        "rejection_share": round(rejected / max(1, sum(each.proposed for each in counts)), 4),
        "parts": {part_name(split): _part(each) for split, each in by_split.items()},
        "by_category": _by_label(counts, of="category"),
        **({"by_family": families} if families else {}),
        **({"by_condition": conditions} if conditions else {}),
        "by_source": _by_source(counts),
        "plan_lengths": {str(length): count for length, count in sorted(lengths.items())},
        "plan_length_quantiles": quantiles(lengths),
    }


def quantiles(counts: Counter[int]) -> dict[str, int]:
    """Least, quartiles and greatest of counted numbers."""
    numbers = sorted(counts.elements())
    if not numbers:
        return {}
    last = len(numbers) - 1
    return {f"{q:g}": numbers[round(q * last)] for q in _QUANTILES}


def _part(counts: RunCounts) -> dict[str, Any]:
    reasons: Counter[str] = Counter()
    for (_, reason), count in counts.rejected.items():
        reasons[reason.value] += count
    return {
        "scenarios": counts.accepted.total(),
        "scenes": counts.scenes,
        "surplus": counts.surplus,
        "rejected": dict(sorted(reasons.items())),
        "without_scene": dict(sorted(counts.without_scene.items())),
        "shortfalls": dict(sorted(counts.shortfalls.items())),
    }


def _by_label(counts: Iterable[RunCounts], *, of: str) -> dict[str, Any]:
    """Counts by category, by family or by kind of condition."""
    found: dict[str, dict[str, Any]] = {}
    for each in counts:
        for quota in (*each.accepted, *(quota for quota, _ in each.rejected)):
            if quota.source == of:
                found.setdefault(quota.label, {"scenarios": 0, "rejected": Counter()})
        for quota, count in each.accepted.items():
            if quota.source == of:
                found[quota.label]["scenarios"] += count
        for (quota, reason), count in each.rejected.items():
            if quota.source == of:
                found[quota.label]["rejected"][reason.value] += count
    bands = sum((each.bands for each in counts), Counter[tuple[str, Band]]())
    for (label, band), count in sorted(bands.items()):
        if label in found:
            found[label].setdefault("bands", {})[band.value] = count
    return dict(sorted(found.items()))


def _by_source(counts: Iterable[RunCounts]) -> dict[str, Any]:
    """What each domain and each family gave, and what it could not give."""
    found: dict[str, SourceCounts] = {}
    for each in counts:
        for name, source in each.sources.items():
            whole = found.setdefault(name, SourceCounts())
            whole.scenes += source.scenes
            whole.without_scene += source.without_scene
            whole.given.update(source.given)
            whole.rejected.update(source.rejected)
    return {name: _source(found[name]) for name in sorted(found)}


def _source(counts: SourceCounts) -> dict[str, Any]:
    rejected: dict[str, dict[str, int]] = {}
    for (label, reason), count in sorted(counts.rejected.items()):
        rejected.setdefault(label, {})[reason.value] = count
    return {
        "scenes": counts.scenes,
        "without_scene": counts.without_scene,
        "given": dict(sorted(counts.given.items())),
        "rejected": rejected,
        "not_given": list(counts.not_given),
    }


def _digest(name: str) -> str:
    """A digest of what a domain says, wherever its file lies."""
    text = domain_named(name).model_dump_json()
    return hashlib.sha256(text.encode()).hexdigest()[:16]
