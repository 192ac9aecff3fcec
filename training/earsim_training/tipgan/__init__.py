"""Adversarial search for tipping points of the six-box ocean, judged by the ocean itself."""
