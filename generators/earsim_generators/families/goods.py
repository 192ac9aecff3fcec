"""Goods: things of one name that two numbers tell apart, with the shapes and masses of these."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

from earsim_generators.families.draft import Size

_STEEL_KGPM3: Final = 7850.0
_GLASS_KGPM3: Final = 2500.0
_WOOD_KGPM3: Final = 650.0
_LEATHER_KGPM3: Final = 900.0
_VELVET_KGPM2: Final = 0.4
_WALL_M: Final = 0.004
"""Of jars, panes and straps."""


class GoodsNumber(NamedTuple):
    """A number of things alike.

    Attributes:
        key: In a scene, in mm.
        word: In a sentence.
        least: In mm; `most` is the greatest.
    """

    key: str
    word: str
    least: int
    most: int


class Goods(NamedTuple):
    """Things of one name, and what they are compared with.

    Attributes:
        many: What several are called in a sentence, and `one` what one is.
        gauge: Name of what they are compared with, of the same shape and material.
        numbers: The two that tell them apart.
        shape: Mass in kg and size of one, by both numbers in metres.
    """

    name: str
    one: str
    many: str
    gauge: str
    numbers: tuple[GoodsNumber, GoodsNumber]
    shape: Callable[[float, float], tuple[float, Size]]


def _shaft(diameter: float, length: float) -> tuple[float, Size]:
    return math.pi / 4 * diameter**2 * length * _STEEL_KGPM3, (length, diameter, diameter)


def _panel(width: float, thickness: float) -> tuple[float, Size]:
    return 0.5 * width * thickness * _WOOD_KGPM3, (0.5, thickness, width)


def _strip(length: float, width: float) -> tuple[float, Size]:
    return length * width * _VELVET_KGPM2, (width, 0.08, 0.08)


def _jar(height: float, diameter: float) -> tuple[float, Size]:
    wall = math.pi * diameter * (height + diameter / 4) * _WALL_M
    return wall * _GLASS_KGPM3, (diameter, diameter, height)


def _pane(width: float, height: float) -> tuple[float, Size]:
    return width * height * _WALL_M * _GLASS_KGPM3, (width, _WALL_M, height)


def _strap(width: float, length: float) -> tuple[float, Size]:
    return width * length * _WALL_M * _LEATHER_KGPM3, (length / 4, width, 4 * _WALL_M)


GOODS: Final = (
    Goods(
        "Steel shaft",
        "steel shaft",
        "steel shafts",
        "Feed roller",
        (
            GoodsNumber("diameter_mm", "diameter", 24, 48),
            GoodsNumber("length_mm", "length", 200, 460),
        ),
        _shaft,
    ),
    Goods(
        "Wooden panel",
        "wooden panel",
        "wooden panels",
        "Cupboard door",
        (
            GoodsNumber("width_mm", "width", 300, 480),
            GoodsNumber("thickness_mm", "thickness", 8, 34),
        ),
        _panel,
    ),
    Goods(
        "Strip of velvet",
        "strip of velvet",
        "strips of velvet",
        "Curtain pattern",
        (
            GoodsNumber("length_mm", "length", 900, 1500),
            GoodsNumber("width_mm", "width", 180, 420),
        ),
        _strip,
    ),
    Goods(
        "Glass jar",
        "glass jar",
        "glass jars",
        "Glass carafe",
        (
            GoodsNumber("height_mm", "height", 120, 260),
            GoodsNumber("diameter_mm", "diameter", 70, 140),
        ),
        _jar,
    ),
    Goods(
        "Window pane",
        "window pane",
        "window panes",
        "Picture glass",
        (
            GoodsNumber("width_mm", "width", 260, 480),
            GoodsNumber("height_mm", "height", 300, 620),
        ),
        _pane,
    ),
    Goods(
        "Leather strap",
        "leather strap",
        "leather straps",
        "Saddle belt",
        (
            GoodsNumber("width_mm", "width", 18, 48),
            GoodsNumber("length_mm", "length", 600, 1300),
        ),
        _strap,
    ),
)
"""Each has a name of its own for what its things are compared with."""
