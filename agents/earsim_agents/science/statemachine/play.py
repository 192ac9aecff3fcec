"""The state machine agent: execute, update the state, move (science.md: State Machine agents).

Roles are calls of one model. The router names the next step; the table of moves decides whether it
is one. What tools return goes into a typed state, of which the next call is told; the stateless
baseline has the same roles, tools, bounds and prompts, and is told one string, the last result.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.forecaster import FORECASTER
from earsim.apparatus.parameter import Value
from earsim.apparatus.tipgan import TIPGAN
from earsim_agents.memory.system_state import refusal
from earsim_agents.replies.record import StrictReply, UnreadableReply, json_reply
from earsim_agents.science.laboratory import Laboratory, RunReport
from earsim_agents.science.manual import manual
from earsim_agents.science.play import Play, parsed
from earsim_agents.science.reading import answered
from earsim_agents.science.statemachine import prompts
from earsim_agents.science.statemachine.replies import (
    AnalysisReply,
    LogicReply,
    QuestionReply,
    RouterReply,
    SummaryReply,
)
from earsim_agents.science.statemachine.state import (
    MOVES,
    LearnerResult,
    OceanState,
    TriedSetting,
)

LEARNERS = (FORECASTER.id, TIPGAN.id)
"""The models that were trained on the ocean: their results are kept, not regimes."""

MOST_MOVES = 60
"""After so many it moves to the summary as soon as the table lets it."""
MOST_FAILURES = 20
"""After so many the stateless baseline stops."""
_DECISIONS_OF_A_RUN = 4  # CONFIGURE, RUN, WAIT, READ

_SUBMITTED = re.compile(r"SUBMIT (\w+)=")
_REGIMES = ("regime_A", "regime_P")

R = TypeVar("R", bound=StrictReply)


class MachineSwitches(NamedTuple):
    """What the agent has.

    Attributes:
        typed: it is told its typed state; else one string, the last result.
        records: the state holds every valid run, and the bracket that follows from them.
    """

    typed: bool = True
    records: bool = True


class StateMachine:
    """One episode of the agent."""

    def __init__(self, lab: Laboratory, state: OceanState, switches: MachineSwitches) -> None:
        self._lab, self._state, self._switches = lab, state, switches
        named = lab.named()
        bodies = [n for n, rig in lab.rigs.items() if isinstance(rig.model, Workstation)]
        self._tools = tuple(n for n in named if n not in bodies) or named[:1]
        self._node = self._tools[0]
        self._body = next(iter(bodies), None)
        self._names = tuple(dict.fromkeys(_SUBMITTED.findall(lab.instruction)))
        self._last = "no result yet"
        self._refusal = ""  # of the last tool call
        state.user_input = lab.instruction

    def play(self) -> Play[None]:
        """Move from the question to the end."""
        steps: dict[str, Callable[[], Play[str]]] = {
            "question": self._question,
            "route": self._route,
            "tool": self._tool,
            "analysis": self._analysis,
            "logic": self._logic,
            "summary": self._summary,
        }
        while self._state.current_step != "end":
            step, told = self._state.current_step, self._incoming
            if self._is_ending and "summary" in MOVES[step]:
                self._moved("summary", told)
                continue
            wanted = yield from steps[step]()
            problem = refusal(step, wanted, MOVES)
            if problem:
                self._moved(wanted, told, allowed=False)
                yield from parsed(None)
                self._signal(problem)
                wanted = yield from steps[step]()
                if wanted not in MOVES[step]:
                    self._moved(wanted, told, allowed=False)
                    yield from parsed(None)
                    wanted = "summary" if "summary" in MOVES[step] else MOVES[step][0]
            if not self._switches.typed and self._state.failures >= MOST_FAILURES:
                wanted = "end"
            self._moved(wanted, self._last if step == "tool" else told)
        yield from self._lab.rest()

    @property
    def _is_ending(self) -> bool:
        """Whether moves or decisions run out: what is left is for the summary."""
        left = self._lab.decisions_left - len(self._names)
        return len(self._state.trace) >= MOST_MOVES or left <= _DECISIONS_OF_A_RUN

    @property
    def _incoming(self) -> str:
        """The signal that a role is told."""
        return self._state.error or self._last

    def _moved(self, following: str, told: str, *, allowed: bool = True) -> None:
        self._state.record(self._state.error or told, following, allowed=allowed)
        if allowed:
            self._set(current_step=following)

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            setattr(self._state, name, value)

    # -- roles -------------------------------------------------------------------------------------

    def _asked(self, role: str, system: str, form: type[R]) -> Play[R | None]:
        found = yield from answered(role, system, self._told(), read=partial(json_reply, form=form))
        if isinstance(found, UnreadableReply):
            self._signal(f"the reply could not be read: {found}")
            return None
        self._state.error = self._refusal
        self._state.llm_output = found.model_dump_json()[:2_000]
        return found

    def _question(self) -> Play[str]:
        found = yield from self._asked("question", prompts.QUESTION, QuestionReply)
        if found is None:
            return "summary"
        self._state.goal = found.goal
        return found.next

    def _route(self) -> Play[str]:
        several = f"\n{prompts.TOOLS}{', '.join(self._tools)}." if len(self._tools) > 1 else ""
        found = yield from self._asked("router", prompts.ROUTER + several, RouterReply)
        if found is None:
            return "summary"
        if found.next == "tool":
            self._state.tool_input = dict(found.tool_input)
            self._node = found.tool or self._tools[0]
        return found.next

    def _logic(self) -> Play[str]:
        found = yield from self._asked("logic", prompts.LOGIC, LogicReply)
        return "summary" if found is None else found.next

    def _summary(self) -> Play[str]:
        found = yield from self._asked("summary", prompts.SUMMARY, SummaryReply)
        answers = {} if found is None else found.answers
        for name in self._names:
            if name in answers:
                outcome = yield from self._lab.submit(name, answers[name])
                if outcome is not None and outcome.accepted:
                    self._state.answers[name] = answers[name]
        return "end"

    # -- tools -------------------------------------------------------------------------------------

    def _tool(self) -> Play[str]:
        self._refusal = self._state.error = ""
        if self._node not in self._tools:
            self._failed(f"there is no tool {self._node!r}, but {', '.join(self._tools)}")
            self._node = self._tools[0]
            return "route"
        rig = self._lab.rigs[self._node]
        start = {each.name: rig.settings[each.name] for each in rig.parameters}
        report = yield from self._lab.run(self._node, {**start, **self._state.tool_input})
        if report.completed and rig.model.id in LEARNERS:
            self._learned(report)
            return "route"
        regimes = [report.results.get(name) for name in _REGIMES]
        if not report.completed or not all(isinstance(each, int | float) for each in regimes):
            self._failed(report.message or "the run gave no regime")
            return "route"
        atlantic, pacific = (int(each or 0) for each in regimes)
        self._valid(report, atlantic, pacific)
        return "route"

    def _failed(self, why: str) -> None:
        self._state.failures += 1
        self._refusal = why
        self._signal(why)

    def _learned(self, report: RunReport) -> None:
        """Keep what a learner told: of its results those that the task speaks of, or all."""
        told = {name: value for name, value in report.results.items() if value is not None}
        spoken = {name for name in told if re.search(rf"\b{name}\b", self._lab.instruction)}
        kept = {name: value for name, value in told.items() if name in spoken or not spoken}
        found = LearnerResult(changed=dict(self._state.tool_input), results=kept)
        self._state.learner_result = found
        self._last = f"{found.changed or 'nothing changed'}: {kept}"
        if self._switches.records:
            self._state.learner_results.append(found)

    def _valid(self, report: RunReport, atlantic: int, pacific: int) -> None:
        changed: dict[str, Value] = dict(self._state.tool_input)
        self._set(atlantic_state=atlantic, pacific_state=pacific)
        self._last = f"{changed or 'nothing changed'}: regime_A {atlantic}, regime_P {pacific}"
        if self._switches.records:
            run = TriedSetting(changed=changed, atlantic=atlantic, pacific=pacific)
            self._state.tried.append(run)

    def _analysis(self) -> Play[str]:
        if self._body is None:
            self._signal("there is no workstation here that executes code")
            return "route"
        found = yield from self._asked("analysis", prompts.ANALYSIS, AnalysisReply)
        if found is not None:
            report = yield from self._lab.execute(self._body, found.code)
            self._last = report.message or str(dict(report.results))
            if not report.completed:
                self._signal(f"the analysis came to no end: {self._last}")
        return "route"

    def _signal(self, text: str) -> None:
        """Keep what went wrong: in the state, or as the last result where there is none."""
        self._state.error = text
        if not self._switches.typed:
            self._last = text

    # -- what a role is told -----------------------------------------------------------------------

    def _told(self) -> str:
        rigs = {node: self._lab.rigs[node] for node in self._tools}
        start = {node: rig.settings for node, rig in rigs.items()}
        task = f"Task: {self._lab.instruction}\n\n{manual(rigs, start)}"
        return f"{task}\n\n{self._memory()}"

    def _memory(self) -> str:
        if not self._switches.typed:
            return f"Last result: {self._last}"
        hidden = {"trace", "user_input", "llm_output", "current_step", "failures"}
        if not self._switches.records:
            hidden |= {"tried", "learner_results"}
        if self._state.learner_result is None:
            hidden |= {"learner_result", "learner_results"}
        told = self._state.model_dump_json(exclude=hidden)
        bracket = f"\nBracket: {self._state.bracket}" if self._switches.records else ""
        return f"State: {told}{bracket}"
