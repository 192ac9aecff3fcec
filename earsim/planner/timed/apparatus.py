"""What of a scene bears on which numbers: heaters, sources, streams, supplies."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.process import Heats, Process
from earsim.world.live import LiveScene


class PlannedApparatus:
    """An index of the processes of a scene.

    Attributes:
        live: the processes.
        heaters: things with power, and the processes.
        bodies: things with a temperature of their own, compartments aside.
        compartments: containers whose air has a temperature.
        flows: things that liquid runs through, and the processes.
        hoses: what liquid or power comes through, in the order of the file.
    """

    def __init__(self, live: LiveScene) -> None:
        self.live = live
        each = [(node, process) for node, own in live.processes.items() for process in own]
        self.heaters: list[tuple[str, Heats]] = [(n, p.heats) for n, p in each if p.heats]
        self.bodies = [node for node, process in each if process.heat is not None]
        self.compartments = [node for node, process in each if process.compartment is not None]
        self.flows = [(node, process.flow) for node, process in each if process.flow]
        self.hoses = [node for node in live.fittings if node in live.hoses]

    def processes(self, node: str) -> tuple[Process, ...]:
        """Those of a thing."""
        return self.live.processes.get(node, ())

    def fitting(self, node: str) -> list[str]:
        """The things with a fitting of a kind that a thing has."""
        kinds = self.live.fittings.get(node, {}).keys()
        fittings = self.live.fittings.items()
        return [other for other, own in fittings if other != node and not kinds.isdisjoint(own)]

    def supplies(self, node: str) -> Iterator[str]:
        """The things that give power through a fitting that a thing has."""
        kinds = self.live.fittings.get(node, {}).keys()
        for other, given in self.live.supplies.items():
            if other != node and not given.isdisjoint(kinds):
                yield other

    def boundary(self, node: str) -> Iterator[str]:
        """Everything else that the processes of a thing name."""
        for process in self.processes(node):
            if process.active is not None and process.active.of is not None:
                yield process.active.of
            if process.flow is not None:
                yield from filter(None, (process.flow.from_, process.flow.to))
