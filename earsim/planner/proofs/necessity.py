"""Proofs that a scenario needs what its label says.

Each means has a test of its own. A tool is necessary if there is no plan once its ability is
stripped from every object; the team, if no agent can do it while the others stand where they start
and wait; a selector, if it has one answer and the instruction does not name it. Where each agent
keeps its own knowledge, a message is necessary if two scenarios that look alike to those who act
ask for different things.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earsim.engine import Engine
from earsim.errors import NoSingleAnswer
from earsim.planner.proofs.ablation import ablated, without_joint_marks
from earsim.planner.proofs.answer_leak import is_choice, leaked_answer
from earsim.planner.proofs.claims import ask
from earsim.planner.proofs.twins import cannot_know
from earsim.schema import Category
from earsim.schema.certificate import LabelProof, Means, Proof, Question, Search, Shown
from earsim.schema.verb_table import verb_table
from earsim.world import World

JOINT_PREFIX = "CORP_"

OF_APPARATUS = frozenset({"CONFIGURE", "RUN", "STOP", "EXEC", "SAVE"})
"""Verbs that take the ability that their apparatus asks for."""


class Promise(NamedTuple):
    """What a category promises: at least so many of the means, `always` among them."""

    means: tuple[Means, ...]
    least: int
    always: tuple[Means, ...] = ()


_TEAM = (Means.TEAM,)
_COMPOUND = (Means.SELECTOR, Means.TOOL, Means.TEAM)

PROMISES = {
    Category.DIRECT_COMMAND: Promise((), 0),
    Category.ATTRIBUTE_REASONING: Promise((Means.SELECTOR,), 1),
    Category.TOOL_USE: Promise((Means.TOOL,), 1),
    Category.COMPOUND_REASONING: Promise(_COMPOUND, 2),
    Category.EXPLICIT_COLLABORATION: Promise(_TEAM, 1, always=_TEAM),
    Category.IMPLICIT_COLLABORATION: Promise(_TEAM, 1, always=_TEAM),
    Category.COMPOUND_COLLABORATION: Promise(_COMPOUND, 2, always=_TEAM),
}


def prove(engine: Engine, solution: Search, *, nodes: int) -> tuple[Proof, ...]:
    """An attempt at every proof that the scenario's label calls for."""
    promise = PROMISES[engine.scenario.task.category]
    alone = len(engine.blueprint.bodies) == 1
    proofs = tuple(
        _PROVERS[means](engine, solution, nodes)
        for means in promise.means
        if not alone or means is not Means.TEAM or means in promise.always
    )
    return (*proofs, *_prove_message(engine))


def label_proof(category: Category, proofs: tuple[Proof, ...]) -> LabelProof:
    """What the proofs come to for the label."""
    promise = PROMISES[category]
    if not promise.least:
        return LabelProof.NOTHING_PROMISED
    shown = {proof.of: proof.shown for proof in proofs if proof.shown.is_proof}
    if len(shown) < promise.least or not shown.keys() >= set(promise.always):
        return LabelProof.NOT_PROVED
    without_marks = [means for means, how in shown.items() if how is not Shown.NEEDED_BY_MARK]
    enough = len(without_marks) >= promise.least and set(without_marks) >= set(promise.always)
    return LabelProof.PROVED if enough else LabelProof.MARKED


# -- selector ------------------------------------------------------------------------------------


def prove_selector(engine: Engine) -> Proof:
    """One answer, picked from several, and no name in the instruction gives it away.

    One selector of the goal that passes is enough; of those that fail, the first is told.
    """
    names = sorted(_selectors_of_goal(engine))
    if not names:
        return Proof(of=Means.SELECTOR, shown=Shown.NO_SELECTOR)
    try:
        answers = {name: engine.task.answer[name] for name in names}
    except NoSingleAnswer:
        return Proof(of=Means.SELECTOR, shown=Shown.SEVERAL_ANSWERS)
    failed: Proof | None = None
    for name in names:
        proof = _prove_one(engine, name, answers)
        if proof.shown.is_proof:
            return proof
        failed = failed or proof
    assert failed is not None
    return failed


def _prove_one(engine: Engine, name: str, answers: dict[str, str]) -> Proof:
    said = leaked_answer(engine, answers[name])
    if said is not None:
        return Proof(of=Means.SELECTOR, shown=Shown.NAMED, answers=answers, said=said)
    shown = Shown.ONE_ANSWER if is_choice(engine, name) else Shown.ONE_CANDIDATE
    return Proof(of=Means.SELECTOR, shown=shown, answers=answers)


def _selectors_of_goal(engine: Engine) -> set[str]:
    """The selectors that the goal speaks of; others only help to say which."""
    task = engine.scenario.task
    said = task.goal.model_dump_json()
    return {name for name in task.select if f'"${name}"' in said}


# -- tool ----------------------------------------------------------------------------------------


def prove_tool(engine: Engine, solution: Search, *, nodes: int) -> Proof:
    """No plan once an ability is stripped from every object.

    Only abilities that the solution uses can be necessary. Where each of them can be done without,
    one may still stand in for another, so they are stripped together, with whatever takes their
    place, until there is no plan or one that uses no tool.
    """
    if solution.found != "plan":
        return Proof(of=Means.TOOL, shown=Shown.NO_PLAN)
    used = tools_used(engine, solution)
    if not used:
        return Proof(of=Means.TOOL, shown=Shown.NO_TOOL_USED)
    tried: list[Search] = []
    for without in _single_then_joined(engine, used, tried):
        tried.append(ask(engine, Question(without=without), nodes=nodes))
        if tried[-1].found == "impossible":
            return Proof(of=Means.TOOL, shown=Shown.NEEDED, searches=(tried[-1],))
    return _undecided(Means.TOOL, Shown.DONE_WITHOUT, tried)


def _single_then_joined(
    engine: Engine, used: tuple[str, ...], tried: list[Search]
) -> Iterator[tuple[str, ...]]:
    for ability in used:
        yield (ability,)
    stripped = used
    if len(used) > 1:
        yield stripped
    while more := tuple(a for a in tools_used(engine, tried[-1]) if a not in stripped):
        stripped += more
        yield stripped


def tools_used(engine: Engine, search: Search) -> tuple[str, ...]:
    """The abilities of held tools that a plan makes use of, in its order."""
    found: dict[str, None] = {}
    engine = ablated(engine, search.question)
    world = engine.start()
    for commands in search.plan:
        held = _abilities(world)
        engine.step(world, commands)
        held |= _abilities(world)  # one may take the tool that the others use after it
        for command in commands.values():
            name = _ability_for(engine, command)
            row = verb_table().get(name)
            of_apparatus = command.split(maxsplit=1)[0].upper() in OF_APPARATUS
            # A key unlocks without any ability, so the verb alone tells nothing.
            takes_tool = of_apparatus or (row is not None and row.requires_tool)
            if takes_tool and name in held:
                found[name] = None
    return tuple(found)


def _ability_for(engine: Engine, command: str) -> str:
    """The ability that a command may take: its verb's name, or what its apparatus asks for."""
    words = command.split(maxsplit=2)
    live = engine.blueprint.live
    if (
        words[0].upper() in OF_APPARATUS
        and live is not None
        and words[1:]
        and words[1] in live.rigs
    ):
        return live.rigs[words[1]].needs.ability or ""
    return words[0].upper().removeprefix(JOINT_PREFIX).lower()


def _abilities(world: World) -> set[str]:
    return {ability for agent in world.agents.values() for ability in agent.abilities}


# -- team ----------------------------------------------------------------------------------------


def prove_team(engine: Engine, solution: Search, *, nodes: int) -> Proof:
    """A plan for the team, and none for any one agent while the others stand and wait.

    Where the goal asks that something be changed jointly, one agent cannot do it for that reason
    alone. Whether the world demands it too is asked without that mark, and reported apart.
    """
    agents = tuple(engine.blueprint.bodies)
    if len(agents) == 1:
        return Proof(of=Means.TEAM, shown=Shown.ONE_AGENT)
    if solution.found != "plan":
        return Proof(of=Means.TEAM, shown=Shown.NO_PLAN)
    goal = engine.task.goal_tree
    marked = without_joint_marks(goal) != goal
    unmarked_proof = _alone(engine, agents, marked, nodes)
    if not marked or unmarked_proof.shown is Shown.NEEDED:
        return unmarked_proof
    proof = _alone(engine, agents, False, nodes)
    if proof.shown is not Shown.NEEDED:
        return proof
    searches = (*proof.searches, *unmarked_proof.searches)
    return Proof(of=Means.TEAM, shown=Shown.NEEDED_BY_MARK, searches=searches)


def _alone(engine: Engine, agents: tuple[str, ...], without_mark: bool, nodes: int) -> Proof:
    """Every agent by itself, up to the first who succeeds."""
    tried: list[Search] = []
    for agent in agents:
        question = Question(agents=(agent,), unmarked=without_mark)
        found = ask(engine, question, nodes=nodes)
        if found.found != "impossible":
            found = cannot_know(engine, question) or found
        tried.append(found)
        if tried[-1].found == "plan":
            return Proof(of=Means.TEAM, shown=Shown.DONE_ALONE, searches=(tried[-1],))
    if all(search.found == "impossible" for search in tried):
        return Proof(of=Means.TEAM, shown=Shown.NEEDED, searches=tuple(tried))
    return _undecided(Means.TEAM, Shown.DONE_ALONE, tried)


def _prove_message(engine: Engine) -> tuple[Proof, ...]:
    """The proof that somebody must be told something, where there is one."""
    found = cannot_know(engine, Question(silent=True))
    if found is None:
        return ()
    return (Proof(of=Means.MESSAGE, shown=Shown.NEEDED, searches=(found,)),)


def _undecided(of: Means, refuted: Shown, tried: list[Search]) -> Proof:
    """No proof: because of a plan, or because a search gave up."""
    gave_up = tuple(search for search in tried if search.found == "unknown")
    if gave_up:
        return Proof(of=of, shown=Shown.LIMIT_REACHED, searches=gave_up)
    return Proof(of=of, shown=refuted, searches=(tried[-1],))


_PROVERS = {
    Means.SELECTOR: lambda engine, solution, nodes: prove_selector(engine),
    Means.TOOL: lambda engine, solution, nodes: prove_tool(engine, solution, nodes=nodes),
    Means.TEAM: lambda engine, solution, nodes: prove_team(engine, solution, nodes=nodes),
}
