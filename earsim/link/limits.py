"""What a link bears: sizes, counts and times."""

from __future__ import annotations

MOST_BYTES = 1 << 20
"""Of one message; a longer one is answered with an error."""

MOST_FRAME_BYTES = 4 * MOST_BYTES
"""Beyond this a message is not read at all, and the connection is closed."""

MOST_ID_CHARS = 200
"""Of an id that a client chooses."""

RING = 10_000
"""How many sent messages a session keeps for a client that comes back."""

MOST_UNSENT = 100_000
"""How many messages wait for a client that is away; then the oldest are lost, and it is told."""

MOST_WAITING = 100
"""Requests of one session that no decision has taken yet."""

MOST_ENDED = 1_000
"""Operations that have ended and are still known, so that their results can be verified."""

SESSION_S = 660.0
"""A session whose client stays away for longer is over: 600 s, and 60 s for its operations."""

HEARTBEAT_S = 15.0
"""How often either end says that it is still there."""

OPENING_S = 10.0
"""A connection that has not opened a session after so long is closed."""
