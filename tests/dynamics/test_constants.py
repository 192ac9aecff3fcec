"""The constants are those of the page that publishes them."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from earsim.dynamics import constants

PAGE = Path(__file__).parents[2] / "docs" / "generated" / "materials.md"


def published(section: str) -> dict[str, tuple[float, str]]:
    """The numbers of a table by name, and where they are from."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"\n## {section}\n")
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (\w+) \|$", rest.partition("\n## ")[0], re.M)
    return {name: (float(value), source) for name, value, source in rows}


@pytest.mark.parametrize(
    ("section", "handbook", "estimated", "every"),
    [
        (
            "Specific heats",
            constants.HANDBOOK_JPKGK,
            constants.ESTIMATED_JPKGK,
            constants.SPECIFIC_HEAT_JPKGK,
        ),
        (
            "Densities of liquids",
            constants.HANDBOOK_KGPL,
            constants.ESTIMATED_KGPL,
            constants.DENSITY_KGPL,
        ),
    ],
)
def test_materials_have_the_constants_that_are_published(
    section: str,
    handbook: Mapping[str, float],
    estimated: Mapping[str, float],
    every: Mapping[str, float],
):
    rows = published(section)
    assert len(rows) > 20
    for values, source in ((handbook, "handbook"), (estimated, "estimate")):
        assert values == {name: value for name, (value, found) in rows.items() if found == source}
    assert every == {name: value for name, (value, _) in rows.items()}


def test_films_and_plates_conduct_as_is_published():
    text = PAGE.read_text(encoding="utf-8")
    _, _, films = text.partition("\n## Heat transfer coefficients\n")
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \|$", films.partition("\n## ")[0], re.M)
    assert {name: float(value) for name, value in rows} == constants.FILM_WPM2K
    single = dict(re.findall(r"^\| ([^|]+), \S+(?: K\))? \| (\S+) \|$", text, re.M))
    assert float(single["plate to what stands on it"]) == constants.PLATE_WPM2K
    assert float(single["water: melting point"]) == constants.WATER_MELTS_C
    assert float(single["water: latent heat of melting"]) == constants.WATER_FUSION_JPKG
    assert float(single["free fall"]) == constants.GRAVITY_MPS2
