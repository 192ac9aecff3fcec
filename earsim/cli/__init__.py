"""The command line `earsim`: one file per command, each a thin face of a library module."""

from earsim.cli.app import app
from earsim.cli.boundary import errors_told
from earsim.signals import stoppable

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; this is what the script `earsim` calls."""
    with stoppable(), errors_told():
        app(prog_name="earsim")
