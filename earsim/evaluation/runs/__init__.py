"""A run: the sweep asked for, its jobs, where they are played, how they are recorded."""
