"""Templates of tasks by category.

A template adds subgoals to a draft and returns whether that worked. It makes the claim of its
category likely; the planner proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from earsim.schema import Category
from earsim_generators.tasks.builder import TaskBuilder
from earsim_generators.tasks.scene_index import Flip
from earsim_generators.tasks.teamwork import alone, divided, lifted, paired, rescued

FIXED = frozenset({
    "is_connected", "is_hung_up", "is_installed", "is_leashed", "is_mounted", "is_planted",
    "is_plugged_in", "is_screwed_in", "is_worn",
})  # fmt: skip
"""What is brought into such a state is not carried away afterwards."""


_OUT_OF_THE_WAY = 0.12
"""How often it is only said where a thing must not stay."""

_SOUGHT = 0.3
"""How often one must also find out where a thing goes."""


class TaskDemand(NamedTuple):
    """Number of things to do, and of conditions of a selector."""

    steps: int
    conditions: int


Template = Callable[[TaskBuilder, TaskDemand], bool]
"""Fills a draft; False where the scene does not offer what it takes."""


def direct_command(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """Things referred to by name are moved, or changed by hand."""
    if not _move_named(draft):
        return False
    for _ in range(demand.steps - 1):
        if draft.rng.random() < 0.4 and _flip_named(draft):
            continue
        if not (_move_named(draft) or _flip_named(draft)):
            return False
    return _alone(draft)


def attribute_reasoning(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """A thing referred to by a selector is moved."""
    if not _move_chosen(draft, demand):
        return False
    for _ in range(demand.steps - 1):
        if draft.rng.random() < 0.6 and _move_chosen_too(draft):
            continue
        if not _move_named(draft):
            return False
    return _alone(draft)


def tool_use(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """A state is changed with a tool."""
    if not _flip_with_tool(draft, and_move=demand.steps > 1):
        return False
    if demand.steps > 2 and not (_flip_with_tool(draft) or _move_named(draft)):
        return False
    return _alone(draft)


def compound_reasoning(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """A thing that must be found among others, and a change that takes a tool."""
    apart = not _flip_chosen(draft, demand)
    if apart and not (_move_chosen(draft, demand) and _flip_with_tool(draft)):
        return False
    if demand.steps > 2 and not (_move_named(draft) or _flip_named(draft)):
        return False
    return _alone(draft)


def explicit_collaboration(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """The instruction says that several act together."""
    roll = draft.rng.random()
    if roll < 0.15:
        return paired(draft)
    if roll < 0.3:
        return divided(draft, demand.conditions, in_hand=True)
    if not _lift(draft, demand, chosen=0.4, aloud=True):
        return False
    return _then_single(draft, demand.steps - 1)


def implicit_collaboration(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """Several are needed, and the instruction does not say so."""
    roll = draft.rng.random()
    if roll < 0.2:
        return divided(draft, demand.conditions)
    if roll < 0.4 and len(draft.index.start_rooms) < len(draft.index.blueprint.rooms):
        return rescued(draft) and _then_single(draft, demand.steps - 2)
    if not _lift(draft, demand, chosen=0.6, aloud=False):
        return False
    return _then_single(draft, demand.steps - 1)


def compound_collaboration(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """Several lift what must be found among others, or one of them uses a tool besides."""
    aloud = draft.rng.random() < 0.4
    chosen = 0.6 if demand.steps == 2 else 1.0
    if not _lift(draft, demand, chosen=chosen, aloud=aloud):
        return False
    if draft.select and demand.steps == 1:
        return True
    if (len(draft.agents) > 2 and draft.team is None) or not _flip_with_tool(draft):
        return False
    return draft.tool_kg <= min(agent.max_mass_kg for agent in draft.agents)


TEMPLATES: Mapping[Category, Template] = {
    Category.DIRECT_COMMAND: direct_command,
    Category.ATTRIBUTE_REASONING: attribute_reasoning,
    Category.TOOL_USE: tool_use,
    Category.COMPOUND_REASONING: compound_reasoning,
    Category.EXPLICIT_COLLABORATION: explicit_collaboration,
    Category.IMPLICIT_COLLABORATION: implicit_collaboration,
    Category.COMPOUND_COLLABORATION: compound_collaboration,
}
"""A template for every category."""


# -- parts ---------------------------------------------------------------------------------------


def _alone(draft: TaskBuilder) -> bool:
    room = draft.plan.start
    draft.agents = alone(room, draft.rng, carries=draft.load_kg + draft.tool_kg)
    return True


def _move_named(draft: TaskBuilder) -> bool:
    node = draft.named(draft.is_portable)
    if node is None:
        return False
    # Not as the only thing to do: it matters little where to.
    if draft.goals and draft.rng.random() < _OUT_OF_THE_WAY:
        return draft.take_out(node)
    return draft.move(node)


def _flip_named(draft: TaskBuilder) -> bool:
    return _flip_one(draft, with_tool=False) is not None


def _flip_with_tool(draft: TaskBuilder, *, and_move: bool = False) -> bool:
    flip = _flip_one(draft, with_tool=True)
    if flip is None:
        return False
    can_move = draft.is_portable(flip.node) and flip.state not in FIXED
    if and_move and can_move and draft.rng.random() < 0.6:
        return draft.move(flip.node)
    return not and_move or _move_named(draft) or _flip_named(draft)


def _flip_one(draft: TaskBuilder, *, with_tool: bool) -> Flip | None:
    """Have something with a name changed; None where nothing can be."""
    node = draft.named(lambda node: bool(draft.index.flips_of(node, with_tool=with_tool)))
    if node is None:
        return None
    flip = draft.rng.choice(draft.index.flips_of(node, with_tool=with_tool))
    draft.flip(node, flip)
    return flip


def _move_chosen(draft: TaskBuilder, demand: TaskDemand) -> bool:
    reference = draft.chosen(draft.is_portable, conditions=demand.conditions)
    if reference is None:
        return False
    node, candidates = draft.node(reference), draft.candidates[reference]
    flips = draft.index.undistinguished_flips(node, candidates, with_tool=False)
    flips = [f for f in flips if f.state not in FIXED and not draft.mentions(reference, f.state)]
    if flips and draft.rng.random() < 0.5:
        draft.flip(reference, draft.rng.choice(flips))
    return draft.move(reference, sought=_SOUGHT)


def _move_chosen_too(draft: TaskBuilder) -> bool:
    reference = draft.chosen(draft.is_portable, conditions=1)
    return reference is not None and draft.move(reference, sought=_SOUGHT)


def _flip_chosen(draft: TaskBuilder, demand: TaskDemand) -> bool:
    """Have one of several that look alike changed with a tool, and moved if more is to be done."""

    def fits(node: str, candidates: Sequence[str]) -> bool:
        return bool(draft.index.undistinguished_flips(node, candidates, with_tool=True))

    reference = draft.chosen(fits, conditions=demand.conditions)
    if reference is None:
        return False
    node = draft.node(reference)
    flips = draft.index.undistinguished_flips(node, draft.candidates[reference], with_tool=True)
    flips = [flip for flip in flips if not draft.mentions(reference, flip.state)]
    if not flips:
        return False
    flip = draft.rng.choice(flips)
    draft.flip(reference, flip)
    if demand.steps > 1 and draft.is_portable(node) and flip.state not in FIXED:
        return draft.move(reference)
    return True


def _lift(draft: TaskBuilder, demand: TaskDemand, *, chosen: float, aloud: bool) -> bool:
    is_all = demand.steps == 1
    conditions = demand.conditions
    return lifted(draft, conditions=conditions, chosen=chosen, aloud=aloud, is_all=is_all)


def _then_single(draft: TaskBuilder, steps: int) -> bool:
    """Further subgoals, for each of which one agent is enough."""
    for _ in range(steps):
        if not (_move_named(draft) or _flip_named(draft)):
            return False
    return draft.load_kg <= min(agent.max_mass_kg for agent in draft.agents)
