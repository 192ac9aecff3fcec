"""EAR-Sim as an environment of `verifiers`: `load_environment`; the rest needs that extra."""

from earsim_training.verifiers_env.loading import load_environment

__all__ = ["load_environment"]
