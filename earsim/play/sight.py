"""What an agent sees, told for people: the room, what is in reach, hands, ways, colleagues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from earsim.episode import Episode
from earsim.play.said import Said, panel
from earsim.prose import listing, number, value
from earsim.render.things import (
    accounts_told,
    apparatus_told,
    links_told,
    live_told,
    mass_told,
    quantities_told,
    thing_facts,
    way_told,
    wheels_told,
)
from earsim.render.words.traits import state_words
from earsim.units import format_field
from earsim.world.belief import NOWHERE, view
from earsim.world.containment import inside
from earsim.world.perceived import MASS, is_perceived, states_shown
from earsim.world.scope import near_scope

_CONTRARIES = {"is_open": "closed", "is_on": "off", "is_locked": "unlocked"}


class Sight:
    """Tells what one agent knows of its world, now.

    Attributes:
        known: ids that it has come across.
    """

    def __init__(self, episode: Episode, agent: str) -> None:
        self._agent = agent
        self._world = episode.world
        self._seen = view(episode.world, agent)
        self.known = self._seen.known[agent] & self._seen.states.keys()  # of some the id alone
        self._name = episode.engine.blueprint.name
        self._blueprint = episode.engine.blueprint
        self._state = episode.world.agents[agent]
        bodies = self._blueprint.bodies.values()
        self._has_size_limit = any(body.max_size_m is not None for body in bodies)

    def around(self) -> Said:
        """The room the agent stands in, its hands, the ways out, and who is there."""
        lines = [*self._here(), "", *self.hands(), *self._ways(), *self._colleagues()]
        lines += self._elsewhere()
        title = self._name(self._state.room)
        if len(self._blueprint.bodies) > 1:
            title = f"{title}, seen by {self._name(self._agent)}"
        return panel(title, "\n".join(lines))

    def room(self, room: str) -> Said:
        """What is known of a room."""
        lines = list(self._tree(room, 0)) or ["Nothing that you know of."]
        facts = self._room_facts(room)
        return panel(self._name(room), "\n".join([*([facts] if facts else []), *lines]))

    def thing(self, node: str) -> Said:
        """Everything known of one thing or door, and what is known to be in and on it."""
        title = f"{self._name(node)} ({node})"
        if node in self._blueprint.doors:
            rooms = listing(map(self._name, self._blueprint.doors[node].between))
            return panel(title, f"A door between {rooms}: {self._door_state(node)}.")
        facts = "; ".join(filter(None, (self._states(node), thing_facts(self._seen, node))))
        lines = [f"{self._where(node)}.", facts, *self._tree(node, 0)]
        return panel(title, "\n".join(lines))

    def hands(self) -> Iterator[str]:
        """What the agent holds, and what that lets it do."""
        state = self._state
        body = self._blueprint.bodies[self._agent]
        held = [f"{self._name(node)} ({node})" for node in state.inventory]
        if state.carrying is not None:
            held.append(f"{self._name(state.carrying)} ({state.carrying}), carried together")
        hands = f"{len(held)} of {body.hands} hands"
        limits = f"{hands}, {number(state.load)} of {number(body.max_mass_kg)} kg"
        yield f"In hand: {listing(held)} ({limits})"
        if state.abilities:
            yield f"With that you can {listing(a.replace('_', ' ') for a in state.abilities)}."
        if left := accounts_told(self._world):
            yield f"For runs: {left}"

    def where(self) -> str:
        """`Ward, at Trolley`."""
        room, focus = self._state.room, self._state.focus
        at = "" if focus == room or not focus else f", at {self._name(focus)}"
        return f"{self._name(room)}{at}"

    def _here(self) -> Iterator[str]:
        room, focus = self._state.room, self._state.focus
        if facts := self._room_facts(room):
            yield facts
        if focus not in ("", room):
            yield f"You stand at {self._name(focus)}."
        lines = list(self._tree(room, 0, frozenset(near_scope(self._world, self._agent))))
        yield from lines
        if any(line.lstrip().startswith("*") for line in lines):
            yield "(* = within reach)"
        if not lines:
            yield "You have not noticed anything here yet: EXPLORE searches the room."

    def _tree(self, holder: str, depth: int, near: frozenset[str] = frozenset()) -> Iterator[str]:
        """A line per known thing in or on a holder, and what they hold below them."""
        for node in self._seen.contents.get(holder, ()):
            if node in self.known:
                reach = "*" if node in near else "-"
                relation = f"{self._seen.location[node].relation} it: " if depth else ""
                told = f"{relation}{self._name(node)} ({node})"
                facts = self._facts(node)
                yield f"{'    ' * depth}{reach} {told}{': ' if facts else ''}{facts}"
                yield from self._tree(node, depth + 1, near)

    def _facts(self, node: str) -> str:
        """What decides what can be done with a thing; its exact sizes only where they matter."""
        thing = self._blueprint.things[node]
        facts = [self._states(node)]
        if is_perceived(self._seen, node, MASS):
            facts.append(mass_told(self._seen, node))
        if thing.size_m is not None and self._has_size_limit:
            facts.append(f"{' x '.join(number(edge) for edge in thing.size_m)} m")
        if thing.is_container:
            limit = "" if thing.capacity_l is None else f" {number(thing.capacity_l)} L"
            facts.append(f"holds{limit or ' things'}")
        if self._blueprint.live is not None:
            facts += live_told(self._blueprint.live, node)
        if thing.provides:
            facts.append(f"good to {listing(verb.replace('_', ' ') for verb in thing.provides)}")
        if thing.wheels is not None:
            facts.append(wheels_told(thing.wheels))
        if thing.senses:
            facts.append(f"senses {listing(thing.senses)}")
        facts += apparatus_told(self._seen, node)
        facts += quantities_told(self._seen, node)
        facts += links_told(self._seen, node)
        if thing.needs:
            facts.append(f"needs {listing(thing.needs)}")
        facts += [_open_fact(*fact) for fact in self._seen.attributes(node).items()]
        return ", ".join(filter(None, facts))

    def _states(self, node: str) -> str:
        return ", ".join(state_told(*state) for state in states_shown(self._seen, node).items())

    def _where(self, node: str) -> str:
        place = self._seen.location[node]
        if place.holder == NOWHERE:
            return "No longer where you last saw it"
        return f"{place.relation.capitalize()} {self._name(place.holder)} ({place.holder})"

    def _room_facts(self, room: str) -> str:
        spec = self._blueprint.rooms[room]
        facts = [format_field(name, amount) for name, amount in spec.quantities.items()]
        facts += [_open_fact(*fact) for fact in spec.attributes.items()]
        return f"{', '.join(facts)}." if facts else ""

    def _ways(self) -> Iterator[str]:
        ways = []
        for passage in self._blueprint.passages[self._state.room]:
            room = f"{self._name(passage.room)} ({passage.room})"
            door = passage.door
            by = f" by {self._name(door)} ({door}), {self._door_state(door)}" if door else ""
            ways.append(f"{room}{by}{way_told(passage)}")
        yield f"Ways: {'; '.join(ways) or 'none'}"

    def _door_state(self, door: str) -> str:
        if door not in self.known:
            return "not looked at yet"
        states = self._seen.states[door]
        return "locked" if states.get("is_locked") else _open(states.get("is_open"))

    def _colleagues(self) -> Iterator[str]:
        for other, state in self._seen.agents.items():
            if other != self._agent:
                now = self._world.agents[other].room == self._state.room
                last = f"last seen in {self._name(state.room)}" if state.room else "out of sight"
                where = "here" if now else last
                at = "" if state.focus in ("", state.room) else f", at {self._name(state.focus)}"
                done = ", is done" if self._world.agents[other].idle and now else ""
                held = listing(map(self._name, state.inventory), "")
                holds = f", with {held} in hand" if held else ""
                yield f"{self._name(other)}: {where}{at}{holds}{done}"

    def _elsewhere(self) -> Iterator[str]:
        counts = {
            room: sum(1 for node in inside(self._seen, room) if node in self.known)
            for room in self._blueprint.rooms
            if room != self._state.room
        }
        told = [f"{self._name(room)} {count}" for room, count in counts.items() if count]
        if told:
            yield f"Things known elsewhere: {', '.join(told)} (look ROOM)"
        if lost := [f"{self._name(n)} ({n})" for n in self._seen.contents.get(NOWHERE, ())]:
            yield f"Not where you last saw it: {listing(lost)}"


def state_told(state: str, what: Any) -> str:
    """`closed`, `dirty`, `not charged`, `engine is on`."""
    if what is False and state in _CONTRARIES:
        return _CONTRARIES[state]
    said = state_words(state, what)
    return said.adjective or said.that.removeprefix("is ") or said.whose


def _open_fact(attribute: str, what: Any) -> str:
    return f"{attribute.replace('_', ' ')} {value(what)}"


def _open(is_open: Any) -> str:
    return "open" if is_open else "closed"
