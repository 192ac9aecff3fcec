"""What a model is that looks things up: its operations answer from what a scene declares.

An operation has a latency, changes nothing, and ends with an answer: named results, and lines of
text. Such lines were written by others. They are shown as quotations, and nothing here or above
takes a line of them for more than text.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from earsim.apparatus.events import system_event
from earsim.apparatus.model import Advanced, Expected, Model, ModelEvent
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings, Value
from earsim.apparatus.prompt_injection import is_injection
from earsim.apparatus.wet_bench.pool import ACTION, Action
from earsim.errors import UsageError

DONE = "done"
INJECTION = "prompt_injection"
"""The event of an answer with lines that read like orders to whoever reads them."""


class LookedUp(NamedTuple):
    """What an operation answers.

    Attributes:
        results: by the names of the model's quantities.
        lines: text of others; one that has breaks in it is shown as several.
    """

    results: Mapping[str, Value]
    lines: tuple[str, ...]


class Consultation(NamedTuple):
    """One operation under way.

    Attributes:
        settings: the name of the operation and its parameters.
        seconds: its latency.
        over: it has ended.
    """

    settings: Settings
    seconds: float
    over: bool = False


class LookUpModel(Model):
    """A model whose operations look something up.

    Attributes:
        actions: the operations by name.
    """

    parameters = ()
    channels = ()
    events = (DONE, INJECTION)
    actions: Mapping[str, Action] = MappingProxyType({})

    @abstractmethod
    def problem(self, settings: Settings) -> SettingProblem | None:
        """Why an operation with parameters of the right kind is refused; None when it is not."""

    @abstractmethod
    def answer(self, settings: Settings) -> LookedUp:
        """What an operation that is not refused answers."""

    def action(self, settings: Settings) -> Action:
        """The operation of a run with these settings.

        Raises:
            UsageError: They name none; without a scene there is nothing to look up.
        """
        name = str(settings.get(ACTION, ""))
        if name not in self.actions:
            known = ", ".join(self.actions)
            raise UsageError(f"{self.id} has no operation {name!r}; in a scene, RUN takes: {known}")
        return self.actions[name]

    def start(self, settings: Settings) -> Consultation:
        """An operation begins."""
        return Consultation(settings, self.action(settings).duration_s(settings))

    def advance(self, state: Consultation, allowance: float) -> Advanced:
        """Time passes; there is nothing to be read before the end."""
        fraction = min(allowance / state.seconds, 1.0) if state.seconds > 0.0 else 1.0
        if allowance < state.seconds or state.over:
            return Advanced(state, (), (), 0.0, fraction, state.over)
        events = tuple(self._events(state))
        return Advanced(state._replace(over=True), (), events, 0.0, 1.0, True)

    def _events(self, state: Consultation) -> Iterator[ModelEvent]:
        found = sum(map(is_injection, self._answered(state.settings)))
        if found:
            yield system_event(INJECTION, state.seconds, state.seconds, lines=found)
        yield system_event(DONE, state.seconds, state.seconds)

    def results(self, state: Consultation) -> Mapping[str, Value | None]:
        """The results of the answer; None for those of other operations, and before the end."""
        found = self.answer(state.settings).results if state.over else {}
        names = [quantity.name for quantity in self.quantities]
        return {**{name: found.get(name) for name in names}, ACTION: str(state.settings[ACTION])}

    def lines(self, state: Consultation) -> tuple[str, ...]:
        """The text of the answer; nothing before the end."""
        return self._answered(state.settings) if state.over else ()

    def _answered(self, settings: Settings) -> tuple[str, ...]:
        """The lines of the answer, none of them with a break in it."""
        told = self.answer(settings).lines
        return tuple([line for text in told for line in text.splitlines() or [""]])

    def expected(self, settings: Settings) -> Expected:
        """The latency of the operation; none where no operation is set."""
        if ACTION not in settings:
            return Expected(None, 0.0)
        return Expected(self.action(settings).duration_s(settings), 0.0)


def operation(name: str, says: str, seconds: float, *parameters: Parameter) -> Action:
    """An operation that takes nothing but its parameters; one without a default is required.

    Args:
        name: as commands name it.
        says: what it is, in a few words.
        seconds: its latency.
        parameters: one whose default is ``""`` has to be given.
    """
    return Action(
        name=name,
        says=says,
        inputs={},
        outputs={},
        parameters=parameters,
        required=frozenset(each.name for each in parameters if each.default == ""),
        seconds=seconds,
        ability="",
        people=1,
        things=(),
        gives={},
    )


def usage(action: Action) -> str:
    """``visit text=id_that_a_search_shows page=1``: what stands behind the thing in a command."""
    given = [f"{p.name}={p.says if p.is_text else p.default}" for p in action.parameters]
    return " ".join((action.name, *given))


def not_there(name: str, value: Value, what: str) -> SettingProblem:
    """The refusal of an id that stands for nothing; which ids there are is not told."""
    return SettingProblem("bad_value", {"name": name, "value": value, "kind": what})
