"""EAR-Sim: a text world for embodied agents in which physics decides.

`import earsim` registers the environments `OmniEAR-v0` and `OmniEAR-Team-v0` with Gymnasium. All
else is imported when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from earsim.envs import register
from earsim.installed import version

if TYPE_CHECKING:
    from earsim.actions.outcome import Outcome, Reason, Status
    from earsim.engine import Engine
    from earsim.envs.parallel import parallel_env
    from earsim.episode import Episode
    from earsim.errors import EarSimError
    from earsim.rulesets import RULESETS
    from earsim.schema import Scenario
    from earsim.suites import open_suite
    from earsim.world import World, to_networkx
    from earsim.world.digest import digest

__version__ = version("earsim")

_HOMES = {
    "EarSimError": "errors",
    "Engine": "engine",
    "Episode": "episode",
    "Outcome": "actions.outcome",
    "RULESETS": "rulesets",
    "Reason": "actions.outcome",
    "Scenario": "schema",
    "Status": "actions.outcome",
    "World": "world",
    "digest": "world",
    "open_suite": "suites",
    "parallel_env": "envs.parallel",
    "to_networkx": "world",
}
"""The module of every public name."""

_MODULES = (
    "actions",
    "engine",
    "episode",
    "errors",
    "goals",
    "render",
    "rulesets",
    "schema",
    "suites",
    "world",
)
"""Modules that are there without an import of their own, as `earsim.errors`."""

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
    """A public name or module, imported now; `parallel_env` needs the extra `pettingzoo`."""
    if name in _HOMES:
        found = getattr(import_module(f"earsim.{_HOMES[name]}"), name)
    elif name in _MODULES:
        found = import_module(f"earsim.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
