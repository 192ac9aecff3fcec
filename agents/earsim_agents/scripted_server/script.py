"""A script: what the server says, how often it says it badly, and how often it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from earsim.errors import UnknownName, UsageError
from earsim_agents.client.request import draw
from earsim_agents.scripted_server.plans import Plans
from earsim_agents.scripted_server.prompt_parser import PromptFacts
from earsim_agents.scripted_server.roles import RoleScript, role_in

FAULTS = ("rate_limit", "error", "broken_json", "cut", "hang", "empty", "null", "enormous")
"""What a server can do instead of answering."""

BAD_REPLIES = (
    "I am not sure what to do here.",
    "Action: EXPLORE\nAction: GOTO somewhere_else",
    "action = EXPLORE",
    "Action: FLY moon",
    "Action: GRAB no_such_thing",
    "Action:",
    "<script>alert('EXPLORE')</script>\nAction: GOTO <b>kitchen</b>",
    "\x1b[31mAction: EXPLORE\x1b[0m\x07\u202e",
    "{{ 7 * 7 }} {% raw %} ${HOME} '; DROP TABLE calls; --",
    '{"verb": "EXPLORE"',
    "Action: EXPLORE\ud800\x00",
    "Thought: " + "and then " * 200,
)
"""Replies that are wrong in every way that was seen, and in some that will be."""

_OUTCOMES = 2**31


@dataclass(frozen=True, kw_only=True)
class ServerScript:
    """What the server does with a request.

    Attributes:
        plans: what it answers by, unless `say` is given.
        roles: what it answers prompts that name a role.
        say: one reply to everything.
        badly: share of replies that are taken from `BAD_REPLIES`.
        faults: share of requests that fail, by kind of fault; see `FAULTS`.
        seed: of the draws between these.
        model: its name.
        max_model_len: tokens of prompt and reply together.
        latency_ms: time that every answer takes.
        retry_after_s: what it asks of those that it turns away.
        per_second: requests that it takes a second; more are turned away. None for any number.
        thinking: where it puts thoughts: nowhere, in a field of their own, or in the text.
        key: what requests must carry; None for nothing.
    """

    plans: Plans = field(default_factory=lambda: Plans({}))
    roles: RoleScript | None = None
    say: str | None = None
    badly: float = 0.0
    faults: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    model: str = "scripted"
    max_model_len: int = 1_000_000
    latency_ms: float = 0.0
    retry_after_s: float = 0.0
    per_second: float | None = None
    thinking: Literal["none", "field", "tags"] = "none"
    key: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in self.faults:
            if name not in FAULTS:
                raise UnknownName("fault", name, FAULTS)
        shares = [self.badly, *self.faults.values()]
        if min(shares) < 0 or sum(self.faults.values()) > 1 or self.badly > 1:
            raise UsageError("shares lie between 0 and 1, all faults together included")

    def fault(self, request: str, times: int) -> str | None:
        """How a request fails that came so many times before; None when it is answered."""
        drawn = draw(self.seed, "fault", request, times) / _OUTCOMES
        for name, share in self.faults.items():
            if drawn < share:
                return name
            drawn -= share
        return None

    def reply(self, request: str, body: Mapping[str, Any], asked: PromptFacts) -> str:
        """What a request is answered."""
        if self.badly and draw(self.seed, "badly", request) / _OUTCOMES < self.badly:
            return BAD_REPLIES[draw(self.seed, "which", request) % len(BAD_REPLIES)]
        if self.say is not None:
            return self.say
        role = role_in(body["messages"])
        if self.roles is not None and role:
            return self.roles(role, body["messages"])
        reply = asked.reply(self.plans.commands(asked), self.plans.step(asked))
        allowed = (body.get("structured_outputs") or {}).get("choice")
        if not allowed:
            return reply
        line = reply.rpartition("\n")[2]
        return line if line in allowed else allowed[draw(self.seed, request) % len(allowed)]
