"""The design system, computed: contrasts, and colours that stay apart for colour-blind readers."""

import re
from itertools import combinations

import numpy as np
import pytest

from earsim.render.picture.theme import DARK, LIGHT, NAMED, named_colours
from earsim.tables.tokens import tokens
from earsim.viewer.drawings import plan_style
from earsim.viewer.page import style

LETTERS = ("ink", "quiet", "accent", "good", "bad", "joint", "none", "a0", "a1", "a2", "a3")
GROUNDS = ("ground", "surface", "raised", "mark", "chosen")

# Machado, Oliveira and Fernandes (2009), severity 1: protanopia, deuteranopia, tritanopia.
BLINDNESS = np.array(
    [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]],
    ]
)  # fmt: skip


def colours(theme: int) -> dict[str, str]:
    """Every colour token of the light (0) or the dark (1) theme."""
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", tokens())
    return {name: values[theme] for name, *values in found}


def linear(colour: str) -> np.ndarray:
    shares = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, 1.4.3."""
    dark, light = sorted(float(linear(c) @ (0.2126, 0.7152, 0.0722)) for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* (1976) of linear sRGB under D65."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ np.clip(rgb, 0, 1) / (0.9505, 1, 1.089)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_all_letters_can_be_read_on_every_ground(theme):
    found = colours(theme)
    low = {
        (letter, ground): contrast(found[letter], found[ground])
        for letter in LETTERS
        for ground in GROUNDS
        if contrast(found[letter], found[ground]) < 4.5
    }
    assert low == {}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_edges_of_controls_are_seen(theme):
    found = colours(theme)
    for ground in ("ground", "surface"):
        assert contrast(found["edge"], found[ground]) >= 3, ground  # WCAG 2.2, 1.4.11


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("group", [("good", "bad", "joint"), ("a0", "a1", "a2", "a3")])
def test_colours_that_mean_something_stay_apart_for_colour_blind_readers(theme, group):
    found = colours(theme)
    for one, other in combinations(group, 2):
        for seen in BLINDNESS:
            first, second = (lab(seen @ linear(found[name])) for name in (one, other))
            assert np.linalg.norm(first - second) >= 12, (one, other)


def test_every_colour_of_the_page_is_a_token():
    own = style().replace(tokens(), "").replace(plan_style(), "")
    assert re.findall(r"#[0-9a-f]{3,8}\b", own.replace("#0008", "")) == []
    used = set(re.findall(r"var\(--([\w-]+)\)", own))
    assert used <= set(re.findall(r"--([\w-]+):", style()))


def test_every_colour_name_of_a_drawing_has_a_colour_in_both_themes():
    light, dark = named_colours(LIGHT), named_colours(DARK)
    assert light.keys() == dark.keys() == set(named_colours(NAMED).values())
    assert len(set(named_colours(NAMED).values())) == len(light)
    assert light["tint-1"] == LIGHT.tint(1)
