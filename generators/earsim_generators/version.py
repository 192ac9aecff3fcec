"""The version of the procedural generator, which everything it makes carries."""

GENERATOR_VERSION = "1"
"""Changes whenever the same settings may give another scenario."""
