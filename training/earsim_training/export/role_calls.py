"""Episodes of policies that ask one model in several roles: a row for each recorded call.

What a role was told depends on all that happened before, the replies of other roles included, so
nothing is asked again: prompts and replies are those of the record, byte for byte. No command is
played, and no code that the agents wrote is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from earsim.evaluation.store.rows import CallRow, EpisodeRow, StepRow
from earsim_agents.chat.caller import ROLE_MARK


class RoleCall(NamedTuple):
    """One call of the record.

    Attributes:
        role: as which the model was asked.
        agent: whom the reply commands; empty for all.
        decision: number of the decision before which it was asked, from 0.
        seq: number of the call within that decision.
        prompt: the messages that were sent.
        reply: without thoughts; empty where there was none.
        parsed: what was read from it, a JSON value; None where nothing could be.
    """

    role: str
    agent: str
    decision: int
    seq: int
    prompt: tuple[Mapping[str, str], ...]
    reply: str
    parsed: Any


class RoleRecord(NamedTuple):
    """An episode as its calls and outcomes tell it.

    Attributes:
        calls: in their order; never none.
        refused: of each decision, whether a command of it was refused.
        instruction: the task.
        success: the verdict that the ruleset publishes.
        decisions: how many were taken, the last DONE not counted.
    """

    calls: tuple[RoleCall, ...]
    refused: tuple[bool, ...]
    instruction: str
    success: bool
    decisions: int

    def led_to_refusal(self) -> Iterator[tuple[RoleCall, bool]]:
        """Each call, with whether a command was refused between it and the next one."""
        ends = [call.decision for call in self.calls[1:]] + [len(self.refused)]
        for call, end in zip(self.calls, ends, strict=True):
            yield call, any(self.refused[call.decision : end])

    def after_refusal(self, call: RoleCall) -> bool:
        """Whether a command of the decision before a call was refused."""
        return call.decision > 0 and self.refused[call.decision - 1]


def role_record(
    row: EpisodeRow, steps: Sequence[StepRow], calls: Sequence[CallRow], *, success: bool
) -> RoleRecord | None:
    """The record of an episode whose policy asks in roles; None for any other.

    Args:
        row: the episode.
        steps: its decisions.
        calls: its model calls.
        success: the verdict that the ruleset publishes.
    """
    found = [_call(call) for call in calls]
    if not found or not all(_names_its_role(call) for call in found):
        return None
    return RoleRecord(
        tuple(found),
        tuple(any(each.reason is not None for each in step.outcomes) for step in steps),
        str(row.extra.get("instruction", "")),
        success,
        row.decisions - row.claimed_done,
    )


def _call(call: CallRow) -> RoleCall:
    messages = tuple(call.request.get("messages", ()))
    at = (call.role, call.agent, call.decision, call.seq)
    return RoleCall(*at, messages, call.reply or "", call.parsed)


def _names_its_role(call: RoleCall) -> bool:
    system = call.prompt[0].get("content", "") if call.prompt else ""
    return str(system).startswith(f"{ROLE_MARK}{call.role}\n")
