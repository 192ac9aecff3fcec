"""Models: checkpoints as folders, their cards, and small models from scratch."""
