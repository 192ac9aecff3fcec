"""Test-time reinforcement learning on open questions: rewards for form, novelty and feasibility."""
