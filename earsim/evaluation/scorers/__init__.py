"""Scorers of scientific workflow tasks: answers, steps, programs, ideas, and their joint score."""
