"""Isolation of model-written code: measured levels, and children that are held to them."""

from earsim.sandbox.launch import SandboxedChild, launch, python_command
from earsim.sandbox.level import Measured, SandboxLevel
from earsim.sandbox.limits import Limits
from earsim.sandbox.measure import measured

__all__ = [
    "Limits",
    "Measured",
    "SandboxLevel",
    "SandboxedChild",
    "launch",
    "measured",
    "python_command",
]
