"""Slots of free words: numbers and times, ranks, names that are told in part, and teams."""
