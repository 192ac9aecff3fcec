"""What an episode, its prompts and its replies can be asked to be: words of files and options."""

from __future__ import annotations

from typing import Literal

EndOn = Literal["done", "goal"]
"""What ends an episode: ``DONE`` alone, or the goal as well."""

Observability = Literal["partial", "full"]
"""What an environment shows: what was discovered, or every object."""

Knowledge = Literal["explore", "global"]
"""What is known from the start: what one sees, or every object."""

Style = Literal["paper", "chat", "compact", "compact-chat"]
"""How prompts are written."""

Grammar = Literal["strict", "ear-bench"]
"""How replies name their commands."""

Voices = Literal["centralized", "decentralized"]
"""Who replies in a team: one model for all, or one for each agent."""
