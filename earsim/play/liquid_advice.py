"""What would help after a refusal that has to do with liquids, hoses, cables or time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from earsim.actions.outcome import Outcome, Reason
from earsim.prose import listing
from earsim.world import World
from earsim.world.live import LiveScene
from earsim.world.perceived import states_shown


class LiquidAdviser:
    """Advice in scenes where numbers change by themselves.

    Args:
        seen: the world as the agent knows it.
        live: what changes by itself.
        known: ids of what it has come across.
        located: names a thing, with its place.
    """

    def __init__(
        self, seen: World, live: LiveScene, known: Set[str], located: Callable[[str], str]
    ) -> None:
        self._seen = seen
        self._located = located
        self._live = live
        self._known = known

    def advice(self, outcome: Outcome) -> Iterator[str]:
        """What may help; nothing for a refusal of another kind."""
        helps = None if outcome.reason is None else _HELPS.get(outcome.reason)
        return iter(()) if helps is None else helps(self, outcome)

    def _vessel(self, outcome: Outcome) -> Iterator[str]:
        yield self._told("Liquids go into", (*self._live.vessels, *sorted(self._live.drains)))

    def _source(self, outcome: Outcome) -> Iterator[str]:
        yield self._told("Liquids come from", self._live.sources)

    def _fill(self, outcome: Outcome) -> Iterator[str]:
        if self._live.sources:
            yield f"FILL {outcome.facts['id']} FROM something that gives a liquid."
            yield from self._source(outcome)

    def _make_room(self, outcome: Outcome) -> Iterator[str]:
        yield f"POUR or EMPTY some of {outcome.facts['id']} first, or use another vessel."

    def _turns(self, outcome: Outcome) -> Iterator[str]:
        node = str(outcome.facts["id"])
        marks = [mark.name for mark in self._live.marks.get(node, ())]
        yield f"Its marks: {listing(marks)}." if marks else "It has no marks."
        if outcome.verb == "WAIT":
            shown = states_shown(self._seen, node)
            states = [name for name, value in shown.items() if isinstance(value, bool)]
            yield f"Its states: {listing(states)}." if states else "It has no states either."

    def _look_closer(self, outcome: Outcome) -> Iterator[str]:
        yield "Wait where you see it, with what covers it open, or next to it with an instrument."
        yield "WAIT n lets n seconds pass anywhere."

    def _wait_again(self, outcome: Outcome) -> Iterator[str]:
        yield f"WAIT {outcome.facts['limit_s']} several times waits longer."

    def _fittings(self, outcome: Outcome) -> Iterator[str]:
        for key in ("id", "destination"):
            node = str(outcome.facts[key])
            kinds = self._live.fittings.get(node, {})
            fits = listing(f"{count} {kind}" for kind, count in kinds.items())
            yield f"{node} fits {fits}." if kinds else f"Nothing can be connected to {node}."

    def _part(self, outcome: Outcome) -> Iterator[str]:
        if "joined" in outcome.facts:
            yield f"DISCONNECT {outcome.facts['joined']} from what it is connected to."

    def _told(self, what: str, nodes: Iterable[str]) -> str:
        found = [self._located(node) for node in nodes if node in self._known]
        if not found:
            return "You know of nothing of the kind yet: EXPLORE."
        return f"{what} {listing(found)}."


_HELPS: Mapping[Reason, Callable[[LiquidAdviser, Outcome], Iterator[str]]] = {
    Reason.NO_VESSEL: LiquidAdviser._vessel,
    Reason.NO_SOURCE: LiquidAdviser._source,
    Reason.NOTHING_TO_POUR: LiquidAdviser._fill,
    Reason.VESSEL_FULL: LiquidAdviser._make_room,
    Reason.NO_SUCH_MARK: LiquidAdviser._turns,
    Reason.NOT_PERCEIVED: LiquidAdviser._look_closer,
    Reason.TOO_LONG_A_WAIT: LiquidAdviser._wait_again,
    Reason.NOT_CONNECTABLE: LiquidAdviser._fittings,
    Reason.CONNECTED: LiquidAdviser._part,
}
