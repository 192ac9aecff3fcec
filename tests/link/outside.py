"""A program that offers `echo/1`, on top of the example, and does one thing wrong where told to."""

import json
import os
import random
import sys
import time

from websockets.sync.server import serve

from examples.outside_model import Session

CHANNELS = [{"name": "x", "unit": "", "says": "as it is"}]
DESCRIPTION = {"id": "echo/1", "title": "Echo", "channels": CHANNELS, "events": ["beep"],
               "parameters": [{"name": "k", "default": 1.0, "low": 0.0, "high": 9.0}],
               "quantities": [{"name": "sum"}]}  # fmt: skip
END_S = 30


class Run:
    """A reading every ten seconds."""

    def __init__(self, k=1.0):
        self.k, self.seconds = k, 0


class Echo(Session):
    """One world, and what goes wrong in the midst of its runs."""

    def __init__(self, connection, fault):
        super().__init__(connection)
        self.fault, self.now = fault, ""

    def describe(self, about, given):
        found = json.loads(json.dumps(DESCRIPTION))
        if self.fault == "parameter":
            found["parameters"][0]["default"] = 10.0
        if self.fault == "other":
            found["id"] = "other/1"
        self.tell("operation_start", {"clock": 0.0}, about, "started")
        self.tell("operation_complete", {"result": found, "cost": 0.0}, about, "completed")

    def take(self, message):
        asked = message["payload"].get("operation_type")
        if asked == "run" and self.fault == "refuses":
            refusal = {"accepted": False, "reason": "maintenance"}
            about = message["operation_id"]
            self.tell("operation_ack", refusal, about, "failed", answers=message["id"])
        else:
            super().take(message)

    def run(self, about, settings):
        self.runs[about] = Run(**settings)
        self.tell("operation_start", {"clock": 0.0, "expected_s": 30.0}, about, "started")

    def read(self, about, at, **channels):
        update = {"t": at, "channels": channels}
        self.tell("model_state_update", update, about, "in_progress", at)

    def advance(self, about, given):
        run, until = self.runs[about], given["until"]
        noise = random.random() if self.fault == "unrepeatable" else 0
        while run.seconds + 10 <= min(until, END_S):
            run.seconds += 10
            if run.seconds == 20 and self.fault in FAULTS:
                FAULTS[self.fault](self, about)
            self.read(about, float(run.seconds), x=run.seconds * run.k + noise)
        if run.seconds == END_S:
            done = {"result": {"sum": 60.0}, "cost": 0.0}
            self.tell("operation_complete", done, about, "completed", 30.0)
        else:
            self.tell("code_debug", {"name": "until", "value": until}, about, "in_progress", until)


def beats(session, about):
    for number in range(600):
        session.tell("heartbeat", {"counter": number})
        time.sleep(0.05)


def flood(session, about):
    for _ in range(100_001):
        session.read(about, 20.0, x=1.0)


def tells(kind, payload, status="in_progress", about=None):
    return lambda session, own: session.tell(kind, payload, about or own, status, 20.0)


def event(name, facts):
    return tells("code_event", {"event": name, "severity": "info", "facts": facts})


FAULTS = {
    "hangs": lambda session, about: time.sleep(60),
    "beats": beats,
    "dies": lambda session, about: os._exit(1),
    "json": lambda session, about: session.connection.send("{'x'"),
    "huge": lambda session, about: session.connection.send(" " * (1 << 21)),
    "oversized": lambda session, about: session.connection.send(" " * (1 << 23)),
    "binary": lambda session, about: session.connection.send(b"\xff\x00"),
    "channel": lambda session, about: session.read(about, 20.0, y=1.0),
    "early": lambda session, about: session.read(about, 5.0, x=1.0),
    "late": lambda session, about: session.read(about, 1e6, x=1.0),
    "event": event("boom", {}),
    "facts": event("beep", {"told": "\x1b[2J"}),
    "result": tells("operation_complete", {"result": {"sum": [1]}, "cost": 0.0}, "completed"),
    "status": tells("code_debug", {"name": "until", "value": 20.0}, "completed"),
    "another": tells("code_debug", {"name": "until", "value": 20.0}, about="op_99"),
    "error": lambda session, about: session.tell("error", {"code": "unexpected", "text": "what?"}),
    "flood": flood,
    "fails": tells(
        "operation_failed",
        {"reason": "error", "message": "the pump \x1b[31mbroke", "result": {"sum": 10.0}},
        "failed",
    ),
}


def connected(connection):
    session = Echo(connection, sys.argv[1])
    for text in connection:
        session.take(json.loads(text))


if __name__ == "__main__":
    with serve(connected, "127.0.0.1", 0) as server:
        address = f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        sys.stdout.write(f"Ready: {address}\n")
        sys.stdout.flush()
        server.serve_forever()
