"""The last step under bubblewrap, which executes this program: it becomes the body."""

from __future__ import annotations

import contextlib
import os
import sys

from .body import become
from .orders import Orders
from .talk import sentence

REPORT = 3
"""Open file that tells the launcher: `BEGUN`, then what went wrong, if anything did."""

BEGUN = b"\0"


def main() -> None:
    """Become the body of the orders, which are the last argument."""
    os.set_inheritable(REPORT, False)
    os.write(REPORT, BEGUN)
    try:
        become(Orders.of(sys.argv[-1].encode()), None)
    except BaseException as error:  # noqa: BLE001 - the process ends here; its reason is told
        with contextlib.suppress(OSError):
            os.write(REPORT, sentence(error).encode())
    os._exit(125)
