"""Presets: named settings, so that measurements are comparable."""

from __future__ import annotations

from dataclasses import dataclass, replace

from earsim.registry import Registry
from earsim.schema import Category
from earsim_generators.difficulty import Band
from earsim_generators.families import ABOUT_TIME
from earsim_generators.scenes import GroupSizes, SceneParameters


@dataclass(frozen=True, slots=True)
class Preset:
    """What scenes and tasks are like.

    Attributes:
        parameters: Of scenes.
        bands: Of difficulty; empty for any.
        least_length: Of plans, in decisions.
        families: Scenes that take turns with those of domains.
        ordinary: Scenes of domains for each turn of the families.
        nodes: Limit of states of each search for scenes of families; None for defaults by number
            of agents.
        processes: Numbers of ordinary scenes move as well, see `earsim_generators.scenes.living`.
        conditions: Kinds of tasks in ordinary scenes, in place of those of all categories.
        categories: Beside those kinds.
        is_tight: Tasks have the budget that `expert` leaves to others.
        errands: Of each task of the families, which all take some: about one of things alike.
        needed: Of each such task as well: about one of several rivals.
        reports: Agents may report of the tasks of the families that they are to be declined.
        declined: One errand of each is such that its task is to be declined; budgets are those of
            the tasks as they were before.
        tasks_per_scene: Asked of an ordinary scene.
        beside: Preset of what is to be declined beside a part of a benchmark with this one.
    """

    parameters: SceneParameters
    bands: tuple[Band, ...] = ()
    least_length: int = 5
    families: tuple[str, ...] = ()
    ordinary: int = 1
    nodes: int | None = None
    processes: bool = False
    conditions: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    is_tight: bool = False
    errands: int = 0
    needed: int = 0
    reports: bool = False
    declined: bool = False
    tasks_per_scene: int = 7
    beside: str = "declined"


_BESIDE_ERRANDS = (*[each for each in ABOUT_TIME if each != "mix"] * 4, "mix")
"""In turn. Most mixings beside errands have no plan within the search limit of `expert`."""

_TEAM = ("weight", "size", "shut_in", "told", "tools", "places", "hurry")

_HEEDED = ("exactly", "count", "order", "apart", "one_trip", "deadline")
"""Kinds that can be heeded."""

_TO_BE_DECLINED = (
    *("impossible_count", "unclear_apart", "impossible_exactly", "unclear_one_trip") * 2,
    *("impossible_count", "unclear_apart", "impossible_exactly", "unclear_order"),
    *("impossible_apart", "unclear_one_trip"),
    *("impossible_count", "unclear_apart", "impossible_exactly", "unclear_one_trip") * 2,
    *("impossible_count", "unclear_apart", "impossible_exactly", "unclear_order") * 2,
    *("impossible_one_trip", "unclear_deadline", "impossible_apart", "unclear_one_trip"),
    *("impossible_order", "unclear_order", "impossible_one_trip", "unclear_deadline"),
)
"""Half impossible, half unclear, and seldom in the words of `deadline` and `order`.

Of what `impossible` and `unclear` give, most is in the words of these. Two rounds of these 38
beside earsim-bench-2, and the first 14 beside its two parts, make up for that: there no words make
it likelier than one in four that a task is to be declined.
"""

_CONDITIONS = (*_HEEDED, "impossible", *_HEEDED, "unclear", *_HEEDED)
"""Of each turn, a tenth is to be declined."""

_TIME_ERRANDS = Preset(
    SceneParameters(),
    families=_BESIDE_ERRANDS,
    ordinary=0,
    is_tight=True,
    errands=3,
    reports=True,
    beside="time_errands_declined",
)

_TALK_ERRANDS = Preset(
    SceneParameters(),
    families=("told",),
    ordinary=0,
    nodes=5_000,
    is_tight=True,
    errands=5,
    reports=True,
    beside="talk_errands_declined",
)

_NEEDS = Preset(
    SceneParameters(),
    families=("needs",),
    ordinary=0,
    is_tight=True,
    errands=1,
    needed=5,
    reports=True,
    beside="needs_declined",
)

_LARGE = SceneParameters(
    rooms=6,
    objects=44,
    lookalikes=4,
    group_sizes=GroupSizes(4, 6),
    distractors=3,
    doors=2,
    locked_doors=1,
)


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
            families=ABOUT_TIME,
            processes=True,
        ),
        "conditions": Preset(_LARGE, least_length=6, conditions=_CONDITIONS, is_tight=True),
        "declined": Preset(
            _LARGE,
            least_length=6,
            conditions=_TO_BE_DECLINED,
            is_tight=True,
            tasks_per_scene=2,  # a scene has few things that nobody can carry
        ),
        "team": Preset(SceneParameters(), families=_TEAM, ordinary=0, nodes=5_000),
        "bench": Preset(
            _LARGE,
            least_length=6,
            families=(*_TEAM, *ABOUT_TIME),
            ordinary=4,  # so that neither is done long before the other
            nodes=5_000,
            conditions=_CONDITIONS,
            categories=(
                Category.DIRECT_COMMAND,
                Category.ATTRIBUTE_REASONING,
                Category.TOOL_USE,
                Category.COMPOUND_REASONING,
            ),
            is_tight=True,
        ),
        "time_errands": _TIME_ERRANDS,
        "time_errands_declined": replace(_TIME_ERRANDS, declined=True),
        "talk_errands": _TALK_ERRANDS,
        "talk_errands_declined": replace(_TALK_ERRANDS, declined=True),
        "needs": _NEEDS,
        "needs_declined": replace(_NEEDS, declined=True),
    },
)
"""Every preset by its name."""
