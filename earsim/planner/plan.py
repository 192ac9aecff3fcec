"""The planner's entry points: fewest decisions, fewest commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from earsim.engine import Engine
from earsim.planner.laboratory.bare import bare, bare_world, has_apparatus
from earsim.planner.laboratory.demands import is_about_apparatus
from earsim.planner.laboratory.planning import Ask, LabPlanning
from earsim.planner.landmarks.trips import TripLandmarks
from earsim.planner.models.ear_bench import EarBenchModel
from earsim.planner.models.physical import PhysicalModel
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Disjunct, Problem
from earsim.planner.proofs.ablation import grounded
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.result import (
    DEFAULT_NODE_LIMIT,
    CommandClass,
    Impossible,
    Knowledge,
    Plan,
    Result,
    Unknown,
)
from earsim.planner.search.command_astar import CommandAStar
from earsim.planner.search.team_astar import TeamAStar
from earsim.planner.timed.planning import replayed, timed_plan
from earsim.planner.timed.replay import proved
from earsim.planner.timed.task import TimedTask
from earsim.planner.timed.untimed import despite_conditions
from earsim.world import World


def plan(
    engine: Engine,
    world: World | None = None,
    *,
    knowledge: Knowledge = Knowledge.ORACLE,
    command_class: CommandClass = CommandClass.PLAIN,
    agents: Sequence[str] | None = None,
    nodes: int = DEFAULT_NODE_LIMIT,
    innermost: bool = False,
) -> Result:
    """A plan with the fewest decisions, or a proof that there is none.

    Args:
        engine: the rules of the scenario.
        world: the state to plan from, left as it is; the start when None.
        knowledge: what the plan may use.
        command_class: which commands it may use.
        agents: who may act; the others stand where they are and wait. All when None.
        nodes: states a search may reach.
        innermost: of plans of equal length, rather one in which a thing is carried than what it
            lies in or on. Certificates are made without: their plans and node counts are shipped.
    """
    if has_apparatus(engine):
        start = _start(engine, world, knowledge)

        def ask(rules: Engine, state: World) -> Result:
            return plan(rules, state, agents=agents, nodes=nodes, innermost=innermost)

        return _in_a_laboratory(engine, start, agents, nodes, ask)
    problem = _problem(engine, world, knowledge, command_class, agents, innermost)
    if problem.is_timed:
        return _in_time(problem, nodes, _with_fewest_decisions)
    found = _with_fewest_decisions(problem, nodes)
    if isinstance(found, Plan | Impossible) or problem.plain:
        return found
    return _allowed_anyway(_with_fewest_decisions(_in_plain(problem), nodes), found)


def _with_fewest_decisions(problem: Problem, nodes: int) -> Result:
    if len(problem.actors) < 2 or problem.holds(problem.start):
        return _with_fewest_commands(problem, nodes)
    model = _model(problem)
    disjuncts = _open_disjuncts(model)
    if isinstance(disjuncts, Impossible):
        return disjuncts
    found = _of_a_team(model, disjuncts, nodes)
    if not isinstance(found, Unknown) or nodes < DEFAULT_NODE_LIMIT:
        return found
    if not isinstance(model, PhysicalModel):
        return found
    # Closer bounds, which plan otherwise: what was found without them stays as it was.
    again = _of_a_team(PhysicalModel(problem, journeys=True), disjuncts, nodes)
    return replace(again, nodes=found.nodes + again.nodes)


def _of_a_team(model: PlanningModel, disjuncts: list[Disjunct] | None, nodes: int) -> Result:
    """Least decisions, or else any plan."""
    found = TeamAStar(model, disjuncts, limit=nodes).run()
    if not isinstance(found, Unknown):
        return found
    quick = TeamAStar(model, disjuncts, limit=_few(nodes))
    quick.bound = found.bound
    others = [quick.run(weight=2), _with_fewest_commands(model.problem, nodes, model)]
    plans = [other for other in others if isinstance(other, Plan)]
    spent = found.nodes + sum((other.nodes for other in others), 0)
    bound = max(found.bound, _with_trips(model.problem, disjuncts))
    if not plans:
        return replace(found, bound=bound, nodes=spent)
    best = min(plans, key=len)
    return replace(best, least=len(best) == bound, bound=bound, nodes=spent)


def _with_trips(problem: Problem, disjuncts: Sequence[Disjunct] | None) -> int:
    """Decisions of a team that are needed at least, those for walking to and fro included."""
    if disjuncts is None or problem.start.physics.keeps_near_set:
        return 0
    landmarks = TripLandmarks(problem, PhysicalRelaxation(problem))
    return min(landmarks.decisions(problem.start, disjunct) for disjunct in disjuncts)


def least_commands(
    engine: Engine,
    world: World | None = None,
    *,
    knowledge: Knowledge = Knowledge.ORACLE,
    command_class: CommandClass = CommandClass.PLAIN,
    agents: Sequence[str] | None = None,
    nodes: int = DEFAULT_NODE_LIMIT,
) -> Result:
    """A plan with the fewest commands, one to a decision; arguments as in `plan`."""
    if has_apparatus(engine):
        start = _start(engine, world, knowledge)

        def ask(rules: Engine, state: World) -> Result:
            return least_commands(rules, state, agents=agents, nodes=nodes)

        return _in_a_laboratory(engine, start, agents, nodes, ask)
    problem = _problem(engine, world, knowledge, command_class, agents)
    if problem.is_timed:
        return _in_time(problem, nodes, _with_fewest_commands)
    found = _with_fewest_commands(problem, nodes)
    if isinstance(found, Plan | Impossible) or problem.plain:
        return found
    return _allowed_anyway(_with_fewest_commands(_in_plain(problem), nodes), found)


def _in_a_laboratory(
    engine: Engine, start: World, agents: Sequence[str] | None, nodes: int, ask: Ask
) -> Result:
    """The answer where simulations stand behind things.

    Where the goal says nothing of them it is that of the scene without them.
    """
    goal = grounded(engine).task.goal
    if not is_about_apparatus(goal):
        rules = bare(engine, goal)
        return ask(rules, bare_world(rules, start))
    actors = [agent for agent in start.agents if agents is None or agent in agents]
    return LabPlanning(engine, start, goal, actors, ask).answer(nodes)


def _in_time(problem: Problem, nodes: int, untimed: Callable[[Problem, int], Result]) -> Result:
    """The answer where numbers may change by themselves.

    Where none of them bears on the question, it is the ordinary one. Else an ordinary plan may do
    as well, if replay proves it; and what is claimed then is only that.
    """
    task = TimedTask(problem)
    if task.is_frozen():
        found = untimed(problem, nodes)
        if not isinstance(found, Plan):
            return found
        shown = proved(problem.engine, problem.start, found.decisions)
        if shown is not None:
            return replace(found, seconds=shown.seconds)
    elif task.is_about_things:
        plain = untimed(problem, _few(nodes))
        if isinstance(plain, Plan) and plain.decisions:
            again = replayed(task, plain.decisions, plain.nodes)
            if again is not None:
                return again
    elif task.apparatus is None:
        return despite_conditions(task, nodes, lambda easier: untimed(easier, nodes))
    return timed_plan(task, nodes)


def _in_plain(problem: Problem) -> Problem:
    """The same question in the narrower class, where there is less to search."""
    return Problem(
        problem.engine,
        problem.start,
        actors=problem.actors,
        command_class=CommandClass.PLAIN,
        innermost=problem.innermost,
    )


def _allowed_anyway(plain: Result, unknown: Unknown) -> Result:
    """A plan in `plain` is one in `any`, too; that there is none in `plain` says nothing there."""
    spent = plain.nodes + unknown.nodes
    if not isinstance(plain, Plan):
        return replace(unknown, nodes=spent)
    return replace(plain, least=False, bound=unknown.bound, nodes=spent)


def _with_fewest_commands(
    problem: Problem, nodes: int, model: PlanningModel | None = None
) -> Result:
    if problem.holds(problem.start):
        return Plan((), least=True, bound=0, commands=0, nodes=0)
    model = model or _model(problem)
    disjuncts = _open_disjuncts(model)
    if isinstance(disjuncts, Impossible):
        return disjuncts
    search = CommandAStar(model, disjuncts, limit=nodes)
    found = search.run()
    if isinstance(found, Unknown):
        spent = found.nodes
        for actors in _groups(problem):
            other = _quickly(model, actors, nodes, found.bound)
            spent += other.nodes
            if isinstance(other, Plan):
                return replace(other, nodes=spent)
    return found


def _few(nodes: int) -> int:
    """What a search may reach that takes any plan: it finds one soon or, as a rule, never."""
    return max(1, nodes // 4)


def _groups(problem: Problem) -> Iterator[tuple[str, ...]]:
    """Who might do it: all, or one alone, who has less to choose from."""
    yield problem.actors
    if len(problem.actors) > 1:
        yield from ((actor,) for actor in problem.actors)


def _quickly(model: PlanningModel, actors: tuple[str, ...], nodes: int, bound: int) -> Result:
    """Any plan by these actors, of no known quality; `bound` was proved for all."""
    model = _inadmissible(model, actors)
    disjuncts = _open_disjuncts(model)
    if isinstance(disjuncts, Impossible):
        return disjuncts
    search = CommandAStar(model, disjuncts, limit=_few(nodes))
    search.bound = bound
    return search.run(weight=5)


def _inadmissible(model: PlanningModel, actors: tuple[str, ...]) -> PlanningModel:
    """The guide of these actors that may take for granted what nearly always holds."""
    problem = model.problem
    if actors == problem.actors and not model.has_inadmissible_heuristic:
        return model
    inadmissible = Problem(
        problem.engine,
        problem.start,
        actors=actors,
        command_class=problem.command_class,
        inadmissible=True,
        innermost=problem.innermost,
    )
    return _model(inadmissible)


def _model(problem: Problem) -> PlanningModel:
    """The planner's knowledge of the ruleset in force."""
    bench = problem.start.physics.keeps_near_set
    return EarBenchModel(problem) if bench else PhysicalModel(problem)


def _open_disjuncts(model: PlanningModel) -> list[Disjunct] | Impossible | None:
    """The alternatives of the goal that nothing refutes, or why there are none."""
    problem = model.problem
    if problem.disjuncts is None:
        return None
    refuted = list(problem.refuted)
    left = []
    for disjunct in problem.disjuncts:
        why = model.refute(disjunct)
        if why is None:
            left.append(disjunct)
        else:
            refuted.append(why)
    return left or refuted[0]


def _problem(
    engine: Engine,
    world: World | None,
    knowledge: Knowledge,
    command_class: CommandClass,
    agents: Sequence[str] | None,
    innermost: bool = False,
) -> Problem:
    start = _start(engine, world, knowledge)
    actors = tuple(start.agents) if agents is None else tuple(agents)
    return Problem(
        engine,
        start,
        actors=actors,
        command_class=CommandClass(command_class),
        innermost=innermost,
    )


def _start(engine: Engine, world: World | None, knowledge: Knowledge) -> World:
    """The state to plan from: a copy, without beliefs, which allow and forbid nothing."""
    start = engine.start() if world is None else world.copy()
    start.beliefs = {}
    if Knowledge(knowledge) is Knowledge.GLOBAL:
        everything = (*engine.blueprint.things, *engine.blueprint.doors)
        for agent in start.agents:
            start.discover(agent, everything)
    return start
