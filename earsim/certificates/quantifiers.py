"""Whether what a goal says of many things fits what there is at the start of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from earsim.engine import Engine
from earsim.errors import Finding
from earsim.goals.grounding import ground
from earsim.goals.selectors import matching
from earsim.schema import Goal, Scenario
from earsim.schema.goal import ContentsOf, CountOf, Each, Exactly, NumberOf, Trips
from earsim.schema.goal_tree import nodes
from earsim.world import World


def quantifier_findings(scenario: Scenario) -> Iterator[Finding]:
    """Nothing to choose among, more asked for than there are, an answer that is no candidate.

    Candidates that depend on the thing of an outer node are not looked at.

    Raises:
        UsageError: The goal stands for too large a tree.
    """
    engine = Engine(scenario)
    world = World(engine.blueprint, engine.ruleset.physics)
    task = scenario.task
    for node in nodes(task.goal):
        for reason, expected in _problems(
            node, world, engine.task.answer, is_impossible=task.right_claim == "impossible"
        ):
            yield Finding(scenario.id, "task.goal", reason, expected)
    ground(task.goal, world, engine.task.answer)


def _problems(
    node: Goal, world: World, answer: Mapping[str, str], *, is_impossible: bool
) -> Iterator[tuple[str, str]]:
    if not isinstance(node, Each | CountOf | Exactly | ContentsOf | Trips):
        return
    (key,) = type(node).model_fields
    fact = getattr(node, key)
    if fact.among is None:
        return
    found = matching(fact.among, world, answer)
    if not found and not (is_impossible and isinstance(fact, NumberOf)):
        yield f"{key}: no object fits its filter", "a filter that something meets"
    elif isinstance(fact, NumberOf) and fact.least > len(found) and not is_impossible:
        yield f"{key}: {fact.least} are asked for, and {len(found)} fit", "no more than there are"
    elif isinstance(node, Exactly):
        meant = [answer.get(each.removeprefix("$"), each) for each in node.exactly.these]
        strange = [each for each in meant if each not in found]
        if strange:
            yield f"exactly: {strange[0]!r} does not fit the filter", "candidates alone"
        elif len(found) == len(set(meant)):
            yield "exactly: there is no other candidate", "a filter that others meet, or `each`"
