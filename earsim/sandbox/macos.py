"""A profile for ``sandbox-exec`` of macOS.

It is written after Apple's own profiles and has not been tried on a Mac by its authors: whether it
isolates is measured, as everywhere, where it is used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from earsim.sandbox.visible import Visible

PROGRAM = "/usr/bin/sandbox-exec"

_ALWAYS = """(version 1)
(deny default)
(allow process-fork)
(allow process-exec)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))
"""


def confined(argv: Iterable[str], folder: str, seen: Visible) -> tuple[str, ...]:
    """A command that runs another one without network, writing to one folder only."""
    rules = [f"(allow file-read* (subpath {json.dumps(path)}))\n" for path in seen.readable]
    rules += [f"(allow file-read* (literal {json.dumps(path)}))\n" for path in seen.listed]
    rules.append(f"(allow file-read* file-write* (subpath {json.dumps(folder)}))\n")
    return (PROGRAM, "-p", _ALWAYS + "".join(rules), *argv)
