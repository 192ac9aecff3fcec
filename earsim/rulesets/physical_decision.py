"""How `physical` takes a decision: singles in file order, then what agents do together.

A joint command comes in two equal forms: one that names all partners, or each partner's matching
command without names (a rendezvous). Both are carried out at the end of the decision, once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from earsim.actions.decision import Decision, Execute, unreadable
from earsim.actions.outcome import Outcome, Reason, Refusal, Status
from earsim.actions.verb import Verb
from earsim.joint import is_joint
from earsim.world import World

_COMMA = re.compile(r"\s*,\s*")
_LIST = re.compile(r"\w+(?:,\w+)*")


def front(text: str, verbs: Mapping[str, Verb]) -> str:
    """Blanks around a command, and how many there are between words, do not matter."""
    return " ".join(text.split())


def decide(execute: Execute, world: World, commands: Mapping[str, str] | None) -> Decision:
    """Carry out one command per agent; those left out or blank, in a team, do nothing.

    The clock advances by the longest action that took effect.
    """
    if commands is None:
        return unreadable()
    if len(commands) == 1 == len(world.agents):
        for agent, text in commands.items():
            return _alone(execute, world, agent, text)
    outcomes: dict[str, Outcome] = {}
    executed: list[tuple[str, str]] = []
    joint: dict[str, str] = {}
    for agent in _in_order(world, commands):
        text = commands[agent]
        if not text.strip() and len(world.agents) > 1:
            continue
        if is_joint(text.lstrip()) and _may_act(world, agent):
            joint[agent] = text
        else:
            outcomes[agent] = execute(world, agent, text)
            executed.append((agent, text))
    if joint:
        given = _understood(execute, world, joint, outcomes)
        for group in _groups(world, given):
            _together(execute, world, group, outcomes, executed, joint)
        outcomes = {a: outcomes[a] for a in (*world.agents, *outcomes) if a in outcomes}
    world.advance(max((outcome.seconds for outcome in outcomes.values()), default=0))
    return Decision(
        outcomes,
        tuple(executed),
        _overall(outcomes),
        claimed=any(o.verb == "DONE" and o.accepted for o in outcomes.values()),
        over=all(agent.idle for agent in world.agents.values()),
        stalled=_stalled(world, outcomes),
    )


def _alone(execute: Execute, world: World, agent: str, text: str) -> Decision:
    """What `decide` comes to where there is nobody to wait for."""
    outcome = execute(world, agent, text)
    world.advance(outcome.seconds)
    claimed = outcome.verb == "DONE" and outcome.accepted
    (only,) = world.agents.values()
    return Decision({agent: outcome}, ((agent, text),), outcome.status, claimed, only.idle)


def _may_act(world: World, agent: str) -> bool:
    """Strangers and those who are done join nothing; they are refused by themselves."""
    return agent in world.agents and not world.agents[agent].idle


def _in_order(world: World, commands: Mapping[str, str]) -> list[str]:
    """Agents in file order; strangers last, so that they are answered too."""
    known = [agent for agent in world.agents if agent in commands]
    return known + [agent for agent in commands if agent not in world.agents]


class _Given(NamedTuple):
    """A joint command as one agent gave it.

    Attributes:
        agent: who gave it.
        text: as typed.
        verb: as typed.
        names: the partners it lists, in file order; empty for a rendezvous.
        rest: what follows the list.
    """

    agent: str
    text: str
    verb: str
    names: tuple[str, ...]
    rest: str

    @property
    def about(self) -> tuple[str, str]:
        """What the command is about, whoever takes part."""
        return self.verb.upper(), self.rest

    @classmethod
    def read(cls, world: World, agent: str, text: str) -> _Given:
        """Take a text apart; what fits no form is left to the grammar of its verb."""
        verb, *following = text.split(maxsplit=1)
        words = _COMMA.sub(",", " ".join(following)).split()
        names: tuple[str, ...] = ()
        if len(words) in (2, 4) and _LIST.fullmatch(words[0]):  # a,b target [in place]
            rank = world.blueprint.rank
            names = tuple(sorted(words.pop(0).split(","), key=lambda name: rank.get(name, -1)))
        if len(words) == 3:
            words[1] = words[1].lower()
        return cls(agent, text, verb, names, " ".join(words))

    def joins(self, group: _Group) -> bool:
        """Whether it is the same action as that of a group, given by one who takes part."""
        founder = group.members[0]
        names = self.names or founder.names
        if self.about != founder.about or (names and not {self.agent, founder.agent} <= set(names)):
            return False
        return names == founder.names


@dataclass(slots=True)
class _Group:
    """Those who gave the same joint command in one decision, each in a form of its own."""

    members: list[_Given]

    @property
    def actors(self) -> tuple[str, ...]:
        """Those who are named, or else those who came."""
        named = next((given.names for given in self.members if given.names), ())
        return named or tuple([given.agent for given in self.members])


def _understood(
    execute: Execute, world: World, joint: Mapping[str, str], outcomes: dict[str, Outcome]
) -> list[_Given]:
    """The joint commands that make sense; the others are answered at once."""
    found = []
    for agent, text in joint.items():
        given = _Given.read(world, agent, text)
        # Without partners a command comes as far as its grammar, and changes nothing.
        outcome = execute(world, agent, f"{given.verb} {given.rest}")
        if outcome.reason is Reason.PARTNER_MISSING:
            found.append(given)
        else:
            outcomes[agent] = outcome._replace(command=text)
    return found


def _groups(world: World, commands: list[_Given]) -> list[_Group]:
    """Who acts together, in the order of the first who asked for it."""
    groups: list[_Group] = []
    for given in sorted(commands, key=lambda given: not given.names):
        group = next((group for group in groups if given.joins(group)), None)
        if group is None:
            groups.append(_Group([given]))
        else:
            group.members.append(given)
    rank = world.blueprint.rank
    for group in groups:
        group.members.sort(key=lambda given: rank[given.agent])
    return sorted(groups, key=lambda group: rank[group.members[0].agent])


def _together(
    execute: Execute,
    world: World,
    group: _Group,
    outcomes: dict[str, Outcome],
    executed: list[tuple[str, str]],
    joint: Mapping[str, str],
) -> None:
    """Carry out a joint command once; all who take part get its outcome."""
    first = group.members[0]
    texts = {given.agent: given.text for given in group.members}
    actors = group.actors
    busy = next((a for a in actors if a not in texts and _is_busy(a, outcomes, joint)), None)
    if len(group.members) == 1 and not first.names:
        outcome = _refusal(first, Reason.PARTNER_MISSING, {"agent": first.agent})
    elif busy is not None:
        outcome = _refusal(first, Reason.PARTNER_BUSY, {"agent": busy})
    else:
        text = f"{first.verb} {','.join(actors)} {first.rest}"
        outcome = execute(world, first.agent, text)
        executed.append((first.agent, text))
    for agent in outcome.actors if outcome.accepted else texts:
        outcomes[agent] = outcome._replace(agent=agent, command=texts.get(agent, outcome.command))


def _is_busy(agent: str, outcomes: Mapping[str, Outcome], joint: Mapping[str, str]) -> bool:
    """Whether an agent does something of its own in this decision; waiting is nothing."""
    outcome = outcomes.get(agent)
    return agent in joint if outcome is None else outcome.verb != "WAIT" or not outcome.accepted


def _refusal(given: _Given, reason: Reason, facts: dict[str, str]) -> Outcome:
    verb = given.verb.upper()
    return Outcome.refused(given.agent, given.text, verb, Refusal(reason, facts), Status.FAILURE)


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
