"""Apparatus: simulations that stand behind objects of a world, as pure functions of their settings.

Models import neither the world nor each other.
"""
