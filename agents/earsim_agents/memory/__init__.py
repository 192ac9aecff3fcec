"""Typed memories of policies: states that are saved with every decision, and their moves."""
