"""What a run amounts to: registered metrics over the episodes of a store, and how they compare."""
