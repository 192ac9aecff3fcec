"""Surrogates of solvers: networks that predict error and cost of a design (CAED-Agent)."""
