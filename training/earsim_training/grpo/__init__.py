"""Reinforcement learning of language models: groups of episodes of one task, compared (GRPO)."""
