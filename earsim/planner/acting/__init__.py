"""Planning and acting under partial observability: the oracle, the expert, exploration."""
