"""Incompressible Navier-Stokes flow in two dimensions: MAC grid, CIP advection, SOR pressure."""

from earsim.apparatus.ns2d.model import NS2D

__all__ = ["NS2D"]
