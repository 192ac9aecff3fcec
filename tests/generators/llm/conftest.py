"""The command line in this process and an empty folder, as the tests of commands have it."""

from tests.cli.conftest import earsim, here

__all__ = ["earsim", "here"]
