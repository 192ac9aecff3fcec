"""How `physical` takes a decision: what is said, singles in file order, what agents do together.

What takes several agents is carried out at the end of the decision, once: by all who gave the same
command in it and can take part. In a team a message may ride beside a command, on a second line; it
is heard before anybody acts, and takes neither a decision nor time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from earsim.actions import wait
from earsim.actions.decision import Decision, Executor, unreadable
from earsim.actions.outcome import Outcome, Reason, Refusal, Status
from earsim.actions.team import people_for
from earsim.actions.verb import Call, Verb
from earsim.processes.clock import elapse
from earsim.world import World

MESSAGE_VERBS = frozenset({"SAY", "TELL"})
"""What may ride beside a command."""

MESSAGE_FORM = "a second line with SAY {message} or TELL {target}"


def front(text: str, verbs: Mapping[str, Verb]) -> str:
    """Blanks around a command, and how many there are between words, do not matter."""
    return " ".join(text.split())


def decide(executor: Executor, world: World, commands: Mapping[str, str] | None) -> Decision:
    """Carry out one command per agent; those left out or blank, in a team, do nothing.

    The clock advances by the longest action that took effect.
    """
    if commands is None:
        return unreadable()
    if len(commands) == 1 == len(world.agents):
        for agent, text in commands.items():
            return _alone(executor, world, agent, text)
    commands, messages = _apart(executor, world, commands)
    outcomes: dict[str, Outcome] = {}
    executed: list[tuple[str, str]] = []
    together: dict[Call, list[str]] = {}
    handed = _handed(executor, world, commands)  # their turn comes with that of the giver
    for agent in _in_order(world, commands):
        text = commands[agent]
        if agent in handed.values() or (not text.strip() and len(world.agents) > 1):
            continue
        call = executor.parse(text)
        if not isinstance(call, Refusal) and agent in world.agents and people_for(world, call) > 1:
            by_itself = call.verb.answer is not None
            together.setdefault(call.given_by((agent,) * by_itself), []).append(agent)
        else:
            outcomes[agent] = executor.execute(world, agent, text)
            executed.append((agent, text))
    for call, givers in together.items():
        if givers[0] in handed:
            givers.append(handed[givers[0]])
        given = [(agent, commands[agent]) for agent in givers]
        act = _hand_over if givers[0] in handed else _together
        outcomes |= act(executor, world, call, given)
        executed += given
    if together:
        outcomes = {a: outcomes[a] for a in (*world.agents, *outcomes) if a in outcomes}
    outcomes, elapsed_s = _let_time_pass(executor, world, outcomes)
    return Decision(
        outcomes,
        tuple(executed),
        _overall(outcomes),
        claimed=any(o.verb == "DONE" and o.accepted for o in outcomes.values()),
        over=bool(world.claim) or all(agent.idle for agent in world.agents.values()),
        stalled=_stalled(world, outcomes),
        messages=messages,
        elapsed_s=elapsed_s,
    )


def _let_time_pass(
    executor: Executor, world: World, outcomes: Mapping[str, Outcome]
) -> tuple[dict[str, Outcome], int]:
    """Run the clock by the longest action; who waits holds nobody up for longer than ten seconds.

    Where all who do something wait, the shortest wait counts; where all wait until something has
    come, it ends once none of that can come any more. Returns the outcomes, those of waits with
    what they came to, and the seconds that passed.
    """
    waits = {a: o for a, o in outcomes.items() if o.verb == "WAIT" and o.accepted}
    seconds = max((o.seconds for a, o in outcomes.items() if a not in waits), default=0)
    until = [(a, o.facts) for a, o in waits.items() if "until" in o.facts]
    others = seconds or len(until) < len(waits)  # what takes its time whatever comes
    hopes = [] if others else [partial(wait.may_come, *waiting) for waiting in until]
    if waits:
        shortest = min(outcome.seconds for outcome in waits.values())
        seconds = max(seconds, min(wait.SECONDS, shortest)) if seconds else shortest
    wakes = [partial(wait.has_come, *waiting) for waiting in until]
    elapsed_s = elapse(world, seconds, executor.watch, tuple(wakes), tuple(hopes))
    if world.timeline is None or not waits:
        return dict(outcomes), elapsed_s
    return {**outcomes, **{a: _awoken(world, o, elapsed_s) for a, o in waits.items()}}, elapsed_s


def _awoken(world: World, outcome: Outcome, elapsed_s: int) -> Outcome:
    """A wait as it came out."""
    if "seconds" not in outcome.facts:  # no number of this scene changes by itself
        return outcome
    facts = {**outcome.facts, "seconds": elapsed_s}
    if "until" in facts:
        facts["came"] = wait.has_come(outcome.agent, facts, world)
        found = wait.noticed if facts["came"] else partial(wait.in_vain, outcome.agent)
        facts |= found(facts, world)
    return outcome._replace(facts=facts, seconds=elapsed_s)


def _apart(
    executor: Executor, world: World, commands: Mapping[str, str]
) -> tuple[Mapping[str, str], dict[str, Outcome]]:
    """The commands without the messages beside them, which are passed on in file order."""
    if len(world.agents) < 2 or not any("\n" in text.strip() for text in commands.values()):
        return commands, {}
    parts = {
        agent: (text, "", "")
        if executor.verbatim(text) is not None
        else text.strip().partition("\n")
        for agent, text in commands.items()
    }
    messages: dict[str, Outcome] = {}
    for agent in _in_order(world, commands):
        text = parts[agent][2].strip()
        if text:
            call = executor.parse(text)
            if isinstance(call, Refusal) and call.reason is Reason.TOO_LONG:
                messages[agent] = Outcome.refused(agent, text, "", call, Status.INVALID)
            elif isinstance(call, Refusal) or call.verb.name not in MESSAGE_VERBS:
                refusal = Refusal(Reason.BAD_FORMAT, {"verb": "A message", "form": MESSAGE_FORM})
                messages[agent] = Outcome.refused(agent, text, "", refusal, Status.INVALID)
            else:
                messages[agent] = executor.execute(world, agent, text)
    return {agent: part[0] for agent, part in parts.items()}, messages


def _alone(executor: Executor, world: World, agent: str, text: str) -> Decision:
    """What `decide` comes to where there is nobody to wait for."""
    outcome = executor.execute(world, agent, text)
    elapsed_s = outcome.seconds
    if world.timeline is None:
        world.advance(elapsed_s)
    elif outcome.verb != "WAIT":
        elapsed_s = elapse(world, elapsed_s, executor.watch)
    else:
        passed, elapsed_s = _let_time_pass(executor, world, {agent: outcome})
        outcome = passed[agent]
    claimed = outcome.verb == "DONE" and outcome.accepted
    (only,) = world.agents.values()
    return Decision.alone(
        outcome, (agent, text), claimed=claimed, over=only.idle, elapsed_s=elapsed_s
    )


def _in_order(world: World, commands: Mapping[str, str]) -> list[str]:
    """Agents in file order; strangers last, so that they are answered too."""
    known = [agent for agent in world.agents if agent in commands]
    return known + [agent for agent in commands if agent not in world.agents]


def _together(
    executor: Executor, world: World, call: Call, given: list[tuple[str, str]]
) -> dict[str, Outcome]:
    """Carry out what some agents gave alike; who cannot take part is told why.

    Each is asked as if it were alone: who is refused for nothing but the missing partners is in.
    """
    alone = {agent: executor.execute(world, agent, text) for agent, text in given}
    team = tuple([a for a, outcome in alone.items() if outcome.reason is Reason.PARTNER_MISSING])
    if not team:
        return alone
    texts = dict(given)
    outcome = executor.execute(world, team[0], texts[team[0]], team)
    told = {agent: outcome._replace(agent=agent, command=texts[agent]) for agent in team}
    return alone | told


def _handed(executor: Executor, world: World, commands: Mapping[str, str]) -> dict[str, str]:
    """Who gives something in hand to somebody who takes it: receivers by givers."""
    calls = {a: executor.parse(text) for a, text in commands.items() if a in world.agents}
    found: dict[str, str] = {}
    for giver, call in calls.items():
        if isinstance(call, Refusal) or call.verb.answer is None:
            continue
        taking = calls.get(call.destination)
        if isinstance(taking, Call) and taking.verb.name == call.verb.answer.name:
            is_held = call.target in world.agents[giver].inventory
            if taking.target == call.target and is_held and call.destination != giver:
                found[giver] = call.destination
    return found


def _hand_over(
    executor: Executor, world: World, call: Call, given: list[tuple[str, str]]
) -> dict[str, Outcome]:
    """Carry out what one gives and the other takes; who cannot take it is told why."""
    (giver, text), (receiver, answer) = given
    alone = executor.execute(world, giver, text)
    if alone.reason is not Reason.PARTNER_MISSING:
        return {giver: alone, receiver: executor.execute(world, receiver, answer)}
    outcome = executor.execute(world, giver, text, (giver, receiver))
    verb = call.verb if call.verb.answer is None else call.verb.answer
    told = outcome._replace(agent=receiver, command=answer, verb=verb.name)
    return {giver: outcome if outcome.accepted else alone, receiver: told}


def _overall(outcomes: Mapping[str, Outcome]) -> Status:
    """A success if anything took effect or nothing was tried, else the milder refusal."""
    statuses = [outcome.status for outcome in outcomes.values()]
    if not statuses or any(outcome.accepted for outcome in outcomes.values()):
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
