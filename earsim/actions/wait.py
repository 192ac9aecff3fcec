"""WAIT: do nothing and let time pass, for so long or until something has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.reach import out_of_reach, unknown_id
from earsim.actions.verb import Call, Facts, Reads, Verb, check
from earsim.processes.edges import anything_turns
from earsim.processes.sight import shows_itself
from earsim.prose import number
from earsim.schema.process import Mark
from earsim.world import World
from earsim.world.live import DONE
from earsim.world.numbers import number_of
from earsim.world.perceived import instruments
from earsim.world.perception import is_in_sight
from earsim.world.timeline import Event

GRAMMAR = Grammar.of("WAIT")

SECONDS = 10
"""What a wait takes that does not say how long."""

LONGEST_S = 3600


def wait(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Nothing happens; what others do meanwhile may be worth seeing."""
    return {}


def waited(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You wait"."""
    return "You wait."


# -- where numbers change by themselves -----------------------------------------------------------

TIMED = Grammar.of(
    "WAIT [{seconds}|UNTIL {target} {property}]",
    shown="WAIT [{seconds} | UNTIL {target} {property}]",
)
LISTED_S = (10, 60, 600)
"""The waits that are listed as admissible."""


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE)
def target_is_known(world: World, agent: str, call: Call) -> Refusal | None:
    """Where something is waited for, the agent knows of its thing."""
    return unknown_id(world, agent, call.target) if call.target else None


@check(Reason.TOO_LONG_A_WAIT)
def is_not_too_long(world: World, agent: str, call: Call) -> Refusal | None:
    """At least a second, and at most an hour."""
    if call.target or not call.destination or 1 <= _seconds(call) <= LONGEST_S:
        return None
    return Refusal(Reason.TOO_LONG_A_WAIT, {"seconds": call.destination[:12], "limit_s": LONGEST_S})


def _seconds(call: Call) -> int:
    digits = call.destination.lstrip("0")
    return int(digits or 0) if len(digits) < 9 else LONGEST_S + 1


@check(Reason.NO_SUCH_MARK, reads=Reads.THING)
def is_mark_or_state(world: World, agent: str, call: Call) -> Refusal | None:
    """What is waited for is a state of the thing that is true or false, or a mark on it."""
    if not call.target or mark_of(world, call) is not None or _is_run(world, call):
        return None
    if isinstance(world.states.get(call.target, {}).get(call.destination), bool):
        return None
    return Refusal(Reason.NO_SUCH_MARK, {"id": call.target, "mark": call.destination})


@check(Reason.NOT_PERCEIVED, reads=Reads.PLACE | Reads.HANDS | Reads.THING | Reads.REACH)
def is_perceived(world: World, agent: str, call: Call) -> Refusal | None:
    """The state, or the number that the mark is of, is in view, or on an instrument in hand."""
    if not call.target:
        return None
    mark = mark_of(world, call)
    if _perceives(world, agent, call.target, None if mark is None else mark.of):
        return None
    return Refusal(Reason.NOT_PERCEIVED, {"id": call.target})


def _perceives(world: World, agent: str, node: str, number: str | None) -> bool:
    """Whether an agent perceives a number of a thing, or the states that it shows."""
    if number is None:
        return is_in_sight(world, world.agents[agent].room, node)
    if shows_itself(world, agent, node, number):
        return True
    near = out_of_reach(world, agent, node) is None
    return near and number in instruments(world, agent)


@check(Reason.ALREADY_SO, reads=Reads.THING)
def is_not_so_yet(world: World, agent: str, call: Call) -> Refusal | None:
    """The state is not true yet, or the number is not at the mark."""
    if not call.target:
        return None
    mark = mark_of(world, call)
    if _is_run(world, call):
        lab = None if world.timeline is None else world.timeline.lab
        so = lab is None or lab.running(call.target) is None
    elif mark is None:
        so = world.states[call.target].get(call.destination) is True
    else:
        so = number_of(world, call.target, mark.of) == mark.at
    return Refusal(Reason.ALREADY_SO, {"id": call.target, "mark": call.destination}) if so else None


def _is_run(world: World, call: Call) -> bool:
    """Whether the end of a run is waited for, or a warning of it."""
    live = world.blueprint.live
    return call.destination == DONE and live is not None and call.target in live.rigs


def mark_of(world: World, call: Call) -> Mark | None:
    """The mark that a command names."""
    live = world.blueprint.live
    marks = () if live is None else live.marks.get(call.target, ())
    return next((mark for mark in marks if mark.name == call.destination), None)


def wait_for(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Time passes when all have acted; what is waited for is looked at then."""
    if not call.target:
        return {"seconds": _seconds(call) if call.destination else SECONDS}
    facts: dict[str, Any] = {"id": call.target, "until": call.destination, "seconds": LONGEST_S}
    mark = mark_of(world, call)
    if mark is not None:
        value = number_of(world, call.target, mark.of)
        rising = value is not None and value < mark.at
        facts |= {"of": mark.of, "at": mark.at, "rising": rising}
    return facts


def has_come(agent: str, facts: Facts, world: World) -> bool:
    """Whether an agent sees that what it waits for is so now, or was for a moment.

    What another has carried off meanwhile, or shut in, is waited for in vain.
    """
    if not _sees(agent, facts, world):
        return False
    if facts["until"] == DONE and _notices(facts, world):
        return True
    if "of" not in facts:
        node, state, timeline = facts["id"], facts["until"], world.timeline
        turned = () if timeline is None else timeline.events
        is_so = world.states[node].get(state) is True
        return is_so or any(event[1:] == (node, state, True) for event in turned)
    value = number_of(world, facts["id"], facts["of"])
    if value is None:
        return False
    return bool(value >= facts["at"] if facts["rising"] else value <= facts["at"])


def may_come(agent: str, facts: Facts, world: World) -> bool:
    """Whether what an agent waits for can come though nobody does anything.

    The run goes on, the law of the number leads to the mark, or some law leads to a value at which
    something turns, after which much may be otherwise. It has to be perceived as well.
    """
    timeline, live = world.timeline, world.blueprint.live
    if timeline is None or live is None or not _sees(agent, facts, world):
        return False
    if facts["until"] == DONE and facts["id"] in live.rigs:
        return timeline.lab is not None and timeline.lab.running(facts["id"]) is not None
    if anything_turns(world, live, timeline):
        return True
    if "of" not in facts:
        return False
    anchored = timeline.laws.get((facts["id"], facts["of"]))
    if anchored is None:
        return True  # the number follows from several laws
    law, since_ms = anchored
    after = (timeline.now_ms - since_ms) / 1000
    return law.crosses(facts["at"], rising=facts["rising"], after=after) is not None


def in_vain(agent: str, facts: Facts, world: World) -> dict[str, Any]:
    """Why what has not come cannot come now: it is ``unseen``, or the world stands ``still``."""
    if may_come(agent, facts, world):
        return {}
    return {"vain": "still" if _sees(agent, facts, world) else "unseen"}


def _sees(agent: str, facts: Facts, world: World) -> bool:
    return _perceives(world, agent, facts["id"], facts.get("of"))


def noticed(facts: Facts, world: World) -> dict[str, Any]:
    """Where a run was waited for: what came of it, and when in its own time, or why it failed."""
    told = _notices(facts, world) if facts["until"] == DONE else []
    return {"notices": [_in_short(event) for event in told]} if told else {}


def _in_short(event: Event) -> dict[str, Any]:
    operation, _, what = event.name.partition(" ")
    shown = {"t": event.value.get("t"), "why": event.value.get("message")}
    shown["why"] = shown["why"] or event.value.get("reason")
    given = {key: each for key, each in shown.items() if each is not None}
    return {"operation": operation, "event": what, **given}


def _notices(facts: Facts, world: World) -> list[Any]:
    """What came of the apparatus that is waited for."""
    events = () if world.timeline is None else world.timeline.events
    return [event for event in events if event.node == facts["id"] and is_of_a_run(event)]


def is_of_a_run(event: Event) -> bool:
    """Whether it tells of a run of an apparatus; states have no blanks in their names."""
    return event.name.startswith("op_") and " " in event.name


def run_event_told(event: Event) -> str:
    """`op_1 completed`, `op_1 failed (nan)`, or `op_1 warns at t 7.1: diverging`."""
    return _notice(_in_short(event))


def waits(world: World, agent: str, verb: Verb) -> list[Call]:
    """The waits of so many seconds that are listed."""
    return [Call(verb, destination=str(seconds)) for seconds in LISTED_S]


def waits_for(world: World, agent: str, verb: Verb, near: Iterable[str]) -> list[Call]:
    """What can be waited for, near or not."""
    live, known = world.blueprint.live, world.known[agent]
    return [
        Call(verb, node, "", name)
        for node, names in (() if live is None else live.awaited)
        if node in known and node in world.location
        for name in names
    ]


def time_passed(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "60 s pass" or "84 s pass. Kettle: is_boiling"."""
    passed = f"{facts['seconds']} s pass."
    if "until" not in facts:
        return passed
    if "notices" in facts:
        return f"{passed} {name(facts['id'])}: {'; '.join(map(_notice, facts['notices']))}."
    come = "has come" if facts.get("came") else "has not come"
    return f"{passed} {name(facts['id'])}: {facts['until']} {come}{_VAIN[facts.get('vain')]}."


_VAIN = {
    None: "",
    "still": ", and as things are nothing brings it about",
    "unseen": ", and you do not see it any more",
}


def _notice(notice: Mapping[str, Any]) -> str:
    """`op_1 completed`, `op_1 failed (nan)`, or `op_1 warns at t 7.1: diverging`."""
    operation, what = notice["operation"], notice["event"].replace("_", " ")
    if what in ("completed", "failed"):
        why = f" ({notice['why']})" if "why" in notice else ""
        return f"{operation} {what}{why}"
    return f"{operation} warns at t {number(notice['t'])}: {what}"
