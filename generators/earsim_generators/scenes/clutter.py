"""Filling: distractors, and what else lies about until the scene has its number of objects."""

from __future__ import annotations

from collections.abc import Iterable

from earsim.errors import UsageError
from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.scenes.builder import SceneBuilder
from earsim_generators.scenes.tools import states_for_tools

_CHANGEABLE_SHARE = 0.6
"""Of the items that fill a scene, this part is picked among what its tools can change."""


def place_distractors(stage: SceneBuilder) -> None:
    """Add items of the families of the lookalikes, then such as share a number with them."""
    groups = [group[0].kind for group in stage.lookalikes]
    families = {kind.family for kind in groups} - {None}
    fields = {scale.field for kind in groups for scale in stage.supply.looks[kind.id].scales}
    kinds = list(stage.drawn(stage.unused()))
    kinds.sort(key=lambda kind: _distance(kind, families, fields))
    _add(stage, kinds, stage.knobs.distractors)


def _distance(kind: ThingStock, families: set[str | None], fields: set[str]) -> int:
    if kind.family in families:
        return 0
    return 1 if any(scale.field in fields for scale in kind.scales) else 2


def fill(stage: SceneBuilder) -> None:
    """Add items until the scene has as many objects as it should, some for its tools.

    Raises:
        UsageError: There is no more space for anything.
    """
    states = states_for_tools(stage)
    for_tools = (kind for kind in stage.unused() if any(s in states for s, _ in kind.states))
    _add(stage, stage.drawn(for_tools), round(_CHANGEABLE_SHARE * stage.left()))
    _add(stage, stage.drawn(stage.unused()), stage.left())
    if stage.left() > 0:
        most = len(stage.setting.things)
        raise UsageError(f"this domain finds space for {most} objects here, not for more")


def _add(stage: SceneBuilder, kinds: Iterable[ThingStock], count: int) -> None:
    """Add one item each of the first so many kinds that find space."""
    for kind in kinds if count > 0 else ():
        count -= stage.add_one(kind)
        if count == 0:
            return
