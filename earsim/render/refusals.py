"""Why a command was refused, in one or two sentences with the numbers that decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from earsim.actions.outcome import Reason
from earsim.apparatus.parameter import SettingProblem
from earsim.ids import printable
from earsim.prose import listing, number, value
from earsim.world import Blueprint
from earsim.world.live import DONE

Facts = Mapping[str, Any]
Sentence = Callable[[Facts, Callable[[str], str]], str]


def refusal(reason: Reason, facts: Facts, blueprint: Blueprint) -> str:
    """The sentence for a refusal; names are shown with their ids."""

    def named(node: str) -> str:
        name = blueprint.name(node)
        return printable(node) if name == node else f"{name} ({node})"

    return _SENTENCES[reason](facts, named)


def wrong_value(problem: SettingProblem) -> str:
    """The sentence for a value that a setting does not take, wherever it was given."""
    return _SENTENCES[Reason(problem.reason)](problem.facts, str)


def _too_heavy(facts: Facts, named: Callable[[str], str]) -> str:
    if "more_kg" in facts:
        return (
            f"With {number(facts['more_kg'])} kg more, {named(facts['id'])} is too heavy; you can "
            f"lift {number(facts['limit_kg'])} kg and already carry {number(facts['load_kg'])} kg."
        )
    mass, load, weighs = facts.get("mass_kg"), facts.get("load_kg", 0.0), _weighs(facts)
    if "actors" in facts:
        known = "limit_kg" in facts
        more = f"{number(facts['limit_kg'])} kg more" if known else "less, beside what you hold"
        return f"{named(facts['id'])} {weighs}; together you can carry {more}."
    limit = facts["limit_kg"]
    carried = f" and already carry {number(load)} kg" if load else ""
    return f"{named(facts['id'])} {weighs}; you can lift {number(limit)} kg{carried}." + (
        " Someone else may help." if mass is None or mass > limit else ""
    )


def _overloaded(facts: Facts, named: Callable[[str], str]) -> str:
    thing, limit = named(facts["id"]), number(facts["limit_kg"])
    if "more_kg" in facts:
        surface = f"{named(facts['surface'])}, which bears {limit} kg"
        return f"{number(facts['more_kg'])} kg more in {thing} are too much for {surface}."
    load = f" {number(facts['load_kg'])} kg" if "load_kg" in facts else " more"
    if facts["surface"] == facts["id"]:
        return f"{thing} rolls with {limit} kg; it has{load} on it."
    surface = f"{thing} {_weighs(facts)}; {named(facts['surface'])} bears {limit} kg"
    return f"{surface} and has{load} on it." if "load_kg" in facts else f"{surface}."


def _weighs(facts: Facts) -> str:
    """`weighs 5 kg`; no number where the agent does not know it."""
    return f"weighs {number(facts['mass_kg'])} kg" if "mass_kg" in facts else "is too heavy"


def _too_heavy_with_contents(facts: Facts, named: Callable[[str], str]) -> str:
    return (
        f"{named(facts['id'])} weighs {number(facts['mass_kg'])} kg with what is in it; you can "
        f"lift {number(facts['limit_kg'])} kg and carry {number(facts['load_kg'])} kg. "
        "Taking something out may help."
    )


def _too_large(facts: Facts, named: Callable[[str], str]) -> str:
    if "destination" in facts:
        limit = f"{named(facts['destination'])} measures"
    else:
        limit = f"{'together ' if len(facts.get('actors', ())) > 1 else ''}you can handle"
    limit = f"{limit} {_size(facts['limit_m'])}"
    if "size_m" not in facts:
        return f"Something in or on {named(facts['id'])} is too large; {limit}."
    return f"{named(facts['id'])} measures {_size(facts['size_m'])}; {limit}."


def _no_space(facts: Facts, named: Callable[[str], str]) -> str:
    """No number for what is left where the agent does not know all that is there."""
    thing, place = named(facts["id"]), named(facts["destination"])
    if "area_m2" in facts:
        free = number(facts["free_m2"]) if "free_m2" in facts else "fewer"
        return f"{thing} takes {number(facts['area_m2'])} m²; {free} m² are free on {place}."
    free = number(facts["free_l"]) if "free_l" in facts else "fewer"
    takes, capacity = number(facts["volume_l"]), number(facts["capacity_l"])
    return f"{thing} takes {takes} l; {place} has {free} l of {capacity} l left."


def _wrong_value(facts: Facts, named: Callable[[str], str]) -> str:
    return (
        f"{facts['attribute']} of {named(facts['id'])} is {value(facts['value'])}; "
        f"this needs {value(facts['needed'])}."
    )


_SENTENCES: Mapping[Reason, Sentence] = {
    Reason.UNKNOWN_VERB: lambda f, n: f"There is no verb {printable(f['verb'][:40])!r} here.",
    Reason.BAD_FORMAT: lambda f, n: f"{f['verb']} is written like this: {f['form']}",
    Reason.BLANK_COMMAND: lambda f, n: "The command is empty.",
    Reason.TOO_LONG: lambda f, n: f"That has {f['chars']} characters; {f['limit']} are allowed.",
    Reason.COOP_LOCK: lambda f, n: (
        f"You are carrying {n(f['carrying'])} together; move it or put it down together first."
    ),
    Reason.IDLE: lambda f, n: f"{n(f['agent'])} has said DONE and does nothing more.",
    Reason.NO_SUCH_AGENT: lambda f, n: f"There is no agent {printable(f['agent'])!r}.",
    Reason.NO_SUCH_TARGET: lambda f, n: f"There is no room or object {f['id']!r} to go to.",
    Reason.NO_SUCH_OBJECT: lambda f, n: f"There is no object {f['id']!r}.",
    Reason.NO_SUCH_LOCATION: lambda f, n: f"There is no place called {f['id']!r}.",
    Reason.UNDISCOVERED: lambda f, n: (
        f"You have not come across {f['id']} yet. EXPLORE the rooms to find things."
    ),
    Reason.WRONG_ROOM: lambda f, n: (
        f"{n(f['id'])} is in {n(f['room'])}; go there first."
        if f.get("room") is not None
        else f"{n(f['id'])} is not in this room."
    ),
    Reason.NOT_IN_SIGHT: lambda f, n: f"You do not see {n(f['id'])} here.",
    Reason.NOWHERE: lambda f, n: f"{n(f['id'])} is nowhere to be found.",
    Reason.EXPLORE_OTHER_ROOM: lambda f, n: (
        f"You can only explore the room you are in, {n(f['room'])}."
    ),
    Reason.PLACE_TARGET_OTHER_ROOM: lambda f, n: (
        f"{n(f['id'])} is in {n(f['room'])}, not in your room."
    ),
    Reason.NOT_NEAR_GRAB: lambda f, n: f"{n(f['id'])} is out of reach; GOTO it first.",
    Reason.NOT_NEAR_PLACE: lambda f, n: f"{n(f['id'])} is out of reach; GOTO it first.",
    Reason.NOT_NEAR: lambda f, n: f"{n(f['id'])} is out of reach; GOTO it first.",
    Reason.CLOSED_CONTAINER: lambda f, n: (
        f"{n(f['container'])} is closed; OPEN it first."
        if "destination" in f
        else f"{n(f['container'])} is closed around {n(f['id'])}."
    ),
    Reason.NOT_GRABBABLE: lambda f, n: f"{n(f['id'])} cannot be taken in hand.",
    Reason.OVERWEIGHT: _too_heavy,
    Reason.OVERWEIGHT_WITH_CONTENTS: _too_heavy_with_contents,
    Reason.TOO_LARGE: _too_large,
    Reason.HANDS_FULL: lambda f, n: (
        f"You hold {f['held']} and can hold {f['hands']}; put something down first."
    ),
    Reason.HELD_BY_OTHER: lambda f, n: f"{n(f['holder'])} is holding {n(f['id'])}.",
    Reason.ALREADY_HOLDING: lambda f, n: f"You are already holding {n(f['id'])}.",
    Reason.NOT_HOLDING: lambda f, n: f"You are not holding {n(f['id'])}.",
    Reason.PLACE_INCOMPLETE: lambda f, n: (
        f"Say where to put {n(f['id'])}: PLACE {f['id']} in|on <place>."
    ),
    Reason.NOT_CONTAINER: lambda f, n: (
        f"Nothing can be put {f.get('relation', 'in')} {n(f['id'])}."
    ),
    Reason.ON_ROOM: lambda f, n: f"{n(f['id'])} is a room: things are put in it, not on it.",
    Reason.INSIDE_ITSELF: lambda f, n: f"{n(f['id'])} cannot go into itself or what it holds.",
    Reason.NO_SPACE: _no_space,
    Reason.OVERLOADED: lambda f, n: _overloaded(f, n),
    Reason.ON_WHEELS: lambda f, n: (
        f"{n(f['id'])} rolls on the floor; one alone puts it in the room, nowhere else."
    ),
    Reason.ATTR_MISSING: lambda f, n: f"{n(f['id'])} has no {f['attribute']}.",
    Reason.ATTR_PRECONDITION: _wrong_value,
    Reason.NO_ABILITY: lambda f, n: (
        f"This needs a tool in hand that can {f['ability']}; "
        f"{_without(f, n, 'holds none', 'hold none')}{_out_of_order(f, n)}."
    ),
    Reason.NO_KEY: lambda f, n: (
        f"{n(f['id'])} needs its key in hand; "
        f"{_without(f, n, 'does not hold it', 'do not hold it')}."
    ),
    Reason.NO_INSTRUMENT: lambda f, n: (
        f"This needs an instrument in hand that senses {f.get('property') or 'something'}."
    ),
    Reason.NOTHING_TO_MEASURE: lambda f, n: (
        f"{n(f['id'])} has no {f['property']} to be read."
        if f.get("property")
        else f"{n(f['id'])} has nothing that your instruments sense."
    ),
    Reason.LOCKED: lambda f, n: f"{n(f['id'])} is locked.",
    Reason.LID_BLOCKED: lambda f, n: (
        f"{n(f['load']) if 'load' in f else 'Something'} lies on the lid of {n(f['id'])}; "
        "take it off first."
    ),
    Reason.PLUGGED_IN: lambda f, n: (
        f"{n(f['plugged'])} is plugged in and stays where it is; UNPLUG it first."
        if "plugged" in f
        else f"Something in or on {n(f['id'])} is plugged in and stays where it is."
    ),
    Reason.CONNECTED: lambda f, n: (
        f"{n(f['joined'])} is connected and stays where it is; DISCONNECT it first."
        if "joined" in f
        else f"Something in or on {n(f['id'])} is connected and stays where it is."
    ),
    Reason.NOT_CONNECTABLE: lambda f, n: (
        f"A hose or cable goes between {n(f['id'])} and {n(f['destination'])}: CONNECT each to one"
        f" that fits {f['missing']}."
        if "missing" in f
        else f"{n(f['id'])} and {n(f['destination'])} have no free fitting of one kind."
    ),
    Reason.NOT_CONNECTED: lambda f, n: f"{n(f['id'])} is not connected to {n(f['destination'])}.",
    Reason.NO_VESSEL: lambda f, n: f"{n(f['id'])} holds no liquids.",
    Reason.NO_SOURCE: lambda f, n: f"{n(f['id'])} gives no liquid.",
    Reason.NOTHING_TO_POUR: lambda f, n: f"{n(f['id'])} is empty.",
    Reason.VESSEL_FULL: lambda f, n: (
        f"{n(f['id'])} is at {f['mark']} already." if f.get("mark") else f"{n(f['id'])} is full."
    ),
    Reason.NO_SUCH_MARK: lambda f, n: (
        f"{n(f['id'])} has no mark or state {printable(f['mark'][:40])!r}."
    ),
    Reason.ALREADY_SO: lambda f, n: (
        f"Nothing runs at {n(f['id'])}."
        if f["mark"] == DONE
        else f"{n(f['id'])} is so already: {f['mark']}."
    ),
    Reason.NOT_PERCEIVED: lambda f, n: (
        f"You do not see that of {n(f['id'])} here, and hold no instrument for it near it."
    ),
    Reason.TOO_LONG_A_WAIT: lambda f, n: (
        f"One waits at least 1 s and at most {f['limit_s']} s, not {f['seconds']}."
    ),
    Reason.DERIVED: lambda f, n: (
        f"{f['attribute']} of {n(f['id'])} follows from something else; no command changes it."
    ),
    Reason.NOT_APPARATUS: lambda f, n: f"{n(f['id'])} is no apparatus.",
    Reason.NO_POWER: lambda f, n: f"{n(f['id'])} has no power, or is out of order.",
    Reason.BUSY: lambda f, n: f"{n(f['id'])} is busy: {f['operation']} is running.",
    Reason.UNKNOWN_SETTING: lambda f, n: (
        f"{n(f['id'])} has no setting {printable(f['name'][:40])!r} to change; {_known(f)}"
    ),
    Reason.BAD_VALUE: lambda f, n: (
        f"{f['name']} takes {_kind(f)}, not {printable(str(f['value'])[:40])!r}."
    ),
    Reason.OUT_OF_BOUNDS: lambda f, n: (
        f"{f['name']} goes from {number(f['low'])} to {number(f['high'])}"
        f"{' ' + f['unit'] if f['unit'] else ''}, not to {_short(f['value'])}."
    ),
    Reason.NOT_LOADED: lambda f, n: (
        f"{n(f['id'])} runs with {n(f['load'])} in or on it, which is not there."
        if "load" in f
        else f"{n(f['id'])} runs with something in or on it that is not there."
    ),
    Reason.LIMIT_REACHED: lambda f, n: (
        f"{f['name']} was answered as often as it may be; the last answer counts."
        if "name" in f
        else f"That takes {number(f['price'])} {f['account']}; {number(f['left'])} are left."
    ),
    Reason.NOT_RUNNING: lambda f, n: f"Nothing runs at {n(f['id'])}.",
    Reason.NO_OUTPUT: lambda f, n: (
        f"{n(f['id'])} has not run yet."
        if not f.get("pages")
        else f"The log of {n(f['id'])} has {_pages(f['pages'])}; there is no page {f['page']}."
    ),
    Reason.UNKNOWN_QUESTION: lambda f, n: (
        f"Nobody asked {printable(f['name'][:40])!r}; {_known(f)}"
        if f.get("known")
        else "Nobody asks anything here."
    ),
    Reason.NOT_WORKSTATION: lambda f, n: f"{n(f['id'])} executes no code.",
    Reason.NEEDS_CODE: lambda f, n: (
        f"{n(f['id'])} executes code: EXEC {f['id']}, and the code on the lines below."
    ),
    Reason.NO_SANDBOX: lambda f, n: (
        f"No code is executed: sandbox level {f['needed']} is demanded, and this machine reaches "
        f"{f['level']}{_lacks(f)}."
    ),
    Reason.NO_INTERPRETER: lambda f, n: f"{f['language']} is not installed on this machine.",
    Reason.BAD_NAME: lambda f, n: (
        f"{printable(f['name'][:40])!r} is no name of a file: letters, digits, _ - and . inside, "
        "64 at most."
    ),
    Reason.FOLDER_FULL: lambda f, n: (
        f"The folder of {n(f['id'])} takes {f['limit']} files of yours, no more."
    ),
    Reason.UNKNOWN_ACTION: lambda f, n: (
        f"{n(f['id'])} has no action {printable(f['name'][:40])!r}; {_known(f)}"
        if f.get("near") or f.get("known")
        else f"{n(f['id'])} is no bench; RUN takes nothing behind it."
    ),
    Reason.INCOMPLETE: lambda f, n: (
        f"{f['action']} takes a value for {listing(f['missing'])}."
        if f.get("action")
        else f"Say which action: RUN {f['id']} ACTION."
    ),
    Reason.MISSING_INPUT: lambda f, n: f"{f['action']} takes {_taken(f, n)}",
    Reason.STILL_OPEN: lambda f, n: f"{n(f['id'])} is open; close it before locking it.",
    Reason.NO_PATH: lambda f, n: f"No way leads to {n(f['room'])}.",
    Reason.STAIRS: lambda f, n: (
        f"{n(f['id'])} does not roll over stairs; every way to {n(f['room'])} has some."
    ),
    Reason.TOO_NARROW: lambda f, n: (
        (
            f"{n(f['id'])} is {number(f['width_m'])} m wide"
            if "id" in f
            else "Something in your hands is too wide"
        )
        + f"; every way to {n(f['room'])} is narrower somewhere."
    ),
    Reason.INITIATOR_NOT_LISTED: lambda f, n: "Who gives a joint command must be named in it.",
    Reason.PARTNER_MISSING: lambda f, n: (
        f"{n(f['receiver'])} must GRAB {n(f['id'])} in the same decision, and be able to."
        if "receiver" in f
        else f"{n(f['agent'])} carries {n(f['id'])} as well and must give this command with you."
        if "agent" in f
        else f"{n(f['id'])} takes {f['people']} people who give the same command at the same time; "
        f"{f['given']} who could take part gave it."
    ),
    Reason.COOP_NOT_NEEDED: lambda f, n: (
        f"{n(f['id'])} weighs {number(f['mass_kg'])} kg; one of you can lift "
        f"{number(f['limit_kg'])} kg alone."
    ),
    Reason.COOP_AGENT_ELSEWHERE: lambda f, n: f"{n(f['agent'])} is not where {n(f['id'])} is.",
    Reason.COOP_NOT_CARRYING: lambda f, n: (
        f"{n(f['agent'])} is not carrying {n(f['id'])} with anybody."
        if "id" in f
        else "You carry nothing with others; walk by yourself with GOTO."
    ),
    Reason.COOP_MOVE_FAILED: lambda f, n: f"{n(f['id'])} is no room; a team walks to rooms.",
    Reason.COOP_DISAGREE: lambda f, n: (
        f"Joint commands of one decision must agree; these were {listing(f['verbs'])}."
    ),
}


def _lacks(facts: Facts) -> str:
    """What keeps a machine from a sandbox; from all of it, the first."""
    lacks = facts.get("lacks", ())
    return f" ({printable(lacks[0][:200])})" if lacks else ""


def _taken(facts: Facts, name: Callable[[str], str]) -> str:
    """What an action takes, and what is there instead."""
    wanted = facts.get("wanted", {})
    states = ", ".join(f"{state} {value(what)}" for state, what in wanted.items())
    told = f"{facts['input']} with {states}" if states else facts["input"]
    if facts.get("has") is None:
        return f"{told}, which is not at {name(facts['id'])}."
    has = ", ".join(f"{state} {value(now)}" for state, now in facts["has"].items())
    return f"{told}; it has {has}." if has else f"{told}; it is not so."


def _pages(count: int) -> str:
    """`1 page`, `8 pages`."""
    return f"{count} page{'s' * (count > 1)}"


def _short(raw: Any) -> str:
    """A number, or the text that stood for one that is too large."""
    return value(raw)[:40]


def _known(facts: Facts) -> str:
    """`did you mean Kp?`, or the names there are."""
    if facts.get("near"):
        return f"did you mean {listing(facts['near'])}?"
    return f"there is {listing(facts['known'])}."


def _kind(facts: Facts) -> str:
    """What a value is to be."""
    if "choices" in facts:
        return f"one of {', '.join(facts['choices'])}"
    multiple = facts.get("multiple_of", 1)
    return f"a {facts['kind']}" + (f" that {multiple} divides" if multiple > 1 else "")


def _out_of_order(facts: Facts, named: Callable[[str], str]) -> str:
    """` that works: Iron (iron) does not`: tools in hand that are broken, off or unplugged."""
    useless = facts.get("out_of_order")
    if not useless:
        return ""
    works = "does" if len(useless) == 1 else "do"
    return f" that works: {listing(map(named, useless))} {works} not"


def _without(facts: Facts, named: Callable[[str], str], lack: str, of_many: str) -> str:
    """`Ada (ada) holds none`, or `Ada (ada) and Bo (bo) hold none`: who was asked for a tool."""
    actors = facts.get("actors", [facts.get("agent")])
    return f"{listing(map(named, actors))} {lack if len(actors) == 1 else of_many}"


def _size(size: Sequence[float]) -> str:
    return " x ".join(number(edge) for edge in size) + " m"
