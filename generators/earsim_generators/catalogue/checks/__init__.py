"""Checks of a domain: its references, numbers and verbs, and what is physically plausible."""
