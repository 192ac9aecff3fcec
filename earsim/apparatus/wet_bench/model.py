"""`wet_bench/1`: an operation is one action of the pool, which takes the time that it takes.

What actions make of materials follows from the log of those that were completed; an action that is
broken off changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.apparatus.model import Advanced, Expected, Model, ModelEvent, ModelOutput, Severity
from earsim.apparatus.parameter import Settings, Value
from earsim.apparatus.wet_bench.pool import ACTION, Action, BenchPool, Contents, StateProduct
from earsim.errors import UsageError

DONE = "done"


class Performance(NamedTuple):
    """One action under way.

    Attributes:
        action: its name.
        seconds: how long it takes.
        gives: results that it tells once it is completed.
        over: it has ended.
    """

    action: str
    seconds: float
    gives: Mapping[str, Value | None]
    over: bool = False


class WetBench(Model):
    """A bench with a pool of actions."""

    id = "wet_bench/1"
    title = "Wet bench: actions of a pool on materials with states"
    parameters = ()
    channels = ()
    quantities = (ModelOutput(ACTION, "", "name of the action that was performed"),)
    events = (DONE,)

    def __init__(self, pool: BenchPool | None = None) -> None:
        """A bench.

        Args:
            pool: what can be done there; nothing without one.
        """
        self.pool = pool or BenchPool({}, {})

    def of(self, pool: BenchPool) -> WetBench:
        """The same bench with another pool."""
        return WetBench(pool)

    def action(self, settings: Settings) -> Action:
        """The action that a run with these settings performs.

        Raises:
            UsageError: They name none of the pool; without a scene there is no pool.
        """
        name = str(settings.get(ACTION, ""))
        if name not in self.pool.actions:
            raise UsageError(
                f"{self.id} performs the actions of a scene's pool, and {name!r} is none"
            )
        return self.pool.actions[name]

    def start(self, settings: Settings) -> Performance:
        """An action begins with the materials that there are at first.

        Args:
            settings: its name and its parameters.
        """
        return self.begin(settings, self.pool.contents(()))

    def begin(self, settings: Settings, contents: Contents) -> Performance:
        """An action begins with the materials that there are."""
        action = self.action(settings)
        gives = {
            name: told.value(contents) if isinstance(told, StateProduct) else told
            for name, told in action.gives.items()
        }
        return Performance(action.name, action.duration_s(settings), gives)

    def advance(self, state: Performance, allowance: float) -> Advanced:
        """Time passes; there is nothing to be read before the end."""
        fraction = min(allowance / state.seconds, 1.0) if state.seconds > 0.0 else 1.0
        if allowance < state.seconds or state.over:
            return Advanced(state, (), (), 0.0, fraction, state.over)
        done = ModelEvent(state.seconds, state.seconds, DONE, Severity.INFO, {})
        return Advanced(state._replace(over=True), (), (done,), 0.0, 1.0, True)

    def results(self, state: Performance) -> Mapping[str, Value | None]:
        """The action, and what it tells once it is completed; None for what others tell."""
        told = dict.fromkeys(name for each in self.pool.actions.values() for name in each.gives)
        return {ACTION: state.action, **told, **(state.gives if state.over else {})}

    def expected(self, settings: Settings) -> Expected:
        """The seconds of the action; none where no action is set."""
        if ACTION not in settings:
            return Expected(None, 0.0)
        return Expected(self.action(settings).duration_s(settings), 0.0)
