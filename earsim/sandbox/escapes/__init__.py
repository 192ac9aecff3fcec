"""Escapes that are tried: what measures the level of isolation, and what reports on it."""
