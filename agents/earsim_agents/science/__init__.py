"""Policies for scenes with apparatus: typed memory, cost-aware design, embodied action."""
