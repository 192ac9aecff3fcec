"""How `physical` takes a decision: singles in file order, then what agents do together.

A joint command comes in two equal forms: one that names all partners, or each partner's matching
command without names (a rendezvous). Both are carried out at the end of the decision, once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from earsim.actions.decision import Decision, Execute, unreadable
from earsim.actions.outcome import Outcome, Reason, Status
from earsim.actions.verb import Verb
from earsim.world import World

_COMMA = re.compile(r"\s*,\s*")


def front(text: str, verbs: Mapping[str, Verb]) -> str:
    """Blanks around a command, and how many there are between words, do not matter."""
    return " ".join(text.split())


def decide(execute: Execute, world: World, commands: Mapping[str, str] | None) -> Decision:
    """Carry out one command per agent; those left out or blank, in a team, do nothing.

    The clock advances by the longest action that took effect.
    """
    if commands is None:
        return unreadable()
    outcomes: dict[str, Outcome] = {}
    groups: dict[str, _Group] = {}
    alone = len(world.agents) == 1
    for agent in commands if alone else _in_order(world, commands):
        text = commands[agent]
        if not alone and not text.strip():
            continue
        if text.lstrip()[:5].upper() == "CORP_":
            _join(groups, agent, text)
        else:
            outcomes[agent] = execute(world, agent, text)
    executed = [(agent, commands[agent]) for agent in outcomes]
    for group in groups.values():
        _together(execute, world, group, outcomes, executed)
    world.advance(max((outcome.seconds for outcome in outcomes.values()), default=0))
    return Decision(
        outcomes,
        tuple(executed),
        _overall(outcomes),
        claimed=any(o.verb == "DONE" and o.accepted for o in outcomes.values()),
        over=all(agent.idle for agent in world.agents.values()),
        stalled=_stalled(world, outcomes),
    )


def _in_order(world: World, commands: Mapping[str, str]) -> list[str]:
    """Agents in file order; strangers last, so that they are answered too."""
    known = [agent for agent in world.agents if agent in commands]
    return known + [agent for agent in commands if agent not in world.agents]


@dataclass(slots=True)
class _Group:
    """Agents that gave the same joint command in one decision.

    Attributes:
        verb: as first typed.
        rest: what follows the list of partners.
        named: partners that a command listed; empty for a rendezvous.
        members: who gave it, with the text each typed, in file order.
    """

    verb: str
    rest: str
    named: tuple[str, ...] = ()
    members: dict[str, str] = field(default_factory=dict)


def _join(groups: dict[str, _Group], agent: str, text: str) -> None:
    """Add an agent to those who gave the same command, whichever form each used."""
    words = _COMMA.sub(",", " ".join(text.split())).split()
    listed = len(words) in (3, 5)  # CORP_VERB a,b target [in place], or without the list
    named = tuple(words[1].split(",")) if listed else ()
    rest = " ".join(words[2:] if listed else words[1:])
    key = f"{words[0].upper()} {rest}"
    for other in (key, f"{key} {sorted(named)}"):
        group = groups.get(other)
        if group is not None and (not named or not group.named or named == group.named):
            break
    else:
        group = groups[other if key in groups else key] = _Group(words[0], rest)
    group.named = group.named or named
    group.members[agent] = text


def _together(
    execute: Execute,
    world: World,
    group: _Group,
    outcomes: dict[str, Outcome],
    executed: list[tuple[str, str]],
) -> None:
    """Carry out a joint command once; all who take part get its outcome."""
    issuer = next(iter(group.members))
    actors = group.named or tuple(group.members)
    if len(actors) < 2 and not group.named:
        facts = {"agent": issuer}
        outcome = _refusal(issuer, group, Reason.PARTNER_MISSING, facts)
    elif (busy := _busy(group, actors, outcomes)) is not None:
        outcome = _refusal(issuer, group, Reason.PARTNER_BUSY, {"agent": busy})
    else:
        text = f"{group.verb} {','.join(actors)} {group.rest}"
        outcome = execute(world, issuer, text)
        executed.append((issuer, text))
    concerned = outcome.actors if outcome.accepted else tuple(group.members)
    for agent in concerned:
        outcomes[agent] = outcome._replace(
            agent=agent, command=group.members.get(agent, outcome.command)
        )


def _busy(group: _Group, actors: tuple[str, ...], outcomes: Mapping[str, Outcome]) -> str | None:
    """A partner that does something else in this decision; waiting is nothing else."""
    for actor in actors:
        other = outcomes.get(actor)
        if actor not in group.members and other is not None and other.verb != "WAIT":
            return actor
    return None


def _refusal(agent: str, group: _Group, reason: Reason, facts: dict[str, str]) -> Outcome:
    text = group.members[agent]
    return Outcome(agent, text, group.verb.upper(), Status.FAILURE, reason, facts, (agent,))


def _overall(outcomes: Mapping[str, Outcome]) -> Status:
    """A success if anything took effect or nothing was tried, else the milder refusal."""
    statuses = [outcome.status for outcome in outcomes.values()]
    if not statuses or Status.SUCCESS in statuses:
        return Status.SUCCESS
    return Status.FAILURE if Status.FAILURE in statuses else Status.INVALID


def _stalled(world: World, outcomes: Mapping[str, Outcome]) -> tuple[str, ...]:
    """The agents that wait for each other, when a whole team does nothing else."""
    active = [agent_id for agent_id, agent in world.agents.items() if not agent.idle]
    if len(world.agents) < 2 or not active:
        return ()
    for agent_id in active:
        outcome = outcomes.get(agent_id)
        waits = outcome is None or outcome.verb == "WAIT"
        if not waits and outcome is not None and outcome.reason is not Reason.PARTNER_MISSING:
            return ()
    return tuple(active)
