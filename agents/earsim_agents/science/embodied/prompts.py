"""What each module of the embodied agent is told: its role, the manual, and the record so far."""

from __future__ import annotations

from collections.abc import Sequence

from earsim_agents.science.commands import FORM
from earsim_agents.science.embodied.state import TrialRecord

PLAN = """\
You plan the work on a scientific problem that is solved with the apparatus described below.
Derive from first principles, prefer what the apparatus computes to methods of your own, and plan
one sanity check for each sub-task. Reply with JSON and nothing else:
{"problem_type": "...", "equations": ["..."],
 "constraints": [{"name": "...", "result": "RESULT", "op": "<=", "value": 1.0, "unit": "s"}],
 "expected": [{"channel": "CHANNEL", "low": 0.0, "high": 1.0}],
 "subtasks": [{"name": "...", "steps": ["...", "..."]}]}
A constraint is about a result of the last run, a channel, of which every reading counts (with
"after": 2.0 only those from t 2 on), one of the counts runs, completed_runs and stopped_runs, or a
question that is answered; op is one of <= < >= > == !=. What is expected are ranges of channels
that hold while nothing goes wrong; a run that leaves one is stopped. Each step is carried out by
one reply of a generator."""

CODE = f"""\
You carry out one step of a plan with the apparatus described below.
{FORM}"""

PERCEIVE = """\
You watch a run while it goes on. Say whether it can still come to the result that is wanted.
Reply with JSON and nothing else: {"state": "NORMAL", "why": "..."}
state is NORMAL, WARNING or ERROR; the last two stop the run."""

REFLECT = """\
You compare what came out with what was wanted, and say how to go on.
Reply with JSON and nothing else: {"decision": "LOCAL_ADJUST", "why": "..."}
decision is ACCEPT where the outcome is plausible and all constraints hold, those that are left to
you among them, LOCAL_ADJUST where
other numbers will do in the same step, GLOBAL_REPLAN where the structure of the plan cannot do."""

ACT = f"""\
You solve a scientific problem with the apparatus described below.
{FORM}"""


def record(attempts: Sequence[TrialRecord]) -> str:
    """What was tried so far, oldest first."""
    if not attempts:
        return "Nothing was tried yet."
    return "\n".join(_line(number, each) for number, each in enumerate(attempts, 1))


def _line(number: int, attempt: TrialRecord) -> str:
    events = f" It raised {', '.join(attempt.events)}." if attempt.events else ""
    return f"{number}. {attempt.action} -> {attempt.outcome}: {attempt.told}{events}"
