"""Scenes made from the catalogue of a domain, by knobs and a random number generator."""

from earsim_generators.scenes.generator import MadeScene, make_scene
from earsim_generators.scenes.parameters import GroupSizes, SceneParameters

__all__ = ["GroupSizes", "MadeScene", "SceneParameters", "make_scene"]
