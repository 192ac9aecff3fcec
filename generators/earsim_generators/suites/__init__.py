"""Generation of suites: settings, scenes and tasks in processes, and a folder of results."""

from earsim_generators.suites.job import Generated
from earsim_generators.suites.run import generate
from earsim_generators.suites.settings import GenerationSettings, settings_of
from earsim_generators.suites.splits import Split

__all__ = ["Generated", "GenerationSettings", "Split", "generate", "settings_of"]
