"""The embodied agent: plan, act, watch while it runs, reflect (EmbodiedAct, arXiv 2602.20639).

The inner loop is fast: perception stops a run that goes wrong, and the same step is repaired
without touching the plan. The outer loop is slow: the outcome is held against the constraints, and
numbers or the plan are changed. A turn is one call of the generator; there are five.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from earsim.apparatus.message import Envelope
from earsim_agents.replies.record import UnreadableReply, json_reply
from earsim_agents.science.commands import Action, AnswerGiven, Execution, RunRequest, read_commands
from earsim_agents.science.embodied import prompts
from earsim_agents.science.embodied.perception import (
    OngoingRun,
    Perceived,
    by_rule,
    events_of,
    heard,
    look_s,
    newest,
    newest_values,
    readings_of,
    remaining_s,
    told_so_far,
)
from earsim_agents.science.embodied.plan import ProblemPlan
from earsim_agents.science.embodied.reflection import KnownValues, Reflected, Verification, verify
from earsim_agents.science.embodied.state import EmbodiedState, TrialRecord
from earsim_agents.science.laboratory import Laboratory, RunReport
from earsim_agents.science.manual import manual
from earsim_agents.science.play import Play
from earsim_agents.science.reading import answered

TURNS = 5

_SPARE = 15
"""With fewer decisions left nothing is spent on looks: a run is waited for, or its warning."""


class Switches(NamedTuple):
    """What the agent has, for ablations.

    Attributes:
        perception: it watches runs and stops them; else it sees the log after their end.
        reflection: it compares the outcome with what was wanted; else the first is final.
    """

    perception: bool = True
    reflection: bool = True


class Embodied:
    """One episode of the agent."""

    def __init__(self, lab: Laboratory, state: EmbodiedState, switches: Switches) -> None:
        self._lab, self._state, self._switches = lab, state, switches
        self._told: Sequence[Envelope] = ()
        self._advice = ""

    def play(self) -> Play[None]:
        """Work on the task until it is done, or the turns are used up."""
        planned = yield from self._plan()
        while planned and self._state.turns < TURNS and not self._state.ended:
            trouble = yield from self._turn()
            if not self._state.ended:
                yield from self._after(trouble)
        self._state.ended = self._state.ended or ("turns" if planned else "no plan")
        yield from self._lab.rest()

    # -- planner -----------------------------------------------------------------------------------

    def _plan(self) -> Play[bool]:
        found = yield from answered(
            "plan",
            prompts.PLAN,
            self.told(),
            read=partial(json_reply, form=ProblemPlan),
        )
        if isinstance(found, UnreadableReply):
            return False
        self._state.plan, self._state.step = found, 0
        return True

    @property
    def _steps(self) -> tuple[str, ...]:
        return () if self._state.plan is None else self._state.plan.steps

    # -- generator ---------------------------------------------------------------------------------

    def _turn(self) -> Play[str]:
        """One call of the generator and what it commands; what perception says, if it objects."""
        self._state.turns += 1
        step = self._steps[self._state.step]
        advice = f"\n{self._advice}" if self._advice else ""
        actions = yield from answered(
            "code",
            prompts.CODE,
            f"{self.told()}\n\nStep: {step}{advice}",
            read=read_commands,
        )
        if isinstance(actions, UnreadableReply):
            self._note(TrialRecord(action="(unreadable)", outcome="refused", told=str(actions)))
            return str(actions)
        for action in actions:
            trouble = yield from self.do(action)
            if trouble:
                return trouble
        return ""

    def do(self, action: Action) -> Play[str]:
        """Carry out one action; what went wrong, if anything did."""
        if isinstance(action, AnswerGiven):
            outcome = yield from self._lab.submit(action.name, action.value)
            taken = outcome is not None and outcome.accepted
            self._note(TrialRecord(action=str(action), outcome="submitted" if taken else "refused"))
            return "" if taken else f"{action} was refused"
        if action.node not in self._lab.rigs:
            told = f"there is no apparatus {action.node!r}"
            self._note(TrialRecord(action=str(action), outcome="refused", told=told))
            return told
        report, why = yield from self._run(action)
        return self._reported(action, report, why)

    def _reported(self, action: RunRequest | Execution, report: RunReport, why: str) -> str:
        """Note what came of a run; what is wrong with it, if anything."""
        if report.status is not None:
            self._told = self._lab.stream(action.node)
        outcome = "refused" if report.status is None else report.status.value
        results = {k: v for k, v in report.results.items() if v is not None}
        told = report.message if report.message else str(results)
        if why:
            told = f"{told}; {why}"
        events = events_of(self._told) if report.status is not None else ()
        self._note(TrialRecord(action=str(action), outcome=outcome, told=told, events=events))
        if report.completed and self._switches.perception:
            self._keep_best(str(action))
        return "" if report.completed else (why or told)

    # -- perception --------------------------------------------------------------------------------

    def _run(self, action: RunRequest | Execution) -> Play[tuple[RunReport, str]]:
        """A run, watched where there is perception; and why it was stopped."""
        if isinstance(action, Execution):
            refused = yield from self._lab.begin_code(action.node, action.code)
        else:
            refused = yield from self._lab.begin(action.node, action.settings)
        if refused is not None:
            return refused, ""
        if not self._switches.perception:
            return (yield from self._lab.ended(action.node)), ""
        return (yield from self._watched(action.node))

    def _watched(self, node: str) -> Play[tuple[RunReport, str]]:
        """A run that has begun, to its end or until it is stopped; and why it was."""
        began, told = self._lab.clock, 0
        while True:
            ended = yield from self._pause(node, self._lab.clock - began)
            stream = self._lab.stream(node)
            if ended:
                self._state.intermediates = dict(newest_values(stream))
                return (yield from self._lab.read(node)), ""
            why = yield from self._perceived(node, stream, told)
            if why:
                report = yield from self._lab.stop(node)
                self._state.stops = self._lab.counts["stopped_runs"]
                so_far = told_so_far(self._run_watched(node, self._lab.stream(node)))
                return report, f"it was stopped: {why}; {so_far}"
            told = heard(stream)
            self._state.intermediates = dict(newest_values(stream))

    def _pause(self, node: str, age_s: float) -> Play[bool]:
        """Let a run go on until the next look at it; whether it has ended."""
        stream = self._lab.stream(node)
        look, left = look_s(stream, age_s), remaining_s(stream, age_s)
        if self._lab.decisions_left < _SPARE or (left is not None and left <= look):
            return (yield from self._lab.wait(node, until="done"))
        return (yield from self._lab.wait(node, seconds=look))

    def _perceived(self, node: str, stream: Sequence[Envelope], told: int) -> Play[str]:
        """Why a run should be stopped; empty where it may go on.

        Args:
            node: the apparatus.
            stream: messages about the run so far.
            told: readings and lines that the model has seen.
        """
        found = by_rule(self._run_watched(node, stream))
        if found is None and heard(stream) > told:
            read = yield from answered(
                "perceive",
                prompts.PERCEIVE,
                f"{self._problem()}\n\nReadings so far:\n{newest(stream)}",
                read=partial(json_reply, form=Perceived),
            )
            found = read if isinstance(read, Perceived) else None
        return found.why or found.state if found is not None and found.state != "NORMAL" else ""

    def _run_watched(self, node: str, stream: Sequence[Envelope]) -> OngoingRun:
        """A run with what it has to meet: of the outcome, while there can be another one."""
        plan = self._state.plan
        is_final = plan is not None and self._state.step + 1 == len(plan.steps)
        another = self._state.turns < TURNS and self._lab.pays_for_another(node)
        return OngoingRun(
            self._lab.rigs[node].model,
            self._lab.settings(node),
            stream,
            plan.constraints if plan is not None and is_final and another else (),
            () if plan is None else plan.expected,
        )

    # -- reflector ---------------------------------------------------------------------------------

    def _after(self, trouble: str) -> Play[None]:
        """Go on after a turn: to the next step, to a repair, to another plan, or to the end."""
        if trouble:
            if not self._switches.perception and not self._switches.reflection:
                self._state.ended = "one shot"
            elif self._switches.reflection and self._recurs():
                yield from self._replan(trouble)
            elif self._switches.perception:
                self._state.hot_fixes += 1
                self._advice = f"The last attempt went wrong: {trouble}. Change its values."
            else:
                self._state.unmet, self._state.unknown = (trouble,), ()
                yield from self._reflect()
            return
        if self._state.step + 1 < len(self._steps):
            self._state.step += 1
            self._advice = ""
            return
        found = self._verified()
        self._state.unmet, self._state.unknown = found.unmet, found.unknown
        if not self._switches.reflection:
            self._state.ended = "first outcome"
        else:
            yield from self._reflect()

    def _reflect(self) -> Play[None]:
        missed, unknown = self._state.unmet, self._state.unknown
        wanted = str(Verification(0, missed, unknown))
        found = yield from answered(
            "reflect",
            prompts.REFLECT,
            f"{self.told()}\n\n{wanted}",
            read=partial(json_reply, form=Reflected),
        )
        decision = found.decision if isinstance(found, Reflected) else "LOCAL_ADJUST"
        why = found.why if isinstance(found, Reflected) else ""
        reviewed = self._state.reviews_failed > 0 and not unknown
        if not missed and (decision == "ACCEPT" or reviewed):
            self._state.ended = "accepted"
        elif decision == "GLOBAL_REPLAN" and (missed or unknown):
            yield from self._replan(why)
        elif not missed:
            self._state.reviews_failed += 1
            self._advice = f"ReviewFailed: the last answer is suspicious: {why}"
        else:
            self._advice = f"{wanted} {why}"

    def _verified(self) -> Verification:
        """What was done so far, held against the constraints of the plan."""
        constraints = () if self._state.plan is None else self._state.plan.constraints
        values = {**self._lab.counts, **self._lab.submitted, **self._lab.results}
        return verify(constraints, KnownValues(values, readings_of(self._told)))

    def _replan(self, why: str) -> Play[None]:
        self._state.replans += 1
        self._advice = f"The plan before did not do: {why}"
        if not (yield from self._plan()):
            self._state.ended = "no plan"

    def _recurs(self) -> bool:
        """Whether the last two attempts failed alike."""
        last = self._state.attempts[-2:]
        return len(last) == 2 and all(each.outcome in ("failed", "refused") for each in last)

    # -- words -------------------------------------------------------------------------------------

    def _problem(self) -> str:
        named = self._lab.named()
        rigs = {node: self._lab.rigs[node] for node in named}
        settings = {node: self._lab.settings(node) for node in named}
        return f"Task: {self._lab.instruction}\n\n{manual(rigs, settings)}"

    def told(self) -> str:
        """The problem, and what was tried so far."""
        return f"{self._problem()}\n\n{self._record()}"

    def _record(self) -> str:
        best = self._state.best
        told = prompts.record(self._state.attempts)
        return told if best is None else f"{told}\nBest so far: {best[0]}"

    def _note(self, attempt: TrialRecord) -> None:
        self._state.attempts.append(attempt)

    def _keep_best(self, action: str) -> None:
        met = self._verified().met
        if self._state.best is None or met > self._state.best[1]:
            self._state.best = (action, met)
