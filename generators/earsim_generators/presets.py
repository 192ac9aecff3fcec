"""Presets: named settings, so that measurements are comparable."""

from __future__ import annotations

from dataclasses import dataclass

from earsim.registry import Registry
from earsim_generators.difficulty import Band
from earsim_generators.scenes import GroupSizes, SceneParameters


@dataclass(frozen=True, slots=True)
class Preset:
    """What scenes and tasks are like.

    Attributes:
        parameters: Of scenes.
        bands: Of difficulty; empty for any.
        least_length: Of plans, in decisions.
        families: Scenes that take turns with those of domains.
        ordinary: Whether there are scenes of domains beside those of families.
        nodes: Limit of states of each search; None for defaults by number of agents.
        processes: Numbers of these move as well, see `earsim_generators.scenes.living`.
        conditions: Kinds of tasks in ordinary scenes, in place of those of the categories.
    """

    parameters: SceneParameters
    bands: tuple[Band, ...] = ()
    least_length: int = 5
    families: tuple[str, ...] = ()
    ordinary: bool = True
    nodes: int | None = None
    processes: bool = False
    conditions: tuple[str, ...] = ()


_CONDITIONS = ("exactly", "count", "order", "apart", "one_trip", "deadline")
"""Kinds that can be heeded; of each turn through the preset, a tenth is to be declined."""


PRESETS: Registry[Preset] = Registry(
    "preset",
    {
        "small": Preset(
            SceneParameters(
                rooms=3,
                objects=16,
                lookalikes=2,
                group_sizes=GroupSizes(3, 3),
                distractors=1,
                doors=1,
                numbers=2,
            ),
            bands=(Band.EASY,),
        ),
        "standard": Preset(
            SceneParameters(
                rooms=6, objects=44, lookalikes=4, distractors=3, doors=2, locked_doors=1
            ),
            least_length=6,
        ),
        "hard": Preset(
            SceneParameters(
                rooms=8,
                objects=60,
                lookalikes=5,
                group_sizes=GroupSizes(4, 6),
                distractors=6,
                doors=4,
                locked_doors=2,
                numbers=4,
            ),
            bands=(Band.HARD,),
            least_length=10,
        ),
        "time": Preset(
            SceneParameters(rooms=5, objects=32, lookalikes=3, doors=1, distractors=2),
            families=(
                "heat",
                "phase",
                "flow",
                "charge",
                "discharge",
                "burns",
                "drying",
                "mix",
            ),
            processes=True,
        ),
        "conditions": Preset(
            SceneParameters(
                rooms=6,
                objects=44,
                lookalikes=4,
                group_sizes=GroupSizes(4, 6),
                distractors=3,
                doors=2,
                locked_doors=1,
            ),
            least_length=6,
            conditions=(*_CONDITIONS, "impossible", *_CONDITIONS, "unclear", *_CONDITIONS),
        ),
        "team": Preset(
            SceneParameters(),
            families=("weight", "size", "shut_in", "told", "tools", "places", "hurry"),
            ordinary=False,
            nodes=5_000,
        ),
    },
)
"""Every preset by its name."""
