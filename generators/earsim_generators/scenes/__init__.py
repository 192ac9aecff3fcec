"""Generation of scenes from a domain and parameters."""

from earsim_generators.scenes.generator import MadeScene, make_scene
from earsim_generators.scenes.parameters import GroupSizes, SceneParameters

__all__ = ["GroupSizes", "MadeScene", "SceneParameters", "make_scene"]
