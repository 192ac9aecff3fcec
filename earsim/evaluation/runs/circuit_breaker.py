"""Telling a server that is gone from one that fails now and then."""

from __future__ import annotations

from collections.abc import Iterable

from earsim.errors import ServerFault
from earsim.evaluation.store.records import EpisodeRecord
from earsim.evaluation.termination import Ending

_FAULTS = (Ending.SERVER_FAULT, Ending.REQUEST_REFUSED)
_MOST = 16
_LEAST = 3


class CircuitBreaker:
    """Holds faults back until it is known what they mean.

    An episode that ended in a fault of the server is a result only if the server answered others
    afterwards. If it answers nobody any more, these episodes are not results: the run stops, and
    plays them when it goes on.
    """

    def __init__(self, in_flight: int) -> None:
        self._limit = max(_LEAST, min(_MOST, in_flight))
        self._held: dict[str, list[EpisodeRecord]] = {}
        self._answered: set[str] = set()

    def sort(self, record: EpisodeRecord, entrant: str) -> list[EpisodeRecord]:
        """The episodes that are results now, after one of this entrant has finished.

        Raises:
            ServerFault: Its server is gone.
        """
        held = self._held.setdefault(entrant, [])
        if record.row.termination in _FAULTS:
            held.append(record)
            if len(held) >= self._limit:
                raise _gone(entrant, held)
            return []
        if not record.calls:  # it ended without asking: that says nothing about the server
            return [record]
        self._answered.add(entrant)
        self._held[entrant] = []
        return [*held, record]

    def rest(self) -> Iterable[EpisodeRecord]:
        """At the end, the episodes still held.

        Raises:
            ServerFault: A server never answered.
        """
        for entrant, held in self._held.items():
            if held and entrant not in self._answered:
                raise _gone(entrant, held)
            yield from held


def _gone(entrant: str, held: list[EpisodeRecord]) -> ServerFault:
    last = held[-1].row.error
    if held[-1].row.termination == Ending.REQUEST_REFUSED:
        return ServerFault(
            f"the server of {entrant} refuses what it is asked: {last}\n"
            "Every finished episode is kept; those that got no answer are not counted. "
            "Once that is mended, the same command goes on."
        )
    return ServerFault(
        f"the server of {entrant} does not answer: {last}\n"
        "Every finished episode is kept; those that got no answer are not counted. "
        "When the server is back, run the same command to go on."
    )
