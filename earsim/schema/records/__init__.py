"""Records of what was played: trajectories, run manifests, calls of models."""
