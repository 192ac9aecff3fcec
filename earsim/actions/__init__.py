"""Verbs: grammar, checks and effects, one file each; what becomes of a command."""
