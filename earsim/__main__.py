"""`python -m earsim` is the command line."""

from earsim.cli import main

main()
