"""What each role replies, read strictly from JSON."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from earsim.apparatus.parameter import Value
from earsim_agents.replies.record import Name, StrictReply, Text

_Values = Annotated[dict[Name, Value], Field(max_length=16)]


class QuestionReply(StrictReply):
    """Of the role that checks and splits the query."""

    next: Name
    goal: Text = ""


class RouterReply(StrictReply):
    """Of the role that chooses the next step, with the input of a tool."""

    next: Name
    tool: Annotated[str, Field(max_length=200)] = ""
    tool_input: _Values = Field(default_factory=dict)
    why: Text = ""


class LogicReply(StrictReply):
    """Of the role that audits the last conclusion against the state."""

    next: Name
    conclusion: Text = ""


class AnalysisReply(StrictReply):
    """Of the role that writes code for the workstation."""

    code: Annotated[str, Field(max_length=32_768)]


class SummaryReply(StrictReply):
    """Of the role that reports: an answer for each name that the task asks for."""

    answers: _Values = Field(default_factory=dict)
    report: Text = ""
