"""An inquiry: which run is wanted next, and what the runs so far answer, by rules alone.

It knows what the task asks for, not what is right: of a question it has the name and the
instruction, and results it has from the notebooks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from earsim.apparatus.design import Results
from earsim.apparatus.parameter import Settings, Value
from earsim.apparatus.wet_bench.model import WetBench
from earsim.apparatus.wet_bench.pool import ACTION
from earsim.planner.laboratory.demands import Demand, Way
from earsim.planner.laboratory.funds import CostLaw, Funds, funds, paid_for
from earsim.planner.laboratory.notebook import Notebook
from earsim.planner.laboratory.questions import Asked
from earsim.planner.laboratory.rules import CELLS, Bench, replayed, rule
from earsim.world.lab import Rig

Search = Literal["bracket", "grid"]
"""How a threshold is looked for: doubling and bisection, or a grid from coarse to fine.

A grid search whose runs are used up answers what they show.
"""


class WantedRun(NamedTuple):
    """A run to be made.

    Attributes:
        apparatus: where.
        settings: with which; None as they are.
        stop: it is to be stopped.
        warned: but not before it warns.
        step: the action that is to be performed, of a bench; the settings are its parameters.
    """

    apparatus: str
    settings: Settings | None
    stop: bool = False
    warned: bool = False
    step: str = ""


class Inquiry:
    """What is left to be found out.

    Attributes:
        notebooks: by apparatus.
        answers: given so far.
    """

    def __init__(
        self,
        way: Way,
        questions: Mapping[str, Asked],
        rigs: Mapping[str, Rig],
        *,
        as_it_stands: bool = False,
        proposed: Mapping[str, Settings] = MappingProxyType({}),
        most: Mapping[str, float] = MappingProxyType({}),
        law: CostLaw | None = None,
        protocols: Mapping[str, Sequence[Settings]] = MappingProxyType({}),
        search: Search = "bracket",
    ) -> None:
        """Begin.

        Args:
            way: what the goal asks for.
            questions: the answers that are asked for and can be looked for.
            rigs: every apparatus.
            as_it_stands: the first run of each is to be made with its settings as they are.
            proposed: settings that the instruction proposes, by apparatus: for a run that is to be
                stopped, or the first of several.
            most: what may be spent, by account.
            law: what a run takes, as the instruction tells it.
            protocols: what is to be performed at each bench, as the instruction tells it.
            search: how thresholds are looked for.
        """
        self.notebooks = {node: Notebook(rig.settings) for node, rig in rigs.items()}
        self.answers: dict[str, Any] = {}
        self._demands = way.demands
        self._questions = questions
        self._rigs = rigs
        self._as_it_stands = as_it_stands
        self._proposed = proposed
        self._most = most
        self._protocols = protocols
        self._search = search
        self._law = law if len(way.demands) == 1 else None

    def next_run(self) -> WantedRun | None:
        """The run that is wanted next; None where nothing is left to be run, or can be."""
        for wanted in self._wanted():
            if not self.notebooks[wanted.apparatus].refused:
                return wanted
        return None

    def _wanted(self) -> Iterator[WantedRun]:
        for demand in self._demands:
            if self.notebooks[demand.apparatus].stopped < demand.stopped:
                new = {**self._proposed.get(demand.apparatus, {}), **demand.stop_with}
                settings = {**self.notebooks[demand.apparatus].start, **new} if new else None
                yield WantedRun(demand.apparatus, settings, stop=True, warned=demand.is_warned)
        yield from self._for_questions(early=True)
        for demand in self._demands:
            yield from self._for_demand(demand)
        yield from self._for_questions(early=False)

    @property
    def known(self) -> dict[str, Value]:
        """The answers that are known and not given yet."""
        found = {}
        for name, question in self._questions.items():
            answer = None if name in self.answers else self._answer(question)
            if answer is not None and self._is_settled(question):
                found[name] = answer
        return found

    def _is_settled(self, question: Asked) -> bool:
        """Whether no later run changes the answer: a result is that of the last run."""
        if not question.result or question.as_it_stands or question.compared:
            return True
        wanted = [run for demand in self._demands for run in self._for_demand(demand)]
        return all(self.notebooks[run.apparatus].refused for run in wanted)

    @property
    def is_done(self) -> bool:
        """Whether the runs have shown all that they should."""
        books = self.notebooks
        return all(
            books[demand.apparatus].stopped >= demand.stopped
            and len(books[demand.apparatus].completed) >= demand.completed
            and self._is_met(demand)
            and (not demand.protocol or self._has_ended(demand.apparatus))
            for demand in self._demands
        )

    def _is_met(self, demand: Demand) -> bool:
        """Whether the last run meets the requirements, if there are any."""
        book = self.notebooks[demand.apparatus]
        if not demand.requirements:
            return True
        return bool(book.completed) and self._bench(demand).met(book.completed[-1][1])

    @property
    def runs(self) -> dict[str, int]:
        """How many runs were made, by apparatus."""
        return {node: len(book.trials) for node, book in self.notebooks.items() if book.trials}

    # -- results -----------------------------------------------------------------------------------

    def _for_demand(self, demand: Demand) -> Iterator[WantedRun]:
        book = self.notebooks[demand.apparatus]
        if demand.protocol:
            yield from self._next_step(demand.apparatus)
            return
        missing = demand.completed - len(book.completed)
        if not demand.requirements:
            if missing > 0:
                yield WantedRun(demand.apparatus, None)
            return
        if self._is_met(demand):
            if missing > 0:
                yield WantedRun(demand.apparatus, None)
            return
        bench = self._bench(demand)
        if not book.trials and (self._as_it_stands or bench.settings != book.start):
            yield WantedRun(demand.apparatus, bench.settings)
            return
        model = self._rigs[demand.apparatus].model.id
        settings = replayed(rule(model, bench), book.trials)
        if settings is not None:
            settings = self._paid_for(demand, bench, settings)
        if settings is not None:
            yield WantedRun(demand.apparatus, settings)

    def _has_ended(self, bench: str) -> bool:
        """Whether everything was performed that could be read; where nothing could, it was not."""
        steps = self._protocols.get(bench, ())
        return 0 < len(steps) <= len(self.notebooks[bench].completed)

    def _next_step(self, bench: str) -> Iterator[WantedRun]:
        done, steps = len(self.notebooks[bench].completed), self._protocols.get(bench, ())
        if done < len(steps):
            yield WantedRun(bench, steps[done], step=str(steps[done][ACTION]))

    def _bench(self, demand: Demand) -> Bench:
        rig = self._rigs[demand.apparatus]
        known = {parameter.name: parameter for parameter in rig.parameters}
        start = self.notebooks[demand.apparatus].start
        if demand.completed > 1:
            start = {**start, **self._proposed.get(demand.apparatus, {})}
        return Bench(known, start, demand.requirements, rig.levels)

    def _paid_for(self, demand: Demand, bench: Bench, settings: Settings) -> Settings | None:
        """The settings, or coarser ones that can be paid for; None where these were tried."""
        rig = self._rigs[demand.apparatus]
        cells = bench.parameters.get(CELLS.get(rig.model.id, ""))
        if cells is None:
            return settings
        left: Funds = funds(rig, self._most, self.notebooks.values())
        costs = [need.high for need in demand.requirements if need.result == "cost"]
        least = min([left.cost, *[high for high in costs if high is not None]])
        found = paid_for(settings, cells, rig, left._replace(cost=least), self._law)
        tried = [before for before, _ in self.notebooks[demand.apparatus].trials]
        return None if found in tried else found

    # -- questions ---------------------------------------------------------------------------------

    def _for_questions(self, *, early: bool) -> Iterator[WantedRun]:
        for question in self._questions.values():
            is_searched = question.threshold is not None or bool(question.compared)
            is_early = is_searched or question.as_it_stands
            if is_early is early and question.name not in self.answers:
                yield from self._for_question(question)

    def _for_question(self, question: Asked) -> Iterator[WantedRun]:
        if question.smaller_of or self._answer(question) is not None:
            return
        if isinstance(self._rigs[question.apparatus].model, WetBench):
            return  # what a protocol does not tell is not found by other actions
        book = self.notebooks[question.apparatus]
        base = {**book.start, **question.given}
        if question.threshold is None and not question.compared:
            yield WantedRun(question.apparatus, base)
            return
        wanted = self._searched(question, base)
        if isinstance(wanted, Mapping):
            yield WantedRun(question.apparatus, wanted)

    def _answer(self, question: Asked) -> Value | None:
        if question.smaller_of:
            return self._smaller(question)
        book = self.notebooks[question.apparatus]
        base = {**book.start, **question.given}
        if question.threshold is not None or question.compared:
            found = self._searched(question, base)
            return None if isinstance(found, Mapping) else found
        runs = book.completed
        if question.as_it_stands:
            runs = [(settings, results) for settings, results in runs if settings == base]
        told = [each for _, results in runs if (each := results.get(question.result)) is not None]
        return told[-1] if told else None

    def _smaller(self, question: Asked) -> Value | None:
        found = {name: self._answer(self._questions[name]) for name in question.smaller_of}
        numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
        if len(numbers) < len(found):
            return None
        return min(numbers, key=lambda name: numbers[name])

    def _searched(self, question: Asked, base: Settings) -> Settings | Value | None:
        """The settings that are to be run next, or the answer; None where neither is known."""
        return self._least(question, base) if question.compared else self._threshold(question, base)

    def _least(self, question: Asked, base: Settings) -> Settings | Value | None:
        """The choice whose run has the least result; settings that have not been run before."""
        trials = self.notebooks[question.apparatus].trials
        least: dict[str, float] = {}
        for word in question.among:
            settings = {**base, question.compared: word}
            runs = [results for tried, results in trials if tried == settings]
            if not runs:
                return settings
            told = None if runs[-1] is None else runs[-1].get(question.result)
            if isinstance(told, int | float):
                least[word] = told
        if len(least) < len(question.among):
            return None  # a run broke off
        return min(least, key=lambda word: least[word])

    def _threshold(self, question: Asked, base: Settings) -> Settings | Value | None:
        """The settings that the search wants to be run, or its answer."""
        from earsim.apparatus.sixbox.coarse_to_fine import coarse_to_fine, so_far
        from earsim.apparatus.sixbox.questions import ThresholdAnswer
        from earsim.apparatus.sixbox.rule import next_value, rule

        threshold, trials = question.threshold, self.notebooks[question.apparatus].trials
        assert threshold is not None, "it is about a threshold"
        name = threshold.parameter
        rest = {key: value for key, value in base.items() if key != name}
        alike = {
            float(settings[name]): _regimes(results)
            for settings, results in trials
            if {key: value for key, value in settings.items() if key != name} == rest
        }
        start = float(base[name])
        if start not in alike:
            return base
        before = alike[start]
        if before is None:
            return None  # the run with the settings as they are broke off
        search = coarse_to_fine if self._search == "grid" else rule
        found = next_value(search(threshold, start, before), alike)
        if self._search == "grid" and self.notebooks[question.apparatus].refused:
            found = so_far(threshold, start, before, alike)
        return found.value if isinstance(found, ThresholdAnswer) else {**base, name: found}


def _regimes(results: Results | None) -> Any:
    """The regimes that a run tells; None where it broke off."""
    from earsim.apparatus.sixbox.regimes import Regimes

    if results is None or results.get("regime_A") is None:
        return None
    return Regimes(int(results["regime_A"] or 0), int(results["regime_P"] or 0))
