"""A scripted proposer: what a model of modest skill might say when it designs a grid.

One rule for every signal; it sees only values and scores. Between the finest design that misses
and the coarsest that meets the tolerance it proposes values: where a line through the accuracy of
the last two misses comes to 1, else in the middle; beyond them it doubles or halves. It is
imperfect on purpose: it rounds as people do, and one proposal in five is a stray value. What is
drawn is drawn from the prompt, so the same prompt gets the same reply.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from earsim_agents.science.design.prompts import GUESS, REFINE
from earsim_agents.scripted_server.roles import Messages

STRAY = 0.2
"""Share of proposals that follow no rule."""

MIDDLE = 0.5
"""Share of the way between two designs, in the logarithm, where the scores tell no better."""

SPREAD = 0.15
"""Standard deviation of that share."""

_DESIGN = re.compile(
    r"<value>(\d+)</value><accuracy>([\d.]+)</accuracy><efficiency>([^<]+)</efficiency>"
)


class ShownDesign(NamedTuple):
    """A design that the prompt shows."""

    cells: int
    accuracy: float


def propose(role: str, messages: Messages, seed: int = 0) -> str:
    """The reply, JSON.

    Args:
        role: as which it is asked.
        messages: the prompt.
        seed: of what is drawn; another seed is another proposer.
    """
    system, text = str(messages[0]["content"]), str(messages[-1]["content"])
    digest = hashlib.sha256(f"{seed}\n{role}\n{system}\n{text}".encode()).digest()
    generator = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    low, high = _range(system)
    if role == GUESS:
        return json.dumps({"values": [_guess(low, high, generator)]})
    part = text.rpartition("Designs that were run, the best last:")[2] if role == REFINE else text
    seen = [
        ShownDesign(int(cells), float(accuracy)) for cells, accuracy, _ in _DESIGN.findall(part)
    ]
    if role == REFINE and any(each.accuracy >= 1.0 for each in seen):
        return json.dumps({"should_stop": True, "values": []})
    wanted = re.search(r"Propose (\d+) new", text)
    count = int(wanted[1]) if wanted else 1
    values = [_value(seen, low, high, generator) for _ in range(count)]
    return json.dumps({"should_stop": False, "values": values})


def _range(system: str) -> tuple[int, int]:
    found = re.search(r"from (\d+) to (\d+)\.", system)
    return (int(found[1]), int(found[2])) if found else (1, 1000)


def _guess(low: int, high: int, generator: np.random.Generator) -> int:
    """A power of two from the upper half of the range, in the logarithm: what one would type."""
    middle = math.sqrt(low * high)
    powers = [2**power for power in range(31) if middle <= 2**power <= high]
    return int(generator.choice(powers)) if powers else high


def _value(seen: Sequence[ShownDesign], low: int, high: int, generator: np.random.Generator) -> int:
    if not seen or generator.uniform() < STRAY:
        return round(_between(low, high, generator.uniform()))
    meeting = [each.cells for each in seen if each.accuracy >= 1.0]
    missing = [each for each in seen if each.accuracy < 1.0]
    fine = min(meeting, default=None)
    below = sorted(each for each in missing if fine is None or each.cells < fine)
    if fine is None:
        return _typed(below[-1].cells * generator.uniform(1.3, 2.2))
    if not below:
        return _typed(fine * generator.uniform(0.45, 0.8))
    share = _share(below, fine) + generator.normal(0.0, SPREAD)
    return _typed(_between(below[-1].cells, fine, min(max(share, 0.05), 0.95)))


def _share(below: Sequence[ShownDesign], fine: int) -> float:
    """Where a straight line through the accuracy of the last two misses comes to 1.

    As a share of the way, in the logarithm, from the finest that misses to the coarsest that meets;
    the middle where there is no such line, or it leads beyond.
    """
    if len(below) < 2 or below[-1].accuracy <= below[-2].accuracy:
        return MIDDLE
    before, last = below[-2:]
    slope = (last.accuracy - before.accuracy) / math.log(last.cells / before.cells)
    share = (1.0 - last.accuracy) / slope / math.log(fine / last.cells)
    return share if share < 1.0 else MIDDLE


def _between(low: int, high: int, share: float) -> float:
    return low * math.exp(share * math.log(high / low))


def _typed(cells: float) -> int:
    """As one would type it: 137 becomes 135, and 1,012 becomes 1,000."""
    if cells < 40:
        return max(1, round(cells))
    unit = 10 ** (math.floor(math.log10(cells)) - 1)
    return int(round(2 * cells / unit) * unit // 2)
