"""Goals over a world: each predicate, trees of them, the score, and `$name` for what was picked."""

from copy import copy
from types import SimpleNamespace
from typing import Any

import pytest

from earsim.apparatus.model import Expected
from earsim.apparatus.operation import Failure, Operation, OperationStatus, OperationType
from earsim.apparatus.wet_bench.model import WetBench
from earsim.engine import Engine
from earsim.goals import PREDICATES, CompiledGoal, compile_goal
from earsim.goals.tree import OVER_TIME
from earsim.schema import Scenario, Task
from earsim.schema.apparatus import ApparatusPrice
from earsim.schema.goal import GOAL_KEYS, QUANTIFIED
from earsim.schema.wet_bench import ActionPool
from earsim.world import HELD, Location, World
from earsim.world.lab import Lab, LabRun, LedgerRow
from earsim.world.pools import compiled as compiled_pool
from earsim.world.timeline import Timeline

THING = {"kind": "item", "mass_kg": 1}
SCENE = {
    "schema": "earsim.scene/1",
    "id": "flat",
    "rooms": [{"id": "room", "area_m2": 12, "temperature_c": 18}, {"id": "hall"}],
    "doors": [{"id": "door", "between": ["room", "hall"], "states": {"is_open": False}}],
    "objects": [
        {**THING, "id": "table", "kind": "furniture", "in": "room", "container": {"capacity_l": 9}},
        {**THING, "id": "box", "on": "table", "container": {}, "size_m": [0.2, 0.3, 0.1]},
        {**THING, "id": "cup", "in": "box", "temperature_c": 4.5, "states": {"is_on": 1}},
        {**THING, "id": "pen", "in": "hall", "attributes": {"is_blue": True}},
        {**THING, "id": "key", "in": "hall"},
    ],
}


def task(goal: Any) -> dict[str, Any]:
    return {"id": "t", "category": "tool_use", "instruction": "-", "goal": goal}


@pytest.fixture
def world() -> World:
    content = {
        "id": "s",
        "ruleset": "ear-bench",
        "scene": SCENE,
        "agents": [{"id": "ann", "max_mass_kg": 5}, {"id": "bob", "max_mass_kg": 5}],
        "task": task({"any": []}),
    }
    return Engine(Scenario.model_validate(content)).start()


def compiled(goal: Any, **answer: str) -> CompiledGoal:
    return compile_goal(Task.model_validate(task(goal)).goal, answer)


def hold(world: World, agent: str, thing: str) -> None:
    world.move_object(thing, Location(HELD, agent))
    world.agents[agent].inventory += (thing,)


AT = {"object": "box", "on": "table"}
SPIN = {
    "name": "spin",
    "parameters": [{"name": "time", "unit": "s", "bounds": [1, 90]}],
    "seconds": "time",
}
POOL = ActionPool.model_validate({"actions": [{"name": "mix"}, SPIN]})
BENCHES = {"bench": WetBench(compiled_pool(POOL))}

MINUTE = {"time": "1 min"}

CASES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "at": (
        [AT, {"object": "cup", "in": "box"}, {"object": "pen", "in": "hall"}],
        [
            {"object": "box", "in": "table"},  # the other relation
            {"object": "cup", "in": "room"},  # only the direct holder counts
            {"object": "room", "in": "hall"},  # a room is nowhere
            {"object": "room", "place": ":hall"},
        ],
    ),
    "inside_room": (
        [
            {"object": "cup", "room": "room"},
            {"object": "pen", "room": "hall"},
            {"object": "room", "room": "room"},
        ],
        [{"object": "cup", "room": "hall"}, {"object": "door", "room": "room"}],
    ),
    "has_state": (
        [
            {"object": "door", "state": "is_open", "equals": False},
            {"object": "cup", "state": "is_on"},  # 1 equals true
            {"object": "pen", "state": "is_on", "equals": None},  # a missing state equals None
        ],
        [
            {"object": "door", "state": "is_open"},
            {"object": "pen", "state": "is_blue"},  # an open attribute is no state
            {"object": "room", "state": "is_open"},
        ],
    ),
    "quantity": (
        [
            {"object": "cup", "of": "temperature_c", "at_least": 4.5, "at_most": 4.5},
            {"object": "cup", "of": "temperature_c", "equals": 5, "within": 0.5},
            {"object": "cup", "of": "temperature_c", "equals": 4.2, "within": 0.5},
            {"object": "cup", "of": "mass_kg", "equals": 1},
            {"object": "box", "of": "width_m", "at_most": 0.3},
            {"object": "table", "of": "capacity_l", "at_least": 9},
            {"object": "room", "of": "temperature_c", "at_least": 18},
            {"object": "room", "of": "area_m2", "equals": 12},
        ],
        [
            {"object": "cup", "of": "temperature_c", "at_least": 4.6},
            {"object": "cup", "of": "temperature_c", "at_most": 4.4},
            {"object": "cup", "of": "temperature_c", "equals": 5.1, "within": 0.5},
            {"object": "cup", "of": "temperature_c", "equals": 4.5, "at_least": 4.6},
            {"object": "cup", "of": "pressure_bar", "at_least": 0},  # there is none
            {"object": "door", "of": "mass_kg", "at_least": 0},
        ],
    ),
    "held_by": (
        [{"object": "key", "agent": "ann"}, {"object": "key"}, {"object": "table", "agent": "bob"}],
        [{"object": "key", "agent": "bob"}, {"object": "cup"}, {"object": "pen"}],
    ),
    "done_jointly": (
        [{"object": "door", "state": "is_open"}],
        [{"object": "door", "state": "is_locked"}, {"object": "cup", "state": "is_open"}],
    ),
    "measured": (
        [
            {"apparatus": "table", "result": "error", "at_most": 0.2},
            {"apparatus": "table", "result": "error", "equals": 0.15, "within": 0.05},
            {"apparatus": "table", "result": "error", "at_least": 0.4, "from": "any"},
            {"apparatus": "table", "result": "stable", "equals": True},
        ],
        [
            {"apparatus": "table", "result": "error", "at_least": 0.4},  # that was the first run
            {"apparatus": "table", "result": "error", "at_most": 0.05, "from": "any"},  # it failed
            {"apparatus": "table", "result": "settling", "at_least": 0},  # None
            {"apparatus": "table", "result": "speed", "at_least": 0},  # there is none
            {"apparatus": "cup", "result": "error", "at_least": 0},
        ],
    ),
    "operation": (
        [
            {"apparatus": "table", "count": 2},
            {"apparatus": "table", "status": "halted"},
            {"apparatus": "table", "status": "failed"},  # what was stopped has failed
        ],
        [
            {"apparatus": "table", "count": 3},
            {"apparatus": "table", "status": "failed", "count": 2},
            {"apparatus": "cup", "status": "completed"},
        ],
    ),
    "spent": (
        [
            {"account": "eur", "at_most": 5},
            {"account": "kwh", "at_most": 0},
            {"account": "flop", "at_most": 700},  # of the run that goes on
            {"account": "clock_s", "at_most": 0},
        ],
        [{"account": "eur", "at_most": 4.9}, {"account": "flop", "at_most": 699}],
    ),
    "submitted": (
        [
            {"name": "threshold", "equals": 750000},
            {"name": "threshold", "equals": 750010, "within": 10},
            {"name": "threshold", "equals": 700000, "factor": 1.1},
            {"name": "scheme", "equals": "upwind"},
        ],
        [
            {"name": "threshold", "equals": 750011, "within": 10},
            {"name": "threshold", "equals": 600000, "factor": 1.1},
            {"name": "threshold", "equals": -750000, "factor": 1.1},
            {"name": "scheme", "equals": "central"},
            {"name": "other", "equals": 750000},  # nobody answered
        ],
    ),
    "performed": (
        [
            {"apparatus": "bench", "protocol": [{"action": "mix"}, {"action": "spin"}]},
            {
                "apparatus": "bench",
                "protocol": [
                    {"action": "mix"},
                    {"action": "spin", "parameters": {"time": "1 min"}},
                ],
            },
            {
                "apparatus": "bench",
                "protocol": [{"action": "spin"}, {"action": "mix"}],
                "ss_at_least": 0,
            },
            {
                "apparatus": "bench",
                "protocol": [{"action": "mix"}, {"action": "spin", "parameters": {"time": 90}}],
                "pa_at_least": 0,
            },
        ],
        [
            {"apparatus": "bench", "protocol": [{"action": "spin"}, {"action": "mix"}]},
            {"apparatus": "bench", "protocol": [{"action": "mix"}]},
            {
                "apparatus": "bench",
                "protocol": [{"action": "mix"}, {"action": "spin", "parameters": {"time": 90}}],
            },
            {"apparatus": "cup", "protocol": [{"action": "mix"}]},  # no bench
        ],
    ),
}
"""Facts that are true and facts that are false in `prepared`, by predicate."""


@pytest.fixture
def prepared(world: World) -> World:
    """Ann holds the key, Bob carries the table with others, the door was opened by two.

    Of the runs of the table two completed, one was stopped, and one goes on. At the bench
    something was mixed and spun for a minute; the second spin was stopped.
    """
    hold(world, "ann", "key")
    world.agents["bob"].carrying = "table"
    world.mark_joint("door", "is_open", joint=True)
    world.timeline = Timeline()
    world.timeline.lab = lab()
    free = SimpleNamespace(price=ApparatusPrice())
    world.blueprint = copy(world.blueprint)
    object.__setattr__(
        world.blueprint,
        "live",
        SimpleNamespace(rigs={"table": free}, benches=BENCHES, numbers_of=lambda node: ()),
    )
    return world


def lab() -> Lab:
    completed, halted = OperationStatus.COMPLETED, Failure.HALTED
    ends = [
        ({"error": 0.5, "stable": False, "settling": 1.0}, lambda run: run.to(completed)),
        ({"error": 0.1, "stable": True, "settling": None}, lambda run: run.to(completed)),
        ({"error": 0.01}, lambda run: run.failed(halted)),
        ({}, lambda run: run),
    ]
    begun = (OperationStatus.ACKNOWLEDGED, OperationStatus.STARTED, OperationStatus.IN_PROGRESS)
    runs = {}
    for number, (results, end) in enumerate(ends, start=1):
        operation = end(Operation(f"op_{number}", OperationType.RUN, 0.0).to(*begun))
        ended = None if number == len(ends) else 1000 * number
        runs[operation.id] = LabRun(
            operation=operation,
            apparatus="table",
            agents=("ann",),
            settings={},
            state=None,
            started_ms=0,
            ended_ms=ended,
            spent=400.0,
            fraction=None,
            expected=Expected(None, None),
            results=results,
        )
    last = next(reversed(runs.values()))._replace(apparatus="bench", spent=0.0)
    for action, settings, end in (
        ("mix", {}, lambda run: run.to(completed)),
        ("spin", {"time": 60.0}, lambda run: run.to(completed)),
        ("spin", {"time": 60.0}, lambda run: run.failed(halted)),
    ):
        operation = end(Operation(f"op_{len(runs) + 1}", OperationType.RUN, 0.0).to(*begun))
        done = {"action": action, **settings}
        runs[operation.id] = last._replace(operation=operation, settings=done, ended_ms=9000)
    rows = [("eur", 2.0), ("eur", 3.0), ("flop", 300.0)]
    return Lab(
        runs=runs,
        ledger=tuple([LedgerRow(1, "ann", "table", *row) for row in rows]),
        answers={"threshold": 750000, "scheme": "Upwind"},
    )


def facts(truth: bool) -> list[Any]:
    return [
        pytest.param(key, fact, id=f"{key}-{number}")
        for key, (true, false) in CASES.items()
        for number, fact in enumerate(true if truth else false)
    ]


def test_every_predicate_has_cases():
    assert set(CASES) == set(PREDICATES)
    assert set(GOAL_KEYS) == {*PREDICATES, *OVER_TIME, *QUANTIFIED, "all", "any", "not"}


@pytest.mark.stand_ins
@pytest.mark.parametrize(("key", "fact"), facts(truth=True))
def test_true(prepared: World, key: str, fact: dict[str, Any]):
    assert compiled({key: fact}).holds(prepared)


@pytest.mark.stand_ins
@pytest.mark.parametrize(("key", "fact"), facts(truth=False))
def test_false(prepared: World, key: str, fact: dict[str, Any]):
    assert not compiled({key: fact}).holds(prepared)


def test_a_predicate_follows_the_world(world: World):
    goals = {
        key: compiled({key: fact})
        for key, fact in {
            "at": {"object": "cup", "in": "hall"},
            "inside_room": {"object": "cup", "room": "hall"},
            "has_state": {"object": "door", "state": "is_open"},
            "held_by": {"object": "pen", "agent": "bob"},
            "done_jointly": {"object": "cup", "state": "is_on"},
        }.items()
    }
    assert not any(goal.holds(world) for goal in goals.values())
    world.move_object("cup", Location("in", "hall"))
    world.set_state("door", "is_open", True)
    hold(world, "bob", "pen")
    world.mark_joint("cup", "is_on", joint=True)
    assert {key: goal.holds(world) for key, goal in goals.items()} == dict.fromkeys(goals, True)
    world.mark_joint("cup", "is_on", joint=False)
    assert not goals["done_jointly"].holds(world)


def test_inside_room_looks_through_hands_and_containers(world: World):
    inside = compiled({"inside_room": {"object": "cup", "room": "room"}})
    hold(world, "ann", "box")
    assert inside.holds(world)
    world.move_object("box", Location("in", "hall"))
    assert not inside.holds(world)


# -- trees ---------------------------------------------------------------------------------------

TRUE = {"at": AT}
FALSE = {"not": TRUE}


@pytest.mark.parametrize(
    ("goal", "holds"),
    [
        (TRUE, True),
        (FALSE, False),
        ({"not": FALSE}, True),
        ({"all": []}, True),
        ({"any": []}, False),
        ({"all": [TRUE]}, True),
        ({"all": [TRUE, TRUE]}, True),
        ({"all": [TRUE, FALSE]}, False),
        ({"any": [FALSE, TRUE]}, True),
        ({"any": [FALSE, FALSE]}, False),
        ({"all": [TRUE, {"any": [FALSE, {"all": [TRUE, TRUE]}]}]}, True),
        ({"not": {"any": [FALSE, {"all": [TRUE, FALSE]}]}}, True),
        ({"any": [FALSE, {"all": [TRUE]}]}, True),
        ({"any": [{"all": [FALSE]}]}, False),
    ],
)
def test_tree(world: World, goal: dict[str, Any], holds: bool):
    assert compiled(goal).holds(world) is holds


@pytest.mark.parametrize(
    ("goal", "score", "most"),
    [
        (TRUE, 1, 1),
        (FALSE, 0, 1),
        ({"all": []}, 1, 1),
        ({"any": []}, 0, 1),
        ({"all": [TRUE, FALSE, TRUE]}, 2, 3),
        ({"all": [FALSE, {"all": [TRUE, TRUE]}]}, 1, 2),  # branches are counted, not leaves
        ({"any": [TRUE, FALSE, TRUE]}, 1, 1),
        ({"not": {"all": [TRUE, FALSE]}}, 1, 1),
    ],
)
def test_score_counts_the_branches_of_a_conjunction(
    world: World, goal: dict[str, Any], score: int, most: int
):
    found = compiled(goal)
    assert (found.score(world), len(found.parts)) == (score, most)
    assert found.holds(world) is (score == most)


# -- what selectors picked -----------------------------------------------------------------------


@pytest.mark.stand_ins
@pytest.mark.parametrize(
    ("key", "fact", "answer"),
    [
        ("at", {"object": "$it", "on": "$place"}, {"it": "box", "place": "table"}),
        ("at", {"object": "$it", "in": "box"}, {"it": "cup"}),
        ("inside_room", {"object": "$it", "room": "$where"}, {"it": "cup", "where": "room"}),
        ("has_state", {"object": "$it", "state": "is_open", "equals": False}, {"it": "door"}),
        ("quantity", {"object": "$it", "of": "temperature_c", "equals": 4.5}, {"it": "cup"}),
        ("held_by", {"object": "$it", "agent": "$who"}, {"it": "key", "who": "ann"}),
        ("done_jointly", {"object": "$it", "state": "is_open"}, {"it": "door"}),
    ],
)
def test_names_stand_for_what_was_picked(
    prepared: World, key: str, fact: dict[str, Any], answer: dict[str, str]
):
    goal = {"all": [{"not": {"not": {key: fact}}}]}
    assert compiled(goal, **answer).holds(prepared)
    others = dict.fromkeys(answer, "pen")
    assert not compiled(goal, **others).holds(prepared)


ON_TABLE: dict[str, Any] = {"at": AT}
WARM = {"quantity": {"object": "box", "of": "temperature_c", "at_least": 20, "at_most": 60}}


@pytest.mark.parametrize(
    ("goal", "timed"),
    [
        (ON_TABLE, False),
        ({"all": [ON_TABLE, {"not": ON_TABLE}]}, False),
        (WARM, True),
        ({"all": [ON_TABLE, WARM]}, True),
        ({"never": ON_TABLE}, True),
        ({"by": {"goal": ON_TABLE, "seconds": 9}}, True),
        ({"clock": {"at_most": 9}}, True),
        ({"spent": {"account": "eur", "at_most": 3.0}}, True),
        ({"measured": {"apparatus": "box", "result": "score", "at_least": 3}}, True),
    ],
)
def test_what_may_change_while_time_passes(goal, timed):
    assert compiled(goal).timed is timed


def test_the_numbers_asked_about_are_wanted_thing_by_thing():
    colder = {"quantity": {"object": "table", "of": "temperature_c", "at_most": 5}}
    exact = {"quantity": {"object": "box", "of": "temperature_c", "equals": 80}}
    assert compiled({"all": [WARM, colder, {"any": [exact]}]}).wanted == {
        ("box", "temperature_c"): (20, 60, 80, 80),
        ("table", "temperature_c"): (5,),
    }


def test_the_clock_is_a_goal(world):
    assert compiled({"clock": {"at_most": 9}}).holds(world)
    assert not compiled({"not": {"clock": {"at_most": 9}}}).holds(world)
