"""Time in a scene, computed by steps of a hundredth of a second (Euler's method): slow and plain.

Written from what the laws say, without `earsim.dynamics` and `earsim.processes`. Everything is in
dictionaries; which commands are accepted, and how long they take, it is told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from earsim.schema import Scenario, SceneObject

STEP_S = 0.01
FLOOR = "floor"
AWAY = "away"
"""Where liquid is that was burnt, boiled away or let into a drain."""

KGPL = {"water": 1.0, "oil": 0.92, "petrol": 0.74}
JPKGK = {"water": 4186.0, "oil": 2000.0, "petrol": 2200.0, "steel": 490.0, "ceramic": 850.0}


class Naive:
    """A scene in which time passes.

    Attributes:
        place: relation and holder of every thing; agents hold things, too.
        states: of every thing.
        at: the temperature of every body.
        grams: of each substance in each vessel, on the floor and away.
        number: other numbers: charge, moisture and how much has melted, in percent.
        links: pairs that are connected.
    """

    def __init__(self, scenario: Scenario) -> None:
        scene = scenario.scene
        self.things: dict[str, SceneObject] = {thing.id: thing for thing in scene.objects}
        self.rooms = {room.id: room.quantities["temperature_c"] for room in scene.rooms}
        self.place = {
            t.id: ("in", t.in_) if t.in_ is not None else ("on", t.on or "") for t in scene.objects
        }
        self.room_of = {agent.id: scene.rooms[0].id for agent in scenario.agents}
        self.states = {t.id: dict(t.states) for t in scene.objects}
        self.at: dict[str, float] = {}
        self.number: dict[tuple[str, str], float] = {}
        self.grams = {t.id: self._filled(t) for t in scene.objects if t.liquids is not None}
        self.grams |= {FLOOR: {}, AWAY: {}}
        self.links: set[frozenset[str]] = set()
        for thing in scene.objects:
            for name, value in thing.quantities.items():
                if name == "temperature_c" and (self.law(thing.id, "heat", "compartment")):
                    self.at[thing.id] = value
                elif name in ("charge_percent", "moisture_ratio"):
                    self.number[thing.id, name] = value
            phase = self.law(thing.id, "phase")
            if phase is not None:
                melted = self.at[thing.id] > phase.at_c
                self.number[thing.id, "melted_percent"] = 100.0 * melted
        self._follow()

    def _filled(self, thing: SceneObject) -> dict[str, float]:
        return {name: 1000.0 * kg for name, kg in (thing.liquids or {}).items()}

    # -- reading -------------------------------------------------------------------------------

    def laws(self, node: str, *kinds: str) -> Iterator[Any]:
        for process in self.things[node].processes:
            for kind in kinds:
                law = getattr(process, kind)
                if law is not None:
                    yield law

    def law(self, node: str, *kinds: str) -> Any:
        return next(self.laws(node, *kinds), None)

    def value(self, node: str, name: str) -> float:
        if name == "temperature_c":
            return self.at[node]
        if name == "content_l":
            return self.litres(node)
        return self.number[node, name]

    def litres(self, vessel: str) -> float:
        return sum(g / 1000 / KGPL[name] for name, g in self.grams[vessel].items())

    def space_l(self, vessel: str) -> float:
        capacity = self.things[vessel].container.capacity_l
        return math.inf if capacity is None else capacity - self.litres(vessel)

    def capacity_jpk(self, node: str) -> float:
        law = self.law(node, "heat")
        if law is None:
            return float(self.law(node, "compartment").air_jpk)
        own = law.heat_capacity_jpk
        if own is None:
            own = JPKGK[law.material] * self.things[node].mass_kg
        liquids = self.grams.get(node, {})
        return float(own) + sum(g / 1000 * JPKGK[name] for name, g in liquids.items())

    def is_closed(self, node: str) -> bool:
        return self.states[node].get("is_open") is False

    # -- what works ----------------------------------------------------------------------------

    def works(self, node: str) -> bool:
        thing, states = self.things[node], self.states[node]
        if states.get("is_broken") or not all(states.get(need) for need in thing.needs):
            return False
        if self.law(node, "discharge") and self.number[node, "charge_percent"] <= 0.0:
            return False
        burns = self.law(node, "burns")
        if burns and self.grams[node].get(burns.substance, 0.0) <= 0.0:
            return False
        return self.is_supplied(node)

    def is_supplied(self, node: str) -> bool:
        others = [other for link in self.links if node in link for other in link - {node}]
        return all(self.works(other) for other in others if self.things[other].supplies)

    def is_switched(self, node: str, law: Any) -> bool:
        states = self.states[law.of or node]
        return all(states.get(name) is wanted for name, wanted in law.while_.items())

    def goes_on(self, node: str, law: Any) -> bool:
        return self.is_switched(node, law) and self.works(law.of or node)

    # -- time ----------------------------------------------------------------------------------

    def pass_time(self, seconds: int) -> None:
        for _ in range(round(seconds / STEP_S)):
            before = {(n, s.of): self.value(n, s.of) for n, s in self._thresholds()}
            left = self._stores()
            on = [(n, law) for n in self.things for law in self.laws(n, *_SWITCHED)]
            on = [(n, law) for n, law in on if self._is_on(n, law)]
            self._flow([(n, law) for n, law in on if _kind(law) == "Flow"])
            self._use_up(on)
            self._heat({(n, id(law)) for n, law in on})
            self._dry({(n, id(law)) for n, law in on})
            self._run_down(left)
            self._cross(before)
            self._follow()

    def _is_on(self, node: str, law: Any) -> bool:
        if _kind(law) == "Charge":
            return self.is_switched(node, law) and self.is_supplied(node)
        return self.goes_on(node, law)

    def _move(self, source: str | None, to: str, name: str, grams: float) -> None:
        if source is not None:
            self.grams[source][name] -= grams
        self.grams[to][name] = self.grams[to].get(name, 0.0) + grams

    def _flow(self, flows: list[tuple[str, Any]]) -> None:
        for node, law in flows:
            source = law.from_ or node
            to = law.to if law.to is not None else self._at_the_end_of_its_hose(node)
            if to not in self.grams:
                to = AWAY if to in self.things and self.things[to].drains else FLOOR
            endless = self.things[source].source
            if endless is not None:
                self._move(None, to, endless, law.lpm / 60 * STEP_S * KGPL[endless] * 1000)
                continue
            litres = self.litres(source)
            if not litres:
                continue
            if law.lpm is not None:
                leaves = law.lpm / 60 * STEP_S
            else:
                height = litres / 1000 / law.area_m2
                speed = math.sqrt(2 * 9.81 * height)
                leaves = law.discharge_ratio * law.hole_m2 * speed * 1000 * STEP_S
            share = min(1.0, leaves / litres)
            for name, grams in list(self.grams[source].items()):
                self._move(source, to, name, grams * share)
        for vessel in self.grams:
            if vessel in self.things:
                self._run_over(vessel)

    def _at_the_end_of_its_hose(self, node: str) -> str:
        came = {node}
        while True:
            ahead = {other for link in self.links if node in link for other in link} - came
            if not ahead:
                return FLOOR
            node = min(ahead)
            came.add(node)
            if node in self.grams or self.things[node].drains:
                return node

    def _run_over(self, vessel: str) -> None:
        """What comes in last runs out first: no further in than the brim."""
        over = -self.space_l(vessel)
        coming = self._coming(vessel) if over > 1e-9 else {}
        total = sum(coming.values())
        if total:
            for name, litres in coming.items():
                self._move(vessel, FLOOR, name, over * litres / total * KGPL[name] * 1000)

    def _coming(self, vessel: str) -> dict[str, float]:
        """Litres of each substance that flows into a vessel, up to a factor."""
        found: dict[str, float] = {}
        for node in self.things:
            for law in self.laws(node, "flow"):
                to = law.to if law.to is not None else self._at_the_end_of_its_hose(node)
                if to != vessel or not self.goes_on(node, law):
                    continue
                source = law.from_ or node
                endless = self.things[source].source
                grams = {endless: 1.0} if endless else self.grams[source]
                for name, amount in grams.items():
                    found[name] = found.get(name, 0.0) + amount / KGPL[name]
        return found

    def _use_up(self, on: list[tuple[str, Any]]) -> None:
        for node, law in on:
            if _kind(law) == "Burns":
                there = self.grams[node].get(law.substance, 0.0)
                self._move(node, AWAY, law.substance, min(there, law.kgph / 3.6 * STEP_S))
            elif _kind(law) in ("Discharge", "Charge"):
                rate = (
                    law.percent_ph / 3600
                    if _kind(law) == "Charge"
                    else -law.power_w / self.things[node].quantities["capacity_wh"] / 36
                )
                charge = self.number[node, "charge_percent"] + rate * STEP_S
                self.number[node, "charge_percent"] = min(max(charge, 0.0), 100.0)

    def _dry(self, on: set[tuple[str, int]]) -> None:
        for node in self.things:
            for law in self.laws(node, "drying"):
                if (node, id(law)) not in on:
                    continue
                moisture = self.number[node, "moisture_ratio"]
                k = law.k_ph or law.rate_ph / (law.critical_ratio - law.equilibrium_ratio)
                lost = k / 3600 * (moisture - law.equilibrium_ratio)
                if law.critical_ratio is not None and moisture > law.critical_ratio:
                    lost = law.rate_ph / 3600
                self.number[node, "moisture_ratio"] = moisture - lost * STEP_S

    # -- heat ----------------------------------------------------------------------------------

    def _heat(self, on: set[tuple[str, int]]) -> None:
        power = dict.fromkeys(self.at, 0.0)
        for node in self.things:
            for law in self.laws(node, "heats"):
                if (node, id(law)) in on:
                    onto = [n for n in self.at if self.place[n] == ("on", node)]
                    into = [node] if law.to == "self" else onto
                    for each in into:
                        power[each] += law.power_w / len(into)
        contacts = list(self._contacts())
        for node, other, wpk in contacts:
            power[node] += wpk * (self._warmth(other) - self.at[node])
        for host in self.at:
            touching = {node: wpk for node, other, wpk in contacts if other == host}
            for node in self._acting_on_their_host(list(touching)):
                power[host] += touching[node] * (self.at[node] - self.at[host])
        for node, watts in power.items():
            self._take_up(node, watts * STEP_S)

    def _acting_on_their_host(self, guests: list[str]) -> list[str]:
        """What melts or boils, and of the others the one of most capacity."""
        changing = [node for node in guests if self._changes_phase(node)]
        rest = [node for node in guests if node not in changing]
        return [*changing, max(rest, key=self.capacity_jpk)] if rest else changing

    def _changes_phase(self, node: str) -> bool:
        phase, boils = self.law(node, "phase"), self.law(node, "boils")
        if phase is not None and self.at[node] == phase.at_c:
            return 0.0 < self.number[node, "melted_percent"] < 100.0
        there = self.grams.get(node, {})
        return boils is not None and self.at[node] == boils.at_c and any(there.values())

    def _warmth(self, node: str) -> float:
        return self.rooms[node] if node in self.rooms else self.at[node]

    def _contacts(self) -> Iterator[tuple[str, str, float]]:
        """What each body is coupled to, and the conductance."""
        for node in self.at:
            around, film = self._around(node)
            air = self.law(node, "compartment")
            if air is not None:
                yield node, around, air.wall_wpk if self.is_closed(node) else air.open_wpk
                continue
            law = self.law(node, "heat")
            area = law.area_m2
            in_air = law.conductance_wpk if area is None else 10 * area
            yield node, around, in_air * film / 10
            relation, holder = self.place[node]
            is_plate = holder in self.at and self.law(holder, "heat") is not None
            if relation == "on" and is_plate and area is not None:
                yield node, holder, 40 * area

    def _around(self, node: str) -> tuple[str, float]:
        film = 10.0
        while True:
            relation, holder = self.place[node]
            holder = self.room_of.get(holder, holder)
            if holder in self.rooms:
                return holder, film
            if relation == "in" and self.is_closed(holder):
                if self.law(holder, "compartment") is not None:
                    return holder, film
                insulation = self.law(holder, "insulation")
                film = film if insulation is None else min(film, insulation.wpm2k)
            node = holder

    def _take_up(self, node: str, joules: float) -> None:
        """Heat first brings a body to where its phase changes, and then changes that."""
        phase, boils = self.law(node, "phase"), self.law(node, "boils")
        change = phase or boils
        if change is not None:
            needed = (change.at_c - self.at[node]) * self.capacity_jpk(node)
            if needed == 0.0 or (abs(needed) <= abs(joules) and needed * joules > 0.0):
                rest = joules - needed
                left = self._melt(node, phase, rest) if phase else self._boil(node, boils, rest)
                self.at[node] = change.at_c + left / self.capacity_jpk(node)
                return
        self.at[node] += joules / self.capacity_jpk(node)

    def _melt(self, node: str, phase: Any, joules: float) -> float:
        key = node, "melted_percent"
        melted = self.number[key] + 100 * joules / phase.latent_j
        self.number[key] = min(max(melted, 0.0), 100.0)
        return (melted - self.number[key]) / 100 * float(phase.latent_j)

    def _boil(self, node: str, boils: Any, joules: float) -> float:
        there = self.grams[node].get(boils.substance, 0.0)
        if joules <= 0.0 or not there:
            return joules
        gone = min(there, 1000 * joules / boils.latent_jpkg)
        self._move(node, AWAY, boils.substance, gone)
        return joules - gone / 1000 * float(boils.latent_jpkg)

    # -- what follows --------------------------------------------------------------------------

    def _thresholds(self) -> Iterator[tuple[str, Any]]:
        for node in self.things:
            for law in self.laws(node, "state", "crossing"):
                yield node, law

    def _stores(self) -> dict[tuple[str, int], float]:
        """What is left of every charge and fuel."""
        found = {}
        for node in self.things:
            for law in self.laws(node, "discharge"):
                found[node, id(law)] = self.number[node, "charge_percent"]
            for law in self.laws(node, "burns"):
                found[node, id(law)] = self.grams[node].get(law.substance, 0.0)
        return found

    def _run_down(self, before: dict[tuple[str, int], float]) -> None:
        after = self._stores()
        for node in self.things:
            for law in self.laws(node, "discharge", "burns"):
                if after[node, id(law)] <= 0.0 < before[node, id(law)]:
                    for name, value in law.while_.items():
                        self.states[law.of or node][name] = not value

    def _cross(self, before: dict[tuple[str, str], float]) -> None:
        for node, law in self._thresholds():
            old, new = before[node, law.of], self.value(node, law.of)
            if _kind(law) == "Crossing" and not _beyond(law, old) and _beyond(law, new):
                self.states[node].update(law.sets)

    def _follow(self) -> None:
        for node, law in self._thresholds():
            if _kind(law) == "StateOf":
                self.states[node][law.name] = _beyond(law, self.value(node, law.of))

    # -- commands ------------------------------------------------------------------------------

    def obey(self, agent: str, command: str) -> None:
        """What an accepted command does at once."""
        verb, *words = command.split()
        if verb in ("GRAB", "RELEASE", "PLACE"):
            room = self.room_of[agent]
            put = {"GRAB": ("held", agent), "RELEASE": ("in", room), "PLACE": (*words[1:],)}
            self.place[words[0]] = put[verb]
        elif verb == "GOTO" and words[0] in self.rooms:
            self.room_of[agent] = words[0]
        elif verb in ("OPEN", "CLOSE"):
            self.states[words[0]]["is_open"] = verb == "OPEN"
        elif verb in ("TURN_ON", "TURN_OFF"):
            self.states[words[0]]["is_on"] = verb == "TURN_ON"
        elif verb in ("CONNECT", "DISCONNECT"):
            self._connect(frozenset(words), joined=verb == "CONNECT")
        elif verb == "POUR":
            mark = words[4] if len(words) > 3 else None
            self._pour(words[0], words[2], mark)
        elif verb == "EMPTY":
            drains = [t.id for t in self.things.values() if t.drains]
            self._pour(words[0], AWAY if self._has_near(agent, drains) else FLOOR, None)
        elif verb == "FILL":
            source = self.things[words[2]]
            name = source.source or ""
            grams = math.floor(self.space_l(words[0]) * KGPL[name] * 1000 + 1e-6)
            self._mix(words[0], {name: grams}, self._liquid_at(words[2]))
        self._follow()

    near_by = ""
    """What the agent stands at; set by who plays."""

    def _has_near(self, agent: str, nodes: list[str]) -> bool:
        return any(node == self.near_by for node in nodes)

    def _connect(self, link: frozenset[str], *, joined: bool) -> None:
        self.links = self.links | {link} if joined else self.links - {link}
        for node in link:
            (other,) = link - {node}
            if "is_plugged_in" in self.states[node] and self.things[other].supplies:
                self.states[node]["is_plugged_in"] = joined

    def _pour(self, source: str, to: str, mark: str | None) -> None:
        room = self.space_l(to) if to in self.things and to in self.grams else math.inf
        for each in self.things[to].marks if mark else ():
            if each.name == mark:
                room = min(room, each.at - self.litres(to))
        if to in self.things and to not in self.grams:
            to = AWAY
        share = min(1.0, room / self.litres(source))
        parts = {
            name: grams if share == 1.0 else math.floor(grams * share + 1e-6)
            for name, grams in self.grams[source].items()
        }
        at = self._liquid_at(source)
        for name, grams in parts.items():
            self.grams[source][name] -= grams
        self._mix(to, parts, at)

    def _liquid_at(self, node: str) -> float | None:
        if node in self.at:
            return self.at[node]
        given = self.things[node].quantities.get("temperature_c")
        return self.rooms[self._around(node)[0]] if given is None else given

    def _mix(self, to: str, parts: dict[str, float], at: float | None) -> None:
        if to in self.at and at is not None:
            own = self.capacity_jpk(to)
            added = sum(g / 1000 * JPKGK[name] for name, g in parts.items())
            self.at[to] = (own * self.at[to] + added * at) / (own + added)
        for name, grams in parts.items():
            self.grams[to][name] = self.grams[to].get(name, 0.0) + grams


_SWITCHED = ("heats", "flow", "discharge", "charge", "burns", "drying")


def _kind(law: Any) -> str:
    return type(law).__name__


def _beyond(law: Any, value: float) -> bool:
    if law.at_least is not None:
        return bool(value >= law.at_least)
    return bool(value <= law.at_most)
