"""Policies: whatever maps observations to commands, found by name and imported when asked for."""
