"""Versions of the procedural generator, of which everything it makes carries one."""

from __future__ import annotations

from typing import Literal, get_args

GeneratorVersion = Literal[1, 2]
"""Version 1 draws every state of a thing by a chance of its own, and has other held-out names.

Since version 2 states fit what is shown beside them, see `earsim_generators.scenes.states`.
"""

GENERATOR_VERSION: GeneratorVersion = get_args(GeneratorVersion)[-1]
"""Of what is made now. It changes whenever the same settings may give another scenario."""
