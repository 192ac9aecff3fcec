"""Numbers of the things that errands are about."""

from collections.abc import Iterator, Sequence
from typing import Any

from earsim_generators.families.goods import GOODS


def numbers_of_goods(objects: Sequence[dict[str, Any]]) -> Iterator[tuple[list[float], float]]:
    """Both numbers of six things alike, and that of what they are compared with."""
    for goods in GOODS:
        alike = [thing for thing in objects if thing["name"] == goods.name]
        gauges = [thing for thing in objects if thing["name"] == goods.gauge]
        for key in (number.key for number in goods.numbers if gauges):
            (gauge,) = gauges
            yield [thing[key] for thing in alike], gauge[key]
