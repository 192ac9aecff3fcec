"""How agents are drawn: a disc and a name, what they hold, and what they carry between them."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.render.picture.blocks import Block, Pen, block_of, flow, more
from earsim.render.picture.contents import View
from earsim.render.picture.shapes import Circle, Line, Rect, Shape, Text
from earsim.render.picture.typeface import clean
from earsim.world import HELD


def crew_in(pen: Pen, view: View, room: str, width: float, limit: int) -> Block:
    """Everybody in a room, those who carry something together side by side."""
    present = [agent_id for agent_id, agent in view.world.agents.items() if agent.room == room]
    tokens = []
    for agent_id in present:
        load = view.world.agents[agent_id].carrying
        team = [one for one in view.joint.get(load or "", ()) if one in present]
        if not team:
            tokens.append(_alone(pen, view, agent_id, width, limit))
        elif team[0] == agent_id and load is not None:
            shares = view.joint[load][0] == agent_id
            tokens.append(_team(pen, view, team, load if shares else None, width, limit))
    return flow(tokens, width, pen.gap * 2)


def _alone(pen: Pen, view: View, agent_id: str, width: float, limit: int) -> Block:
    room = width - 2 * pen.gap
    figure = [_name(pen, view, agent_id, room), *_held(pen, view, agent_id, room, limit)]
    return _token(pen, view, (agent_id,), flow(figure, room, pen.gap))


def _team(
    pen: Pen, view: View, team: Sequence[str], load: str | None, width: float, limit: int
) -> Block:
    """Carriers around what they carry; whoever waits in another room is drawn there, without it."""
    room = width - 2 * pen.gap
    names = [_name(pen, view, agent_id, room) for agent_id in team]
    held = [block for agent_id in team for block in _held(pen, view, agent_id, room, limit)]
    if load is not None:
        names = [_around(pen, names, block_of(pen, view.alone(load), room, limit), room)]
    return _token(pen, view, team, flow([*names, *held], room, pen.gap))


def _around(pen: Pen, names: Sequence[Block], load: Block, width: float) -> Block:
    """A load on poles between two groups; where that is too wide, one after the other."""
    half = (len(names) + 1) // 2
    groups = [flow(names[:half], width, pen.gap), load, flow(names[half:], width, pen.gap)]
    if len(names) > 1 and sum(block.width for block in groups) + 2 * _pole(pen).width <= width:
        return flow([groups[0], _pole(pen), load, _pole(pen), groups[2]], width, 0)
    return flow([*names[:half], load, *names[half:]], width, pen.gap)


def _pole(pen: Pen) -> Block:
    """A piece of pole between a carrier and the load."""
    width = round(pen.size * 1.4)
    middle = round(pen.line / 2)
    pole = Line(0, middle, width, middle, pen.theme.muted, max(2.0, round(pen.size / 5)))
    return Block(width, pen.line, (pole,))


def _held(pen: Pen, view: View, agent_id: str, width: float, limit: int) -> list[Block]:
    """What an agent holds alone."""
    held = view.inside(agent_id, (HELD, "in", "on"))
    blocks = [block_of(pen, thing, width, limit) for thing in held[:limit]]
    hidden = sum(thing.size for thing in held[limit:])
    if hidden:
        blocks.append(more(pen, hidden))
    return blocks


def _name(pen: Pen, view: View, agent_id: str, width: float) -> Block:
    name = clean(view.world.blueprint.name(agent_id)) or agent_id
    radius = pen.line / 2
    colour = pen.theme.agent(list(view.world.agents).index(agent_id))
    label = pen.typeface.fit(name, pen.size, width - pen.line - 2 * pen.gap)
    text = pen.text(pen.line + pen.gap, radius, label, pen.theme.ink)
    disc = Circle(radius, radius, radius, colour, agent_id, f"{name} ({agent_id})")
    shapes: tuple[Shape, ...] = (disc, _initial(pen, name, radius), text)
    return Block(text.x + text.width + pen.gap, pen.line, shapes, cut=int(label != name))


def _initial(pen: Pen, name: str, middle: float) -> Text:
    """What tells agents apart at a glance: the first letter, or the last digit of `agent_2`."""
    initial = name[-1] if name[-1].isdigit() else name[0].upper()[0]
    text = pen.text(middle, middle, initial, pen.theme.on_colour)
    return text._replace(anchor="middle")


def _token(pen: Pen, view: View, team: Sequence[str], inner: Block) -> Block:
    """The pill around one agent or a team."""
    place = list(view.world.agents).index(team[0])
    pad = pen.gap
    width, height = round(inner.width + 2 * pad), round(inner.height + 2 * pad)
    pill = Rect(0, 0, width, height, pen.theme.tint(place), radius=round(pen.line / 2 + pad))
    return Block(width, height, (pill,), ((pad, pad, inner),), inner.cut)
