"""A simulator that stands behind an apparatus of a world elsewhere: `burner/1`, water on a burner.

It imports nothing of EAR-Sim: the messages are JSON on a WebSocket, so the same can be written in
any language, around any simulator. A program in Python that has a `earsim.apparatus.model.Model`
calls `earsim.link.model_server.serve_model` instead. docs/lab-server.md says what is exchanged.

    pip install websockets
    EARSIM_MODEL_TOKEN=sixteen-or-more-characters python examples/outside_model.py --port 8770
"""

import argparse
import hmac
import json
import os
from http import HTTPStatus

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

DESCRIPTION = {
    "id": "burner/1",
    "title": "a litre of water on a gas burner",
    "parameters": [
        {"name": "power", "says": "heat of the flame", "default": 1000.0, "unit": "W",
         "low": 100.0, "high": 3000.0},
        {"name": "litres", "says": "water in the pot", "default": 1.0, "unit": "l",
         "low": 0.1, "high": 5.0},
    ],
    "channels": [{"name": "celsius", "unit": "C", "says": "of the water"}],
    "quantities": [{"name": "boils_at", "unit": "s", "says": "when the water boils"}],
    "events": ["boiling"],
}  # fmt: skip
LONGEST_S = 1800


class Burner:
    """Water that warms by `power` and cools by 4 W for each degree above a room of 20 C."""

    def __init__(self, power=1000.0, litres=1.0):
        self.power, self.heat_j, self.celsius, self.seconds = power, 4186.0 * litres, 20.0, 0

    def step(self):
        """A second more."""
        self.celsius += (self.power - 4.0 * (self.celsius - 20.0)) / self.heat_j
        self.seconds += 1


class Session:
    """One world. Its runs are by the id of the operation."""

    def __init__(self, connection):
        self.connection, self.runs, self.count, self.id = connection, {}, 0, ""

    def tell(self, kind, payload, about=None, status=None, at=0.0, answers=None):
        """Send a message; `at` is its moment, in seconds from the start of the run."""
        self.count += 1
        message = {"id": f"m_{self.count}", "type": kind, "payload": payload, "timestamp": at}
        message |= {"session_id": self.id, "operation_id": about, "status": status}
        self.connection.send(json.dumps({**message, "correlation_id": answers}))

    def take(self, message):
        """Answer a message of the world."""
        kind, about, payload = message["type"], message["operation_id"], message["payload"]
        if kind == "session_init":
            self.id = message["session_id"]
            self.tell("heartbeat", {"counter": 0}, answers=message["id"])
        elif kind == "operation_request":
            asked, given = payload["operation_type"], payload["parameters"]
            now = "in_progress" if self.runs.get(about, Burner()).seconds else "started"
            status = now if asked in ("probe", "stop") else "acknowledged"
            self.tell("operation_ack", {"accepted": True}, about, status, answers=message["id"])
            {"configure": self.describe, "run": self.run, "probe": self.advance,
             "stop": self.stop}[asked](about, given)  # fmt: skip

    def describe(self, about, given):
        """What the model is: the answer to `configure` without settings."""
        self.tell("operation_start", {"clock": 0.0}, about, "started")
        self.tell("operation_complete", {"result": DESCRIPTION, "cost": 0.0}, about, "completed")

    def run(self, about, settings):
        """Begin a run; nothing is computed before the world asks how it goes."""
        self.runs[about] = Burner(**settings)
        self.tell("operation_start", {"clock": 0.0}, about, "started")

    def stop(self, about, given):
        """The world will ask no more about a run."""
        del self.runs[about]
        self.tell("operation_failed", {"reason": "halted", "message": "stopped"}, about, "failed")

    def advance(self, about, given):
        """Tell everything up to a moment, then say that this was all; or how the run has ended."""
        run, until = self.runs[about], given["until"]
        while run.seconds + 1 <= until:
            run.step()
            at = float(run.seconds)
            reading = {"t": at, "channels": {"celsius": run.celsius}}
            self.tell("model_state_update", reading, about, "in_progress", at)
            if run.celsius >= 100.0:
                boiling = {"event": "boiling", "severity": "warning", "facts": {}}
                self.tell("code_event", boiling, about, "in_progress", at)
                complete = {"result": {"boils_at": at}, "cost": 0.0}
                self.tell("operation_complete", complete, about, "completed", at)
                del self.runs[about]
                return
            if run.seconds == LONGEST_S:
                failed = {"reason": "error", "message": "the gas is used up, and nothing boils"}
                self.tell("operation_failed", failed, about, "failed", at)
                del self.runs[about]
                return
        done = {"name": "until", "value": until}
        self.tell("code_debug", done, about, "in_progress", until)


def main():
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8770, help="0 takes any free one")
    port, token = parser.parse_args().port, os.environ["EARSIM_MODEL_TOKEN"]

    def admit(connection, request):
        shown = request.headers.get("Authorization", "")
        if not hmac.compare_digest(shown.encode(), f"Bearer {token}".encode()):
            return connection.respond(HTTPStatus.UNAUTHORIZED, "wrong token\n")
        return None

    def connected(connection):
        session = Session(connection)
        try:
            for text in connection:
                session.take(json.loads(text))
        except ConnectionClosed:
            pass  # the world has left in the midst of an answer

    with serve(connected, "127.0.0.1", port, process_request=admit, origins=[None]) as server:
        print(f"Ready: ws://127.0.0.1:{server.socket.getsockname()[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
