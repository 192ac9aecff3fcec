"""Disjunctive action landmarks: lower bounds on what is left to do, and what to try next."""
