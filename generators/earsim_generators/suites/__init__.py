"""Generation of suites: settings, scenes and tasks in processes, and a folder of results."""

from earsim_generators.suites.run import generate
from earsim_generators.suites.settings import GenerationSettings, settings_of
from earsim_generators.suites.splits import Split
from earsim_generators.suites.worker import Generated

__all__ = ["Generated", "GenerationSettings", "Split", "generate", "settings_of"]
