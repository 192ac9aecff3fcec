"""The expert: online planning under partial observability, without a claim of least length.

It plans with the ordinary planner in a world that holds only what was perceived. Where that has no
plan, or where what the task means may be unseen, it sends agents to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from earsim.actions.decision import Decision as Taken
from earsim.engine import Engine
from earsim.planner.acting.execution import (
    Decision,
    PlanExecution,
    awake,
    done_for_all,
    report_for_all,
)
from earsim.planner.acting.exploration import Exploration, ExplorationTarget
from earsim.planner.acting.exploration_memory import ExplorationMemory, Frontier
from earsim.planner.acting.grounded_goal import GroundedGoal, UnseenAssumption, ground_goal
from earsim.planner.acting.known_world import KnownWorld, perceived
from earsim.planner.acting.oracle import LIMIT, REACHED
from earsim.planner.acting.perceiving import perceiving
from earsim.planner.acting.subgoals import next_subgoal
from earsim.planner.acting.telling import told
from earsim.planner.acting.urgency import most_urgent
from earsim.planner.result import Impossible, Plan
from earsim.schema import Goal, Task
from earsim.world import World
from earsim.world.live import LiveScene
from earsim.world.perceived import read_by_anybody
from earsim.world.reading import Reading

EXPERT_NODES = 2_000
"""States that a search may reach while there is still something to look at: any plan will do."""

LAST_NODES = 20_000
"""States that a search may reach when nothing is left to look at."""

SLACK = 4
"""Decisions to spare when a guess is acted upon: DONE, and a way that got longer meanwhile."""

HOPED = "hoped"
"""Why there is nothing left to do: what is known of the goal holds; the rest was not to be seen."""

REFUSED = "refused"
"""Why there is nothing left to do: the rules refused the plan, because of something unseen."""


class Known(NamedTuple):
    """What is known in one state.

    Attributes:
        known_world: the scene as far as it is known.
        view: the state as far as it is known.
        frontiers: where something unseen may be, if nothing has kept the team from looking there.
    """

    known_world: KnownWorld
    view: World
    frontiers: tuple[Frontier, ...]


class UnderWay(NamedTuple):
    """A plan under way: what it is for, and the scene that it was made in."""

    goal: Goal
    known_world: KnownWorld
    execution: PlanExecution


class Expert:
    """One attempt at one scenario, by a team that shares what it knows.

    Where knowledge is each agent's own, they tell each other the ids that their commands name.

    Attributes:
        exploration_memory: what it remembers, beside what the world shows it to know.
        ended: why it had everybody say DONE: `reached`, `hoped`, `refused`, `limit`, or the
            planner's reason why there is no plan; `impossible` or `unclear` where it reported
            that; empty before.
        least_left: decisions that had to be left for it to decide as it did at last; with fewer it
            would have acted upon a guess. 0 where it had none.
    """

    def __init__(self, engine: Engine, exploration_memory: ExplorationMemory | None = None) -> None:
        self.exploration_memory = exploration_memory or ExplorationMemory()
        self.ended = ""
        self.least_left = 0
        self._engine = engine
        self._known_world: tuple[object, KnownWorld] | None = None
        self._under_way: UnderWay | None = None
        self._hopeless: list[tuple[Goal, int]] = []
        self._guess: tuple[Goal, int] | None = None
        self._unsure = False
        self._doubted: KnownWorld | None = None
        self._targets: dict[str, ExplorationTarget] = {}
        self._planned: Decision = {}

    @property
    def memory(self) -> dict[str, Any]:
        """What it remembers, as a JSON value."""
        return {**self.exploration_memory.memory, "ended": self.ended}

    # -- remembering -------------------------------------------------------------------------------

    def note(self, decision: Taken, world: World) -> None:
        """Remember what came of a decision, its own or another's, that led to this world."""
        known_world = self._imagine(world)
        self.exploration_memory.note(decision, known_world, known_world.view(world))
        if self._imagine(world) is not known_world:
            return  # it was learned what lay behind a refusal
        for agent, outcome in decision.outcomes.items():
            target = self._targets.get(agent)
            if outcome.accepted:
                continue
            if target is not None and target.command == outcome.command:
                self.exploration_memory.barred[target.place] = None
            elif self._planned.get(agent) == outcome.command:
                self._doubted = known_world

    def _imagine(self, world: World) -> KnownWorld:
        """The scene as it is known now; the same one as long as nothing is added to it."""
        ids, hidden_kg = perceived(world), self.exploration_memory.hidden_kg
        readings = _lasting_readings(self._engine, world)
        known = (ids, tuple(hidden_kg.items()), tuple(readings.items()))
        if self._known_world is None or self._known_world[0] != known:
            imagined = KnownWorld(self._engine, ids, hidden_kg, readings)
            self._known_world = known, imagined
            self._hopeless, self._guess, self._unsure = [], None, False
        return self._known_world[1]

    # -- deciding ----------------------------------------------------------------------------------

    def decide(self, world: World, *, left: int | None = None) -> Decision:
        """The next decision; DONE for all once the goal holds, or where nothing is left to try.

        Args:
            world: as it is now; left as it is.
            left: decisions that the episode may still take. When they run out, the best guess is
                acted upon, whatever may be unseen.
        """
        known_world = self._imagine(world)
        view = known_world.view(world)
        frontiers = self.exploration_memory.frontiers(known_world, view)
        known = Known(
            known_world,
            view,
            tuple(s for s in frontiers if s.place not in self.exploration_memory.barred),
        )
        task = most_urgent(self._engine, world)
        sure, guess, hope = (self._reading(task, known, unseen) for unseen in UnseenAssumption)
        self._targets, self._planned, self.least_left = {}, {}, 0
        decision = (
            self._ask_back(world, known)
            or self._pursue(sure.goal, known)
            or self._hurry(guess, known, left)
            or self._perceive(sure.unread, known)
            or self._perceive(self.exploration_memory.unfelt_inside(known_world, view), known)
            or self._look(sure, known)
            or self._pursue(guess.goal, known, nodes=LAST_NODES)
            or self._decline(world)
            or self._pursue(hope.goal, known, nodes=LAST_NODES, then=HOPED)
            or done_for_all(world, lambda world: False)
        )
        said = told(world, decision)
        if not said.keys() >= decision.keys():  # somebody has to look first
            self._targets, self._planned = {}, {}
        return said

    def explore(self, world: World) -> Decision | None:
        """The next decision to look where nobody has looked; None where nothing is left.

        Args:
            world: as it is now; left as it is.
        """
        known_world = self._imagine(world)
        view = known_world.view(world)
        frontiers = self.exploration_memory.frontiers(known_world, view)
        open_ = tuple(f for f in frontiers if f.place not in self.exploration_memory.barred)
        self._planned = {}
        self._targets = Exploration(known_world, view, awake(view), open_).targets
        if not self._targets:
            return None
        return self._as_decision({a: target.command for a, target in self._targets.items()})

    def _ask_back(self, world: World, known: Known) -> Decision | None:
        """Look until everything is known that the readings of a task speak of, and report them.

        It is told what the text may mean, and not what there is of it: where something that a
        reading speaks of is nowhere to be found, that reading is none.
        """
        task = self._engine.scenario.task
        if not task.other_readings:
            return None
        readings = [
            self._reading(task.model_copy(update={"goal": goal}), known, UnseenAssumption.NOTHING)
            for goal in (task.goal, *task.other_readings)
        ]
        for reading in readings:
            if reading.anywhere or reading.missing:
                return self._look(reading, known)
        self.ended = "unclear"
        return report_for_all(world, self.ended)

    def _decline(self, world: World) -> Decision | None:
        """Report that it is impossible, where one may and what is known leaves no plan.

        Everything that can be looked at has been, and no search gave up or was refused.
        """
        if "REPORT" not in self._engine.verbs or self._unsure:
            return None
        self.ended = "impossible"
        return report_for_all(world, self.ended)

    def _reading(self, task: Task, known: Known, unseen: UnseenAssumption) -> GroundedGoal:
        return ground_goal(
            task,
            known.known_world,
            known.frontiers,
            unseen=unseen,
            numberless=self.exploration_memory.numberless,
        )

    def _perceive(self, unread: Iterable[tuple[str, str]], known: Known) -> Decision | None:
        """Lift or measure things; None where none of them can be."""
        for step in perceiving(known.known_world, known.view, unread):
            if step.command is not None:
                return self._as_decision(step.command)
            execution = self._execution_to(step.goal, known, EXPERT_NODES)
            if execution is not None:
                self._planned = execution.follow()
                return self._planned
        return None

    def _pursue(
        self, goal: Goal, known: Known, *, nodes: int = EXPERT_NODES, then: str = REACHED
    ) -> Decision | None:
        """The next decision towards a goal; None where none is known."""
        holds = known.known_world.aiming_at(goal).task.goal.holds
        if holds(known.view):
            self.ended = then
            return done_for_all(known.view, holds)
        execution = self._execution_to(goal, known, nodes)
        if execution is None:
            return None
        self._planned = execution.follow()
        return self._planned

    def _execution_to(self, goal: Goal, known: Known, nodes: int) -> PlanExecution | None:
        """The plan under way, if it is towards this goal and goes as expected, else a new one."""
        old = self._under_way
        if (
            old is not None
            and old.goal == goal
            and old.execution.is_at(old.known_world.view(known.view))
        ):
            return old.execution
        if self._doubted is known.known_world:
            self.ended, self._unsure = REFUSED, True
            return None
        if (goal, nodes) in self._hopeless:
            return None
        view = known.view
        step = next_subgoal(
            known.known_world.aiming_at(goal), view, agents=awake(view), nodes=nodes
        )
        if not isinstance(step.found, Plan):
            self.ended = str(step.found.why) if isinstance(step.found, Impossible) else LIMIT
            self._hopeless.append((goal, nodes))
            if nodes == LAST_NODES:
                self._unsure = self._unsure or self.ended == LIMIT
            return None
        execution = PlanExecution(step.engine, view, step.found.decisions)
        self._under_way = UnderWay(goal, known.known_world, execution)
        return execution

    def _hurry(self, guess: GroundedGoal, known: Known, left: int | None) -> Decision | None:
        """Act upon a guess as soon as there is barely time to do so."""
        if left is None or not guess.guessed:
            return None
        if self._guess is None or self._guess[0] != guess.goal:
            execution = self._execution_to(guess.goal, known, EXPERT_NODES)
            self._guess = guess.goal, 0 if execution is None else len(execution)
        self.least_left = self._guess[1] + SLACK + 1
        return None if left >= self.least_left else self._pursue(guess.goal, known)

    def _look(self, reading: GroundedGoal, known: Known) -> Decision | None:
        """Send agents to look for what is missing, first where it may be; None if nobody can."""
        likely = known.frontiers
        if not reading.anywhere:
            likely = tuple(
                frontier for frontier in known.frontiers if frontier.place in reading.missing
            )
        agents = awake(known.view)
        for frontiers in filter(None, (likely, known.frontiers)):
            self._targets = Exploration(known.known_world, known.view, agents, frontiers).targets
            if self._targets:
                return self._as_decision({a: target.command for a, target in self._targets.items()})
        return None

    def _as_decision(self, commands: Decision) -> Decision:
        """A decision as the ruleset wants it said, by those too who have nothing to do."""
        if not self._engine.ruleset.everybody_speaks:
            return commands
        return {agent: commands.get(agent, "LOOK") for agent in self._engine.blueprint.bodies}


def _lasting_readings(engine: Engine, world: World) -> Mapping[str, Mapping[str, Reading]]:
    """What was felt and measured; of numbers that change by themselves, only that they were."""
    readings, live = read_by_anybody(world), engine.blueprint.live
    if live is None:
        return readings
    return {node: _as_at_first(engine, live, node, own) for node, own in readings.items()}


def _as_at_first(
    engine: Engine, live: LiveScene, node: str, readings: Mapping[str, Reading]
) -> Mapping[str, Reading]:
    passing = live.unlabelled(node)
    given = engine.blueprint.things[node].quantities
    return {
        name: Reading(given.get(name, 0.0), 0) if name in passing else each
        for name, each in readings.items()
    }


def label(
    engine: Engine, world: World, exploration_memory: ExplorationMemory | None = None
) -> Decision:
    """What the expert would do in a state that somebody else has come to.

    Args:
        engine: the rules of the scenario.
        world: the state.
        exploration_memory: where the team has looked, from `Expert.note`. Without it what the world
            shows the team to know must do, and a room in which there is nothing is explored again.
    """
    from earsim.planner.acting.experimenter import expert_of  # which builds on this one

    return expert_of(engine, exploration_memory).decide(world)
