"""Numeric claims of certificates: as records, of walkthroughs, and held against a replay."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from earsim.engine import Engine
from earsim.errors import Finding
from earsim.planner.laboratory.bare import has_apparatus
from earsim.planner.laboratory.demands import ways
from earsim.planner.laboratory.evidence import answer_claims, claims
from earsim.planner.laboratory.numeric import LEAST_MARGIN
from earsim.planner.proofs.ablation import grounded
from earsim.planner.result import NumericClaim
from earsim.schema.certificate import NumericRecord
from earsim.world import World

_ROUNDING = 1e-9


def as_records(found: Iterable[NumericClaim]) -> tuple[NumericRecord, ...]:
    """Claims as a certificate holds them."""
    return tuple([NumericRecord(**each._asdict()) for each in found])


def shown_by(engine: Engine, world: World) -> tuple[NumericRecord, ...]:
    """What runs gave, where nothing was searched for.

    Args:
        engine: of the scenario.
        world: where a plan ends.
    """
    if not has_apparatus(engine):
        return ()
    way = next(ways(grounded(engine).task.goal), None)
    answers = () if way is None else answer_claims(engine, way)
    return as_records([*claims(engine, world, {}), *answers])


def wrong_numbers(
    engine: Engine, world: World, said: tuple[NumericRecord, ...], at: Finding
) -> Iterator[Finding]:
    """What a replay shows to be otherwise, and numbers too close to their bounds.

    Args:
        engine: of the scenario.
        world: where the plan ends.
        said: by the certificate.
        at: the place of the claim in it.
    """
    again = {(each.apparatus, *each.best): each for each in claims(engine, world, {})}
    for claim in said:
        shown = again.get((claim.apparatus, *claim.best))
        if shown is not None and not _agree(claim, shown):
            reason = f"{claim.apparatus} gives {dict(shown.best)}, not {claim.best}"
            yield Finding(at.file, at.place, reason, "earsim certify")
        if claim.margin is not None and claim.margin < LEAST_MARGIN:
            numbers = ", ".join(f"{name} {value}" for name, value in claim.best.items())
            reason = f"{claim.apparatus}: {numbers} has a margin of {claim.margin:g}"
            yield Finding(at.file, at.place, reason, f"at least {LEAST_MARGIN:g}")


def _agree(said: NumericRecord, shown: NumericClaim) -> bool:
    if said.model != shown.model or said.design != dict(shown.design):
        return False
    mine: Mapping[str, Any] = {**said.best, "": said.cost}
    theirs: Mapping[str, Any] = {**shown.best, "": shown.cost}
    return all(_same(mine[name], theirs[name]) for name in mine)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=_ROUNDING)
    return bool(one == other)
