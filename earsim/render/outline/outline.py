"""The `compact` observation: what an agent knows in few words, what its task speaks of last.

Made for models that are small or paid by the token. The `rooms` are told by the ids of what is in
them, the agent's own room last. What `matters` is a line for everything known that the task speaks
of. With the task between the two and the agent's own line at the end, whatever the next command
needs is within the last few lines, wherever in the world it was seen. To an agent that is alone,
what is in its room is "here", what lies beyond a door that it does not know to be open is "behind"
that door, and rooms are told in the order of the way to them: whoever reads has no map.

Nothing is told that an id says, or that matters to nobody: names that are spelled like their ids,
open ways (GOTO finds them), numbers of furniture, and of things that can be carried and are the
only ones of their name. Every id has a blank before it, as in commands: for most tokenizers
`counter` after a blank and after a bracket differ, and an id is easier to repeat than to spell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from earsim.actions.outcome import Outcome
from earsim.prose import number, value
from earsim.render.outline.locations import Locations
from earsim.render.outline.memory import OutlineMemory
from earsim.render.things import (
    accounts_told,
    hands_in_use,
    links_told,
    live_told,
    readings_told,
    tells_load,
    thing_facts,
    way_told,
)
from earsim.world import World
from earsim.world.belief import NOWHERE, view
from earsim.world.perceived import MASS, is_perceived, states_shown

_WORD = re.compile(r"[^\W_]+")
_EMPTY_WORDS = frozenset(
    (
        *("a", "an", "and", "at", "by", "for", "from", "in", "into", "is", "it", "of", "on", "or"),
        *("that", "the", "to", "with"),
    )
)
_SIZE_WORDS = frozenset(
    f"{word}{ending}"
    for word in ("big", "bigg", "broad", "high", "larg", "long", "short", "small", "tall", "wid")
    for ending in ("", "e", "er", "est")
) | {"length", "size", "width", "height", "volume", "thickness", "deep"}
"""Of tasks for which the size of things matters; others are spared three numbers a line."""

_MESSAGES_SHOWN = 3


class Outline(NamedTuple):
    """The parts of the text.

    Attributes:
        plan: the rooms that were searched and those that were not, and the doors.
        rooms: what is known to be in each room.
        closed: the closed things alone, with their places.
        matters: what the task speaks of, and what was said.
        others: where the other agents are, and what they hold.
        own: likewise for the reader.
    """

    plan: str
    rooms: str
    closed: str
    matters: str
    others: str
    own: str


def outline(
    world: World, viewer: str, *, task: str, memory: OutlineMemory, outcome: Outcome | None
) -> Outline:
    """What an agent knows.

    Args:
        world: as it is.
        viewer: who is told; what it cannot see is told as it last was.
        task: the instruction.
        memory: what else the agent remembers; takes note of what is new.
        outcome: of the agent's last command.
    """
    text = _Text(world, viewer, task, memory)
    memory.note_outcome(outcome)
    return Outline(
        plan="\n".join(text.plan()),
        rooms="\n".join(text.rooms()),
        closed=text.closed(),
        matters="\n".join((*text.spoken_of(), *text.messages())),
        others="\n".join(text.agent(agent) for agent in world.agents if agent != viewer),
        own="\n".join(filter(None, (text.agent(viewer), accounts_told(world)))),
    )


class _Text:
    def __init__(self, world: World, viewer: str, task: str, memory: OutlineMemory) -> None:
        self._world = world
        self._seen = view(world, viewer)
        self._known = world.known[viewer]
        if self._seen is not world:  # of what others speak of, perhaps the id alone
            self._known = self._known.intersection(self._seen.states)
        self._viewer = viewer
        self._words = [_stem(word) for word in _words(task)]
        self._sized = not _SIZE_WORDS.isdisjoint(_words(task))
        self._memory = memory
        self._where = Locations(world, viewer)
        self._here = self._where.here

    # -- the building ------------------------------------------------------------------------------

    def plan(self) -> Iterator[str]:
        """Which rooms there are, and the doors between them."""
        rooms, searched = self._world.blueprint.rooms, self._memory.searched
        left = [room for room in self._where.rooms if room not in searched]
        if searched:
            yield f"Searched: {', '.join(room for room in rooms if room in searched)}"
        if left:
            yield f"Not searched: {', '.join(f'{room}{self._where.behind(room)}' for room in left)}"
        doors = list(self._doors())
        if doors:
            yield f"Doors: {'; '.join(doors)}"

    def _doors(self) -> Iterator[str]:
        """Those that may be in the way."""
        for door in self._world.blueprint.doors.values():
            first, second = door.between
            seen = door.id in self._known
            if seen and self._seen.states[door.id].get("is_open"):
                continue
            states = _states(self._seen.states[door.id]) if seen else ["not seen"]
            if self._here in door.between:
                first, second = "here", second if self._here == first else first
            width = way_told(door)
            yield f"{door.id} between {first} and {second}, {', '.join(states)}{width}"

    # -- what is in it -----------------------------------------------------------------------------

    def rooms(self) -> Iterator[str]:
        """What is known to be in each."""
        here = self._world.agents[self._viewer].room
        rooms = [room for room in self._world.blueprint.rooms if room != here]
        for room in (*rooms, here):
            inside = self._inside(room)
            if inside:
                yield f"In {room}: {inside}"

    def _inside(self, holder: str) -> str:
        children = (c for c in self._seen.contents.get(holder, ()) if c in self._known)
        return ", ".join(self._brief(child) for child in children)

    def _brief(self, node: str) -> str:
        """`cash_box closed can open ( coin )`: an id, and what matters of things not spoken of."""
        thing = self._world.blueprint.things[node]
        parts = [node]
        if self._is_closed(node):
            parts.append("closed")
        if thing.provides:
            parts.append(f"can {value(thing.provides)}")
        if thing.needs:
            parts.append(f"needs {value(thing.needs)}")
        live = self._world.blueprint.live
        parts += live_told(live, node) if live is not None else ()
        inside = self._inside(node)
        if inside:
            parts.append(f"( {inside} )")
        return " ".join(parts)

    def closed(self) -> str:
        """What may hide something."""
        found = [node for node in self._seen.location if node in self._known]
        shut = [f"{node} {self._where.of(node)}" for node in found if self._is_closed(node)]
        return f"Closed: {', '.join(shut)}" if shut else ""

    def _is_closed(self, node: str) -> bool:
        is_container = self._world.blueprint.things[node].is_container
        return is_container and states_shown(self._seen, node).get("is_open") is False

    # -- what the task speaks of -------------------------------------------------------------------

    def spoken_of(self) -> Iterator[str]:
        """A line for every known room and thing that the task names, in the order of its words."""
        blueprint = self._world.blueprint
        found: list[tuple[int, int, str]] = []
        for node in (*blueprint.rooms, *(t for t in blueprint.things if t in self._known)):
            place = self._first_word(node)
            if place is not None:
                found.append((place, len(found), node))
        alike = Counter(blueprint.name(node) for _, _, node in found)
        for _, _, node in sorted(found):
            if node in blueprint.rooms:
                told = "searched" if node in self._memory.searched else "not searched"
                kind = "here" if node == self._here else f"room{self._where.behind(node)}"
                yield f"- {self._named(node)}: {kind}, {told}"
            else:
                yield self._whole(node, alone=alike[blueprint.name(node)] == 1)

    def _first_word(self, node: str) -> int | None:
        """Where the task speaks of a thing: by its name, the last word included, or by its use."""
        thing = self._world.blueprint.things.get(node)
        if thing is not None:
            uses = [_stem(use) for use in thing.provides]
            used = [self._words.index(use) for use in uses if use in self._words]
            if used:
                return min(used)
        own = [_stem(word) for word in _words(self._world.blueprint.name(node))]
        shared = [self._words.index(word) for word in own if word in self._words]
        is_meant = bool(own) and own[-1] in self._words and 2 * len(shared) >= len(own)
        return min(shared) if is_meant else None

    def _whole(self, node: str, *, alone: bool) -> str:
        """`- guest_book on counter in shopfront: open`, with numbers where they are told apart by.

        Args:
            node: a thing.
            alone: nothing else that is known and spoken of has its name.
        """
        thing = self._world.blueprint.things[node]
        limit = self._world.blueprint.bodies[self._viewer].max_mass_kg
        states = _states(states_shown(self._seen, node))
        facts = list(states)
        if thing.is_furniture or alone:
            facts += self._lives(node)
        if thing.is_furniture:
            pass
        elif not alone:
            facts += filter(None, thing_facts(self._seen, node, sized=self._sized).split("; "))
        elif thing.mass_kg > limit and is_perceived(self._seen, node, MASS):
            facts.append(f"{number(thing.mass_kg)} kg")
        first = self._memory.first_seen(node, self._where.place_by_name(node), states)
        told = ", ".join((*facts, *([f"at first {first}"] if first else ())))
        return f"- {self._named(node)} {self._where.of(node)}{': ' if told else ''}{told}"

    def _lives(self, node: str) -> Iterator[str]:
        """What liquids, power and time have to do with a thing."""
        live = self._world.blueprint.live
        if live is not None:
            yield from live_told(live, node)
            yield from readings_told(self._seen, node)
            yield from links_told(self._seen, node)

    def _named(self, node: str) -> str:
        """An id, with the name where that says something else."""
        name = self._world.blueprint.name(node)
        spelled = [word for word in _WORD.findall(node.replace("_", " ")) if not word.isdigit()]
        return node if spelled == _WORD.findall(name.lower()) else f"{node} ({name})"

    # -- who is there ------------------------------------------------------------------------------

    def agent(self, agent: str) -> str:
        """`Agent tomas at counter in shopfront: hands 1/2, load 0.9/28 kg, holding guest_book`.

        The room of an agent that is alone has a line of its own: whoever looks for "in" a room
        finds no other than that of a thing.
        """
        state, body = self._seen.agents[agent], self._world.blueprint.bodies[agent]
        if state.room == NOWHERE:
            return f"Agent {agent} out of sight"
        near = ""
        if state.focus != state.room and not self._world.physics.keeps_near_set:
            near = f" at {state.focus}"
        facts = [f"hands {hands_in_use(self._world, agent)}/{body.hands}"]
        if not tells_load(self._world.blueprint, self._viewer, agent):
            facts.append(f"lifts {number(body.max_mass_kg)} kg")
        elif state.load or len(self._world.agents) > 1:  # what several can lift, one has to add up
            facts.append(f"load {number(state.load)}/{number(body.max_mass_kg)} kg")
        facts += [f"can {value(state.abilities)}"] if state.abilities else []
        facts += [f"holding {node}" for node in state.inventory]
        facts += [f"carrying {state.carrying} together"] if state.carrying is not None else []
        if self._here == state.room:
            return f"Here: {state.room}\nAgent {agent}{near}: {', '.join(facts)}"
        return f"Agent {agent}{near} in {state.room}: {', '.join(facts)}"

    def messages(self) -> Iterator[str]:
        """The last things that were said."""
        heard = [
            message
            for message in self._world.messages
            if self._viewer in message.heard_by or self._viewer == message.speaker
        ]
        for message in heard[-_MESSAGES_SHOWN:]:
            yield f"{message.speaker} said: {message.text}"


def _states(states: Any) -> list[str]:
    """`is_open: false` as "not open", other values as they are."""
    found = []
    for state, now in states.items():
        word = state.removeprefix("is_").replace("_", " ")
        if now is True:
            found.append(word)
        else:
            found.append(f"not {word}" if now is False else f"{word} {value(now)}")
    return found


def _words(text: str) -> list[str]:
    """The words that say something, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if word not in _EMPTY_WORDS]


def _stem(word: str) -> str:
    """A word without the ending of a plural: sentence and name may differ in that."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
