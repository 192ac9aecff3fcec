"""The rulesets by name; each reads like a specification and has a version."""

from earsim.registry import Registry
from earsim.rulesets.ear_bench import ear_bench
from earsim.rulesets.physical import physical
from earsim.rulesets.ruleset import Ruleset

RULESETS: Registry[Ruleset] = Registry(
    "ruleset", {"physical": physical(), "ear-bench": ear_bench()}
)
"""The current version of every ruleset."""

__all__ = ["RULESETS", "Ruleset"]
