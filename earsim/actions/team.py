"""What agents do together in `physical`.

A joint command names nobody: all who give the same one in a decision are the team. Each of them is
asked by itself whether it can take part; the checks here ask about all together, last of all.
"""

from __future__ import annotations

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Reads, Verb, check
from earsim.joint import joint
from earsim.world import Blueprint, World
from earsim.world.benches import bench_of


def target_grammar(verb: str) -> Grammar:
    """`CORP_GRAB crate`."""
    return Grammar.of(joint(verb) + " {target}")


def place_grammar(verb: str) -> Grammar:
    """`CORP_PLACE crate on table`."""
    return Grammar.of(joint(verb) + " {target} {relation} {destination}")


def people_for(world: World, call: Call) -> int:
    """How many agents a command takes: two for joint verbs, or as many as its target says."""
    verb = call.verb
    if verb.name in ("RUN", "EXEC"):
        live = world.blueprint.live
        rig = None if live is None else live.rigs.get(call.target)
        bench = bench_of(world, call.target)
        action = None if bench is None else bench.pool.actions.get(call.destination)
        least = 1 if rig is None else rig.needs.people
        return least if action is None else max(least, action.people)
    if not verb.joint and verb.attribute is None:
        return 1
    thing = world.blueprint.things.get(call.target)
    least = 2 if verb.joint else 1
    return least if thing is None else max(least, thing.people)


def _takes_several(verb: Verb, blueprint: Blueprint) -> bool:
    return verb.joint or blueprint.takes_several


@check(Reason.PARTNER_MISSING, can_object=_takes_several)
def team_is_large_enough(world: World, agent: str, call: Call) -> Refusal | None:
    """There are as many agents in the scenario as the target takes."""
    people = people_for(world, call)
    if people <= len(world.blueprint.bodies):
        return None
    return Refusal(Reason.PARTNER_MISSING, {"id": call.target, "people": people, "given": 1})


@check(
    Reason.PARTNER_MISSING,
    reads=Reads.TEAM,
    touches=("target", "actors"),
    surprise=True,
    can_object=_takes_several,
)
def enough_give_it(world: World, agent: str, call: Call) -> Refusal | None:
    """As many who can take part give the command in one decision as it takes."""
    people, given = people_for(world, call), max(1, len(call.actors))
    if people <= given:
        return None
    return Refusal(Reason.PARTNER_MISSING, {"id": call.target, "people": people, "given": given})


@check(Reason.COOP_NOT_CARRYING, reads=Reads.HANDS)
def carries_it(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent carries the target with others."""
    if world.agents[agent].carrying == call.target:
        return None
    return Refusal(Reason.COOP_NOT_CARRYING, {"id": call.target, "agent": agent})


@check(Reason.COOP_NOT_CARRYING, reads=Reads.GIVER, touches=())
def carries_something(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent carries something with others; who does not walks by itself."""
    if world.agents[agent].carrying is not None:
        return None
    return Refusal(Reason.COOP_NOT_CARRYING, {"agent": agent})


@check(Reason.PARTNER_MISSING, reads=Reads.TEAM, touches=("target", "actors"), surprise=True)
def all_carriers_give_it(world: World, agent: str, call: Call) -> Refusal | None:
    """Everybody who carries the load with the agent gives the command in the same decision."""
    load = world.agents[agent].carrying
    for partner in world.carriers.get(load, ()) if load is not None else ():
        if partner != agent and partner not in call.actors:
            return Refusal(Reason.PARTNER_MISSING, {"agent": partner, "id": load})
    return None
