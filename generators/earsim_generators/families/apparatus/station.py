"""Station: an apparatus in a scene, and what a run of it takes, placed elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from earsim.errors import FileError, Finding
from earsim_generators.families.draft import Fields, SceneDraft, Size
from earsim_generators.families.lookalikes import LookalikePick, pick_of
from earsim_generators.families.outing import Outing

_PLACES: Final = {
    "Laboratory": "Lab bench",
    "Measuring room": "Steel table",
    "Office": "Desk",
    "Workshop": "Workbench",
    "Archive": "Reading table",
    "Store room": "Packing table",
    "Lecture hall": "Long table",
}
_BOXES: Final = ("Key box", "Tin", "Wooden case")
_RUN_DECISIONS: Final = 4
"""CONFIGURE, RUN, WAIT and READ."""

_ABILITY: Final = "operate"
_DRAWS: Final = 500

_TOGETHER: Final = 0.25
"""Share of the scenes that are not easy in which two start the apparatus together."""

_CREW: Final = ("Ada", "Ben", "Ines", "Kofi", "Mara", "Noor", "Ole", "Tom", "Yuki", "Zola")


class BenchLooks(NamedTuple):
    """What an apparatus looks like, and what is fetched for it.

    Attributes:
        name: Of the apparatus.
        key: Name of what it is unlocked with.
        sample: Name of what lies on it during a run.
        number: By which samples of that name differ, in mm.
        mass_kg: Of the apparatus.
        size: Of the apparatus.
    """

    name: str
    key: str
    sample: str
    number: str
    mass_kg: float
    size: Size


class Experiment(NamedTuple):
    """What is asked of an apparatus.

    Attributes:
        name: Of the task.
        title: Of the scene.
        block: Model, settings and prices, as a file gives them; what a run needs is added.
        goal: Its parts, with `RIG` for the id of the apparatus.
        says: The instruction, with `RIG` likewise.
        limits: What may be spent.
        runs: Runs that somebody may need who does not know the answer.
        commands: What answers it, with `RIG` likewise.
    """

    name: str
    title: str
    block: Fields
    goal: Sequence[Fields]
    says: str
    limits: Fields
    runs: int
    commands: Sequence[str]


RIG: Final = "RIG"
"""Stands for the id of the apparatus until it has one."""


def run(*settings: str) -> list[str]:
    """Commands of one run."""
    configured = [f"CONFIGURE {RIG} {' '.join(settings)}"] if settings else []
    return [*configured, f"RUN {RIG}", f"WAIT UNTIL {RIG} done", f"READ {RIG}"]


def first_fitting(draw: Callable[[], Experiment | None]) -> Experiment:
    """The first experiment drawn that a task can be about.

    Raises:
        FileError: None of many is.
    """
    for _ in range(_DRAWS):
        found = draw()
        if found is not None:
            return found
    raise FileError(
        "apparatus", [Finding("apparatus", "", f"none of {_DRAWS} draws is good for a task")]
    )


def document(rng: Random, difficulty: str, looks: BenchLooks, experiment: Experiment) -> Fields:
    """A scene with the apparatus: switched off, and what a run of it takes somewhere else.

    It takes a key; in some scenes that are not easy, two people who start it together instead. The
    key of a medium scene lies in a closed box, and a sample has to lie on the apparatus. In a hard
    one there are three samples of one name that differ by a number, and nobody says where the key
    is.
    """
    draft = SceneDraft(rng, difficulty, "laboratory", _PLACES)
    room = rng.choice(draft.rooms)
    crew = rng.sample(_CREW, 2) if difficulty != "easy" and rng.random() < _TOGETHER else []
    key = None if crew else _key(draft, room, looks.key)
    samples = _samples(draft, looks, room)
    pick = pick_of(rng, looks.sample, looks.number, samples) if len(samples) > 1 else None
    sample = pick.target if pick else next(iter(samples), None)
    needs: Fields = {"ability": _ABILITY} if key else {"people": len(crew)}
    rig = draft.furniture(
        looks.name,
        room,
        mass_kg=looks.mass_kg,
        size=looks.size,
        states={"is_on": False},
        needs=["is_on"],
        apparatus={
            **experiment.block,
            "needs": {**needs, **({"loaded": sample} if sample else {})},
        },
    )
    goal: list[Fields] = [_filled(part, rig) for part in experiment.goal]
    if sample is not None:
        goal.insert(0, {"at": {"object": pick.ref if pick else sample, "on": rig}})
    takes = _takes(draft, crew, key and key.node, sample, pick and pick.name)
    task: Fields = {
        "id": experiment.name,
        "category": _category(crew, pick),
        **({"select": pick.select} if pick else {}),
        "limits": experiment.limits,
        "goal": {"all": goal},
        "instruction": _filled(experiment.says, rig) + takes,
    }
    ready = _prepared(draft, rig, sample, key)
    runs = [_filled(command, rig) for command in experiment.commands]
    made = draft.document(task, [*ready, *runs], title=experiment.title)
    made["tasks"][0]["budget"] += _RUN_DECISIONS * experiment.runs
    return _for_two(made, crew, ready, runs, rig) if crew else made


def _category(crew: Sequence[str], pick: LookalikePick | None) -> str:
    if crew:
        return "explicit_collaboration"
    return "attribute_reasoning" if pick else "tool_use"


def _prepared(draft: SceneDraft, rig: str, sample: str | None, key: _BoxedKey | None) -> list[str]:
    """Commands of one agent that get the apparatus ready."""
    outing = Outing(draft)
    if sample is not None:  # one thing at a time, so that a hand is free for doors
        outing.fetch(sample)
        outing.put_on(sample, rig)
    if key is not None:
        outing.to(key.box or key.node)
        outing.say(*([f"OPEN {key.box}"] if key.box else []), f"GRAB {key.node}")
    outing.to(rig)
    outing.say(f"TURN_ON {rig}")
    return outing.commands


def _for_two(
    made: Fields, crew: Sequence[str], ready: Sequence[str], runs: Sequence[str], rig: str
) -> Fields:
    """The document for two agents: one gets all ready, the other comes, and both give RUN."""
    (task,) = made["tasks"]
    (agent,) = task["agents"]
    first, second = (name.lower() for name in crew)
    task["agents"] = [{**agent, "id": name.lower(), "name": name} for name in crew]
    room = next(each["in"] for each in made["objects"] if each["id"] == rig)
    walk = [] if room == agent["in"] else [f"GOTO {room}"]
    task["walkthrough"] = [
        *({first: command} for command in ready),
        *({second: command} for command in (*walk, f"GOTO {rig}")),
        *(
            dict.fromkeys((first, second) if command.startswith("RUN ") else (first,), command)
            for command in runs
        ),
    ]
    return made


class _BoxedKey(NamedTuple):
    """A key, and the closed box that it lies in."""

    node: str
    box: str | None


def _key(draft: SceneDraft, room: str, name: str) -> _BoxedKey:
    """The key, in another room."""
    table = draft.table(draft.other_room(room))
    shape: Fields = {"mass_kg": 0.06, "size": (0.07, 0.03, 0.01), "also_provides": [_ABILITY]}
    if draft.difficulty == "easy":
        return _BoxedKey(draft.item(name, on=table, **shape), None)
    box = draft.item(
        draft.rng.choice(_BOXES),
        mass_kg=1.2,
        size=(0.3, 0.2, 0.15),
        on=table,
        container={"capacity_l": 4.0},
        states={"is_open": False},
    )
    shape["in"] = box
    return _BoxedKey(draft.item(name, **shape), box)


_SAMPLES: Final = {"easy": 0, "medium": 1, "hard": 3}


def _samples(draft: SceneDraft, looks: BenchLooks, room: str) -> dict[str, float]:
    """What can be laid on the apparatus, with its number; none where it takes nothing."""
    found = {}
    for thickness_mm in draft.rng.sample(range(20, 81, 10), _SAMPLES[draft.difficulty]):
        sample = draft.item(
            looks.sample,
            mass_kg=round(0.06 * thickness_mm, 2),
            size=(0.2, 0.2, thickness_mm / 1000),
            on=draft.table(draft.other_room(room)),
            **{looks.number: float(thickness_mm)},
        )
        found[sample] = float(thickness_mm)
    return found


def _takes(
    draft: SceneDraft, crew: Sequence[str], key: str | None, sample: str | None, pick: str | None
) -> str:
    """What a run takes, in words."""
    said = []
    if crew:
        said.append(f"takes {crew[0]} and {crew[1]} to start it together")
    if key is not None:
        where = "" if draft.difficulty == "hard" else f" from the {{{draft.room_of(key)}}}"
        said.append(f"is worked with the {{{key}}}{where} in hand")
    if sample is not None:
        place = "" if pick else f" from the {{{draft.room_of(sample)}}}"
        said.append(f"needs the {{{pick or sample}}}{place} lying on it")
    return f" It {' and '.join(said)}."


def _filled(part: object, rig: str) -> Any:
    """Texts in a part of a document with the id of the apparatus in them."""
    if isinstance(part, str):
        return part.replace(RIG, rig)
    if isinstance(part, dict):
        return {name: _filled(value, rig) for name, value in part.items()}
    return part


def significant(value: float, digits: int = 3) -> float:
    """A number with so many significant digits, as one would type it."""
    return float(f"{value:.{digits}g}")


def up(value: float, digits: int = 2) -> float:
    """The next number upwards with so many significant digits."""
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(value)))
    return significant(math.ceil(value * scale - 1e-9) / scale, digits + 1)
