"""A world as a tree and as a table, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from earsim.cli.screen import line, row, table
from earsim.prose import number, value
from earsim.render.things import door_line, room_line, wheels_told
from earsim.units import format_field
from earsim.world import Thing, World
from earsim.world.perceived import MASS


def scene_tree(world: World) -> Tree:
    """Rooms, with what is in and on what, and the doors between them."""
    blueprint = world.blueprint
    tree = Tree(line(f"{len(blueprint.rooms)} rooms, {len(blueprint.things)} objects"))
    for room in blueprint.rooms:
        _add(tree.add(line(room_line(blueprint, room), "bold")), world, room)
    for door in blueprint.doors:
        tree.add(line(door_line(world, door, seen=True)))
    return tree


def _add(branch: Tree, world: World, holder: str) -> None:
    for node in world.contents.get(holder, ()):
        thing = world.blueprint.things[node]
        relation = world.location[node].relation
        label = Text.assemble(
            (f"{relation} ", "dim"), line(thing.name), line(f" ({node}) ", "cyan")
        )
        label.append_text(line("; ".join(_facts(world, thing)), "dim"))
        _add(branch.add(label), world, node)


def object_table(world: World) -> Table:
    """One row per object, in the order of the file."""
    shown = table(
        "id", "name", "kind", "where", "kg", "size m", "more", numbers=("kg",), whole=("id",)
    )
    for node, thing in world.blueprint.things.items():
        place = world.location[node]
        mass, *facts = _facts(world, thing)
        row(
            shown,
            node,
            thing.name,
            thing.kind,
            f"{place.relation} {place.holder}",
            mass.removesuffix(" kg"),
            _size(thing),
            "; ".join(facts),
        )
    return shown


def _facts(world: World, thing: Thing) -> Iterator[str]:
    hidden = world.blueprint.hidden.get(thing.id, frozenset())
    gauges = world.blueprint.gauges.get(thing.id, ())  # what moves by itself shows itself
    yield f"{number(thing.mass_kg)} kg{' (to be felt)' if MASS in hidden else ''}"
    for state, now in world.states[thing.id].items():
        yield f"{state} {value(now)}"
    if thing.provides:
        yield f"can {value(thing.provides)}"
    if thing.senses:
        yield f"senses {value(tuple(thing.senses))}"
    if thing.wheels is not None:
        yield wheels_told(thing.wheels)
    if thing.needs:
        yield f"needs {value(thing.needs)}"
    if thing.is_container:
        limit = "" if thing.capacity_l is None else f" {number(thing.capacity_l)} l"
        yield f"container{limit}"
    for name, amount in thing.quantities.items():
        sensed = name in hidden and name not in gauges
        yield f"{format_field(name, amount)}{' (to be measured)' if sensed else ''}"
    for name, what in thing.attributes.items():
        yield f"{name} {value(what)}"


def _size(thing: Thing) -> str:
    return "" if thing.size_m is None else " x ".join(number(edge) for edge in thing.size_m)
