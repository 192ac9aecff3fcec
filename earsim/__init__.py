"""EAR-Sim: a text world for embodied agents in which physics decides.

`import earsim` registers the environments `OmniEAR-v0` and `OmniEAR-Team-v0` with Gymnasium.
"""

from typing import TYPE_CHECKING, Any

from earsim.actions.outcome import Outcome, Reason, Status
from earsim.engine import Engine
from earsim.envs import register
from earsim.episode import Episode
from earsim.errors import EarSimError
from earsim.installed import version
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.suites import open_suite
from earsim.world import World, digest, to_networkx

if TYPE_CHECKING:
    from earsim.envs.parallel import parallel_env

__version__ = version("earsim")

__all__ = [
    "RULESETS",
    "EarSimError",
    "Engine",
    "Episode",
    "Outcome",
    "Reason",
    "Scenario",
    "Status",
    "World",
    "digest",
    "open_suite",
    "parallel_env",
    "to_networkx",
]

register()


def __getattr__(name: str) -> Any:
    """`parallel_env` needs PettingZoo, which is an extra, so it is imported when asked for."""
    if name == "parallel_env":
        from earsim.envs.parallel import parallel_env

        return parallel_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
