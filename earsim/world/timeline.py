"""The live values of a world: numbers as laws of time, liquids, what is connected and used up.

A value is computed when it is read. Laws are values and are replaced, never edited, so a copy is a
handful of flat copies, as of a world.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from earsim.dynamics.law import Constant, Law
from earsim.dynamics.rounding import anchored
from earsim.pickled import reduced
from earsim.world.lab import Lab

FLOOR = ""
"""Where liquid is that ran out."""

NEVER_MS = 10**18
"""Later than anything happens."""

Key = tuple[str, str]
"""A thing, and the name of one of its numbers."""


class Anchored(NamedTuple):
    """A law and the moment that its time counts from."""

    law: Law
    since_ms: int


class Arrival(NamedTuple):
    """A moment at which a number comes to a value that something depends on.

    Attributes:
        at_ms: the moment, a whole millisecond.
        order: place of the thing in the file, for edges of the same moment.
        key: the number.
        target: the value.
        rising: whether it comes from below.
        also: further values that it comes to in the same millisecond, in order.
    """

    at_ms: int
    order: int
    key: Key
    target: float
    rising: bool
    also: tuple[Arrival, ...] = ()


class Event(NamedTuple):
    """Something that happened by itself.

    Attributes:
        at_ms: when.
        node: the thing that it happened to.
        name: what, such as ``empty``, or the name of a state.
        value: of the state.
    """

    at_ms: int
    node: str
    name: str
    value: Any = None


class Timeline:
    """What time bears on, as it is now.

    Attributes:
        now_ms: the moment that values are read at; the world's clock between decisions.
        laws: every live number.
        contents: the substances in each vessel, by name, in the order they came.
        links: pairs of things that are joined by a hose or cable, and its kind.
        gone: things that were used up; they are nowhere.
        streams: what runs now, for `earsim.processes`.
        bodies: what exchanged heat with what when that was last found out, likewise.
        monitors: what is remembered of conditions over time, by their number in the goal.
        unseen: states as they were last seen, of things that changed out of sight.
        in_view: things whose numbers somebody sees, as of the last decision; by viewer.
        looks: how that looked, and from which rooms; a shortcut, and no part of the state.
        seen_at: the world's clock of then.
        wired: what each number depended on when its law was made.
        edges: the next edge of every law; None where there is none ahead.
        stamps: what was looked at when the couplings were last found out; None: they have changed.
        settled: `World.changed` of then; equal ones mean that they are as they were.
        anchors: how many laws were made; equal ones mean that every law is as it was.
        events: what happened in the last decision.
        lab: the apparatus; None where there are none.
    """

    __slots__ = (
        "_next_ms",
        "anchors",
        "bodies",
        "contents",
        "edges",
        "events",
        "gone",
        "in_view",
        "lab",
        "laws",
        "links",
        "looks",
        "monitors",
        "now_ms",
        "seen_at",
        "settled",
        "stamps",
        "streams",
        "unseen",
        "wired",
    )

    def __init__(self, *, source: Timeline | None = None) -> None:
        if source is not None:  # `copy` asks for it: compiled classes cannot be made empty
            self._take(source)
            return
        self.now_ms = 0
        self.laws: dict[Key, Anchored] = {}
        self.contents: dict[str, tuple[str, ...]] = {}
        self.links: tuple[tuple[str, str, str], ...] = ()
        self.gone: frozenset[str] = frozenset()
        self.streams: tuple[Any, ...] = ()
        self.bodies: tuple[Any, ...] = ()
        self.monitors: dict[int, Any] = {}
        self.unseen: dict[str, Mapping[str, Any]] = {}
        self.in_view: Mapping[str, frozenset[str]] = {}
        self.looks: dict[str, Any] = {}
        self.seen_at = 0
        self.wired: dict[Key, Hashable] = {}
        self.edges: dict[Key, Arrival | None] = {}
        self._next_ms: int | None = None
        self.stamps: Any = None
        self.settled = -1
        self.anchors = 0
        self.events: tuple[Event, ...] = ()
        self.lab: Lab | None = None

    def copy(self) -> Timeline:
        """An independent copy that shares every law."""
        return Timeline(source=self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its attributes."""
        return reduced(self)

    def _take(self, source: Timeline) -> None:
        """Become a copy of another."""
        self.now_ms = source.now_ms
        self.laws = source.laws.copy()
        self.contents = source.contents.copy()
        self.links = source.links
        self.gone = source.gone
        self.streams = source.streams
        self.bodies = source.bodies
        self.monitors = source.monitors.copy()
        self.unseen = source.unseen.copy()
        self.in_view = source.in_view
        self.looks = source.looks.copy()
        self.seen_at = source.seen_at
        self.wired = source.wired.copy()
        self.edges = source.edges.copy()
        self._next_ms = source._next_ms
        self.stamps = source.stamps
        self.settled = source.settled
        self.anchors = source.anchors
        self.events = source.events
        self.lab = source.lab

    def value(self, node: str, name: str) -> float:
        """A live number now."""
        law, since_ms = self.laws[node, name]
        return law.at((self.now_ms - since_ms) / 1000)

    def set(self, node: str, name: str, value: float) -> None:
        """Give a number a value; it stays there until its couplings are found out anew."""
        self.anchor(node, name, Constant(anchored(value)))

    def anchor(self, node: str, name: str, law: Law) -> None:
        """Let a number follow a law from now on."""
        self.laws[node, name] = Anchored(law, self.now_ms)
        self.anchors += 1
        self.forget_edge((node, name))

    def forget_edge(self, key: Key) -> None:
        """Let the next edge of a number be found anew."""
        self.edges.pop(key, None)
        self._next_ms = None

    def set_edge(self, key: Key, edge: Arrival | None) -> None:
        """Take note of the next edge of a number; None where there is none ahead."""
        self.edges[key] = edge
        self._next_ms = None

    @property
    def next_ms(self) -> int:
        """The moment of the next edge of all; `NEVER_MS` where there is none."""
        if self._next_ms is None:
            ahead = [edge.at_ms for edge in self.edges.values() if edge is not None]
            self._next_ms = min(ahead, default=NEVER_MS)
        return self._next_ms

    def is_due(self, node: str, name: str, target: float) -> bool:
        """Whether a number comes to a value next, however close to it now."""
        edge = self.edges.get((node, name))
        return edge is not None and edge.target == target

    def grams(self, vessel: str, substance: str) -> float:
        """How much of a substance is in a vessel."""
        return self.value(vessel, substance) if substance in self.contents[vessel] else 0.0

    def grams_in(self, vessel: str) -> float:
        """How much is in a vessel altogether."""
        return sum([self.value(vessel, substance) for substance in self.contents[vessel]], 0.0)
