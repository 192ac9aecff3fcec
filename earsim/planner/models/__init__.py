"""Planning models: what the planner knows of a ruleset beside the rules themselves."""
