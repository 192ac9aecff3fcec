"""Isolation of model-written code: measured levels, and children that are held to them."""

from earsim.sandbox.child import SandboxedChild, python_command
from earsim.sandbox.launching import launch, required
from earsim.sandbox.level import Isolation, SandboxLevel
from earsim.sandbox.limits import Limits
from earsim.sandbox.measure import measured

__all__ = [
    "Isolation",
    "Limits",
    "SandboxLevel",
    "SandboxedChild",
    "launch",
    "measured",
    "python_command",
    "required",
]
