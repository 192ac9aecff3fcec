"""Liquids that run: which vessel gives how much to which, and the laws of their contents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earsim.dynamics.flow import Gravity, outflow
from earsim.dynamics.law import Accumulation, Constant, Law, Linear
from earsim.dynamics.rounding import anchored
from earsim.schema.process import Flow
from earsim.world.limits import free_for_liquids_l
from earsim.world.live import CONTENT, LiveScene
from earsim.world.power import is_active
from earsim.world.timeline import FLOOR, Timeline
from earsim.world.world import World

_DRAIN = "drain"
_BURNT = "burnt"
_SECONDS_AN_HOUR = 3600.0

_NOTHING = 1e-9
"""So few grams, or litres, are none."""

_SAME = 1e-9
"""What differs by so small a part of it runs as before."""


class Stream(NamedTuple):
    """Liquid that runs from one place to another.

    Attributes:
        source: the vessel, or the endless source.
        to: the vessel, or `FLOOR`, or where else it is gone.
        substance: what runs.
        gps: grams a second now.
        k: of what runs by its own weight, see `Gravity`; 0 for a steady stream.
    """

    source: str
    to: str
    substance: str
    gps: float
    k: float = 0.0

    @property
    def signature(self) -> tuple[object, ...]:
        """The stream but for what time does to it."""
        return (self.source, self.to, self.substance, self.k or self.gps)


def wire_flows(world: World, live: LiveScene, timeline: Timeline) -> None:
    """Give the contents of every vessel their laws, anew where what runs has changed."""
    if not live.liquid_runs:
        return
    _settle(world, live, timeline)
    streams = tuple(_Streams(world, live, timeline).all())
    changed = set()
    for vessel in timeline.contents:
        own = [s.signature for s in streams if vessel in (s.source, s.to)]
        signature = (*own, free_for_liquids_l(world, vessel))
        before = timeline.wired.get((vessel, CONTENT))
        if before != signature and (own or before is not None):
            timeline.wired[vessel, CONTENT] = signature if own else None
            changed.add(vessel)
    _add_what_they_run_into(changed, streams)
    for vessel in timeline.contents:
        if vessel in changed:
            _wire(vessel, streams, live, timeline)
    spilling = [s for s in streams if s.to == FLOOR]
    _wire_floor(spilling, timeline, anew=FLOOR in changed)
    timeline.streams = streams


def _add_what_they_run_into(changed: set[str], streams: Sequence[Stream]) -> None:
    """What runs by its own weight runs otherwise from now on, if more or less is there."""
    ahead = list(changed)
    while ahead:
        source = ahead.pop()
        new = {s.to for s in streams if s.source == source and s.k} - changed
        changed |= new
        ahead += new


def _wire(vessel: str, streams: Sequence[Stream], live: LiveScene, timeline: Timeline) -> None:
    arriving = [s for s in streams if s.to == vessel]
    leaving = [s for s in streams if s.source == vessel]
    new = [s.substance for s in arriving if s.substance not in timeline.contents[vessel]]
    for substance in dict.fromkeys(new):
        timeline.set(vessel, substance, 0.0)
        timeline.contents[vessel] = (*timeline.contents[vessel], substance)
    for substance in timeline.contents[vessel]:
        grams = anchored(timeline.value(vessel, substance))
        coming = [s for s in arriving if s.substance == substance]
        going = [s for s in leaving if s.substance == substance]
        timeline.anchor(vessel, substance, _law(grams, coming, going))
    timeline.anchor(vessel, CONTENT, _volume(vessel, live, timeline))


def _volume(vessel: str, live: LiveScene, timeline: Timeline) -> Law:
    """The volume of all contents, whose laws are anchored now."""
    gravity, parts = 0.0, []
    for name in timeline.contents[vessel]:
        law = timeline.laws[vessel, name].law
        litres = 1 / 1000 / live.substances[name].density_kgpl
        if isinstance(law, Gravity):
            gravity += law.k**2 * litres
            parts.append((law.height * litres, 0.0, 0.0))
        elif isinstance(law, Accumulation):
            parts.append((law.offset * litres, law.slope * litres, law.curvature * litres))
        elif isinstance(law, Linear):
            parts.append((law.value * litres, law.rate * litres, 0.0))
        else:
            parts.append((law.at(0.0) * litres, 0.0, 0.0))
    start, slope, bend = (sum([part[i] for part in parts], 0.0) for i in range(3))
    if gravity:
        return Gravity(start, math.sqrt(gravity))
    if bend:
        return Accumulation(start, slope, bend)
    return Linear(start, slope) if slope else Constant(start)


def set_volume(vessel: str, live: LiveScene, timeline: Timeline) -> None:
    """Bring the volume of a vessel up to date after its contents were changed."""
    timeline.anchor(vessel, CONTENT, _volume(vessel, live, timeline))


def _law(grams: float, arriving: Sequence[Stream], leaving: Sequence[Stream]) -> Law:
    k = sum([s.k for s in leaving], 0.0)
    if k and not arriving and len(leaving) == 1:
        return Gravity(grams, k)
    rate = anchored(sum([s.gps for s in arriving], 0.0) - sum([s.gps for s in leaving], 0.0))
    bend = sum([s.k**2 for s in leaving], 0.0) - sum([s.k**2 for s in arriving], 0.0)
    if bend:
        return Accumulation(grams, rate, bend / 4)
    return Linear(grams, rate) if rate else Constant(grams)


def _wire_floor(streams: Sequence[Stream], timeline: Timeline, *, anew: bool) -> None:
    """What has run out on the floor, by substance."""
    known = [name for node, name in timeline.laws if node == FLOOR]
    for substance in dict.fromkeys([*known, *(s.substance for s in streams)]):
        own = [s for s in streams if s.substance == substance]
        signature = tuple([s.signature for s in own])
        if anew or timeline.wired.get((FLOOR, substance), ()) != signature:
            timeline.wired[FLOOR, substance] = signature
            timeline.anchor(FLOOR, substance, _law(spilled_g(timeline, substance), own, ()))


def spilled_g(timeline: Timeline, substance: str) -> float:
    """How many grams of a substance have run out on the floor."""
    return timeline.value(FLOOR, substance) if (FLOOR, substance) in timeline.laws else 0.0


def _settle(world: World, live: LiveScene, timeline: Timeline) -> None:
    """Undo what ran within the millisecond in which a vessel had become empty or full."""
    for stream in timeline.streams:
        _keep_what_came(stream, world, live, timeline)
    for vessel, substances in timeline.contents.items():
        for name in substances:
            grams = timeline.value(vessel, name)
            if grams < 0.0:
                _move_back(world, live, timeline, name, -grams, source=vessel)
        excess_l = timeline.value(vessel, CONTENT) - free_for_liquids_l(world, vessel)
        coming = [_as_now(s, timeline) for s in timeline.streams if s.to == vessel]
        if excess_l > _NOTHING and coming:
            total = sum([_lps(live, s) for s in coming], 0.0)
            for s in coming:
                share = excess_l * _lps(live, s) / total * 1000
                grams = share * live.substances[s.substance].density_kgpl
                _add(timeline, live, vessel, s.substance, -grams)
                _add(timeline, live, s.source, s.substance, grams)


def _keep_what_came(stream: Stream, world: World, live: LiveScene, timeline: Timeline) -> None:
    """The parabola by which an amount grows, from what runs by its own weight, falls afterwards."""
    found = timeline.laws.get((stream.source, stream.substance)) if stream.k else None
    if found is None:
        return
    law, since_ms = found
    if not isinstance(law, Gravity):
        return
    late_s = (timeline.now_ms - since_ms) / 1000 - 2 * math.sqrt(law.height) / law.k
    if late_s > 0:
        end = FLOOR if _runs_over(world, timeline, stream.to) else stream.to
        _add(timeline, live, end, stream.substance, (stream.k * late_s) ** 2 / 4)


def _as_now(stream: Stream, timeline: Timeline) -> Stream:
    """A stream that was noted earlier, as it runs now."""
    if not stream.k:
        return stream
    grams = max(0.0, timeline.value(stream.source, stream.substance))
    return stream._replace(gps=stream.k * math.sqrt(grams))


def _move_back(
    world: World,
    live: LiveScene,
    timeline: Timeline,
    substance: str,
    grams: float,
    *,
    source: str,
) -> None:
    going = [s for s in timeline.streams if s.source == source and s.substance == substance]
    total = sum([s.gps for s in going], 0.0)
    timeline.set(source, substance, 0.0)
    set_volume(source, live, timeline)
    for s in going:
        end = FLOOR if _runs_over(world, timeline, s.to) else s.to
        _add(timeline, live, end, substance, -grams * s.gps / total)


def _runs_over(world: World, timeline: Timeline, vessel: str) -> bool:
    """Whether what comes into a vessel goes on to the floor, because it is full."""
    if vessel not in timeline.contents:
        return False
    free = free_for_liquids_l(world, vessel) - timeline.value(vessel, CONTENT)
    ends = [s.to for s in timeline.streams if s.source == vessel]
    return free <= _NOTHING and FLOOR in ends


def _add(timeline: Timeline, live: LiveScene, vessel: str, substance: str, grams: float) -> None:
    """Change an amount by what ran too much; its law goes on until it is wired again."""
    if (vessel, substance) not in timeline.laws:
        return
    timeline.set(vessel, substance, timeline.value(vessel, substance) + grams)
    timeline.wired.pop((vessel, substance), None)
    if vessel in timeline.contents:
        timeline.wired[vessel, CONTENT] = "settled"
        set_volume(vessel, live, timeline)


def _lps(live: LiveScene, stream: Stream) -> float:
    return stream.gps / 1000 / live.substances[stream.substance].density_kgpl


class _Streams:
    """What runs now; what comes into an empty or a full vessel passes through or over."""

    def __init__(self, world: World, live: LiveScene, timeline: Timeline) -> None:
        self._world = world
        self._live = live
        self._timeline = timeline
        self._found: list[Stream] = []

    def all(self) -> list[Stream]:
        """Every stream, fuel that burns first."""
        for node, processes in self._live.processes.items():
            for process in processes:
                burns = process.burns
                if burns is not None and is_active(self._world, node, burns):
                    gps = anchored(burns.kgph * 1000 / _SECONDS_AN_HOUR)
                    self._found.append(Stream(node, _BURNT, burns.substance, gps))
        for node, flow in self._in_order():
            self._found += self._of(flow.from_ or node, self._outlet(node, flow), flow)
        for vessel in self._timeline.contents:
            self._found += self._running_over(vessel)
        return self._found

    def _in_order(self) -> Iterator[tuple[str, Flow]]:
        """The active flows, those that fill a vessel before those that empty it."""
        active = [
            (node, process.flow)
            for node, processes in self._live.processes.items()
            for process in processes
            if process.flow is not None and is_active(self._world, node, process.flow)
        ]
        while active:
            filled = {self._outlet(node, flow) for node, flow in active}
            ready = [each for each in active if (each[1].from_ or each[0]) not in filled]
            ready = ready or active[:1]  # a circle is begun somewhere
            yield from ready
            active = [each for each in active if each not in ready]

    def _outlet(self, node: str, flow: Flow) -> str:
        """Where a flow ends: the vessel named, or what a hose leads to, else the floor."""
        return outlet(self._live, self._timeline, node if flow.to is None else flow.to, flow)

    def _of(self, source: str, to: str, flow: Flow) -> list[Stream]:
        """The streams of one flow: each substance by its share of what is there."""
        live, timeline = self._live, self._timeline
        endless = live.sources.get(source)
        if endless is not None:
            return [Stream(source, to, endless, self._gps(endless, (flow.lpm or 0.0) / 60))]
        grams = {name: timeline.value(source, name) for name in timeline.contents[source]}
        grams = {n: g for n, g in grams.items() if g > _NOTHING or timeline.is_due(source, n, 0.0)}
        if not grams:
            return self._passing(source, to, flow)
        litres = {n: g / 1000 / live.substances[n].density_kgpl for n, g in grams.items()}
        total = sum(litres.values(), 0.0)
        if flow.lpm is not None:
            lps = flow.lpm / 60
            return [
                Stream(source, to, name, self._gps(name, lps * amount / total))
                for name, amount in litres.items()
            ]
        area_m2 = flow.area_m2 or 1.0
        k = outflow(flow.hole_m2 or 0.0, area_m2, flow.discharge_ratio)
        per_metre = area_m2 * 1000 / total  # of what stands there
        return [
            self._by_weight(source, to, name, amount, k * math.sqrt(per_metre * amount))
            for name, amount in grams.items()
        ]

    def _by_weight(self, source: str, to: str, name: str, grams: float, k: float) -> Stream:
        k = anchored(k)
        found = self._timeline.laws.get((source, name))
        # Shares that stay the same come out otherwise in their last digits, as time passes.
        if found is not None and isinstance(found.law, Gravity):
            k = found.law.k if math.isclose(found.law.k, k, rel_tol=_SAME) else k
        return Stream(source, to, name, anchored(k * math.sqrt(grams)), k)

    def _gps(self, substance: str, lps: float) -> float:
        return anchored(lps * self._live.substances[substance].density_kgpl * 1000)

    def _passing(self, source: str, to: str, flow: Flow) -> list[Stream]:
        """What comes into an empty vessel and goes on through it, as much as the outlet lets."""
        coming = [s for s in self._found if s.to == source]
        arriving = sum([_lps(self._live, s) for s in coming], 0.0)
        if flow.lpm is None or not arriving:
            return []
        share = min(1.0, flow.lpm / 60 / arriving)
        return [Stream(source, to, s.substance, anchored(s.gps * share)) for s in coming]

    def _running_over(self, vessel: str) -> list[Stream]:
        """What comes into a full vessel and does not leave it, on the floor."""
        most = free_for_liquids_l(self._world, vessel)
        free = most - self._timeline.value(vessel, CONTENT)
        if free > _NOTHING or self._timeline.is_due(vessel, CONTENT, most):
            return []
        coming = [s for s in self._found if s.to == vessel]
        leaving = sum([_lps(self._live, s) for s in self._found if s.source == vessel], 0.0)
        arriving = sum([_lps(self._live, s) for s in coming], 0.0)
        if arriving <= leaving:
            return []
        if not leaving:  # as it comes, so that it slows down with it
            return [s._replace(source=vessel, to=FLOOR) for s in coming]
        share = (arriving - leaving) / arriving
        return [Stream(vessel, FLOOR, s.substance, anchored(s.gps * share)) for s in coming]


def outlet(live: LiveScene, timeline: Timeline, node: str, flow: Flow) -> str:
    """Where what comes out at a thing ends: where the flow says, or at the end of its hose."""
    seen = {node}
    if flow.to is None:
        ahead = _linked(live, timeline, node)
        while ahead and ahead[0] not in timeline.contents and ahead[0] not in live.drains:
            node = ahead[0]
            seen.add(node)
            ahead = [other for other in _linked(live, timeline, node) if other not in seen]
        if not ahead:
            return FLOOR
        node = ahead[0]
    return _DRAIN if node in live.drains and node not in timeline.contents else node


def _linked(live: LiveScene, timeline: Timeline, node: str) -> list[str]:
    """What a thing is connected to by a hose; through a cable nothing runs."""
    links = [link for link in timeline.links if node in link[:2] and link[2] not in live.cables]
    return [b if node == a else a for a, b, _ in links]
