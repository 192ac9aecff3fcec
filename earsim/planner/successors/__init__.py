"""Successor generators: the commands that achieve a landmark action, and all relevant ones."""
