"""Export of trajectories and training of models on them."""
