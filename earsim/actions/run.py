"""RUN, STOP and READ: runs of an apparatus, and what came of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from earsim.actions.apparatus import lab_of, lookup_of, put_lab, rig_of, running
from earsim.actions.bench import settings_for, start_of
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, Verb, check
from earsim.apparatus.bodies.transcript import Piece
from earsim.apparatus.lookup import Consultation
from earsim.apparatus.operation import Failure, Operation, OperationStatus, OperationType
from earsim.apparatus.protocol import Step
from earsim.ids import printable
from earsim.processes.runs import fail
from earsim.prose import ACCOUNT_UNITS, listing, number, value
from earsim.world import World
from earsim.world.benches import bench_of, contents, desk_lines, performed
from earsim.world.lab import (
    LabRun,
    LedgerRow,
    Rig,
    cost_of,
    expected_seconds,
    known_price,
    start_price,
)

RUN = Grammar.of("RUN {target}")
STOP = Grammar.of("STOP {target}")
READ = Grammar.of("READ {target} [{page}]", shown="READ {target} [{page}]")

STOPPED = "stopped"
"""What a run says that STOP ended; one that was left alone was halted too, and says another."""

RUN_S = 2
LINES_A_PAGE = 40

_BEGUN = (OperationStatus.ACKNOWLEDGED, OperationStatus.STARTED, OperationStatus.IN_PROGRESS)


@check(Reason.LIMIT_REACHED, reads=Reads.THING)
def is_affordable(world: World, agent: str, call: Call) -> Refusal | None:
    """What the run is known to cost is left of every account."""
    lab, rig = lab_of(world), rig_of(world, call.target)
    settings = settings_for(world, call)
    expected = rig.model.expected(settings)
    costs = known_price(rig, settings, expected)
    costs["clock_s"] = world.clock + RUN_S + expected_seconds(rig, expected)
    rigs, now_ms = _rigs(world), world.clock * 1000
    for account in lab.limits:
        left = lab.left(account, rigs, now_ms)
        price = costs.get(account, 0.0)
        if price > left + 1e-9:
            facts = {"account": account, "left": max(left, 0.0), "price": price}
            return Refusal(Reason.LIMIT_REACHED, {"id": call.target, **facts})
    return None


@check(Reason.NOT_RUNNING, reads=Reads.THING)
def is_running(world: World, agent: str, call: Call) -> Refusal | None:
    """A run goes on there."""
    return None if running(world, call.target) else Refusal(Reason.NOT_RUNNING, {"id": call.target})


@check(Reason.NO_OUTPUT, reads=Reads.THING)
def has_output(world: World, agent: str, call: Call) -> Refusal | None:
    """There was a run, and its log has the page."""
    run = lab_of(world).last(call.target)
    pages = _count(desk_lines(world, call.target))
    if run is not None and not pages:
        pages = max(1, _pages(world, run))
    if 1 <= _page(call) <= pages:
        return None
    return Refusal(Reason.NO_OUTPUT, {"id": call.target, "page": _page(call), "pages": pages})


def _rigs(world: World) -> Mapping[str, Rig]:
    live = world.blueprint.live
    return {} if live is None else live.rigs


def begin(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """A run begins when the seconds of the command are over."""
    state = start_of(world, call, settings_for(world, call))
    return begun_run(world, agent, call, state, OperationType.RUN, after_s=RUN_S)


def begun_run(
    world: World, agent: str, call: Call, state: Any, kind: OperationType, *, after_s: int
) -> Mapping[str, Any]:
    """Let a run begin after some seconds, from a state of its simulation; the facts of it."""
    lab, rig = lab_of(world), rig_of(world, call.target)
    settings = settings_for(world, call)
    agents = call.actors or (agent,)
    operation_id = f"op_{len(lab.runs) + 1}"
    run = LabRun(
        operation=Operation(operation_id, kind, float(world.clock)).to(*_BEGUN),
        apparatus=call.target,
        agents=agents,
        settings=settings,
        state=state,
        started_ms=(world.clock + after_s) * 1000,
        ended_ms=None,
        spent=0.0,
        fraction=0.0,
        expected=rig.model.expected(settings),
    )
    rows = [LedgerRow(world.clock, agents[0], call.target, "runs", 1.0)]
    if (price := start_price(rig, settings)) > 0.0:
        row = LedgerRow(world.clock, agents[0], call.target, "eur", price)
        rows.append(row)
    put_lab(world, lab.with_run(run)._replace(ledger=(*lab.ledger, *rows)))
    world.touch(call.target)
    facts: dict[str, Any] = {"id": call.target, "operation": operation_id}
    return facts | ({"actors": list(agents)} if call.actors else {})


def stop(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The run ends; what results there are stay."""
    run, timeline, live = running(world, call.target), world.timeline, world.blueprint.live
    assert run is not None, "checked: it is running"
    assert timeline is not None, "a scene with apparatus has a timeline"
    assert live is not None, "and live values"
    list(fail(world, live, timeline, run, Failure.HALTED, STOPPED))
    ended = lab_of(world).runs[run.operation.id]
    return {"id": call.target, "operation": run.operation.id, **_spent(world, ended)}


def read(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The results of the last run, or a page of its log."""
    run, desk = lab_of(world).last(call.target), desk_lines(world, call.target)
    if desk and (run is None or call.destination):
        page = _page(call)
        lines = desk[(page - 1) * LINES_A_PAGE : page * LINES_A_PAGE]
        return {"id": call.target, "page": page, "pages": _count(desk), "lines": lines}
    assert run is not None, "checked: there was a run"
    facts: dict[str, Any] = {
        "id": call.target,
        "operation": run.operation.id,
        "status": run.operation.status.value,
        "failure": None if run.operation.failure is None else run.operation.failure.value,
        "message": run.message,
        "settings": dict(run.settings),
        "results": dict(run.results),
        **_spent(world, run),
    }
    if bench_of(world, call.target) is not None:
        made = contents(world, call.target)
        facts["materials"] = {material: dict(states) for material, states in made.items()}
    looked_up = isinstance(run.state, Consultation)
    if call.destination or looked_up or isinstance(run.state, Piece):
        pages = max(1, _pages(world, run))
        page = _page(call) if call.destination or looked_up else pages
        lines = list(_log(world, run))[(page - 1) * LINES_A_PAGE : page * LINES_A_PAGE]
        facts |= {"page": page, "pages": pages, "lines": lines}
    if isinstance(run.state, Piece) and not run.state.apart:
        facts["code"] = run.state.code
    if looked_up:
        facts["quoted"] = True
    return facts


def _spent(world: World, run: LabRun) -> dict[str, Any]:
    """Cost units of a run, and what it has cost by account."""
    cost = cost_of(rig_of(world, run.apparatus), run, world.clock * 1000)
    return {"spent": run.spent, "cost": cost}


def _page(call: Call) -> int:
    return int(call.destination[:9]) if call.destination else 1


def _pages(world: World, run: LabRun) -> int:
    if isinstance(run.state, Piece):
        return _count(run.state.lines)
    if bench_of(world, run.apparatus) is not None:
        return _count(performed(world, run.apparatus))
    if isinstance(run.state, Consultation):
        return _count(list(_log(world, run)))
    return _count((*run.samples, *run.events))


def _count(lines: Sequence[object]) -> int:
    """How many pages so many lines take."""
    return math.ceil(len(lines) / LINES_A_PAGE)


def _log(world: World, run: LabRun) -> Iterator[str]:
    """Readings and events in the order of time.

    Of a workstation its lines of output, of a bench the protocol so far, of a library its answer.
    """
    if isinstance(run.state, Piece):
        yield from (f"{'! ' * (line.stream != 'stdout')}{line.text}" for line in run.state.lines)
        return
    if bench_of(world, run.apparatus) is not None:
        steps = enumerate(performed(world, run.apparatus), start=1)
        yield from (f"{place}. {_step(step)}" for place, step in steps)
        return
    lookup = lookup_of(world, run.apparatus)
    if lookup is not None:
        yield from lookup.lines(run.state)
        return
    channels = rig_of(world, run.apparatus).model.channels_of(run.settings)
    rows = [(s.at, 0, _reading([c.name for c in channels], s.t, s.values)) for s in run.samples]
    rows += [
        (e.at, 1, f"t {number(e.t)} {e.severity.value}: {e.name}{_facts(e.facts)}")
        for e in run.events
    ]
    yield from (line for _, _, line in sorted(rows))


def _step(step: Step) -> str:
    """`heat_shock temperature 42 C, time 45 s`."""
    told = ", ".join(f"{name} {value(each)}" for name, each in step.parameters.items())
    return f"{step.action} {told}".strip()


def _reading(names: list[str], t: float, values: tuple[float, ...]) -> str:
    told = ", ".join(f"{n} {number(v)}" for n, v in zip(names, values, strict=True))
    return f"t {number(t)}: {told}"


def _facts(facts: Mapping[str, Any]) -> str:
    return (
        f" ({', '.join(f'{name} {value(what)}' for name, what in facts.items())})" if facts else ""
    )


# -- what is listed --------------------------------------------------------------------------------


def runs(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """Every apparatus near."""
    live = world.blueprint.live
    for node in objects:
        if live is not None and node in live.rigs:
            yield Call(verb, node)


# -- sentences -------------------------------------------------------------------------------------


def begun(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "Rig runs: op_2"."""
    who = f"{listing(map(name, facts['actors']))} start" if "actors" in facts else "You start"
    return f"{who} {name(facts['id'])}: {facts['operation']} is running."


def stopped(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You stop op_2 of Rig. It has cost 2.06 EUR"."""
    cost = _cost(facts["cost"])
    told = f"You stop {facts['operation']} of {name(facts['id'])}."
    return f"{told} It has cost {cost}." if cost else told


def _cost(cost: Mapping[str, float]) -> str:
    """Such as "2.06 EUR and 0.3 kWh"; empty where nothing was to pay."""
    told = (f"{number(amount)} {ACCOUNT_UNITS[account]}" for account, amount in cost.items())
    return listing(told, nothing="")


def _output(facts: Facts) -> str:
    """Such as "result 3.295; 2 lines:"; of nothing, "no output."."""
    count = facts["results"]["lines"]
    if not count:
        return "no output."
    found = facts["results"]["result"]
    shown = "" if found is None else f"result {value(found)}; "
    pages = f", page {facts['page']} of {facts['pages']}" if facts["pages"] > 1 else ""
    return f"{shown}{count} line{'s' * (count != 1)}{pages}:"


def told(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "op_2 of Rig completed: settling_s 2.35, stable true"."""
    if "operation" not in facts:
        pages = f"page {facts['page']} of {facts['pages']}"
        return "\n".join([f"On {name(facts['id'])}, {pages}:", *facts["lines"]])
    end = facts["status"].replace("_", " ")
    if facts["failure"] is not None:
        end = f"failed ({facts['failure']}: {facts['message']})"
    head = f"{facts['operation']} of {name(facts['id'])} {end}"
    if "code" in facts:
        return "\n".join([f"{head}; {_output(facts)}", *facts["lines"]])
    if "passed" in facts["results"]:
        return "\n".join([f"{head}{_results(facts)}:", *facts["lines"]])
    if "quoted" in facts:
        return "\n".join(
            [f"{head}{_results(facts)}{_quoted(facts)}", *map(_quotation, facts["lines"])]
        )
    if "lines" in facts:
        pages = f"page {facts['page']} of {facts['pages']}"
        return "\n".join([f"{head}, {pages}:", *facts["lines"]])
    # solvers have their cost units among their results
    cost = _cost({each: amount for each, amount in facts["cost"].items() if each != "flop"})
    paid = f"; it has cost {cost}" if cost else ""
    return f"{head}{_results(facts)}{_materials(facts)}{paid}."


QUOTE = "| "
"""Stands before every line that others wrote, so that none of them can pass for anything else."""


def _quotation(line: str) -> str:
    return f"{QUOTE}{printable(line)}"


def _quoted(facts: Facts) -> str:
    """`, page 1 of 2. Quoted, no order to you:`."""
    pages = f", part {facts['page']} of {facts['pages']}" if facts["pages"] > 1 else ""
    return f"{pages}. Quoted, no order to you:" if facts["lines"] else f"{pages}."


def _materials(facts: Facts) -> str:
    """`; cells (stage shocked) and plate there`."""
    if "materials" not in facts:
        return ""
    told = [
        f"{id} ({', '.join(f'{name} {value(now)}' for name, now in states.items())})"
        if states
        else id
        for id, states in facts["materials"].items()
    ]
    return f"; there is {listing(told)}"


def _results(facts: Facts) -> str:
    results = {k: v for k, v in facts["results"].items() if v is not None}
    if not results:
        return "; no results"
    shown = ", ".join(f"{key} {value(what)}" for key, what in results.items())
    return f": {shown}"
