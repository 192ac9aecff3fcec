"""The live world: state and the questions one can ask of it. Knows neither verbs nor text."""

from earsim.world.agent_state import AgentState
from earsim.world.blueprint import HELD, Blueprint, Body, Location, Passage, Thing
from earsim.world.digest import digest
from earsim.world.network import room_graph, to_networkx
from earsim.world.world import Message, Physics, World

__all__ = [
    "HELD",
    "AgentState",
    "Blueprint",
    "Body",
    "Location",
    "Message",
    "Passage",
    "Physics",
    "Thing",
    "World",
    "digest",
    "room_graph",
    "to_networkx",
]
