"""The messages of a session in order, kept for a client that comes back."""

from __future__ import annotations

import re
from collections import deque
from itertools import islice

from earsim.link.limits import MOST_UNSENT, RING

_ID = re.compile(r"m_([1-9][0-9]{0,15})")


class MessageRing:
    """Texts numbered from 1; those that were sent are kept up to a number of them.

    Attributes:
        count: how many messages there have been.
        sent: the number of the last one that was sent.
    """

    def __init__(self, most: int = RING, most_unsent: int = MOST_UNSENT) -> None:
        self._most = most
        self._most_unsent = most_unsent
        self._kept: deque[str] = deque()
        self.count = 0
        self.sent = 0

    @property
    def next_id(self) -> str:
        """The id of the message that is added next."""
        return f"m_{self.count + 1}"

    @property
    def before_oldest(self) -> int:
        """The number of the newest message that is not kept any more; 0 while all are."""
        return self.count - len(self._kept)

    def add(self, text: str) -> None:
        """Take a message, which has `next_id`."""
        self._kept.append(text)
        self.count += 1
        while self.before_oldest + self._most < self.sent or len(self._kept) > self._most_unsent:
            self._kept.popleft()

    def number_of(self, id: str | None) -> int | None:
        """The number of a message; 0 for None. None for an id that no message had."""
        if id is None:
            return 0
        match = _ID.fullmatch(id)
        if match is None or int(match[1]) > self.count:
            return None
        return int(match[1])

    def after(self, number: int) -> list[str] | None:
        """The messages after one; None where some of them are not kept any more."""
        skipped = number - self.before_oldest
        return None if skipped < 0 else list(islice(self._kept, skipped, None))
