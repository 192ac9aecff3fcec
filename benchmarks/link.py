"""`python -m benchmarks.link`: how long a command takes in process and over a socket."""

from __future__ import annotations

import statistics
import threading
import time

from earsim import Engine, Episode, open_suite
from earsim.link.client import LabClient
from earsim.link.linked_episode import LinkedEpisode
from earsim.link.server import LinkAddress, LinkServer

_TOKEN, _COMMANDS = "benchmark-token", 300
_SCENARIO = "control_lab/tune_for_the_open_day"


def _link() -> LinkedEpisode:
    return LinkedEpisode(Episode(Engine(open_suite("laboratory").load(_SCENARIO)), budget=10**6))


def _median_ms(lab: LabClient) -> float:
    taken = []
    for _ in range(_COMMANDS):
        begun = time.perf_counter()
        lab.do("LOOK")
        taken.append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken)


def main() -> None:
    """Measure both and print them."""
    with LabClient.in_process(_link(), "ada") as lab:
        print(f"in process     {_median_ms(lab):6.2f} ms a command")
    server = LinkServer(_link(), LinkAddress("127.0.0.1", 0, _TOKEN, 8), tick_s=None)
    ready, ports = threading.Event(), list[int]()

    def tell(port: int) -> None:
        ports.append(port)
        ready.set()

    thread = threading.Thread(target=server.run, args=(tell,), daemon=True)
    thread.start()
    ready.wait(10)
    with LabClient.connect(f"ws://127.0.0.1:{ports[0]}", token=_TOKEN, who="ada") as lab:
        print(f"over a socket  {_median_ms(lab):6.2f} ms a command (goal 3)")
    server.stop()
    thread.join(10)


if __name__ == "__main__":
    main()
