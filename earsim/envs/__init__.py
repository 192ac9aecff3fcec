"""The faces of the environment: Gymnasium for one agent and for a team, PettingZoo, wrappers."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium as gym

if TYPE_CHECKING:
    from earsim.envs.apparatus import EarApparatusEnv
    from earsim.envs.discrete_actions import DiscreteActions
    from earsim.envs.graph_arrays import GraphArrays
    from earsim.envs.infos import split_infos
    from earsim.envs.single import OmniEAREnv
    from earsim.envs.team import OmniEARTeamEnv
    from earsim.envs.vector import OmniEARVectorEnv

SINGLE_ID = "OmniEAR-v0"
TEAM_ID = "OmniEAR-Team-v0"
APPARATUS_ID = "EarApparatus-v0"

_HOMES = {
    "DiscreteActions": "discrete_actions",
    "EarApparatusEnv": "apparatus",
    "GraphArrays": "graph_arrays",
    "OmniEAREnv": "single",
    "OmniEARTeamEnv": "team",
    "OmniEARVectorEnv": "vector",
    "split_infos": "infos",
}
"""The module of every class, which is imported when it is asked for."""

__all__ = [
    "APPARATUS_ID",
    "SINGLE_ID",
    "TEAM_ID",
    "DiscreteActions",
    "EarApparatusEnv",
    "GraphArrays",
    "OmniEAREnv",
    "OmniEARTeamEnv",
    "OmniEARVectorEnv",
    "register",
    "split_infos",
]


def register() -> None:
    """Make the ids known to Gymnasium; `import earsim` does it."""
    for env_id, name, vector in (
        (SINGLE_ID, "single:OmniEAREnv", "vector:vector_env"),
        (TEAM_ID, "team:OmniEARTeamEnv", "vector:team_vector_env"),
    ):
        if env_id not in gym.registry:
            gym.register(
                env_id,
                entry_point=f"earsim.envs.{name}",
                vector_entry_point=f"earsim.envs.{vector}",
            )
    if APPARATUS_ID not in gym.registry:
        gym.register(APPARATUS_ID, entry_point="earsim.envs.apparatus:EarApparatusEnv")


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"earsim.envs.{_HOMES[name]}"), name)
    return found
