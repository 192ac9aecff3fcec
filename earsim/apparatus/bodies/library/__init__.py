"""Modules that code on a workstation can import."""
