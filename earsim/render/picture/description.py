"""A picture in words: its title, and what can be seen in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from earsim.prose import listing
from earsim.render.picture.contents import Content, Lid, View
from earsim.render.picture.frame import scene_title
from earsim.render.picture.typeface import clean
from earsim.render.picture.walls import door_kind
from earsim.world import HELD


class Description(NamedTuple):
    """The alternative text of a picture."""

    title: str
    text: str


def described(view: View, caption: str) -> Description:
    """The alternative text of a picture; it says nothing that the picture does not show."""
    title = ": ".join(filter(None, (scene_title(view.world.blueprint.scene_id), clean(caption))))
    return Description(title, " ".join(_sentences(view)))


def _sentences(view: View) -> Iterator[str]:
    rooms = view.world.blueprint.rooms
    whose = f", {view.whose}" if view.whose else ""
    yield f"Floor plan of {len(rooms)} room{'s' * (len(rooms) != 1)}{whose}."
    for room in rooms:
        yield f"{_name(view, room)}: {_named(view.inside(room)) or 'nothing to see'}."
        yield from _agents(view, room)
    for door in view.world.blueprint.doors.values():
        kind = door_kind(view, door.id).replace("unseen", "not yet discovered")
        between = " and ".join(_name(view, room) for room in door.between)
        yield f"{_name(view, door.id)}, between {between}: {kind}."


def _agents(view: View, room: str) -> Iterator[str]:
    for agent_id, agent in view.world.agents.items():
        if agent.room == room:
            held = _named(view.inside(agent_id, (HELD, "in", "on")))
            team = view.joint.get(agent.carrying or "", ())
            load = _named([view.alone(agent.carrying)]) if agent.carrying in view.joint else ""
            others = listing(_name(view, other) for other in team if other != agent_id)
            carries = f" carries {load} with {others}" if others else f" carries {load}"
            does = [" is here"] + [f" holds {held}"] * bool(held) + [carries] * bool(load)
            yield f"{_name(view, agent_id)}{' and'.join(does)}."


def _named(things: Iterable[Content]) -> str:
    """`Desk (on it: Lamp; in it: Key), Chair`."""
    return ", ".join(map(_told, things))


def _told(thing: Content) -> str:
    facts = [thing.lid.value] if thing.lid is not Lid.NONE else []
    facts += [] if thing.known else ["not yet discovered"]
    facts += [f"on it: {_named(thing.on)}"] if thing.on else []
    facts += [f"in it: {_named(thing.inside)}"] if thing.inside else []
    return f"{thing.label} ({'; '.join(facts)})" if facts else thing.label


def _name(view: View, node: str) -> str:
    return clean(view.world.blueprint.name(node)) or node
