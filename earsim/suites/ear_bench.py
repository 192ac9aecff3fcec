"""EAR-Bench's scenes, agents and checks as our models, with a log of repairs.

The schema is never loosened for it: what the reference rejects or reads loosely is normalised
here (EAR-Bench 1.1 to 1.4 and 5.1).
"""

from earsim.suites.ear_agents import import_agents
from earsim.suites.ear_goal import import_goal, is_cooperative
from earsim.suites.ear_scene import import_scene

__all__ = ["import_agents", "import_goal", "import_scene", "is_cooperative"]
