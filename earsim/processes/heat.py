"""Heat between things, the air around them and rooms: which couplings there are, and their laws.

At most two bodies act on each other: a plate and the largest thing on it, or the air of a
compartment and the largest thing in it. Whatever else is there follows them without acting back, as
everything follows the room it is in. A body that melts or boils keeps its temperature meanwhile, so
it acts on what it lies on and on the air around it as a room would, beside the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from earsim.dynamics.constants import FILM_WPM2K, PLATE_WPM2K
from earsim.dynamics.heat import ThermalBody, one_body, pair
from earsim.dynamics.integral import integral
from earsim.dynamics.law import Accumulation, Constant, Exponentials, Law
from earsim.dynamics.response import as_exponentials, combined, simplest
from earsim.dynamics.rounding import anchored
from earsim.processes.capacity import body_capacity_jpk
from earsim.schema.process import Heat
from earsim.world.containment import is_closed
from earsim.world.live import CONTENT, MELTED, TEMPERATURE, LiveScene
from earsim.world.power import is_active
from earsim.world.timeline import Timeline
from earsim.world.world import World


class HeatBody(NamedTuple):
    """A thing with one temperature, and what it exchanges heat with now.

    Attributes:
        node: its id.
        capacity_jpk: heat capacity.
        power_w: of its heaters.
        couplings: conductance and what it leads to: the temperature of a room, or another body.
        touches: the body that it lies on.
        air: the compartment that it is in.
    """

    node: str
    capacity_jpk: float
    power_w: float
    couplings: tuple[tuple[float, str | float], ...]
    touches: str | None
    air: str | None


def wire_heat(world: World, live: LiveScene, timeline: Timeline) -> None:
    """Give every body the law of its temperature, anew where what it is coupled to has changed."""
    bodies = tuple(_bodies(world, live, timeline))
    if bodies == timeline.bodies and not live.melts_or_boils and _are_wired(bodies, timeline):
        return
    timeline.bodies = bodies
    if bodies:
        _Network(live, timeline, {body.node: body for body in bodies}).wire()


def _are_wired(bodies: Iterable[HeatBody], timeline: Timeline) -> bool:
    """Whether all have laws that nothing has put an end to."""
    return all((body.node, TEMPERATURE) in timeline.wired for body in bodies)


def _bodies(world: World, live: LiveScene, timeline: Timeline) -> Iterator[HeatBody]:
    shares = _shares(world, live)
    for node, processes in live.processes.items():
        if node in timeline.gone:
            continue
        for process in processes:
            if process.heat is not None:
                yield _thing(world, live, timeline, node, process.heat, shares.get(node, 0.0))
            elif process.compartment is not None:
                air = process.compartment
                around, _ = _surroundings(world, live, node)
                wall = air.wall_wpk if is_closed(world, node) else air.open_wpk
                coupled = isinstance(around, str)
                yield HeatBody(
                    node,
                    air.air_jpk,
                    shares.get(node, 0.0),
                    ((wall, around),),
                    None,
                    str(around) if coupled else None,
                )


def _thing(
    world: World, live: LiveScene, timeline: Timeline, node: str, heat: Heat, power_w: float
) -> HeatBody:
    around, film = _surroundings(world, live, node)
    if heat.conductance_wpk is not None:
        conductance = heat.conductance_wpk * film / FILM_WPM2K["air"]
    else:
        conductance = (heat.area_m2 or 0.0) * film
    couplings: list[tuple[float, str | float]] = [(conductance, around)]
    place = world.location[node]
    plate = None
    if place.relation == "on" and heat.area_m2 is not None and _is_thing(live, place.holder):
        plate = place.holder
        couplings.append((PLATE_WPM2K * heat.area_m2, plate))
    return HeatBody(
        node,
        body_capacity_jpk(world, live, timeline, node, heat),
        power_w,
        tuple(couplings),
        plate,
        around if isinstance(around, str) else None,
    )


def _is_thing(live: LiveScene, node: str) -> bool:
    return any(process.heat is not None for process in live.processes.get(node, ()))


def _surroundings(world: World, live: LiveScene, node: str) -> tuple[str | float, float]:
    """The compartment around a thing, or the temperature of its room; and the film between."""
    film = FILM_WPM2K["air"]
    place = world.location[node]
    while True:
        holder = place.holder
        if holder in world.agents:
            holder = world.agents[holder].room
        room = world.blueprint.rooms.get(holder)
        if room is not None:
            return room.quantities[TEMPERATURE], film
        if place.relation == "in" and is_closed(world, holder):
            for process in live.processes.get(holder, ()):
                if process.compartment is not None:
                    return holder, film
                if process.insulation is not None:
                    film = min(film, process.insulation.wpm2k)
        place = world.location[holder]


def _shares(world: World, live: LiveScene) -> dict[str, float]:
    """The power that goes into each body."""
    found: dict[str, float] = {}
    for node, processes in live.processes.items():
        for process in processes:
            heats = process.heats
            if heats is None or not is_active(world, node, heats):
                continue
            into = [node] if heats.to == "self" else _on(world, live, node)
            for each in into:
                found[each] = found.get(each, 0.0) + heats.power_w / len(into)
    return found


def _on(world: World, live: LiveScene, holder: str) -> list[str]:
    return [
        node
        for node in world.contents.get(holder, ())
        if world.location[node].relation == "on" and _is_thing(live, node)
    ]


class _Network:
    """The bodies of a world and the laws they get, outermost first."""

    def __init__(self, live: LiveScene, timeline: Timeline, bodies: Mapping[str, HeatBody]) -> None:
        self._live = live
        self._timeline = timeline
        self._bodies = bodies
        self._done: set[str] = set()
        self._guests = self._joined()
        self._held = {node for node in bodies if self._stays(bodies[node])}
        self._partner = self._pairs()

    def wire(self) -> None:
        """Resolve every body."""
        for node in self._bodies:
            self._resolve(node)

    def _joined(self) -> dict[str, list[tuple[float, str]]]:
        """The bodies that lie on a body or are in its air, each with its conductance to it."""
        found: dict[str, list[tuple[float, str]]] = {}
        for body in self._bodies.values():
            for g, source in body.couplings:
                if isinstance(source, str):
                    found.setdefault(source, []).append((g, body.node))
        return found

    def _pairs(self) -> dict[str, str]:
        """Who acts on whom, both ways: plates and what is on them first, then air.

        Where a body could be one of several pairs, it is one of that whose heat capacities have the
        largest product; the order of the file decides between equals only.
        """
        found: dict[str, str] = {}
        for by in ("touches", "air"):
            possible: list[tuple[float, str, str]] = []
            for body in self._bodies.values():
                host = getattr(body, by)
                if host is None or body.node in self._held or host in self._held:
                    continue
                if body.capacity_jpk > 0.0:
                    capacity_jpk = self._bodies[host].capacity_jpk
                    possible.append((-capacity_jpk * body.capacity_jpk, host, body.node))
            for _, host, guest in sorted(possible, key=itemgetter(0)):
                if host not in found and guest not in found:
                    found[host], found[guest] = guest, host
        return found

    def _resolve(self, node: str) -> None:
        if node in self._done:
            return
        self._done.add(node)
        body, partner = self._bodies[node], self._partner.get(node)
        if partner is not None and node not in (
            self._bodies[partner].touches,
            self._bodies[partner].air,
        ):
            self._resolve(partner)  # the host of a pair makes the laws of both
            return
        if partner is not None:
            self._done.add(partner)
        own = self._ambients(body, partner)
        if partner is None:
            self._alone(body, own)
        else:
            self._together(
                body, own, self._bodies[partner], self._ambients(self._bodies[partner], node)
            )

    def _ambients(self, body: HeatBody, partner: str | None) -> list[tuple[float, str | float]]:
        """What a body is coupled to but its partner; bodies among them have their laws already.

        What keeps its temperature is like a room to what is around it, on it or in its air; itself
        it takes up the heat of all of these.
        """
        held = self._held
        guests = self._guests.get(body.node, ())
        acting = [(g, n) for g, n in guests if n in held or body.node in held]
        found: list[tuple[float, str | float]] = []
        for g, source in (*body.couplings, *acting):
            if isinstance(source, str) and source in held:
                found.append((g, self._timeline.value(source, TEMPERATURE)))
            elif source != partner:
                found.append((g, source))
                if isinstance(source, str):
                    self._resolve(source)
        return found

    def _laws(self, ambients: list[tuple[float, str | float]]) -> list[tuple[float, Law]]:
        return [(g, self._law_of(source)) for g, source in ambients]

    def _law_of(self, source: str | float) -> Law:
        """A temperature as a law whose time counts from now."""
        if not isinstance(source, str):
            return Constant(source)
        law, since_ms = self._timeline.laws[source, TEMPERATURE]
        return law.later((self._timeline.now_ms - since_ms) / 1000)

    def _signed(self, ambients: list[tuple[float, str | float]]) -> tuple[object, ...]:
        """What the couplings are, so that they are known again while they stay the same."""
        laws = self._timeline.laws
        return tuple(
            [
                (g, source, laws[source, TEMPERATURE]) if isinstance(source, str) else (g, source)
                for g, source in ambients
            ]
        )

    def _alone(self, body: HeatBody, ambients: list[tuple[float, str | float]]) -> None:
        held = body.node in self._held
        capacity = None if held else body.capacity_jpk  # which changes as it boils away
        signature = (capacity, body.power_w, self._signed(ambients))
        timeline = self._timeline
        if timeline.wired.get((body.node, TEMPERATURE)) == signature:
            return
        timeline.wired[body.node, TEMPERATURE] = signature
        start = anchored(timeline.value(body.node, TEMPERATURE))
        couplings = self._laws(ambients)
        if held:
            timeline.anchor(body.node, TEMPERATURE, Constant(start))
            self._take_up(body.node, start, couplings, body.power_w)
            return
        law = one_body(start, body.capacity_jpk, couplings, body.power_w)
        timeline.anchor(body.node, TEMPERATURE, law)
        self._rest(body.node)

    def _together(
        self,
        host: HeatBody,
        own: list[tuple[float, str | float]],
        guest: HeatBody,
        others: list[tuple[float, str | float]],
    ) -> None:
        between = sum([g for g, source in guest.couplings if source == host.node], 0.0)
        parts = [(host, own), (guest, others)]
        signature = (
            between,
            *[(b.node, b.capacity_jpk, b.power_w, self._signed(ambients)) for b, ambients in parts],
        )
        timeline = self._timeline
        if all(timeline.wired.get((b.node, TEMPERATURE)) == signature for b, _ in parts):
            return
        first, second = (
            ThermalBody(
                anchored(timeline.value(b.node, TEMPERATURE)),
                b.capacity_jpk,
                self._laws(ambients),
                b.power_w,
            )
            for b, ambients in parts
        )
        for (b, _), law in zip(parts, pair(first, second, between), strict=True):
            timeline.wired[b.node, TEMPERATURE] = signature
            timeline.anchor(b.node, TEMPERATURE, law)
            self._rest(b.node)

    # -- phase changes ---------------------------------------------------------------------------

    def _stays(self, body: HeatBody) -> bool:
        """Whether a body is at the temperature of a phase change and heat goes into that."""
        change = _change(self._live, self._timeline, body.node)
        if change is None:
            return False
        at_c, takes_j, gives_j = change
        temperature = self._timeline.value(body.node, TEMPERATURE)
        if not _is_at(temperature, at_c) or self._timeline.is_due(body.node, TEMPERATURE, at_c):
            return False
        net = body.power_w
        for g, source in (*body.couplings, *self._guests.get(body.node, ())):
            around = (
                source if not isinstance(source, str) else self._timeline.value(source, TEMPERATURE)
            )
            net += g * (around - at_c)
        return (net > 0.0 and takes_j > 0.0) or (net < 0.0 and gives_j > 0.0)

    def _take_up(
        self, node: str, at_c: float, couplings: list[tuple[float, Law]], power_w: float
    ) -> None:
        """Let the heat that comes in melt or boil."""
        given = power_w - at_c * sum([g for g, _ in couplings], 0.0)
        taken = [(g, as_exponentials(law)) for g, law in couplings]
        net = combined([(1.0, Exponentials(given, 0.0, ())), *taken])
        heat = integral(simplest(net))
        timeline = self._timeline
        boils = _boils(self._live, node)
        if boils is not None and _is_at(boils[0], at_c):
            _, substance, latent_jpkg = boils
            start = timeline.grams(node, substance)
            timeline.anchor(node, substance, _plus(start, heat, -1000.0 / latent_jpkg))
            litres = 1.0 / latent_jpkg / self._live.substances[substance].density_kgpl
            timeline.anchor(node, CONTENT, _plus(timeline.value(node, CONTENT), heat, -litres))
        else:
            start = timeline.value(node, MELTED)
            timeline.anchor(node, MELTED, _plus(start, heat, 100.0 / self._latent_j(node)))

    def _latent_j(self, node: str) -> float:
        phases = [each.phase for each in self._live.processes[node] if each.phase is not None]
        return phases[0].latent_j

    def _rest(self, node: str) -> None:
        """What has been melted or boiled stays so."""
        timeline = self._timeline
        boils = _boils(self._live, node)
        for name in (MELTED, *(() if boils is None else (boils[1], CONTENT))):
            if (node, name) in timeline.laws and not timeline.laws[node, name].law.is_constant:
                timeline.set(node, name, timeline.value(node, name))


def _plus(start: float, law: Law, factor: float) -> Law:
    """Start + factor times an integral."""
    if isinstance(law, Accumulation):
        terms = tuple([(factor * a, rate) for a, rate in law.terms])
        offset, slope = start + factor * law.offset, factor * law.slope
        return Accumulation(offset, slope, factor * law.curvature, terms)
    parts = [(1.0, Exponentials(start, 0.0, ())), (factor, as_exponentials(law))]
    return simplest(combined(parts))


_AT_C = 1e-9
"""A temperature so close to that of a phase change is at it."""


def _is_at(temperature: float, at_c: float) -> bool:
    return abs(temperature - at_c) <= _AT_C


def _boils(live: LiveScene, node: str) -> tuple[float, str, float] | None:
    for process in live.processes.get(node, ()):
        if process.boils is not None:
            return process.boils.at_c, process.boils.substance, process.boils.latent_jpkg
    return None


def _change(live: LiveScene, timeline: Timeline, node: str) -> tuple[float, float, float] | None:
    """The temperature of a body's phase change; the joules that it can take up, and give off."""
    temperature = timeline.value(node, TEMPERATURE)
    for process in live.processes.get(node, ()):
        if process.phase is not None and _is_at(process.phase.at_c, temperature):
            taken_j = timeline.value(node, MELTED) / 100 * process.phase.latent_j
            return process.phase.at_c, process.phase.latent_j - taken_j, taken_j
        if process.boils is not None and _is_at(process.boils.at_c, temperature):
            grams = timeline.grams(node, process.boils.substance)
            return process.boils.at_c, grams / 1000 * process.boils.latent_jpkg, 0.0
    return None
