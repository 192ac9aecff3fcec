"""Certificates: proofs that a scenario can be solved and that its label is necessary."""
