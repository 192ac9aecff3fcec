"""The laboratory as a policy works in it: get an apparatus ready, configure it, run it, read it.

Errands are the expert's: where the apparatus is, what it takes, who operates it. What is to be run,
with which settings, and what follows from it is the policy's. All it learns of runs comes from
outcomes of commands and from the messages that bodies at hand send.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from earsim.actions.outcome import Outcome
from earsim.apparatus.message import Envelope
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.parameter import Settings, Value
from earsim.planner.acting.approach import Approach
from earsim.planner.laboratory.demands import ways
from earsim.planner.laboratory.planning import configure, said
from earsim.schema import Goal
from earsim.world.lab import Rig, known_price
from earsim_agents.science.manual import COUNTS
from earsim_agents.science.play import Commands, Observations, Play, act


class RunReport(NamedTuple):
    """One run that was asked for, and what came of it.

    Attributes:
        apparatus: whose run it is.
        settings: all of them, as they were.
        status: of the operation; None where it was refused.
        results: by name; those there are of one that failed.
        spent: cost units.
        message: why it failed, or the sentence of the refusal.
        refusal: why CONFIGURE or RUN was refused, with facts; None where it ran.
    """

    apparatus: str
    settings: Settings
    status: OperationStatus | None
    results: Mapping[str, Value | None]
    spent: float = 0.0
    message: str = ""
    refusal: Outcome | None = None

    @property
    def completed(self) -> bool:
        """Whether it came to its end."""
        return self.status is OperationStatus.COMPLETED


class Laboratory:
    """One episode in a scene with apparatus.

    Attributes:
        observations: what everybody was told last.
        rigs: every apparatus by id, with the settings, bounds and results that its manual tells.
        reports: the runs so far, refused ones included.
        submitted: the answers that were taken.
    """

    def __init__(self, observations: Observations) -> None:
        self.observations = observations
        self.reports: list[RunReport] = []
        self.submitted: dict[str, Value] = {}
        self._episode = next(iter(observations.values())).episode
        engine = self._episode.engine
        self._approach = Approach(engine)
        live = engine.blueprint.live
        self.rigs: Mapping[str, Rig] = {} if live is None else live.rigs
        self._settings = {node: dict(rig.settings) for node, rig in self.rigs.items()}
        self._stopped = 0

    @property
    def instruction(self) -> str:
        """The task, as the agents are told it."""
        return self._episode.engine.instruction

    @property
    def decisions_left(self) -> int:
        """How many the episode may still take."""
        return self._episode.budget - self._episode.decisions

    @property
    def clock(self) -> int:
        """Of the world, in s."""
        return self._episode.world.clock

    @property
    def counts(self) -> Mapping[str, int]:
        """Runs that were begun and have ended, those that came to their end, those it stopped."""
        begun = [report for report in self.reports if report.status is not None]
        completed = sum(report.completed for report in begun)
        return dict(zip(COUNTS, (len(begun), completed, self._stopped), strict=True))

    @property
    def results(self) -> Mapping[str, Value | None]:
        """Every result that an apparatus can have, of its last run; None for one there is not."""
        rigs = self.rigs.values()
        found: dict[str, Value | None] = {q.name: None for r in rigs for q in r.model.quantities}
        for report in self.reports:
            found |= {} if report.status is None else report.results
        return found

    def settings(self, node: str) -> Settings:
        """The settings of an apparatus as far as this policy changed them."""
        return dict(self._settings[node])

    def named(self) -> tuple[str, ...]:
        """The apparatus that the instruction speaks of, by id or name; all where it names none."""
        text = self.instruction.casefold()
        name = self._episode.engine.blueprint.name
        found = [
            node for node in self.rigs if node.casefold() in text or name(node).casefold() in text
        ]
        return tuple(found or self.rigs)

    # -- decisions ---------------------------------------------------------------------------------

    def act(self, commands: Commands) -> Play[dict[str, Outcome]]:
        """Take a decision; the outcome of each command that was given in it."""
        self.observations = yield from act(commands)
        if self._episode.last is None:
            return {}
        self._approach.note(self._episode.last, self._episode.world)
        outcomes = self._episode.last.outcomes
        return {agent: outcomes[agent] for agent in commands if agent in outcomes}

    def reach(self, node: str) -> Play[tuple[str, ...]]:
        """Get an apparatus ready to be run; who operates it, nobody where it cannot be."""
        while True:
            world = self._episode.world
            commands = self._approach.to(world, node, left=self.decisions_left)
            if commands is None:
                return ()
            if not commands:
                return tuple(self._approach.operators(world, node))
            yield from self.act(commands)

    def rest(self) -> Play[None]:
        """Do what of the task has nothing to do with runs, and say DONE."""
        goal = self._rest()
        while True:
            commands = self._approach.errand(self._episode.world, goal, left=self.decisions_left)
            if not commands:
                return
            yield from self.act(commands)

    def _rest(self) -> Goal:
        return next(ways(self._episode.engine.task.goal_tree)).rest

    # -- runs --------------------------------------------------------------------------------------

    def begin(self, node: str, settings: Settings) -> Play[RunReport | None]:
        """Begin a run with some settings changed; a report only where that was refused."""
        team = yield from self.reach(node)
        if not team:
            return self._refused(node, None, "it cannot be got ready")
        new = {name: value for name, value in settings.items()
               if self._settings[node].get(name) != value}  # fmt: skip
        if new:
            outcomes = yield from self.act({team[0]: configure(node, new)})
            outcome = outcomes.get(team[0])
            if outcome is None or not outcome.accepted:
                return self._refused(node, outcome, self._told(team[0]), new)
            self._settings[node].update(outcome.facts["settings"])
        outcomes = yield from self.act(dict.fromkeys(team, f"RUN {node}"))
        refused = [o for o in outcomes.values() if not o.accepted]
        if refused or not outcomes:
            return self._refused(node, refused[0] if refused else None, self._told(team[0]))
        return None

    def run(self, node: str, settings: Settings) -> Play[RunReport]:
        """A run to its end, whatever it warns of."""
        refused = yield from self.begin(node, settings)
        return refused if refused is not None else (yield from self.ended(node))

    def begin_code(self, node: str, code: str) -> Play[RunReport | None]:
        """Have a workstation begin to execute code; a report only where that was refused."""
        team = yield from self.reach(node)
        if not team:
            return self._refused(node, None, "it cannot be got ready")
        outcome = (yield from self.act({team[0]: f"EXEC {node}\n{code}"})).get(team[0])
        if outcome is None or not outcome.accepted:
            return self._refused(node, outcome, self._told(team[0]))
        return None

    def execute(self, node: str, code: str) -> Play[RunReport]:
        """Execute code on a workstation, to its end."""
        refused = yield from self.begin_code(node, code)
        return refused if refused is not None else (yield from self.ended(node))

    def ended(self, node: str) -> Play[RunReport]:
        """The report of a run once it has ended, whatever it warns of."""
        while not (yield from self.wait(node, until="done")):
            pass
        return (yield from self.read(node))

    def wait(self, node: str, *, seconds: int = 10, until: str = "") -> Play[bool]:
        """Wait for a run; whether it has ended.

        Args:
            node: the apparatus.
            seconds: how long, unless `until`.
            until: what is waited for, such as ``done``; a warning wakes as well.
        """
        operator = self._operator(node)
        command = f"WAIT UNTIL {node} {until}" if until else f"WAIT {seconds}"
        outcome = (yield from self.act({operator: command})).get(operator)
        return self.status(node).ended or (bool(until) and not (outcome and outcome.accepted))

    def pays_for_another(self, node: str) -> bool:
        """Whether what is left pays for another run like the one that goes on, if that is stopped.

        Limits and prices are those that the task and the manual tell.
        """
        timeline, clock_ms = self._episode.world.timeline, self.clock * 1000
        lab = None if timeline is None else timeline.lab
        run = None if lab is None else lab.running(node)
        if lab is None or run is None:
            return True
        price = known_price(self.rigs[node], run.settings, run.expected)
        return all(
            lab.booked(account) + lab.owed(account, self.rigs, clock_ms) + price.get(account, 0.0)
            <= most
            for account, most in lab.limits.items()
            if account != "clock_s"
        )

    def stop(self, node: str) -> Play[RunReport]:
        """Stop a run and read what there is of it."""
        operator = self._operator(node)
        outcome = (yield from self.act({operator: f"STOP {node}"})).get(operator)
        self._stopped += outcome is not None and outcome.accepted
        return (yield from self.read(node))

    def read(self, node: str) -> Play[RunReport]:
        """Read the last run of an apparatus; it is kept among the reports once it has ended."""
        operator = self._operator(node)
        outcome = (yield from self.act({operator: f"READ {node}"})).get(operator)
        if outcome is None or not outcome.accepted:
            return self._refused(node, outcome, self._told(operator))
        facts = outcome.facts
        report = RunReport(
            node,
            dict(facts["settings"]),
            OperationStatus(facts["status"]),
            dict(facts["results"]),
            facts["spent"],
            facts["message"],
        )
        if report.status is not None and report.status.ended:
            self.reports.append(report)
        return report

    def submit(self, name: str, value: Value) -> Play[Outcome | None]:
        """Answer a question."""
        agent = self._awake()
        outcome = (yield from self.act({agent: f"SUBMIT {name}={said(value)}"})).get(agent)
        if outcome is not None and outcome.accepted:
            self.submitted[name] = value
        return outcome

    # -- what bodies send --------------------------------------------------------------------------

    def stream(self, node: str) -> tuple[Envelope, ...]:
        """The messages about the newest run of an apparatus, oldest first."""
        told = self.observations[self._operator(node)].stream
        run = self._run(node)
        return tuple(envelope for envelope in told if envelope.operation_id == run)

    def status(self, node: str) -> OperationStatus:
        """Where its newest run stands, as far as its messages tell."""
        told = self.stream(node)
        status = told[-1].status if told else None
        return OperationStatus.PENDING if status is None else status

    def _run(self, node: str) -> str:
        timeline = self._episode.world.timeline
        run = None if timeline is None or timeline.lab is None else timeline.lab.last(node)
        return "" if run is None else run.operation.id

    def _operator(self, node: str) -> str:
        return self._approach.operators(self._episode.world, node)[0]

    def _awake(self) -> str:
        awake = [agent for agent, told in self.observations.items() if not told.finished]
        return awake[0] if awake else next(iter(self.observations))

    def _told(self, agent: str) -> str:
        return self.observations[agent].feedback

    def _refused(
        self, node: str, outcome: Outcome | None, message: str, new: Mapping[str, Any] | None = None
    ) -> RunReport:
        settings = {**self._settings[node], **(new or {})}
        report = RunReport(node, settings, None, {}, message=message, refusal=outcome)
        self.reports.append(report)
        return report
