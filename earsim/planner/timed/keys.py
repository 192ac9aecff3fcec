"""Keys of states in which time passes: coarse ones to find a plan soon, exact ones to miss none.

A coarse key tells contents and links apart exactly, and numbers that change by where they are
going. An exact key holds every relevant number as it is, so that no two states with one key differ
in what follows, the clock aside where no goal reads it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterator

from earsim.planner.search.state_key import state_key
from earsim.world import World
from earsim.world.live import CHARGE, MELTED, MOISTURE, TEMPERATURE
from earsim.world.timeline import Timeline

_DIGITS = 6
_STEPS = {TEMPERATURE: 5.0, CHARGE: 5.0, MELTED: 10.0, MOISTURE: 0.05}
"""How coarse a number that changes is taken at first, in its unit; shares of contents otherwise."""
_LITRES = 0.25
_GRAMS = 250.0
_PARTS = 10
"""Into so many parts a time is cut for which something must hold."""


class Keys:
    """Makes the keys of one search.

    Attributes:
        exact: whether they tell everything apart.
    """

    def __init__(
        self,
        relevant: Collection[str],
        lasting: dict[int, int],
        *,
        exact: bool,
        reads_clock: bool,
    ) -> None:
        """Keys of states.

        Args:
            relevant: the things whose numbers count.
            lasting: for how long, in ms, something must hold; by its monitor.
            exact: tell everything apart.
            reads_clock: the goal reads the clock.
        """
        self.exact = exact
        self._relevant = frozenset(relevant) | {""}
        self._lasting = lasting
        self._reads_clock = reads_clock

    def of(self, world: World) -> Hashable:
        """The key of a state."""
        timeline = world.timeline
        if timeline is None:
            return (state_key(world), world.clock if self._reads_clock else 0)
        clock = world.clock if self._reads_clock and self.exact else 0
        numbers = tuple(self._numbers(timeline))
        return (state_key(world), numbers, self._monitors(timeline), clock)

    def _numbers(self, timeline: Timeline) -> Iterator[Hashable]:
        for key, (law, _) in timeline.laws.items():
            node, name = key
            if node not in self._relevant:
                continue
            value = timeline.value(node, name)
            if self.exact or (law.is_constant and name not in _STEPS):
                yield round(value, _DIGITS if self.exact else 3)
                continue
            default = _LITRES if name.endswith("_l") else _GRAMS
            edge = timeline.edges.get(key)
            ahead = None if edge is None else (edge.target, edge.rising)
            yield (math.floor(value / _STEPS.get(name, default)), ahead)

    def _monitors(self, timeline: Timeline) -> tuple[Hashable, ...]:
        return tuple([self._memory(timeline, n, m) for n, m in timeline.monitors.items()])

    def _memory(self, timeline: Timeline, number: int, memory: Hashable) -> Hashable:
        if not isinstance(memory, int):
            return (number, memory)
        held_ms = timeline.now_ms - memory
        if self.exact:
            return (number, held_ms)
        return (number, held_ms * _PARTS // self._lasting.get(number, 1))
