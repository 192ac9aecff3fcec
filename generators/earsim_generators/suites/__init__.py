"""Making suites: from settings to proved scenarios, and into a folder."""

from earsim_generators.suites.generation import Generated, generate, settings_of
from earsim_generators.suites.settings import GenerationSettings
from earsim_generators.suites.splits import Split

__all__ = ["Generated", "GenerationSettings", "Split", "generate", "settings_of"]
