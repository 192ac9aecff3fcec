"""Scenes to set tasks in, made once."""

from __future__ import annotations

from functools import cache
from random import Random

from earsim_generators.catalogue import domain_names, load_domain
from earsim_generators.presets import PRESETS
from earsim_generators.scenes import make_scene
from earsim_generators.suites.settings import laid_on
from earsim_generators.tasks import SceneIndex


@cache
def index(domain: str, preset: str = "standard", number: int = 0) -> SceneIndex:
    """A scene of a domain, as the generator would use it."""
    rng = Random(f"ground {domain} {preset} {number}")
    made = make_scene(load_domain(domain), PRESETS[preset].parameters, rng, id=f"{domain}_{number}")
    kinds = laid_on(domain)
    surfaces = [node for node, kind in made.kinds.items() if kind in kinds]
    return SceneIndex(made.scene, made.start_rooms, surfaces)


def indexes(preset: str = "standard") -> list[SceneIndex]:
    """One scene of every domain."""
    return [index(domain, preset) for domain in domain_names()]
