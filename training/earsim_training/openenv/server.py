"""The server: OpenEnv's own application over our worlds."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from earsim.errors import EarSimError, UsageError
from earsim_training.openenv.worlds import Worlds

Tell = Callable[[str], None]


def application(worlds: Worlds, *, sessions: int = 64) -> Any:
    """The FastAPI application, as OpenEnv makes it; a session over `/ws` has a world of its own.

    Args:
        worlds: what is played.
        sessions: how many there may be at once; further ones are refused.

    Raises:
        MissingExtra: OpenEnv is not installed.
    """
    from earsim_training.openenv.environment import EarSimEnvironment
    from earsim_training.openenv.models import EarSimAction, EarSimObservation, EarSimState

    # Those above say it in one sentence where OpenEnv is missing.
    # isort: split
    from fastapi.responses import JSONResponse
    from openenv.core.env_server.http_server import create_app

    app = create_app(
        partial(EarSimEnvironment, worlds),
        EarSimAction,
        EarSimObservation,
        env_name="earsim",
        max_concurrent_envs=sessions,
        state_cls=EarSimState,
    )

    async def refused(request: Any, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=400)

    app.add_exception_handler(EarSimError, refused)
    return app


def serve(app: Any, *, host: str, port: int, tell: Tell) -> None:
    """Listen until interrupted.

    Args:
        app: from `application`.
        host: address to listen at.
        port: 0 takes any free one.
        tell: gets one line as soon as clients may connect.

    Raises:
        UsageError: The port is taken, or the address is none of this machine.
    """
    import uvicorn

    with _listening(host, port) as bound:
        shown = f"[{host}]" if ":" in host else host
        tell(f"http://{shown}:{bound.getsockname()[1]}")
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        server.run(sockets=[bound])


def _listening(host: str, port: int) -> socket.socket:
    """Taken before anything is announced, so that it is ours when a client reads of it."""
    if not 0 <= port < 1 << 16:
        raise UsageError(f"--port {port}: expected a number from 0 to 65535")
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        words = error.strerror or str(error)
        if error.errno == errno.EADDRINUSE:
            words = "it is taken; choose another --port"
        raise UsageError(f"cannot listen at {host}, port {port}: {words}") from None
    return bound
