"""The compact outline of what an agent knows, and the memory that shows only what changed."""
