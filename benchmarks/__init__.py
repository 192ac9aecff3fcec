"""How fast the simulator is on this machine: `python -m benchmarks`."""
