"""Making suites: from settings to proved scenarios, and into a folder."""

from earsim_generators.making.generating import Generated, generate, settings_of
from earsim_generators.making.settings import Settings
from earsim_generators.making.splits import Split

__all__ = ["Generated", "Settings", "Split", "generate", "settings_of"]
