"""A crew: two agents in a draft of a scene, and what they do side by side and together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from random import Random
from typing import Any, Final, NamedTuple

from earsim_generators.families.draft import Fields, SceneDraft, Size
from earsim_generators.families.outing import Outing

_NAMES: Final = ("Ada", "Ben", "Ines", "Kofi", "Mara", "Noor", "Ole", "Tom", "Yuki", "Zola")

_SETTINGS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    (
        "museum",
        {
            "Entrance hall": "Ticket counter",
            "Long gallery": "Stone bench",
            "Depot": "Packing table",
            "Restoration studio": "Work table",
            "Library": "Reading table",
            "Loading bay": "Trestle table",
        },
    ),
    (
        "workshop",
        {
            "Machine hall": "Workbench",
            "Paint shop": "Steel table",
            "Forge": "Layout table",
            "Store": "Packing table",
            "Drawing office": "Plan table",
            "Yard": "Trestle table",
        },
    ),
    (
        "theatre",
        {
            "Stage": "Prop table",
            "Scene dock": "Carpenter's bench",
            "Dressing room": "Make-up table",
            "Foyer": "Cloakroom counter",
            "Wardrobe": "Cutting table",
            "Rehearsal room": "Folding table",
        },
    ),
)


class ItemSpec(NamedTuple):
    """How a kind of thing is made."""

    name: str
    mass_kg: float
    size: Size


HEAVY: Final = (
    ItemSpec("Anvil", 48.0, (0.5, 0.2, 0.3)),
    ItemSpec("Marble bust", 42.0, (0.4, 0.3, 0.55)),
    ItemSpec("Cast-iron stove", 56.0, (0.5, 0.5, 0.7)),
    ItemSpec("Millstone", 64.0, (0.7, 0.7, 0.12)),
    ItemSpec("Engine block", 70.0, (0.6, 0.45, 0.5)),
    ItemSpec("Oak chest", 38.0, (0.9, 0.5, 0.5)),
)
"""Two carry these."""

COMPACT: Final = (
    ItemSpec("Car battery", 18.0, (0.3, 0.18, 0.2)),
    ItemSpec("Box of tiles", 22.0, (0.35, 0.25, 0.2)),
    ItemSpec("Sandbag", 20.0, (0.5, 0.3, 0.15)),
    ItemSpec("Toolbox", 16.0, (0.45, 0.25, 0.22)),
    ItemSpec("Vice", 17.0, (0.35, 0.2, 0.2)),
    ItemSpec("Plaster relief", 15.0, (0.45, 0.4, 0.06)),
)
"""Heavy enough that not everybody carries them, and small."""

BULKY: Final = (
    ItemSpec("Folding screen", 6.0, (1.8, 1.6, 0.08)),
    ItemSpec("Rolled carpet", 8.0, (2.4, 0.25, 0.25)),
    ItemSpec("Foam mattress", 7.0, (2.0, 0.9, 0.15)),
    ItemSpec("Roll of canvas", 5.0, (2.2, 0.15, 0.15)),
    ItemSpec("Banner pole", 3.0, (2.8, 0.05, 0.05)),
)
"""Light, and too long for some."""

LIGHT: Final = (
    ItemSpec("Signal lamp", 0.8, (0.15, 0.15, 0.25)),
    ItemSpec("Hand mirror", 0.4, (0.3, 0.15, 0.02)),
    ItemSpec("Brass bell", 0.9, (0.12, 0.12, 0.18)),
    ItemSpec("Globe", 1.5, (0.3, 0.3, 0.4)),
    ItemSpec("Tripod", 1.2, (0.6, 0.12, 0.12)),
    ItemSpec("Table clock", 1.1, (0.25, 0.12, 0.2)),
)
"""Everybody carries these."""


class Person(NamedTuple):
    """What one agent can carry, and where it starts.

    Attributes:
        reach: The largest size in metres; None for any.
    """

    room: str
    strength_kg: float
    reach: Size | None = None


class Crew:
    """Two agents, and their walkthrough.

    Attributes:
        ids: Their ids.
        names: As they are called.
        outings: What each does next, by itself, see `side_by_side`.
    """

    def __init__(self, draft: SceneDraft, *people: Person) -> None:
        self.names = draft.rng.sample(_NAMES, len(people))
        self.ids = [name.lower() for name in self.names]
        self._draft = draft
        self._people = people
        opened: set[str] = set()
        self.outings = [Outing(draft, person.room, opened) for person in people]
        self._said: list[dict[str, str]] = []

    def side_by_side(self) -> None:
        """All do at once what each has to do by itself."""
        for commands in zip_longest(*(outing.commands for outing in self.outings)):
            said = zip(self.ids, commands, strict=True)
            self._said.append({agent: command for agent, command in said if command})
        for outing in self.outings:
            outing.commands.clear()

    def jointly(self, *commands: str) -> None:
        """All say the same."""
        self.side_by_side()
        self._said += [dict.fromkeys(self.ids, command) for command in commands]

    def document(self, task: Fields, **scene: Any) -> Fields:
        """The scene with its task."""
        self.side_by_side()
        agents = [
            {"id": id, "name": name, "in": person.room, "max_mass_kg": person.strength_kg}
            | {"hands": 2}
            | ({"max_size_m": list(person.reach)} if person.reach else {})
            for id, name, person in zip(self.ids, self.names, self._people, strict=True)
        ]
        task = {"category": "implicit_collaboration", "agents": agents, **task}
        return self._draft.document(task, self._said, **scene)


def drafted(rng: Random, difficulty: str) -> SceneDraft:
    """Rooms of one place."""
    domain, places = rng.choice(_SETTINGS)
    return SceneDraft(rng, difficulty, domain, places)


def put(draft: SceneDraft, kind: ItemSpec, room: str, **fields: Any) -> str:
    """A thing of a kind on the table of a room; its id."""
    table = draft.table(room)
    return draft.item(kind.name, mass_kg=kind.mass_kg, size=kind.size, on=table, **fields)


def on(thing: str, holder: str) -> Fields:
    """A thing lies on another."""
    return {"at": {"object": thing, "on": holder}}


def inside(thing: str, room: str) -> Fields:
    """A thing is in a room."""
    return {"inside_room": {"object": thing, "room": room}}


def said(rng: Random, forms: Sequence[str], **words: str) -> str:
    """One of several ways to say it; ids in double braces stay placeholders."""
    return rng.choice(forms).format(**words)
