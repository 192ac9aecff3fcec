"""Scenario generators: `generate` yields certified scenarios.

>>> from earsim_generators import GenerationSettings, generate
>>> for one in generate(GenerationSettings(n=3, seed=7, preset="small")):
...     print(one.scenario.task.instruction)
"""

from earsim_generators.suites import Generated, GenerationSettings, Split, generate

__all__ = ["Generated", "GenerationSettings", "Split", "generate"]
