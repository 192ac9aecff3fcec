"""One connection of a client, whatever carries it: what is to be sent on it, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from earsim.apparatus.message import Envelope
from earsim.apparatus.payload import ErrorCode, ErrorReport
from earsim.link.session import LinkSession


class LinkLine:
    """The body's end of a connection.

    Attributes:
        session: that it carries; None before it is opened.
        is_replaced: the same session has come back on another line, or is over.
    """

    def __init__(self, notify: Callable[[], object] | None = None) -> None:
        """Make a line.

        Args:
            notify: called when there is something to send; it may be called from any thread.
        """
        self.session: LinkSession | None = None
        self.is_replaced = False
        self._beside: deque[str] = deque()
        self._notify = notify

    def notify(self) -> None:
        """Say that there may be something to send."""
        if self._notify is not None:
            self._notify()

    def send_beside(self, text: str) -> None:
        """Send something that is no part of the session and is not kept."""
        self._beside.append(text)

    def unsent(self) -> list[str]:
        """What is to be sent now; it counts as sent."""
        found = list(self._beside)
        self._beside.clear()
        if self.session is not None and not self.is_replaced:
            ring = self.session.ring
            if ring.sent < ring.before_oldest:
                found.append(_lost(self.session))
                ring.sent = ring.before_oldest
            found += ring.after(ring.sent) or ()
            ring.sent = ring.count
        return found


def _lost(session: LinkSession) -> str:
    """Where a client was away, or too slow, for more messages than are kept."""
    ring = session.ring
    told = f"m_{ring.sent + 1} to m_{ring.before_oldest} are lost: too many waited to be sent"
    report = ErrorReport(code=ErrorCode.UNEXPECTED, text=told)
    return Envelope(f"e_{ring.before_oldest}", report, 0.0, session.id).to_json()
