"""Where the models live that a user has attached: two variables of the environment.

A scene only names a model. Where it is found is said by whoever starts the program, and worker
processes inherit it::

    EARSIM_MODELS = "burner/1=ws://127.0.0.1:8770, tunnel/2=ws://127.0.0.1:8771"
    EARSIM_MODEL_TOKEN = ...
"""

from __future__ import annotations

import os
import re

from earsim.errors import UsageError
from earsim.ids import MODEL_ID_PATTERN

MODELS_VARIABLE = "EARSIM_MODELS"
TOKEN_VARIABLE = "EARSIM_MODEL_TOKEN"
WALL_VARIABLE = "EARSIM_MODEL_WALL_S"

WALL_S = 60.0
"""Seconds of the wall in which a model has to answer, unless the environment says otherwise."""

_EXAMPLE = "burner/1=ws://127.0.0.1:8770"


def addresses() -> dict[str, str]:
    """By the id of each attached model, where it lives.

    Raises:
        UsageError: The variable makes no sense.
    """
    found: dict[str, str] = {}
    for each in os.environ.get(MODELS_VARIABLE, "").split(","):
        if not each.strip():
            continue
        id, _, url = (part.strip() for part in each.partition("="))
        if not re.fullmatch(MODEL_ID_PATTERN, id) or not url.startswith(("ws://", "wss://")):
            raise UsageError(f"{MODELS_VARIABLE}: {each.strip()!r} is not like {_EXAMPLE}")
        if id in found:
            raise UsageError(f"{MODELS_VARIABLE}: {id} stands twice")
        found[id] = url
    return found


def model_token() -> str:
    """What is shown to the servers of models.

    Raises:
        UsageError: There is none.
    """
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise UsageError(f"set {TOKEN_VARIABLE} to the token that the model's server asks for")
    return token


def wall_s() -> float:
    """Seconds in which a model has to answer.

    Raises:
        UsageError: The variable is no positive number.
    """
    given = os.environ.get(WALL_VARIABLE, "")
    try:
        found = float(given) if given else WALL_S
    except ValueError:
        found = 0.0
    if not 0.0 < found < float("inf"):
        raise UsageError(f"{WALL_VARIABLE}: {given!r} is no positive number of seconds")
    return found
