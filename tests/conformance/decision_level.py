"""Replaying recordings of the decision level, from the raw reply on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome, Refusal
from earsim.actions.verb import Call, Verb
from earsim.processes.clock import Watch
from earsim.registry import Lazy
from earsim.rulesets.ear_bench import BRIDGED, ear_bench
from earsim.verdict import Verdict
from earsim.world import World
from tests.conformance.command_level import EXCEPTIONS
from tests.conformance.recordings import Found, Record, Replayed, check_number
from tests.conformance.reference_counts import ReferenceCounts
from tests.conformance.scenes import RecordedSetting, load_setting

GRAMMARS = Lazy("earsim_agents.replies:GRAMMARS")
"""The reply grammars live with the policies, in a package above this one."""


def replay_decisions(records: Sequence[Record], data: Path) -> Replayed:
    """Replay one episode, which is one record.

    Raises:
        FileError: Its decisions are not in order, or its scene cannot be used.
    """
    (episode,) = records
    return _DecisionReplay(episode, load_setting(episode, data, ear_bench(BRIDGED))).run()


class _DecisionReplay:
    """One episode being replayed."""

    def __init__(self, episode: Record, setting: RecordedSetting) -> None:
        self.episode = episode
        self.engine = setting.engine
        self.category = setting.raw_tasks[0]["task_category"]
        self.world = self.engine.start()
        self.verdict = Verdict(setting.goals[0])
        self.after_commands = Verdict(setting.goals[0])
        self.tally = ReferenceCounts()
        self.grammar: Any = cast(Mapping[str, Any], GRAMMARS.load())["ear-bench"]
        alone = episode["mode"] == "single"  # of a team only the first is asked then
        self.asked = tuple(self.world.agents)[: 1 if alone else None]
        self.found: list[Found] = []

    def run(self) -> Replayed:
        if "category" in self.episode:
            self._differ(-1, "category", self.episode["category"], self.category)
        over = False
        for number, record in enumerate(self.episode["decisions"]):
            check_number(record, number)
            over = self._step(record)
        steps = self.tally.decisions
        end = self.episode["end"]
        for name, value in self.tally.reference_row().items():
            self._differ(steps, name, end[name], value)
        self._differ(steps, "reason", end["reason"], "done" if over else "limit")
        if not over and steps < self.episode["max_steps"]:
            self._differ(steps, "decisions", steps, self.episode["max_steps"])
        return Replayed(steps, self.found)

    def _step(self, record: Record) -> bool:
        index = record["i"]
        parsed = self.grammar.read(record["reply"], self.asked)
        self._differ(index, "parsed", record["parsed"], parsed)
        decision = self.engine.ruleset.decide(self, self.world, parsed)
        holds = self.verdict.look(self.world, index)
        self.tally.count(decision, holds=holds, answered=record["reply"] is not None)
        expected = {
            "executed": self._executed(decision),
            "per_agent": self._statuses(decision, record),
            "overall": decision.status.value,
            "ended": decision.over or self.tally.decisions >= self.episode["max_steps"],
            "claimed": self.tally.claimed,
            "completed_now": int(self.verdict.ever),
            "now": int(self.verdict.now),
        }
        for name, value in expected.items():
            self._differ(index, name, record[name], value)
        sticky = record.get("handler_sticky", record["completed_now"])
        self._differ(index, "handler_sticky", sticky, int(self.after_commands.ever))
        return decision.over

    @property
    def watch(self) -> Watch:
        """Of the engine."""
        return self.engine.watch

    def parse(self, text: str) -> Call | Refusal:
        """As the engine does."""
        return self.engine.parse(text)

    def verbatim(self, text: str) -> Verb | None:
        """As the engine does."""
        return self.engine.verbatim(text)

    def execute(
        self, world: World, agent: str, text: str, partners: tuple[str, ...] = ()
    ) -> Outcome:
        """Let the command level's own verdict look after every command (EAR-Bench 6.6).

        What raises an exception in the reference never comes as far as its verdict (3.1).
        """
        outcome = self.engine.execute(world, agent, text, partners)
        if outcome.reason not in EXCEPTIONS:
            self.after_commands.look(world, 0)
        return outcome

    def _executed(self, decision: Decision) -> list[list[str]]:
        """Commands as handed to the world, behind the front step."""
        ruleset, verbs = self.engine.ruleset, self.engine.verbs
        return [[agent, ruleset.front(text, verbs)] for agent, text in decision.executed]

    def _statuses(self, decision: Decision, record: Record) -> dict[str, str]:
        """Status per agent; a reply that could not be read fails for every agent that was asked."""
        if decision.outcomes or record["reply"] is None:
            return {agent: outcome.status.value for agent, outcome in decision.outcomes.items()}
        return dict.fromkeys(record["per_agent"], decision.status.value)

    def _differ(self, index: int, what: str, recorded: Any, replayed: Any) -> None:
        if recorded != replayed:
            self.found.append((index, what, recorded, replayed))
