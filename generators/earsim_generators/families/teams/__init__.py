"""Families about teams: each has one reason for which one agent is not enough, and it is proved.

A load is too heavy; of two things one is too heavy for one agent and the other too large for the
other; who is strong enough is locked in, and the key is outside; who can read a number cannot get
out, and the other knows nothing unless told; of two tools each agent can take one; two things are
held in two rooms at one time; there is no time for one to do it all.
"""

from earsim_generators.families.teams.division import hurry, places, tools
from earsim_generators.families.teams.loads import shut_in, size, weight
from earsim_generators.families.teams.talk import told

__all__ = ["hurry", "places", "shut_in", "size", "told", "tools", "weight"]
