"""Bodies: workstations whose operation is the execution of code that agents give.

A world holds only the transcript of a workstation: what was executed and saved there, and the lines
that came of it. The interpreters themselves live in a pool outside all worlds.
"""

from __future__ import annotations

from earsim.apparatus.bodies.model import OctaveBody, PythonBody

PYTHON = PythonBody()
OCTAVE = OctaveBody()
