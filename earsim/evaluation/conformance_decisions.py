"""Replaying recordings of the decision level, from the extracted commands on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome
from earsim.engine import Engine
from earsim.evaluation.conformance_scenes import load_engine
from earsim.evaluation.tally import Tally
from earsim.goals import CompiledGoal
from earsim.rulesets.ear_bench import ear_bench
from earsim.verdict import Verdict
from earsim.world import World

Found = tuple[int, str, Any, Any]


def replay_decisions(episode: Mapping[str, Any], data: Path) -> tuple[int, list[Found]]:
    """Replay one episode; returns the number of decisions and every difference found."""
    engine, goals = load_engine(episode, data, ear_bench())
    return _Replay(engine, goals[0], episode).run()


class _Replay:
    """One episode being replayed."""

    def __init__(self, engine: Engine, goal: CompiledGoal, episode: Mapping[str, Any]) -> None:
        self.engine = engine
        self.episode = episode
        self.world = engine.start()
        self.verdict = Verdict(goal)
        self.after_commands = Verdict(goal)
        self.tally = Tally()
        self.found: list[Found] = []

    def run(self) -> tuple[int, list[Found]]:
        records = self.episode["decisions"]
        over = False
        for record in records:
            over = self._step(record)
        end = self.episode["end"]
        last = len(records)
        for name, value in self.tally.reference_row().items():
            self._differ(last, name, end[name], value)
        self._differ(last, "reason", end["reason"], "done" if over else "limit")
        return last, self.found

    def _step(self, record: Mapping[str, Any]) -> bool:
        index = record["i"]
        decision = self.engine.ruleset.decide(self._execute, self.world, record["parsed"])
        holds = self.verdict.look(self.world, index)
        self.tally.count(decision, holds=holds, answered=record["reply"] is not None)
        ended = decision.over or self.tally.decisions >= self.episode["max_steps"]
        expected = {
            "executed": self._executed(decision),
            "per_agent": self._statuses(decision, record),
            "overall": decision.status.value,
            "ended": ended,
            "claimed": self.tally.claimed,
            "completed_now": int(self.verdict.ever),
            "now": int(self.verdict.now),
        }
        for name, value in expected.items():
            self._differ(index, name, record[name], value)
        sticky = record.get("handler_sticky", record["completed_now"])
        self._differ(index, "handler_sticky", sticky, int(self.after_commands.ever))
        return decision.over

    def _execute(self, world: World, agent: str, text: str) -> Outcome:
        """Let the command level's own verdict look after every command (RULES.md 6.6)."""
        outcome = self.engine.execute(world, agent, text)
        self.after_commands.look(world, 0)
        return outcome

    def _executed(self, decision: Decision) -> list[list[str]]:
        """Commands as handed to the world, behind the front step."""
        ruleset, verbs = self.engine.ruleset, self.engine.verbs
        return [[agent, ruleset.front(text, verbs)] for agent, text in decision.executed]

    def _statuses(self, decision: Decision, record: Mapping[str, Any]) -> dict[str, str]:
        """Status per agent; a reply that could not be read fails for every agent that was asked."""
        if decision.outcomes or record["reply"] is None:
            return {agent: outcome.status.value for agent, outcome in decision.outcomes.items()}
        return dict.fromkeys(record["per_agent"], decision.status.value)

    def _differ(self, index: int, what: str, recorded: Any, replayed: Any) -> None:
        if recorded != replayed:
            self.found.append((index, what, recorded, replayed))
