"""Demonstrations: recorded or played on the spot, perturbed, labelled by a teacher, explained."""
