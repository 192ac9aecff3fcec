"""Planning where numbers change by themselves: over real decisions, in which time passes."""
