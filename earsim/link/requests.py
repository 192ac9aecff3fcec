"""Requests of a client as commands of its agent.

Every request is one command of the world, given in one decision::

    configure      CONFIGURE apparatus name=value ...
    run            RUN apparatus
    execute_code   the code: a command of the agent, such as GOTO lag_rig; of a workstation, EXEC
    probe          MEASURE apparatus [channel], of the run that the operation is
    stop           STOP apparatus, likewise

but for those about the agent's own body, which `body` answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.apparatus.operation import OperationType
from earsim.apparatus.payload import ErrorCode, OperationRequest
from earsim.apparatus.tracker import Rejection
from earsim.engine import Engine
from earsim.ids import well_formed

APPARATUS = "apparatus"
CODE = "code"
NAME = "name"


def target_of(request: OperationRequest) -> str | None:
    """The apparatus, workstation or agent that a request names."""
    found = request.parameters.get(APPARATUS)
    return found if isinstance(found, str) else None


def command_of(request: OperationRequest, engine: Engine, of_run: str | None) -> str | Rejection:
    """The text of the command that a request stands for, or why it stands for none.

    Args:
        request: of a client.
        engine: of the scenario.
        of_run: for `probe` and `stop`, the apparatus whose run the operation is.
    """
    kind, given = request.operation_type, dict(request.parameters)
    if kind is OperationType.EXECUTE_CODE and APPARATUS not in given:
        return _own_code(given)
    target = of_run if of_run is not None else given.pop(APPARATUS, None)
    if not isinstance(target, str):
        return _refused(f"{kind} needs a parameter {APPARATUS!r}, the id of one")
    command: dict[str, Any] = {"verb": _VERBS[kind], "target": target}
    if kind is OperationType.CONFIGURE:
        command["settings"] = given
    elif kind is OperationType.EXECUTE_CODE:
        command |= given
    elif kind is OperationType.PROBE and NAME in given:
        command |= {"property": given.pop(NAME)}
    if given and kind not in (OperationType.CONFIGURE, OperationType.EXECUTE_CODE):
        hint = "; configure comes first" if kind is OperationType.RUN else ""
        return _refused(f"{kind} takes no parameter {next(iter(given))!r} here{hint}")
    return _text(engine, command)


_VERBS: Mapping[OperationType, str] = {
    OperationType.CONFIGURE: "CONFIGURE",
    OperationType.RUN: "RUN",
    OperationType.EXECUTE_CODE: "EXEC",
    OperationType.PROBE: "MEASURE",
    OperationType.STOP: "STOP",
}


def _own_code(given: Mapping[str, Any]) -> str | Rejection:
    """A command of the agent itself, as it was written."""
    code = given.get(CODE)
    if set(given) != {CODE} or not isinstance(code, str) or not code.strip():
        return _refused(f"execute_code takes a parameter {CODE!r}, a command such as EXPLORE")
    return well_formed(code)


def _text(engine: Engine, command: Mapping[str, Any]) -> str | Rejection:
    verb = engine.verbs.get(command["verb"])
    if verb is None:
        return _refused(f"nothing in this scene takes {command['verb']}")
    text = verb.from_json(command)
    if text is None:
        return _refused(f"the parameters do not fit {verb.grammar.form}")
    return well_formed(text)


def _refused(text: str) -> Rejection:
    return Rejection(ErrorCode.UNKNOWN_REQUEST, text)
