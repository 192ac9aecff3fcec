"""Successes in the recordings of the EAR-Bench reference, and what the planner says of them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from earsim import digest
from earsim.engine import Engine
from earsim.planner import CommandClass, Impossible, Knowledge, Plan, Result, least_commands, plan
from earsim.planner.problem import Problem
from earsim.rulesets.ear_bench import Quirks, ear_bench
from earsim.suites import Suite, open_suite
from tests.conformance.recordings import CommandRecords, Recording, recordings

SPLITS = {
    "eval/single-independent": "eval-single",
    "eval/multi-independent": "eval-multi",
    "data-all": "data-all",
}
SHADOWED = "SCAN"
"""A verb that the front step takes for another (EAR-Bench Q28); recordings go without the step."""


class Success(NamedTuple):
    """A task that a recording solves.

    Attributes:
        commands: accepted ones up to the moment the goal held.
        decisions: likewise; None where the recording has none.
        actors: who acted, where that is not everybody.
        discovered: everything was, at the start.
        advertised: by commands that the prompts speak of.
        shadowed: with the verb that can be said only without the front step.
    """

    episode: str
    scenario_id: str
    commands: int
    decisions: int | None = None
    actors: tuple[str, ...] | None = None
    discovered: bool = False
    advertised: bool = False
    shadowed: bool = False

    def __str__(self) -> str:
        return f"{self.scenario_id}, solved in {self.episode}"


def successes(traces: Path) -> Iterator[Success]:
    """Every success in a file of recordings; the goal was false at its start."""
    for recording in recordings(traces):
        if recording.of_decisions:
            yield from _of_decisions(recording)
        else:
            yield from _of_commands(CommandRecords.sorted_out(recording.records))


def _of_commands(records: CommandRecords) -> Iterator[Success]:
    """One per task: a recording may verify several, and they are solved one after another."""
    head, end = records.head, records.end
    solved = {index for index, held in enumerate(head["now0"]) if held == "1"}
    accepted: list[str] = []
    for step in records.steps:
        if step["st"] == "SUCCESS":
            accepted.append(step["c"])
        for index, ever in enumerate(step["stk"]):
            if ever == "0" or index in solved:
                continue
            solved.add(index)
            number = re.search(r"/solve(\d+)$", head["ep"])  # only that task was verified
            yield Success(
                head["ep"],
                _scenario_id(head["task_file"], int(number[1]) if number else index),
                len(accepted),
                discovered=bool(head.get("global_observation")),
                advertised=head["kind"] == "solve" and not end["loophole"],
                shadowed=any(command.split()[0] == SHADOWED for command in accepted),
            )


def _of_decisions(recording: Recording) -> Iterator[Success]:
    episode = recording.records[0]
    alone = episode["mode"] == "single" and len(episode["agents_config"]) > 1
    if episode["kind"] == "start_true":
        return
    accepted = 0
    for number, decision in enumerate(episode["decisions"], start=1):
        statuses = decision["per_agent"]
        accepted += sum(statuses.get(agent) == "SUCCESS" for agent, _ in decision["executed"])
        if decision["completed_now"]:
            yield Success(
                episode["ep"],
                _scenario_id(episode["task_file"], 0),
                accepted,
                decisions=number,
                actors=("agent_1",) if alone else None,
            )
            return


def _scenario_id(task_file: str, index: int) -> str:
    folder, _, name = task_file.partition("/task/")
    number = name.removesuffix("_task.json")
    suite = SPLITS[folder]
    return f"{suite}/{number}" if suite.startswith("eval") else f"{suite}/{number}/{index}"


Search = Callable[..., Result]


@contextmanager
def each_search_once() -> Iterator[None]:
    """Inside, the planner does not repeat a search: it is the same for decisions and for commands
    where one agent acts, and is tried again with plain commands where none was found with all.

    The last engine's searches are kept.
    """
    planning = import_module("earsim.planner.plan")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_with_fewest_decisions", "_with_fewest_commands"):
            patch.setattr(planning, name, _kept(getattr(planning, name)))
        yield


def _kept(search: Search) -> Search:
    """A search that answers the same question about the last engine from memory."""
    last: list[Engine] = []
    answers: dict[Any, Result] = {}

    def asked(problem: Problem, nodes: int, *model: Any) -> Result:
        if model:
            return search(problem, nodes, *model)
        if not last or last[0] is not problem.engine:
            last[:] = [problem.engine]
            answers.clear()
        key = (
            digest(problem.start),
            problem.actors,
            problem.command_class,
            problem.inadmissible,
            problem.innermost,
            nodes,
        )
        if key not in answers:
            answers[key] = search(problem, nodes)
        return answers[key]

    return asked


class Oracle:
    """The planner, asked about recorded successes; an answer is kept for the next of its kind."""

    def __init__(self) -> None:
        self._suites: dict[str, Suite] = {}
        self._engine: tuple[str, Engine] | None = None
        self._answers: dict[Any, Result] = {}

    def objections(self, success: Success) -> Iterator[str]:
        """Whatever the planner says that the recording refutes."""
        for command_class in CommandClass:
            if command_class is CommandClass.PLAIN and not success.advertised:
                continue
            found = self.ask(success, command_class)
            if isinstance(found, Impossible):
                yield f"{success}: called impossible in {command_class}: {found}"
            elif not isinstance(found, Plan):
                yield f"{success}: not solved in {command_class}: {found}"
        yield from self._longer(success)

    def _longer(self, success: Success) -> Iterator[str]:
        """Claims that it takes more than what was recorded."""
        fewest = self.ask(success, CommandClass.ANY, by_commands=True)
        if isinstance(fewest, Impossible):
            return
        if fewest.bound > success.commands:
            yield f"{success}: {success.commands} commands, not {fewest.bound} at least"
        shortest = self.ask(success, CommandClass.ANY)
        if isinstance(shortest, Plan) and fewest.bound > shortest.commands:
            yield f"{success}: a plan has {shortest.commands} commands, not {fewest.bound} at least"
        taken = success.decisions
        if isinstance(shortest, Plan) and taken is not None and shortest.bound > taken:
            yield f"{success}: {taken} decisions, not {shortest.bound} at least"

    def ask(
        self, success: Success, command_class: CommandClass, *, by_commands: bool = False
    ) -> Result:
        """The planner's answer; a plan is played first."""
        # What was said without the front step is planned without it, as far as prompts tell of it.
        raw = success.shadowed and command_class is CommandClass.PLAIN
        key = (success.actors, success.discovered, command_class, by_commands, raw)
        engine = self._engine_of(success.scenario_id)
        if key not in self._answers:
            if raw:
                engine = Engine(engine.scenario, ear_bench(Quirks(aliases=False)))
            found = (least_commands if by_commands else plan)(
                engine,
                knowledge=Knowledge.GLOBAL if success.discovered else Knowledge.ORACLE,
                command_class=command_class,
                agents=success.actors,
            )
            assert not isinstance(found, Plan) or plays(engine, found, success), str(success)
            self._answers[key] = found
        return self._answers[key]

    def _engine_of(self, scenario_id: str) -> Engine:
        if self._engine is None or self._engine[0] != scenario_id:
            name = scenario_id.partition("/")[0]
            suite = self._suites.setdefault(name, open_suite(name))
            self._engine = (scenario_id, Engine(suite.load(scenario_id)))
            self._answers = {}
        return self._engine[1]


def plays(engine: Engine, found: Plan, success: Success) -> bool:
    """Whether a plan reaches the goal."""
    world = engine.start(discovered=success.discovered)
    for decision in found.decisions:
        engine.step(world, decision)
    return engine.task.goal.holds(world)
