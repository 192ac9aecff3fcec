"""Sampling of task proposals, of which nothing is proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal, NamedTuple

from earsim.schema import AgentSpec, Category, Scene, Task
from earsim_generators.difficulty import BANDS, Band, Measures, score
from earsim_generators.language import Realiser
from earsim_generators.tasks.builder import TaskBuilder
from earsim_generators.tasks.scene_index import SceneIndex
from earsim_generators.tasks.templates import TEMPLATES, TaskDemand

_RADIOS = 0.2
"""How often a team can talk from room to room."""

_DRAFTS = 12
"""Drafts of which the first that suits is taken, or else the one that comes nearest."""


class Proposal(NamedTuple):
    """A task with its agents, channel of speech, and estimated difficulty.

    Attributes:
        people: how many agents things must take for it, by id; the others one.
    """

    task: Task
    agents: tuple[AgentSpec, ...]
    channel: Literal["room", "all"]
    estimate: Measures
    people: Mapping[str, int]


class TaskRequest(NamedTuple):
    """What a task is to be like; `band` and `team` of None leave it open."""

    band: Band | None = None
    least_length: int = 5
    team: int | None = None

    def distance(self, estimate: Measures) -> int:
        """Distance between an estimate and the request; 0 if it is met."""
        far = max(0, self.least_length - estimate.length)
        if self.band is not None:
            scores, points = BANDS[self.band], score(estimate)
            far += max(scores.least - points, points - scores.most, 0)
        return far

    def demand(self, rng: Random) -> TaskDemand:
        """A demand that is likely to meet the request."""
        band = self.band or rng.choice(list(Band))
        return TaskDemand(rng.choice(_STEPS[band]), rng.choice(_CONDITIONS[band]))


_STEPS = {Band.EASY: (1,), Band.MEDIUM: (1, 2), Band.HARD: (2, 3)}
_CONDITIONS = {Band.EASY: (1,), Band.MEDIUM: (1, 2), Band.HARD: (1, 2)}


def propose(
    index: SceneIndex,
    category: Category,
    request: TaskRequest,
    rng: Random,
    *,
    id: str,
    named: bool = False,
) -> Proposal | None:
    """A task of a category; None where the scene has nothing to make one of.

    With `named`, joint commands of its walkthrough name all who take part (`ear-bench`).
    """
    draft = _best(index, TEMPLATES[category], request, rng)
    if draft is None:
        return None
    # Before the words, so that other words make no other scenario.
    channel: Literal["room", "all"] = "all" if rng.random() < _RADIOS else "room"
    realiser = Realiser(
        index.context, draft.select, draft.answer, draft.agents, jointly=draft.jointly, rng=rng
    )
    is_team = len(draft.agents) > 1
    decisions = draft.plan.commands(draft.agents, named=named)
    alone = (command for decision in decisions for command in decision.values())
    # Enough to search the whole place once, and then to do everything twice.
    budget = 5 * -(-(index.searching + 2 * draft.plan.decisions + 5) // 5)
    task = Task(
        id=id,
        category=category,
        instruction=realiser.of(draft.goal),
        goal=draft.goal if named else draft.exclusive_goal,
        select=dict(draft.select),
        answer=dict(draft.answer),
        budget=budget,
        walkthrough=tuple(decisions if is_team else alone),
    )
    return Proposal(
        task, draft.agents, channel if is_team else "room", draft.estimate, draft.people
    )


def for_several(scene: Scene, people: Mapping[str, int]) -> Scene:
    """The scene, in which these objects take so many agents."""
    objects = [
        thing.model_copy(update={"people": people[thing.id]}) if thing.id in people else thing
        for thing in scene.objects
    ]
    return scene.model_copy(update={"objects": tuple(objects)}) if people else scene


def _best(
    index: SceneIndex,
    template: Callable[[TaskBuilder, TaskDemand], bool],
    request: TaskRequest,
    rng: Random,
) -> TaskBuilder | None:
    """The first draft that meets the request, or else the nearest one."""
    best: tuple[int, TaskBuilder] | None = None
    for _ in range(_DRAFTS):
        draft = TaskBuilder(index, rng, team=request.team)
        if not template(draft, request.demand(rng)) or not draft.is_whole:
            continue
        far = request.distance(draft.estimate)
        if far == 0:
            return draft
        if best is None or far < best[0]:
            best = far, draft
    return None if best is None else best[1]
