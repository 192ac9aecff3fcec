"""The folder of a run: one SQLite database, a manifest, and long texts kept once."""
