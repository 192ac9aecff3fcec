"""The work on one scene: making it, setting tasks in it, and proving them. Runs in any process.

What comes of it depends on the settings and the number of the scene alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from earsim.engine import Engine
from earsim.errors import FileError, UsageError
from earsim.planner.certificate import PUBLISHED, certify_posed
from earsim.planner.giveaway import giveaway
from earsim.schema import Category, Scenario, Scene
from earsim.schema.certificate import Certificate, LabelProof
from earsim.schema.dump import to_json
from earsim.schema.load import parse
from earsim_generators.difficulty import Band, Measures, band_of, measure, score
from earsim_generators.making.rejection import Rejection
from earsim_generators.making.settings import Settings, domain_named, laid_on
from earsim_generators.making.splits import Split
from earsim_generators.making.structure import structure_of
from earsim_generators.scenes import MadeScene, SceneKnobs, make_scene
from earsim_generators.tasks import Ground, Wish, propose
from earsim_generators.version import GENERATOR_VERSION

TRIES = 4
"""Proposals per task that is wanted; when all are rejected, the scene does without it."""

NODES_ALONE = 100
NODES_TOGETHER = 30
"""States that a search may reach. More prove more plans to be shortest, and take longer: every task
comes with a plan of its own, so that none is needed to find one."""

NODES_PUBLISHED = 2_000
"""Likewise under `ear-bench`, where that plan is not always one."""

_FAR_OFF = 2
"""Points of difficulty by which an outlook may miss a band and still be worth a proof."""

_MOST_OF_BUDGET = 0.6
"""The part of a budget that a plan may take; the rest is for those who must look for things."""


class Cell(NamedTuple):
    """One kind of task that is wanted."""

    category: Category
    band: Band | None


class Order(NamedTuple):
    """What a process is told to do.

    Attributes:
        number: Of the scene, in its split.
    """

    settings: Settings
    split: Split | None
    number: int


class Made(NamedTuple):
    """A scenario that was proved.

    Attributes:
        line: The scenario as JSON, on one line.
        certificate: Likewise.
        structure: Which others are the same but for names and places.
    """

    id: str
    cell: Cell
    line: str
    certificate: str
    structure: str
    measures: Measures


class Batch(NamedTuple):
    """All that came of one scene.

    Attributes:
        made: In order.
        rejected: A cell and a reason for every proposal that was not made.
        no_scene: Why there is no scene; empty if there is one.
        shortfalls: What the scene has less of than was asked for, such as `2 doors of 9`.
    """

    domain: str
    made: tuple[Made, ...]
    rejected: tuple[tuple[Cell, Rejection], ...]
    no_scene: str = ""
    shortfalls: tuple[str, ...] = ()


def cells_of(settings: Settings) -> tuple[Cell, ...]:
    """Every kind of task that is wanted."""
    bands = settings.wanted_bands
    return tuple(Cell(c, band) for band in bands for c in settings.wanted_categories)


def cells_of_scene(settings: Settings, number: int) -> Iterator[Cell]:
    """The kinds of tasks for one scene: over many scenes, each as often as the others."""
    categories, bands = settings.wanted_categories, settings.wanted_bands
    for slot in range(settings.tasks_per_scene):
        place = number * settings.tasks_per_scene + slot
        turn = place // len(categories)
        yield Cell(categories[place % len(categories)], bands[(place + turn) % len(bands)])


def work(order: Order) -> Batch:
    """Make a scene and its tasks."""
    settings, split, number = order
    domains = settings.domains_of(split)
    name = domains[number % len(domains)]
    domain = domain_named(name)
    knobs = settings.knobs_of(split)
    scene_id = _scene_id(domain.id, order)
    try:
        made = make_scene(domain, knobs, _rng(order, "scene"), id=scene_id)
        parse(to_json(made.scene), source=scene_id, is_json=True)  # what is written can be read
    except (UsageError, FileError) as error:
        return Batch(name, (), (), no_scene=str(error))
    bench = _Bench(order, made)
    for slot, cell in enumerate(cells_of_scene(settings, number)):
        bench.fill(slot, cell)
    shortfalls = tuple(_shortfalls(made.scene, knobs))
    return Batch(name, tuple(bench.made), tuple(bench.rejected), shortfalls=shortfalls)


class _Bench:
    """One scene being worked on."""

    def __init__(self, order: Order, made: MadeScene) -> None:
        self.made: list[Made] = []
        self.rejected: list[tuple[Cell, Rejection]] = []
        self._order = order
        self._scene = made
        self._ground = Ground(made.scene, made.start_rooms, _surfaces(order, made))

    def fill(self, slot: int, cell: Cell) -> None:
        """Propose until one is proved, but not for ever."""
        for attempt in range(TRIES):
            # Unique in the suite, so that `earsim show SUITE/TASK` finds it.
            task_id = f"{cell.category}_{self._order.number}_{slot + 1}"
            outcome = self._attempt(cell, f"{slot}.{attempt}", task_id)
            if isinstance(outcome, Made):
                self.made.append(outcome)
                return
            self.rejected.append((cell, outcome))

    def _attempt(self, cell: Cell, lot: str, task_id: str) -> Made | Rejection:
        settings = self._order.settings
        wish = Wish(cell.band, settings.from_preset.least_length, settings.team)
        rng = _rng(self._order, lot)
        proposal = propose(self._ground, cell.category, wish, rng, id=task_id)
        if proposal is None:
            return Rejection.NOTHING_TO_ASK
        if wish.distance(proposal.outlook) > _FAR_OFF:
            return Rejection.NOT_AS_WISHED
        scenario = Scenario(
            id=f"{self._ground.scene.id}/{task_id}",
            ruleset=settings.ruleset,
            scene=self._ground.scene,
            agents=proposal.agents,
            task=proposal.task,
            channel=proposal.channel,
        )
        return self._proved(scenario, cell)

    def _proved(self, scenario: Scenario, cell: Cell) -> Made | Rejection:
        engine = Engine(scenario)
        if any(giveaway(engine, answer) for answer in engine.answer.values()):
            return Rejection.NAMED
        certificate = certify_posed(engine, nodes=self._nodes(scenario))
        flaw = _flaw(certificate)
        if flaw is not None:
            return flaw
        measures = measure(engine, certificate.solution.plan)
        if measures.length < self._order.settings.from_preset.least_length:
            return Rejection.TOO_SHORT
        if cell.band is not None and band_of(measures) is not cell.band:
            return Rejection.OUT_OF_BAND
        return self._written(scenario, certificate, cell, measures)

    def _nodes(self, scenario: Scenario) -> int:
        if self._order.settings.nodes is not None:
            return self._order.settings.nodes
        if scenario.ruleset == PUBLISHED:
            return NODES_PUBLISHED
        return NODES_ALONE if len(scenario.agents) == 1 else NODES_TOGETHER

    def _written(
        self, scenario: Scenario, certificate: Certificate, cell: Cell, measures: Measures
    ) -> Made:
        task = scenario.task
        if certificate.solution.method != "walkthrough":  # the certificate has the better plan
            task = task.model_copy(update={"walkthrough": ()})
        provenance = {**self._provenance, "difficulty": _difficulty(measures)}
        update = {"task": task, "provenance": provenance}
        return Made(
            id=scenario.id,
            cell=cell,
            line=to_json(scenario.model_copy(update=update)),
            certificate=to_json(certificate),
            structure=structure_of(scenario, self._scene.kinds, self._ground),
            measures=measures,
        )

    @property
    def _provenance(self) -> Mapping[str, object]:
        settings = self._order.settings
        return {
            "generator": f"earsim_generators/{GENERATOR_VERSION}",
            "seed": settings.seed,
            "preset": settings.preset,
            "scene": self._order.number,
            **({} if self._order.split is None else {"split": self._order.split.value}),
        }


def _flaw(certificate: Certificate) -> Rejection | None:
    """What keeps a scenario from being written, as far as its certificate tells."""
    if certificate.goal_at_start:
        return Rejection.ALREADY_SO
    if certificate.solution.found != "plan":
        return Rejection.NO_PLAN
    if certificate.label is LabelProof.NOT_PROVED:
        return Rejection.NOT_PROVED
    if len(certificate.solution.plan) > _MOST_OF_BUDGET * certificate.budget:
        return Rejection.TOO_LONG
    return None


def _shortfalls(scene: Scene, knobs: SceneKnobs) -> Iterator[str]:
    """Knobs that are met only as far as the plan of the rooms has places for doors."""
    locked = sum(door.states["is_locked"] for door in scene.doors)
    if len(scene.doors) < knobs.doors:
        yield f"{len(scene.doors)} doors of {knobs.doors}"
    if locked < knobs.locked_doors:
        yield f"{locked} locked doors of {knobs.locked_doors}"


def _surfaces(order: Order, made: MadeScene) -> list[str]:
    """Furniture of the kinds on which things lie in this domain."""
    settings, split, number = order
    domains = settings.domains_of(split)
    kinds = laid_on(domains[number % len(domains)])
    return [node for node, kind in made.kinds.items() if kind in kinds]


def _difficulty(measures: Measures) -> dict[str, object]:
    return {"band": band_of(measures).value, "score": score(measures), **measures._asdict()}


def _scene_id(domain: str, order: Order) -> str:
    split = "" if order.split is None else f"_{order.split}"
    return f"{domain}{split}_{order.settings.seed}_{order.number:05d}"


def _rng(order: Order, purpose: str) -> Random:
    """Text seeds are hashed the same way everywhere."""
    split = "" if order.split is None else order.split.value
    words = (GENERATOR_VERSION, order.settings.seed, split, order.number, purpose)
    return Random("/".join(map(str, words)))
