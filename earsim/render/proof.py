"""What the planner found and what certificates say, as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.ids import printable
from earsim.prose import listing, number, value
from earsim.schema.certificate import Certificate, Means, Proof, Search, Shown
from earsim.world import Blueprint

Facts = Mapping[str, Any]
Named = Callable[[str], str]


def impossible(why: str, facts: Facts, blueprint: Blueprint) -> str:
    """Why there is no plan, with the ids and numbers that decide it.

    Args:
        why: a `Why` of the planner.
        facts: as the planner gave them.
        blueprint: where names come from.
    """

    def named(node: str) -> str:
        name = blueprint.name(node)
        return printable(node) if name == node else f"{name} ({node})"

    return _IMPOSSIBLE[why](facts, named)


def unknown(limit: int, nodes: int, bound: int, *, workstation: str = "") -> str:
    """What is known where the search gave up, and what would make it go on, if anything does.

    Args:
        limit: states that the search was allowed.
        nodes: states that it reached.
        bound: no plan takes fewer decisions.
        workstation: the name of that on which the goal wants code to run, if it does.
    """
    least = f" No plan takes fewer than {_decisions(bound)}." if bound else ""
    if workstation:
        return (
            f"Not decided: the goal wants code to run on {workstation}, and "
            f"the planner writes none.{least} A walkthrough shows that it can be done; a higher "
            "limit changes nothing."
        )
    if nodes < limit:
        return (
            f"Not decided: all that the planner tries was tried, within {nodes:,} nodes."
            f"{least} A higher limit changes nothing; a walkthrough shows that it can be done."
        )
    return (
        f"Not decided: the search stopped at its limit of {limit:,} nodes.{least} "
        f"A higher limit may settle it: --nodes {10 * limit}"
    )


def length(decisions: int, bound: int, *, least: bool, seconds: int | None = None) -> str:
    """`7 decisions, least: proved`, or how few it could be; with the time where that matters."""
    taking = "" if seconds is None else f" in {seconds:,} s"
    shown = f"{_decisions(decisions)}{taking}, least: "
    return shown + ("proved" if least else f"not proved, at least {_decisions(bound)}")


def solution_line(certificate: Certificate, blueprint: Blueprint) -> str:
    """Whether and how the scenario of a certificate is solved."""
    found = certificate.solution
    if certificate.goal_at_start:
        return "the goal is true at the start: there is nothing to do"
    if found.found == "impossible":
        return f"there is no plan: {impossible(found.why or '', found.facts, blueprint)}"
    if found.found == "unknown":
        return f"no plan was found within {certificate.node_limit:,} nodes"
    solved = length(len(found.plan), found.bound or 0, least=found.least, seconds=found.seconds)
    over = f", over the budget of {certificate.budget}"
    return solved + (over if len(found.plan) > certificate.budget else "")


def proof_line(proof: Proof) -> str:
    """What an attempt at a proof showed: `tool: done without clean, in 7 decisions`."""
    last = proof.searches[-1] if proof.searches else None
    return f"{proof.of}: {_SHOWN[proof.shown](proof, last)}"


def _decisions(count: int | None) -> str:
    return f"{count} decision{'s' * (count != 1)}"


def _without(search: Search | None) -> str:
    return "" if search is None else listing(search.question.without)


def _alone(search: Search | None) -> str:
    return "" if search is None else listing(search.question.agents)


def _plan(search: Search | None) -> str:
    return "" if search is None else _decisions(len(search.plan))


_SHOWN: Mapping[Shown, Callable[[Proof, Search | None], str]] = {
    Shown.ONE_ANSWER: lambda p, s: f"one answer, {listing(p.answers.values())}, and no name tells",
    Shown.NEEDED: lambda p, s: (
        f"nothing does it without {_without(s)}"
        if p.of is Means.TOOL
        else "nobody who has to act can know what to do unless somebody says it"
        if p.of is Means.MESSAGE
        else "no agent does it while the others stand and wait"
    ),
    Shown.NEEDED_BY_MARK: lambda p, s: (
        "no agent does it alone, but only because the goal asks that it be done jointly"
        if s is not None and s.found == "plan"
        else "no agent does it alone, because the goal asks that it be done jointly; whether the "
        "world demands it too was not decided"
    ),
    Shown.NO_SELECTOR: lambda p, s: "no selector to prove",
    Shown.SEVERAL_ANSWERS: lambda p, s: "it has no single answer",
    Shown.ONE_CANDIDATE: lambda p, s: f"{listing(p.answers.values())} is the only candidate",
    Shown.NAMED: lambda p, s: f"the instruction names the answer: {p.said!r}",
    Shown.NO_TOOL_USED: lambda p, s: "the plan uses none",
    Shown.DONE_WITHOUT: lambda p, s: f"done without {_without(s)}, in {_plan(s)}",
    Shown.ONE_AGENT: lambda p, s: "there is one agent",
    Shown.DONE_ALONE: lambda p, s: f"{_alone(s)} does it alone, in {_plan(s)}",
    Shown.NO_PLAN: lambda p, s: "no plan is known that could need it",
    Shown.LIMIT_REACHED: lambda p, s: "not decided within the node limit",
}


# -- why there is no plan --------------------------------------------------------------------------


def _takes_a_tool(facts: Facts, named: Named) -> str:
    what = f"changing {facts['state']} of" if "state" in facts else "running"
    return f"{what} {named(facts['id'])} takes a tool that can {_ability(facts)}"


def _ability(facts: Facts) -> str:
    return str(facts["ability"]).replace("_", " ")


def _too_heavy(facts: Facts, named: Named) -> str:
    what = named(facts["id"])
    if "limit_kg" not in facts:
        return f"{what} is too heavy for those who may act."
    return (
        f"{what} weighs {number(facts['mass_kg'])} kg; those who may act can lift "
        f"{number(facts['limit_kg'])} kg."
    )


def _too_large(facts: Facts, named: Named) -> str:
    size = facts.get("size_m")
    measures = f" It measures {' x '.join(map(number, size))} m." if size else ""
    return f"{named(facts['id'])} is too large for the hands of those who may act.{measures}"


def _not_together(facts: Facts, named: Named) -> str:
    if "rooms" in facts:
        return f"Things are to be held at once in {listing(map(named, facts['rooms']))}."
    if "holder" in facts:
        return f"{named(facts['id'])} is up to {named(facts['holder'])}, who may not act."
    what = f"{facts['state']} of {named(facts['id'])}" if "state" in facts else named(facts["id"])
    return f"{what} takes several agents together, and they may not act together."


def _no_space(facts: Facts, named: Named) -> str:
    holder = facts.get("holder", facts.get("destination"))
    if "size_m" in facts:
        return f"{named(facts['id'])} is too long or too wide for {named(holder)}."
    there = f" in {named(holder)}" if holder is not None else ""
    return f"There is no room for {named(facts['id'])}{there}, whatever is taken out."


def _contradiction(facts: Facts, named: Named) -> str:
    what = f"{facts['state']} of " if "state" in facts else ""
    return f"The goal contradicts itself about {what}{named(facts['id'])}."


def _no_verb(facts: Facts, named: Named) -> str:
    if "from" in facts:
        change = f"from {value(facts['from'])}"
    else:
        change = f"to {value(facts['value'])}" if "value" in facts else "at all"
    return f"No verb of this scene changes {facts['state']} of {named(facts['id'])} {change}."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _out_of_range(f: Facts, n: Named) -> str:
    """Such as "temperature_c of Vial (vial) is never above 21, and the goal asks for 80"."""
    of = f.get("of", "A number")
    what = f"{of} of {n(f['id'])}" if "id" in f else of
    if "most" in f and "at_least" in f and f["at_least"] > f["most"]:
        told = f"is never above {number(f['most'])}, and the goal asks for {number(f['at_least'])}"
    elif "least" in f and "at_most" in f:
        told = f"is never below {number(f['least'])}, and the goal allows {number(f['at_most'])}"
    else:
        told = "never comes to what the goal asks for"
    return _sentence(f"{what} {told}.")


_IMPOSSIBLE: Mapping[str, Callable[[Facts, Named], str]] = {
    "never_true": lambda f, n: (
        "Nothing can make the goal true" + (f": {f['asked']}." if "asked" in f else ".")
    ),
    "contradiction": _contradiction,
    "no_such_thing": lambda f, n: f"There is nothing called {printable(str(f['id']))!r} here.",
    "no_action_sets_state": _no_verb,
    "no_such_state": lambda f, n: f"{n(f['id'])} has no {f['state']}.",
    "no_provider": lambda f, n: _sentence(f"{_takes_a_tool(f, n)}, and nothing here can."),
    "no_provider_to_hold": lambda f, n: _sentence(
        f"{_takes_a_tool(f, n)}, and those who may act can never hold one: "
        f"{listing(map(n, f['tools']))}."
    ),
    "too_few_tools": lambda f, n: _sentence(
        f"{_takes_a_tool(f, n)}, one for each who takes part; there is only "
        f"{listing(map(n, f['tools']))}."
    ),
    "no_key_to_hold": lambda f, n: (
        f"{n(f['id'])} takes its key{', ' + n(f['key']) if f.get('key') else ''}, which nobody "
        "who may act can ever hold."
    ),
    "no_hands": lambda f, n: f"Nobody who may act has a hand for {n(f['id'])}.",
    "too_heavy": _too_heavy,
    "too_large": _too_large,
    "not_grabbable": lambda f, n: f"{n(f['id'])} cannot be taken in hand.",
    "no_container": lambda f, n: f"{n(f['id'])} can never be put in or on {n(f['holder'])} so.",
    "no_space": _no_space,
    "shut_in": lambda f, n: (
        f"{n(f['id'])} is shut in {n(f['container'])}, which those who may act cannot open."
    ),
    "unreachable_room": lambda f, n: (
        f"No way leads to {n(f.get('room', f.get('id', '')))} that those who may act can open."
    ),
    "not_together": _not_together,
    "number_is_fixed": lambda f, n: (
        f"{f.get('of', 'A number')} of {n(f['id'])} never changes, and is not as the goal wants."
    ),
    "out_of_range": _out_of_range,
    "cannot_know": lambda f, n: (
        f"What is meant depends on {f.get('of', 'a number')} of {n(f['id'])}, which those who may "
        "act cannot read."
    ),
    "exhausted": lambda f, n: (
        "Everything that can be done was tried, and nothing reaches the goal."
    ),
}
