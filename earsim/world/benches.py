"""Wet benches in a world: what was performed there, what there is, and what an action lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from earsim.apparatus.dry_bench.model import DryBench
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.parameter import Settings
from earsim.apparatus.protocol import Step
from earsim.apparatus.wet_bench.model import WetBench
from earsim.apparatus.wet_bench.pool import Action, Contents, Equipment
from earsim.ids import printable
from earsim.world.containment import ancestors, is_closed
from earsim.world.numbers import numbers_of
from earsim.world.world import World


def bench_of(world: World, node: str) -> WetBench | None:
    """The bench that a thing is; None for any other thing."""
    live = world.blueprint.live
    return None if live is None else live.benches.get(node)


def performed(world: World, node: str) -> tuple[Step, ...]:
    """The protocol so far: the actions completed at a bench, in order."""
    bench = bench_of(world, node)
    if bench is None:
        return ()
    done = _completed(world, node)
    return tuple(bench.action(settings).step(settings) for settings in done)


def _completed(world: World, node: str) -> Iterator[Settings]:
    """The actions completed at a bench with their parameters, in order."""
    lab = None if world.timeline is None else world.timeline.lab
    for run in () if lab is None else lab.runs.values():
        if run.apparatus == node and run.operation.status is OperationStatus.COMPLETED:
            yield run.settings


def contents(world: World, node: str) -> Contents:
    """The materials that exist at a bench; those that are objects may lie elsewhere."""
    bench = bench_of(world, node)
    return {} if bench is None else bench.pool.contents(_completed(world, node))


class Lack(NamedTuple):
    """What keeps an action from being performed.

    Attributes:
        input: the material or thing.
        wanted: states or numbers that it must have.
        has: what it has instead; None where it is not there.
    """

    input: str
    wanted: Mapping[str, Any]
    has: Mapping[str, Any] | None


def lacking(world: World, node: str, action: Action) -> Iterator[Lack]:
    """The inputs of an action that are not at a bench, or not in the state that it takes."""
    there, bench = contents(world, node), bench_of(world, node)
    assert bench is not None, "the action is one of its pool"
    for id, wanted in action.inputs.items():
        is_object = id in world.location
        made = id not in bench.pool.materials or id in there
        if not made or (is_object and not lies_at(world, id, node)):
            yield Lack(id, wanted, None)
            continue
        states = {**world.states.get(id, {}), **there.get(id, {})} if is_object else there[id]
        has = {name: states.get(name) for name, value in wanted.items()
               if not _same(states.get(name), value)}  # fmt: skip
        if has:
            yield Lack(id, wanted, has)


def unfit(world: World, node: str, action: Action) -> Iterator[Lack]:
    """The things of an action that are not in the room, or whose numbers are not as it takes."""
    room = world.room_of(node)
    for thing in action.things:
        wanted = {thing.of: _range(thing)} if thing.of else {}
        if world.room_of(thing.object) != room:
            yield Lack(thing.object, wanted, None)
        elif thing.of and not _in_range(world, thing):
            yield Lack(thing.object, wanted, {})


def lies_at(world: World, id: str, node: str) -> bool:
    """Whether an object is on or in a bench, and under no lid there."""
    for holder in ancestors(world, id):
        if holder == node:
            return True
        if holder not in world.location or is_closed(world, holder):
            return False
    return False


def _in_range(world: World, thing: Equipment) -> bool:
    values = dict(numbers_of(world, thing.object))
    return thing.of in values and thing.low <= values[thing.of] <= thing.high


def _range(thing: Equipment) -> str:
    if thing.low == float("-inf"):
        return f"at most {thing.high:g}"
    if thing.high == float("inf"):
        return f"at least {thing.low:g}"
    return f"{thing.low:g} to {thing.high:g}"


def _same(value: Any, wanted: Any) -> bool:
    return isinstance(value, bool) is isinstance(wanted, bool) and bool(value == wanted)


def desk_lines(world: World, node: str) -> list[str]:
    """What lies on a dry bench: the problem, and its files as they are now; else nothing."""
    live, timeline = world.blueprint.live, world.timeline
    rig = None if live is None else live.rigs.get(node)
    if rig is None or not isinstance(rig.model, DryBench):
        return []
    lab = None if timeline is None else timeline.lab
    files = dict(rig.model.problem.files)
    for saved in () if lab is None else lab.files.get(node, ()):
        files[saved.file.name] = saved.file.text
    lines = rig.model.problem.statement.splitlines()
    for name, text in files.items():
        lines += ["", f"== {name} ==", *map(printable, text.splitlines())]
    return lines
