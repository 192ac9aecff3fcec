"""Scenario makers: `generate` gives proved scenarios, one after another.

>>> from earsim_generators import Settings, generate
>>> for one in generate(Settings(n=3, seed=7, preset="small")):
...     print(one.scenario.task.instruction)
"""

from earsim_generators.making import Generated, Settings, Split, generate

__all__ = ["Generated", "Settings", "Split", "generate"]
