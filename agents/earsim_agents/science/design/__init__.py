"""Cost-aware design of solvers' grids: CAED-Agent, what it is held against, and its surrogates."""
