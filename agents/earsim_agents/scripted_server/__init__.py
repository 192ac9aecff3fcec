"""A model server without a model: speaks the protocol for real, and says what a script says.

It answers chat completions over HTTP as vLLM does, from plans or fixed texts, and fails as servers
do, when it is told to. What it answers depends on its seed, the request, and how often that
request came, on nothing else.
"""

from earsim_agents.scripted_server.plans import Plans
from earsim_agents.scripted_server.script import FAULTS, ServerScript
from earsim_agents.scripted_server.server import ScriptedServer

__all__ = ["FAULTS", "Plans", "ScriptedServer", "ServerScript"]
