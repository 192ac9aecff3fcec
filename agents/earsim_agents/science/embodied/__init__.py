"""The embodied agent: planner, generator, runtime perception and reflector around one apparatus."""
