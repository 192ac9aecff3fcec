"""Payloads of every type of message, and messages that carry them."""

from earsim.apparatus import payload as p
from earsim.apparatus.message import Envelope, MessageType
from earsim.apparatus.model import Severity
from earsim.apparatus.operation import Failure, OperationStatus, OperationType

M = MessageType

EXAMPLES = {
    M.OPERATION_REQUEST: [
        p.OperationRequest(operation_type=OperationType.STOP),
        p.OperationRequest(operation_type=OperationType.RUN, parameters={"Kp": 2.5, "n": 8}),
    ],
    M.OPERATION_ACK: [
        p.OperationAck(accepted=True),
        p.OperationAck(accepted=False, reason="out_of_bounds", facts={"low": 0.0, "high": 50.0}),
    ],
    M.OPERATION_START: [p.OperationStart(clock=12.0, expected_s=30.0, expected_cost=None)],
    M.OPERATION_PROGRESS: [
        p.OperationProgress(fraction=0.5, cost=0.0),
        p.OperationProgress(fraction=None, cost=3520.0),
    ],
    M.OPERATION_COMPLETE: [p.OperationComplete(result={"y": None, "stable": True}, cost=1.0)],
    M.OPERATION_FAILED: [p.OperationFailed(reason=Failure.HALTED, message="stopped")],
    M.CODE_OUTPUT: [p.CodeOutput(stream="stdout", line="größer als 3 ≤ 4")],
    M.CODE_STATUS: [p.CodeStatus(state="running", line_number=3), p.CodeStatus(state="idle")],
    M.CODE_DEBUG: [p.CodeDebug(name="x", value=[1, {"a": None}])],
    M.CODE_EVENT: [
        p.CodeEvent(event="diverging", severity=Severity.WARNING, facts={"peaks": [1.4, 2.3]})
    ],
    M.MODEL_STATE_UPDATE: [p.ModelStateUpdate(t=0.1, channels={"y": 0.5, "u": None})],
    M.STATE_VERIFICATION: [p.StateVerification(expected={"y": p.ExpectedRange(low=0.9)})],
    M.STATE_CONFIRMED: [p.StateConfirmed(name="y", value=0.95, holds=True)],
    M.SESSION_INIT: [p.SessionInit(protocol=1, who="ada", last_seen="m_4")],
    M.HEARTBEAT: [p.Heartbeat(counter=7)],
    M.ERROR: [p.ErrorReport(code=p.ErrorCode.UNREADABLE, text="not JSON")],
}

OF_SESSION = (M.SESSION_INIT, M.HEARTBEAT)


def envelope(
    type_,
    *,
    payload=None,
    id="m_2",
    status=OperationStatus.IN_PROGRESS,
    operation="op_1",
    answers=None,
    session="s_1",
):
    """A message of a type about an operation, where that type is about one."""
    about = type_ not in OF_SESSION
    return Envelope(
        id,
        payload or EXAMPLES[type_][0],
        12.0,
        session,
        operation if about else None,
        status if about else None,
        answers or ("m_1" if type_.answers else None),
    )
