"""Whether a thing is to be the only one of its kind where it is brought."""

from __future__ import annotations

import re

_ALONE = re.compile(
    r"\b(?:the only \w+|only (?:one (?:of (?:its|that|this|his|her|their)|on|there|at|in)"
    r"|(?!one)\w+ (?:of|on|there|at|in))\b|alone|no (?:other|second|further)"
    r"|none of the others|sole|(?:just|exactly) one(?= (?:on|there|at|in|by)\b| ?[,.;!?])"
    r"|single|without (?:a|any) (?:second|other|further)"
    r"|not a second|nothing else|all by itself|and only one)\b"
)


def is_alone(text: str) -> bool:
    """Whether it is said that there is to be no other."""
    return _ALONE.search(text) is not None
