"""The metrics, one module for what they are about, each with its definition beside it."""
