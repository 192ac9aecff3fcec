"""A demonstration told as what a model would be asked, and what it should answer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

from earsim.envs.policy import Observation, PolicyContext, observations_of
from earsim.evaluation.runs.recorder import begin, is_over
from earsim.schema.records.model_call import ModelCall
from earsim_agents.centralized import CentralizedPolicy
from earsim_agents.chat.conversation import Message
from earsim_agents.client.answer import Answer
from earsim_agents.decentralized import DecentralizedPolicy
from earsim_agents.model_policy import ModelPolicy
from earsim_agents.replies import GRAMMARS
from earsim_training.export.demonstrations.demonstration import (
    Demonstration,
    DemonstrationTurn,
    spoken,
)
from earsim_training.export.demonstrations.rationale import Rationale
from earsim_training.export.role_calls import RoleRecord
from earsim_training.export.settings import PromptSettings
from earsim_training.external_model import OfflineClient
from earsim_training.external_model import said as answer_of

_POLICIES: Mapping[str, type[ModelPolicy]] = {
    "centralized": CentralizedPolicy,
    "decentralized": DecentralizedPolicy,
}


class LabelledReply(NamedTuple):
    """One reply, with all that was asked before it.

    Attributes:
        agent: who replies; empty for one voice that speaks for all.
        decision: number of the decision, from 0.
        prompt: what was sent.
        reply: what is to be answered: by a teacher, where there is one.
        commands: what the reply says: by agent, or what was read from it as a JSON value.
        taught: it is worth learning: no stray command, none that was refused, and it reads back.
        after_refusal: a command of the decision before was refused.
        asked_as: the role in which the model was asked; empty where it is asked in none.
        seq: number of the call within its decision, from 0.
    """

    agent: str
    decision: int
    prompt: list[Message]
    reply: str
    commands: Any
    taught: bool
    after_refusal: bool
    asked_as: str = ""
    seq: int = 0


class LabelledEpisode(NamedTuple):
    """A whole episode.

    Attributes:
        told: every reply, by decision and agent.
        instruction: the task.
        success: the verdict that the ruleset publishes.
        decisions: how many were taken, the last DONE not counted.
        prompt_name: the prompt file, as `id@version:hash`.
    """

    told: tuple[LabelledReply, ...]
    instruction: str
    success: bool
    decisions: int
    prompt_name: str


def relabel(
    demonstration: Demonstration, telling: PromptSettings, *, refused: bool = False
) -> LabelledEpisode:
    """Play a demonstration again and write down what a model would have been asked.

    Args:
        demonstration: what is played.
        telling: in which words.
        refused: teach commands that were refused, too.

    Raises:
        EarSimError: The prompt file cannot be used, or jinja2 is not installed.
    """
    if demonstration.record is not None and not demonstration.teacher:
        return _as_recorded(demonstration.record, refused=refused)
    with nullcontext() if demonstration.external is None else demonstration.external.playing():
        return asyncio.run(_Relabelling(demonstration, telling, refused).tell())


def _as_recorded(record: RoleRecord, *, refused: bool) -> LabelledEpisode:
    """Every call of the record; taught is what could be read, and led to no refusal."""
    told = [
        LabelledReply(
            agent=call.agent,
            decision=call.decision,
            prompt=[dict(message) for message in call.prompt],
            reply=call.reply,
            commands=call.parsed,
            taught=call.parsed is not None and bool(call.reply) and (refused or not was_refused),
            after_refusal=record.after_refusal(call),
            asked_as=call.role,
            seq=call.seq,
        )
        for call, was_refused in record.led_to_refusal()
    ]
    return LabelledEpisode(tuple(told), record.instruction, record.success, record.decisions, "")


class _Relabelling:
    def __init__(
        self, demonstration: Demonstration, telling: PromptSettings, refused: bool
    ) -> None:
        self._demonstration = demonstration
        self._grammar = GRAMMARS[telling.grammar]
        self._refused = refused
        self._dictation = ForcedReplies()
        self._alone = telling.role == "decentralized"
        self._episode = begin(demonstration.scenario, demonstration.settings)
        self._reasoned = telling.rationale
        options: dict[str, Any] = telling.model_dump(include={"style", "knowledge", "grammar"})
        if telling.prompt is not None:
            options["prompt"] = telling.prompt
        self._policy = _POLICIES[telling.role](
            client=self._dictation, model="demonstration", **options
        )

    async def tell(self) -> LabelledEpisode:
        demonstration, episode = self._demonstration, self._episode
        self._policy.reset(PolicyContext.of(episode, demonstration.seed))
        told: list[LabelledReply] = []
        for number, turn in enumerate(demonstration.turns):
            if is_over(episode):  # the rest was recorded under other rules
                break
            told += [each async for each in self._turn(number, turn)]
        ended = episode.claimed_at is not None and episode.over
        return LabelledEpisode(
            told=tuple(told),
            instruction=episode.engine.instruction,
            success=episode.success,
            decisions=episode.decisions - ended,
            prompt_name=self._policy.prompt_name,
        )

    async def _turn(self, number: int, turn: DemonstrationTurn) -> Any:
        """Ask for a decision, give it, and tell what of it is worth learning."""
        episode = self._episode
        after_refusal = _refusals(episode.last) > 0
        observations = observations_of(episode)
        said = {} if turn.commands is None else spoken(turn.commands, observations)
        reasons = self._rationale(self._demonstration.turns[number:])
        self._dictation.dictate(self._replies(reasons, said, observations))
        await self._policy.act(observations)
        calls = self._policy.take_calls()
        lessons = {} if turn.lesson is None else self._lessons(calls, turn, observations)
        decision = episode.step(turn.commands)
        for call in calls:
            commands = {call.agent: said[call.agent]} if call.agent and said else said
            accepted = self._refused or all(
                outcome.accepted
                for agent, outcome in decision.outcomes.items()
                if agent in commands
            )
            told = LabelledReply(
                agent=call.agent,
                decision=number,
                prompt=list(call.request["messages"]),
                reply=call.reply or "",
                commands=commands,
                taught=accepted and not turn.stray and _reads_back(call, commands),
                after_refusal=after_refusal,
            )
            yield told._replace(**lessons.get(call.agent, {}))

    def _rationale(self, turns: Sequence[DemonstrationTurn]) -> Rationale | None:
        return Rationale(turns) if self._reasoned else None

    def _lessons(
        self,
        calls: Sequence[ModelCall],
        turn: DemonstrationTurn,
        observations: Mapping[str, Observation],
    ) -> dict[str, dict[str, Any]]:
        """The teacher's replies to the prompt of each voice, as fields of `LabelledReply`."""
        lesson = turn.lesson or {}
        reasons = self._rationale([DemonstrationTurn(lesson), *map(DemonstrationTurn, turn.intent)])
        found = {}
        for call in calls:
            group = [call.agent] if call.agent else self._asked(observations)
            commands = {agent: lesson[agent] for agent in group if agent in lesson}
            reply = self._reply(reasons, group, commands, observations)
            found[call.agent] = {"reply": reply, "commands": commands, "taught": bool(commands)}
        return found

    def _replies(
        self,
        reasons: Rationale | None,
        said: Mapping[str, str],
        observations: Mapping[str, Observation],
    ) -> Iterator[str]:
        """Replies of the voices, in the order of their prompts."""
        asked = self._asked(observations)
        for group in [[agent] for agent in asked] if self._alone else [asked]:
            yield self._reply(reasons, group, said, observations)

    def _asked(self, observations: Mapping[str, Observation]) -> list[str]:
        return [
            agent
            for agent, told in observations.items()
            if not told.finished or (self._grammar.everybody and not self._alone)
        ] or list(observations)

    def _reply(
        self,
        reasons: Rationale | None,
        agents: Sequence[str],
        said: Mapping[str, str],
        observations: Mapping[str, Observation],
    ) -> str:
        if not said:
            return ""
        lines = [self._grammar.line(agents, agent) + said.get(agent, "LOOK") for agent in agents]
        if reasons is not None:
            thoughts = (reasons.of(agent, observations) for agent in agents)
            thought = "; ".join(dict.fromkeys(filter(None, thoughts)))
            lines[:0] = [f"Thought: {thought}"] if thought else []
        return "\n".join(lines)


def _refusals(decision: Any) -> int:
    if decision is None:
        return 0
    return sum(not outcome.accepted for outcome in decision.outcomes.values())


def _reads_back(call: ModelCall, commands: Mapping[str, str]) -> bool:
    """True if the reply parses to the commands played; one with a line break does not."""
    return bool(commands) and call.parsed is not None and dict(call.parsed) == dict(commands)


class ForcedReplies(OfflineClient):
    """Answers each request with the next reply of a list."""

    def __init__(self) -> None:
        super().__init__()
        self._replies: deque[str] = deque()

    def dictate(self, replies: Iterable[str]) -> None:
        """Set the next replies, in the order in which the voices of a policy ask."""
        self._replies = deque(replies)

    async def reply_to(self, messages: list[Message]) -> Answer:
        """The next reply."""
        return answer_of(self._replies.popleft())
