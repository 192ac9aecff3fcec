"""Scenes made from the catalogue of a domain, by knobs and a random number generator."""

from earsim_generators.scenes.knobs import GroupSizes, SceneKnobs
from earsim_generators.scenes.making import MadeScene, make_scene

__all__ = ["GroupSizes", "MadeScene", "SceneKnobs", "make_scene"]
