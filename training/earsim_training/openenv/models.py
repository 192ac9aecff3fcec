"""Messages of the OpenEnv protocol: action, observation and state of an episode."""

from __future__ import annotations

from pydantic import Field

from earsim.errors import MissingExtra

try:
    from openenv.core.env_server.types import Action, Observation, State
except ModuleNotFoundError as error:
    missing = (error.name or "openenv").partition(".")[0]
    raise MissingExtra(missing, "openenv") from error


class EarSimAction(Action):
    """One command, such as ``GOTO kitchen``.

    Attributes:
        command: any text; what is no command is answered, costs a decision and changes nothing.
    """

    command: str


class EarSimObservation(Observation):
    """Observation of the agent; `reward` and `done` are those of OpenEnv, None and False at reset.

    Attributes:
        text: feedback on the last command and what is known.
        admissible_commands: what would be accepted now, sorted; None unless the server lists it.
        accepted: whether the last command was carried out; None at reset.
        reason: why it was not.
        truncated: the budget of decisions ran out; `done` is true then, too.
    """

    text: str = ""
    admissible_commands: list[str] | None = None
    accepted: bool | None = None
    reason: str | None = None
    truncated: bool = False


class EarSimState(State):
    """State of an episode, hidden from the agent.

    Attributes:
        scenario_id: what is played; empty before the first reset.
        scenario_hash: of its content.
        category: of its task.
        instruction: the task in words.
        ruleset: with its version.
        budget: decisions that the episode may take.
        score: parts of the goal that hold now.
        max_score: parts of the goal.
        success: the verdict of the ruleset so far.
        done: the episode is over.
    """

    scenario_id: str = ""
    scenario_hash: str = ""
    category: str = ""
    instruction: str = ""
    ruleset: str = ""
    budget: int = Field(default=0, ge=0)
    score: int = Field(default=0, ge=0)
    max_score: int = Field(default=0, ge=0)
    success: bool = False
    done: bool = False
