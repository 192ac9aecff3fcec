"""Family `wet`: a protocol is read, what it takes is fetched, and it is performed to the letter."""

from __future__ import annotations

from random import Random
from typing import Final

from earsim.errors import FileError, Finding
from earsim.registry import Registry
from earsim_generators.families.draft import Fields
from earsim_generators.families.wet.life import NEURONS, PLASMID, SPORES
from earsim_generators.families.wet.matter import CRYSTALS, SOIL, STEEL
from earsim_generators.families.wet.procedure import Procedure
from earsim_generators.families.wet.protocol import ProtocolDemands, draw_protocol
from earsim_generators.families.wet.scene import bench_scene

PROCEDURES: Registry[Procedure] = Registry(
    "procedure",
    {each.name: each for each in (PLASMID, SPORES, NEURONS, CRYSTALS, STEEL, SOIL)},
)
"""What is done at a bench, by the name of the task."""

DEMANDS: Final = {
    "easy": ProtocolDemands(distractors=1, swaps=0, untold=0, converts=False),
    "medium": ProtocolDemands(distractors=2, swaps=1, untold=0, converts=True),
    "hard": ProtocolDemands(distractors=4, swaps=2, untold=1, converts=True),
}
"""What is demanded, by difficulty."""

_DRAWS: Final = 200


def wet(rng: Random, difficulty: str) -> Fields:
    """A scene with a protocol of one of `PROCEDURES`, each as often as the others.

    Raises:
        FileError: No draw has a place for what is demanded.
    """
    name = rng.choice(tuple(PROCEDURES))
    for _ in range(_DRAWS):
        found = draw_protocol(rng, PROCEDURES[name], DEMANDS[difficulty])
        if found is not None:
            return bench_scene(rng, difficulty, found)
    raise FileError(name, [Finding(name, "", f"none of {_DRAWS} protocols is good for a task")])
