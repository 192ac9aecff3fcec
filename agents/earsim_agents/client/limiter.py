"""How many requests may be on their way to a server: fewer after it turned some away."""

from __future__ import annotations

import asyncio
from types import TracebackType


class AdaptiveLimit:
    """A limit of requests in flight that learns what a server allows.

    Additive increase, multiplicative decrease: a request that was turned away for the rate of
    requests halves it and closes the way to the server for a while; each answer opens it a little.

    Attributes:
        in_a_row: cuts since the last answer, by which pauses grow.
    """

    def __init__(self, most: int) -> None:
        """Begin at the most that is ever allowed."""
        self._most = most
        self._allowed = float(most)
        self._in_flight = 0
        self._lowered_at = float("-inf")
        self._open_at = float("-inf")
        self.in_a_row = 0
        self._changed = asyncio.Condition()

    @property
    def allowed(self) -> int:
        """Requests that may be in flight now."""
        return max(1, int(self._allowed))

    async def __aenter__(self) -> AdaptiveLimit:
        while True:
            closed_s = self._open_at - asyncio.get_running_loop().time()
            if closed_s > 0:
                await asyncio.sleep(closed_s)
                continue
            async with self._changed:
                await self._changed.wait_for(lambda: self._in_flight < self.allowed)
                if self._open_at <= asyncio.get_running_loop().time():
                    self._in_flight += 1
                    return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._in_flight -= 1
        async with self._changed:
            self._changed.notify(max(1, self.allowed - self._in_flight))

    def answered(self) -> None:
        """A request was answered: one more for as many answers as are allowed now."""
        self._allowed = min(float(self._most), self._allowed + 1.0 / self._allowed)
        self.in_a_row = 0

    def turned_away(self, *, sent_at: float, pause_s: float) -> None:
        """A request was turned away; those that were sent before the last cut do not count twice.

        Args:
            sent_at: when, on the clock of the event loop.
            pause_s: for how long nothing is sent.
        """
        if sent_at < self._lowered_at:
            return
        now = asyncio.get_running_loop().time()
        self._open_at = max(self._open_at, now + pause_s)
        self._allowed = max(1.0, self._allowed / 2)
        self._lowered_at = now
        self.in_a_row += 1
