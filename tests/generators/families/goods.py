"""Numbers of the things that errands are about."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from earsim_generators.families.goods import ALIKE


def numbers_compared(
    select: dict[str, dict[str, Any]], objects: Sequence[dict[str, Any]]
) -> Iterator[tuple[list[float], float]]:
    """Of each comparison of an errand: that number of the things alike, and of their gauge."""
    by_id = {thing["id"]: thing for thing in objects}
    for selector in select.values():
        for key in ("more_than", "less_than"):
            compared = selector["among"].get(key)
            if compared is not None:
                of, name = compared["of"], selector["among"]["name"]
                alike = [thing[of] for thing in objects if thing["name"] == name]
                yield alike, by_id[compared["object"]][of]


def numbers_of_groups(objects: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[float]]]:
    """Every number of things of one name, as many as an errand is about."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for thing in objects:
        groups[thing["name"]].append(thing.get("quantities", thing))
    for group in groups.values():
        if len(group) == ALIKE:
            for key, number in group[0].items():
                if key != "mass_kg" and isinstance(number, int | float):
                    yield key, [thing[key] for thing in group]


def numbers_of_single_things(objects: Sequence[dict[str, Any]]) -> Iterator[tuple[str, float]]:
    """Every number of what is the only thing of its name."""
    names = [thing["name"] for thing in objects]
    for thing in objects:
        if names.count(thing["name"]) == 1:
            for key, number in thing.get("quantities", thing).items():
                if isinstance(number, int | float):
                    yield key, number
