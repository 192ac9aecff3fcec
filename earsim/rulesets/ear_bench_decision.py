"""How `ear-bench` takes a decision for one agent (EAR-Bench 5.2) or several (5.3)."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.actions.decision import Decision, Executor, unreadable
from earsim.actions.outcome import Outcome, Reason, Refusal, Status
from earsim.joint import PREFIX, is_joint
from earsim.world import World

UNREADABLE = "PARSE_FAILED"
"""A command that the reference takes for a reply it could not read (EAR-Bench 6.6)."""


def decide(executor: Executor, world: World, commands: Mapping[str, str] | None) -> Decision:
    """One command runs alone; several follow the rules of the centralised episode.

    None, or no command at all, stands for an unreadable reply. One command in a team is a decision
    of that agent alone: the others stay idle, as in the reference's single-agent mode.
    """
    if not commands:
        return unreadable()
    if len(commands) == 1:
        return _alone(executor, world, *next(iter(commands.items())))
    return _centralised(executor, world, commands)


def _alone(executor: Executor, world: World, agent: str, command: str) -> Decision:
    outcome = executor.execute(world, agent, command)
    done = "DONE" in command.upper()  # a substring, ids included: EAR-Bench Q31
    return Decision.alone(outcome, (agent, command), claimed=done, over=done)


def _centralised(executor: Executor, world: World, commands: Mapping[str, str]) -> Decision:
    said = ", ".join(f"{agent}={command}" for agent, command in commands.items())
    everything = said.upper()  # what is not in it is in no command
    claimed = "DONE" in everything and any("DONE" in text.upper() for text in commands.values())
    if UNREADABLE in said and any(text.strip() == UNREADABLE for text in commands.values()):
        return unreadable(claimed=claimed)
    over = "=DONE" in said  # case counts: EAR-Bench Q32
    over = over and all(f"{agent}=DONE" in said for agent in commands)
    outcomes, executed = _carry_out(executor, world, commands)
    joint = PREFIX in said and any(_is_joint(text) for text in commands.values())
    status = _overall(outcomes, joint=joint)
    return Decision(outcomes, tuple(executed), status, claimed, over)


def _carry_out(
    executor: Executor, world: World, commands: Mapping[str, str]
) -> tuple[dict[str, Outcome], list[tuple[str, str]]]:
    texts = {agent: command.strip() for agent, command in commands.items()}
    if all(_is_joint(text) for text in texts.values()):
        return _joint(executor, world, texts)
    outcomes: dict[str, Outcome] = {}
    executed: list[tuple[str, str]] = []
    for agent, text in texts.items():
        if _is_done(text):
            outcomes[agent] = Outcome.success(agent, text, "DONE")
        else:
            outcomes[agent] = executor.execute(world, agent, text)
            executed.append((agent, text))
    return outcomes, executed


def _joint(
    executor: Executor, world: World, texts: Mapping[str, str]
) -> tuple[dict[str, Outcome], list[tuple[str, str]]]:
    """All ordered something joint: the first one's text runs, once, if they agree on the verb."""
    verbs = {text.split()[0] for text in texts.values()}
    first, text = next(iter(texts.items()))
    if len(verbs) > 1:
        refusal = Refusal(Reason.COOP_DISAGREE, {"verbs": sorted(verbs)})
        refused = {
            agent: Outcome.refused(agent, said, "", refusal, Status.FAILURE, tuple(texts))
            for agent, said in texts.items()
        }
        return refused, []
    outcome = executor.execute(world, first, text)
    return dict.fromkeys(texts, outcome), [(first, text)]


def _overall(outcomes: Mapping[str, Outcome], *, joint: bool) -> Status:
    """EAR-Bench 5.3, overall status."""
    statuses = [outcome.status for outcome in outcomes.values()]
    cooperated = joint and any(
        outcome.accepted and is_joint(outcome.verb) and "attribute" in outcome.facts
        for outcome in outcomes.values()
    )
    failed = Status.FAILURE in statuses
    if cooperated or (joint and Status.SUCCESS in statuses and not failed):
        return Status.SUCCESS
    if failed:
        return Status.FAILURE
    return Status.INVALID if Status.INVALID in statuses else Status.SUCCESS


def _is_joint(text: str) -> bool:
    return text.startswith(PREFIX)  # case counts: EAR-Bench Q37


def _is_done(text: str) -> bool:
    return text.lower() == "done"
