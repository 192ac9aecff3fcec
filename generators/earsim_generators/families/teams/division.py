"""Teams because work must be divided: two tools, two places at one time, no time for one alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from random import Random
from typing import Final, NamedTuple

from earsim_generators.families.draft import Fields, SceneDraft, Size, seconds_of
from earsim_generators.families.teams.crew import (
    LIGHT,
    Crew,
    ItemSpec,
    Person,
    drafted,
    inside,
    on,
    put,
    said,
)


class _Job(NamedTuple):
    """What a tool is for.

    Attributes:
        verb: Its ability.
        state: What it changes, and to what.
        what: The thing that is changed.
        asks: What is to be done, with `{}` for that.
    """

    tool: ItemSpec
    verb: str
    state: tuple[str, bool]
    what: ItemSpec
    asks: str


_HEAVY_TOOLS: Final = (
    _Job(
        ItemSpec("Core drill", 17.0, (0.5, 0.3, 0.3)),
        "drill",
        ("is_drilled", True),
        ItemSpec("Concrete plinth", 180.0, (0.5, 0.5, 0.8)),
        "drill the {}",
    ),
    _Job(
        ItemSpec("Welding set", 22.0, (0.5, 0.25, 0.4)),
        "weld",
        ("is_welded", True),
        ItemSpec("Iron railing", 60.0, (2.0, 0.1, 1.0)),
        "weld the {}",
    ),
    _Job(
        ItemSpec("Floor sander", 24.0, (0.6, 0.4, 0.8)),
        "sand",
        ("is_sanded", True),
        ItemSpec("Wooden platform", 90.0, (2.0, 1.5, 0.2)),
        "sand the {}",
    ),
)
_LONG_TOOLS: Final = (
    _Job(
        ItemSpec("Brush on a pole", 1.4, (2.6, 0.2, 0.05)),
        "clean",
        ("is_dirty", False),
        ItemSpec("Tall mirror", 35.0, (1.0, 0.05, 2.6)),
        "clean the {}",
    ),
    _Job(
        ItemSpec("Roller on a pole", 1.6, (2.4, 0.3, 0.06)),
        "paint",
        ("is_painted", True),
        ItemSpec("Partition wall", 70.0, (2.5, 0.1, 2.6)),
        "paint the {}",
    ),
)
_REACH: Final[Size] = (1.2, 0.9, 0.6)

_BOTH = (
    "Two things are left to do: {one}, and {two}.",
    "{One}. After that or before it, {two}.",
    "{One}, and {two} as well.",
)
_AT_ONCE = (
    (
        "At one moment somebody must hold the {{{one}}} in the {here}, and somebody the {{{two}}} "
        "in the {there}."
    ),
    "Hold up the {{{one}}} in the {here} while the {{{two}}} is held up in the {there}.",
    "When you are done, the {{{one}}} is held in the {here} and the {{{two}}} in the {there}.",
)
_IN_TIME = (
    "You have {time}. Until then {errands}.",
    "Within {time} from now {errands}.",
    "{Errands}; all of it is done before {time} are over.",
)
_SLACK: Final = {"easy": 1.5, "medium": 1.35, "hard": 1.2}
"""Seconds for each that the two need who know where things are."""


def tools(rng: Random, difficulty: str) -> Fields:
    """Two changes: the tool for one is too heavy for one agent, that for the other too long."""
    draft = drafted(rng, difficulty)
    jobs = (rng.choice(_HEAVY_TOOLS), rng.choice(_LONG_TOOLS))
    found, goal, asks = [], [], []
    for job in jobs:
        state, value = job.state
        tool = put(draft, job.tool, rng.choice(draft.rooms), provides=[job.verb])
        thing = draft.furniture(
            job.what.name,
            rng.choice(draft.rooms),
            mass_kg=job.what.mass_kg,
            size=job.what.size,
            states={state: not value},
        )
        found.append((tool, f"{job.verb.upper()} {thing}", thing))
        goal.append({"has_state": {"object": thing, "state": state, "equals": value}})
        asks.append(job.asks.format(f"{{{thing}}}"))
    heavy = jobs[0].tool.mass_kg
    strong = Person(rng.choice(draft.rooms), float(round(heavy * 1.3)), _REACH)
    crew = Crew(draft, strong, Person(rng.choice(draft.rooms), float(int(heavy * 0.6))))
    crew.outings[0].open_doors()
    crew.side_by_side()
    for outing, (tool, command, thing) in zip(crew.outings, found, strict=True):
        outing.fetch(tool)
        outing.to(thing)
        outing.say(command)
    one, two = asks if rng.random() < 0.5 else asks[::-1]
    words = {"one": one, "two": two, "One": one[:1].upper() + one[1:]}
    task = {"id": "tools", "goal": {"all": goal}, "instruction": said(rng, _BOTH, **words)}
    return crew.document(task, title="Two tools")


def places(rng: Random, difficulty: str) -> Fields:
    """Two things are in hand at one time, in two rooms; whose hands these are does not matter."""
    draft = drafted(rng, difficulty)
    kinds = rng.sample(LIGHT, 2)
    rooms = rng.sample(draft.rooms, 2)
    things = [
        put(draft, kind, draft.other_room(room)) for kind, room in zip(kinds, rooms, strict=True)
    ]
    crew = Crew(draft, *(Person(rng.choice(draft.rooms), 25.0) for _ in things))
    crew.outings[0].open_doors()
    crew.side_by_side()
    goal: list[Fields] = []
    for outing, thing, room in zip(crew.outings, things, rooms, strict=True):
        outing.fetch(thing)
        outing.walk(room)
        held = [{"held_by": {"object": thing, "agent": agent}} for agent in crew.ids]
        goal += [{"any": held}, inside(thing, room)]
    here, there = (draft.room_name(room).lower() for room in rooms)
    words = {"one": things[0], "two": things[1], "here": here, "there": there}
    task = {"id": "places", "goal": {"all": goal}, "instruction": said(rng, _AT_ONCE, **words)}
    return crew.document(task, title="Two places at one time")


def hurry(rng: Random, difficulty: str) -> Fields:
    """Four things for two rooms, each two in another room; one agent has no time for all."""
    draft = drafted(rng, difficulty)
    ways = _ways_apart(draft)
    crew = Crew(draft, *(Person(start, 25.0) for start, _ in ways))
    kinds = rng.sample(LIGHT, 4)
    goal: list[Fields] = []
    errands = []
    for outing, (start, end), pair in zip(crew.outings, ways, (kinds[:2], kinds[2:]), strict=True):
        table = draft.table(end)
        things = [put(draft, kind, start) for kind in pair]
        outing.to(draft.table(start))
        outing.say(*(f"GRAB {thing}" for thing in things))
        outing.to(table)
        outing.say(*(f"PLACE {thing} on {table}" for thing in things))
        goal += [on(thing, table) for thing in things]
        both = " and ".join(f"the {{{thing}}}" for thing in things)
        here, there = (draft.room_name(room).lower() for room in (start, end))
        errands.append(f"{both} go from the {here} to the {{{table}}} in the {there}")
    told = " and ".join(errands)
    made = crew.document({"id": "hurry", "goal": {"all": goal}, "instruction": told})
    seconds = 5 * math.ceil(_SLACK[difficulty] * seconds_of(made) / 5)
    words = {"errands": told, "Errands": told[:1].upper() + told[1:], "time": f"{seconds} seconds"}
    (posed,) = made["tasks"]
    posed["goal"] = {"all": [*goal, {"clock": {"at_most": seconds}}]}
    posed["instruction"] = said(rng, _IN_TIME, **words)
    return {**made, "title": "No time for one"}


_Way = tuple[str, str]


def _ways_apart(draft: SceneDraft) -> tuple[_Way, _Way]:
    """Two ways from different rooms that take one agent much longer than two, with few doors."""
    ways = list(permutations(draft.rooms, 2))
    draft.rng.shuffle(ways)

    def unfit(pair: tuple[_Way, _Way]) -> tuple[int, int]:
        doors = sum(step in draft.doors for way in pair for step in pairwise(draft.way(*way)))
        return doors, max(_rooms_between(draft, way) for way in pair) - _round(draft, *pair)

    return min((pair for pair in combinations(ways, 2) if pair[0][0] != pair[1][0]), key=unfit)


def _rooms_between(draft: SceneDraft, stops: Sequence[str]) -> int:
    return sum(len(draft.way(here, there)) - 1 for here, there in pairwise(stops))


def _round(draft: SceneDraft, one: _Way, other: _Way) -> int:
    """Rooms that one agent enters who goes both ways, from either start, in the best order."""
    (a, b), (c, d) = one, other
    orders = ((a, b, c, d), (a, c, b, d), (a, c, d, b), (c, a, b, d), (c, a, d, b), (c, d, a, b))
    return min(_rooms_between(draft, order) for order in orders)
