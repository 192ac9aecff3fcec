"""Plans for goals about apparatus: errands by the ordinary planner, runs by reference, replayed.

An errand gets one apparatus ready: fetch, switch on, load, gather. Then it is configured with what
`numeric` has found, run and waited for. The whole is played again from where it starts, and only
what reaches the goal then is a plan. That there is none is proved by errands alone; of numbers,
nothing is ever said to be impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.protocol import Step
from earsim.apparatus.wet_bench.pool import Action
from earsim.engine import Engine
from earsim.goals.laboratory import is_run_of
from earsim.planner.laboratory.bare import bare, bare_world
from earsim.planner.laboratory.demands import (
    Demand,
    Way,
    apparatus_of,
    at_least,
    exacted,
    protocol_of,
    ways,
)
from earsim.planner.laboratory.evidence import answer_claims, claims
from earsim.planner.laboratory.numeric import Design, changes, designs
from earsim.planner.laboratory.protocols import remaining, step_command
from earsim.planner.laboratory.readiness import needs_of, ready, refuted, required, rig_of
from earsim.planner.result import Impossible, Plan, Result, Unknown
from earsim.planner.timed.replay import proved
from earsim.planner.timed.waits import MARGIN_MS
from earsim.prose import value as shown
from earsim.schema import AllOf, Goal
from earsim.schema.goal import MeasuredFact, OperationFact
from earsim.schema.goal_tree import TRUE, leaves
from earsim.world import World
from earsim.world.benches import bench_of, performed
from earsim.world.lab import Lab, Rig, payable_units
from earsim.world.proximity import within_reach

Ask = Callable[[Engine, World], Result]
"""The ordinary planner: rules without apparatus, a state, what it says of their goal."""

_WAITS = 100
"""A run is waited for no more often."""


class LabPlanning:
    """One question about a scene with apparatus.

    Attributes:
        nodes: states that the searches reached.
    """

    def __init__(
        self, engine: Engine, start: World, goal: Goal, actors: Sequence[str], ask: Ask
    ) -> None:
        """Pose a question.

        Args:
            engine: of the scenario.
            start: the state to plan from, left as it is.
            goal: that of the scenario, its selectors answered.
            actors: who may act.
            ask: the ordinary planner, for these actors.
        """
        self.engine = engine
        self.start = start
        self.goal = goal
        self.actors = tuple(actors)
        self.nodes = 0
        self._ask = ask

    def ask(self, engine: Engine, world: World) -> Result:
        """What the ordinary planner says, its states counted."""
        found = self._ask(engine, world)
        self.nodes += found.nodes
        return found

    def answer(self, limit: int) -> Result:
        """A plan of no known quality, a proof that there is none, or neither."""
        if self.engine.task.goal.holds(self.start):
            return Plan((), least=True, bound=0, commands=0, nodes=0, seconds=0)
        for way in ways(self.goal):
            for last, early in ((False, True), (True, True), (False, False)):
                found = self._by(way, cheapest=last, as_it_is_first=early)
                if found is not None:
                    return found
        coded = self._workstation()
        return self._impossible() or Unknown(limit, min(self.nodes, limit), 1, coded)

    def _workstation(self) -> str:
        """The first workstation that the goal wants code to run on; empty if it wants none."""
        for leaf in leaves(self.goal, denied=False):
            if isinstance(leaf.fact, MeasuredFact | OperationFact):
                model = rig_of(self.engine, leaf.fact.apparatus).model
                if isinstance(model, Workstation):
                    return leaf.fact.apparatus
        return ""

    def _by(self, way: Way, *, cheapest: bool, as_it_is_first: bool) -> Plan | None:
        attempt = PlanAttempt(self, cheapest=cheapest, as_it_is_first=as_it_is_first)
        met = all(attempt.meet(demand) for demand in way.demands)
        if not met or not attempt.answer(way) or not attempt.reach(way.rest):
            return None
        shown = proved(self.engine, self.start, attempt.decisions)
        if shown is None or shown.margin_ms < MARGIN_MS:
            return None
        decisions = tuple(attempt.decisions[: shown.decisions])
        done = claims(self.engine, shown.world, attempt.found)
        return Plan(
            tuple(dict(each) for each in decisions),
            least=False,
            bound=1,
            commands=sum(len(set(said.values())) for said in decisions),
            nodes=self.nodes,
            seconds=shown.seconds,
            margin_ms=shown.margin_ms,
            numeric=(*done, *answer_claims(self.engine, way)),
        )

    # -- impossible --------------------------------------------------------------------------------

    def _impossible(self) -> Impossible | None:
        """Why no errand leads there: the rest of the goal, or a run that it takes."""
        rest = bare(self.engine, at_least(self.goal, self.start))
        found = self.ask(rest, bare_world(rest, self.start))
        if isinstance(found, Impossible):
            return replace(found, nodes=self.nodes if found.nodes else 0)
        reasons = dict(self._out_of_reach())
        if not reasons:
            return None
        rest = bare(self.engine, at_least(self.goal, self.start, reasons))
        found = self.ask(rest, bare_world(rest, self.start))
        if not isinstance(found, Impossible):
            return None
        first = next(iter(reasons.values()))
        return replace(first, nodes=self.nodes if first.nodes else 0)

    def _out_of_reach(self) -> Iterator[tuple[str, Impossible]]:
        """The apparatus that can never be run again, and why."""
        lab = lab_of(self.start)
        for node in apparatus_of(self.goal):
            if lab.running(node) is not None:
                continue
            for action in self._unavoidable(node):
                why = self._why_never(node, action)
                if why is not None:
                    yield node, why
                    break

    def _why_never(self, node: str, action: Action | None) -> Impossible | None:
        """Why an apparatus can never be run, or an action never be performed there."""
        why: Result | None = refuted(self.engine, node, self.actors, action)
        if why is None:
            rules = bare(self.engine, TRUE)
            world = bare_world(rules, self.start)
            goal = required(self.engine, rules, world, node, self.actors, action)
            rules = bare(self.engine, goal)
            why = self.ask(rules, bare_world(rules, self.start))
        return why if isinstance(why, Impossible) else None

    def _unavoidable(self, node: str) -> Iterator[Action | None]:
        """The actions without one of which the goal cannot be reached; None: any run."""
        bench = bench_of(self.start, node)
        facts = tuple(exacted(self.goal, node))
        if bench is None or not facts:
            yield None
            return
        done = performed(self.start, node)
        left = [step.action for fact in facts for step in remaining(done, protocol_of(fact))]
        for name in dict.fromkeys(left):
            yield bench.pool.actions[name]


class PlanAttempt:
    """A plan in the making, played as it grows.

    Attributes:
        decisions: so far.
        found: how settings were found, by apparatus.
    """

    def __init__(self, planning: LabPlanning, *, cheapest: bool, as_it_is_first: bool) -> None:
        """Begin.

        Args:
            planning: what it is for.
            cheapest: take the settings found last, not those found first.
            as_it_is_first: of several runs, only the last has the settings that were found.
        """
        self.decisions: list[Mapping[str, str]] = []
        self.found: dict[str, Design] = {}
        self._planning = planning
        self._engine = planning.engine
        self._world = planning.start.copy()
        self._cheapest = cheapest
        self._as_it_is_first = as_it_is_first

    def meet(self, demand: Demand) -> bool:
        """Run one apparatus as often as it takes."""
        rig, node = rig_of(self._engine, demand.apparatus), demand.apparatus
        if demand.protocol:
            return self._perform(node, demand.protocol)
        lab = lab_of(self._world)
        ended = [run for run in lab.runs.values() if run.apparatus == node]
        stopped = sum(
            run.operation.failure is not None and all(is_run_of(f, run) for f in demand.halts)
            for run in ended
        )
        completed = sum(bool(run.ended_ms) and not run.operation.failure for run in ended)
        for _ in range(demand.stopped - stopped):
            now = lab_of(self._world).settings.get(node) or rig.settings
            if not self._run(node, changes(now, {**now, **demand.stop_with}), stop=demand):
                return False
        needed = max(demand.completed - completed, int(bool(demand.requirements)))
        if not needed:
            return True
        settings = lab_of(self._world).settings.get(node) or rig.settings
        most = self._payable(rig)
        designed = designs(rig, settings, demand.requirements)
        within = (design for design in designed if design.cost <= most)
        found = list(_chosen(within, last=self._cheapest))
        if not found:
            return False
        self.found[node] = found[-1]
        new = changes(settings, found[-1].settings)
        configured = needed - 1 if self._as_it_is_first else 0
        return all(self._run(node, new if turn == configured else {}) for turn in range(needed))

    def _payable(self, rig: Rig) -> float:
        """The cost units that a run can be paid for."""
        lab, live = lab_of(self._world), self._engine.blueprint.live
        assert live is not None, "the scene has apparatus"
        now_ms = self._world.clock * 1000
        flop, eur = (lab.left(account, live.rigs, now_ms) for account in ("flop", "eur"))
        return payable_units(rig, flop, eur)

    def answer(self, way: Way) -> bool:
        """Give the answers that the goal wants."""
        for name, fact in way.answers.items():
            if not self._do({self._planning.actors[0]: f"SUBMIT {name}={said(fact.equals)}"}):
                return False
        return True

    def reach(self, goal: Goal) -> bool:
        """Do an errand: reach a goal that says nothing of apparatus.

        Where the search for all of it gives up, one part after the other.
        """
        found = self._errand(goal)
        if not isinstance(found, Unknown) or not isinstance(goal, AllOf):
            return isinstance(found, Plan)
        parts = range(1, len(goal.all) + 1)
        return all(isinstance(self._errand(AllOf(all=goal.all[:n])), Plan) for n in parts)

    def _errand(self, goal: Goal) -> Result:
        """Play the ordinary planner's plan."""
        rules = bare(self._engine, goal)
        found = self._planning.ask(rules, bare_world(rules, self._world))
        for decision in found.decisions if isinstance(found, Plan) else ():
            self._do(decision)
        return found

    # -- runs --------------------------------------------------------------------------------------

    def _perform(self, node: str, protocol: Sequence[Step]) -> bool:
        """Perform what is left of a protocol at a bench, step by step."""
        bench = bench_of(self._world, node)
        if bench is None or not self._wait(node, self._planning.actors[0]):
            return False
        for step in remaining(performed(self._world, node), protocol):
            action = bench.pool.actions.get(step.action)
            command = None if action is None else step_command(node, action, step)
            if command is None or not self._run(node, {}, action=action, command=command):
                return False
        return True

    def _run(
        self,
        node: str,
        new: Mapping[str, Any],
        *,
        stop: Demand | None = None,
        action: Action | None = None,
        command: str = "",
    ) -> bool:
        """Get an apparatus ready, configure it, run it, and wait until it is done."""
        actors = self._planning.actors
        if not self._wait(node, actors[0]):
            return False
        if not self.reach(ready(self._engine, self._world, node, actors, action)):
            return False
        team = crew(self._engine, self._world, node, actors, action)
        strange = [agent for agent in team if node not in self._world.known[agent]]
        if strange and not self._do(dict.fromkeys(strange, "EXPLORE")):
            return False
        away = [agent for agent in team if not within_reach(self._world, agent, node)]
        if not team or (away and not self._do(dict.fromkeys(away, f"GOTO {node}"))):
            return False
        if new and not self._do({team[0]: configure(node, new)}):
            return False
        if not self._do(dict.fromkeys(team, command or f"RUN {node}")):
            return False
        if stop is None:
            return self._wait(node, team[0])
        if stop.is_warned and not self._do({team[0]: f"WAIT UNTIL {node} done"}):
            return False
        return self._do({team[0]: f"STOP {node}"})

    def _wait(self, node: str, agent: str) -> bool:
        """Wait until nothing runs there; a warning wakes, and one waits on."""
        for _ in range(_WAITS):
            if lab_of(self._world).running(node) is None:
                return True
            if not self._do({agent: f"WAIT UNTIL {node} done"}):
                self.decisions.pop()
                self._do({agent: "WAIT 60"})
        return False

    def _do(self, commands: Mapping[str, str]) -> bool:
        """Carry out a decision; whether all of it was accepted."""
        self.decisions.append(dict(commands))
        decision = self._engine.step(self._world, commands)
        return all(decision.outcomes[agent].accepted for agent in commands)


def _chosen(found: Iterator[Design], *, last: bool) -> Iterator[Design]:
    for design in found:
        yield design
        if not last:
            return


def crew(
    engine: Engine,
    world: World,
    node: str,
    actors: Sequence[str],
    action: Action | None = None,
) -> tuple[str, ...]:
    """Those who may run an apparatus and have come with what it takes; empty where too few have."""
    needs, room = needs_of(engine, node, action), world.room_of(node)
    able = [
        agent
        for agent in actors
        if world.agents[agent].room == room
        and (needs.ability is None or needs.ability in world.agents[agent].abilities)
    ]
    return tuple(able[: needs.people]) if len(able) >= needs.people else ()


def configure(node: str, new: Mapping[str, Any]) -> str:
    """The command that changes settings."""
    return f"CONFIGURE {node} {' '.join(f'{name}={said(each)}' for name, each in new.items())}"


def said(value: Any) -> str:
    """A value as commands give it: with all its digits."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return shown(value) if isinstance(value, bool) else str(value)


def lab_of(world: World) -> Lab:
    """The apparatus of a state."""
    lab = None if world.timeline is None else world.timeline.lab
    assert lab is not None, "the scene has some"
    return lab
