"""Replaying recordings of the command level: one command, one full comparison of the world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earsim.actions.outcome import Outcome, Reason
from earsim.rulesets.ear_bench import REPLAY, ear_bench
from earsim.world import World
from tests.conformance.episode_start import (
    JOINT_MARKS,
    Compared,
    compare_agents,
    compare_start,
    differ,
)
from tests.conformance.recordings import CommandRecords, Found, Record, Replayed
from tests.conformance.scenes import RecordedSetting, load_setting

EXCEPTIONS = {
    Reason.BLANK_COMMAND: "exc_IndexError",  # EAR-Bench Q40
    Reason.NOWHERE: "exc_RecursionError",  # EAR-Bench Q7
}
"""Refusals that are exceptions in the reference's command level, as the recordings name them."""

_ATTEMPT = frozenset({"solve", "noise"})
"""Kinds of steps that are the scripted attempt at the task; others follow it."""


class Seen(NamedTuple):
    """What an object looked like before a command, by reference."""

    location: dict[str, Any]
    states: dict[str, Any]
    altered: dict[str, Any]
    jointly: dict[str, Any]
    known: frozenset[str]


def replay_commands(records: Sequence[Record], data: Path) -> Replayed:
    """Replay one episode.

    Raises:
        FileError: Its records are not in order, or its scene cannot be used.
    """
    head, steps, end = CommandRecords.sorted_out(records)
    setting = load_setting(head, data, ear_bench(REPLAY))
    world = setting.engine.start(discovered=bool(head.get("global_observation")))
    replay = _CommandReplay(setting, world)
    differences: list[Found] = [(-1, *found) for found in compare_start(head, setting, world)]
    for record in steps:
        differences += [(record["i"], *found) for found in replay.step(record)]
    ended = replay.compare_end(end, int(head.get("target", 0)))
    differences += [(len(steps), *found) for found in ended]
    return Replayed(len(steps), differences)


class _CommandReplay:
    """One episode being replayed.

    Attributes:
        verdicts: which goals have ever held, one string of 0 and 1 per step of the attempt.
    """

    def __init__(self, setting: RecordedSetting, world: World) -> None:
        self.engine = setting.engine
        self.goals = setting.goals
        self.world = world
        self.start = self.now()
        self.ever = "0" * len(self.goals)
        self.steps = 0
        self.verdicts: list[str] = []

    def now(self) -> str:
        """Which goals hold, as the recordings spell it."""
        return "".join("01"[goal.holds(self.world)] for goal in self.goals)

    def step(self, record: Record) -> Iterator[Compared]:
        """Carry out one recorded command and compare everything."""
        world = self.world
        before = _see(world)
        outcome = self.engine.execute(world, record["a"], record["c"])
        status, reason = recorded_form(outcome)
        now = self.now()
        self.ever = "".join(map(max, zip(self.ever, now, strict=True)))
        self.steps += 1
        if record.get("k") in _ATTEMPT:
            self.verdicts.append(self.ever)
        yield from differ("status", record["st"], status)
        yield from differ("class", record["f"], reason)
        yield from compare_agents(world, record["ag"])
        changes = _sorted_marks(_changes(before, world))
        yield from differ("changes", _sorted_marks(record["ch"]), changes)
        yield from differ("discovered", sorted(record["new"]), sorted(_known(world) - before.known))
        yield from differ("now", record["now"], now)
        yield from differ("ever", record["stk"], self.ever)

    def compare_end(self, end: Record, target: int) -> Iterator[Compared]:
        """Compare the totals; the recorder's own remarks (`loophole`, `why_not`) are none."""
        verdict = self.verdicts[-1] if self.verdicts else self.start
        totals = {
            "steps": self.steps,
            "solve_steps": len(self.verdicts),
            "start_true": self.start[target] == "1",
            "solved": verdict[target] == "1",
        }
        for what, value in totals.items():
            if what in end:
                yield from differ(f"end {what}", end[what], value)


def recorded_form(outcome: Outcome) -> tuple[str, str | None]:
    """Status and class as the recordings spell them."""
    if outcome.reason is None:
        return outcome.status.value, None
    if outcome.reason in EXCEPTIONS:
        return "EXC", EXCEPTIONS[outcome.reason]
    return outcome.status.value, outcome.reason.value


def _known(world: World) -> frozenset[str]:
    return next(iter(world.known.values()), frozenset())


def _see(world: World) -> Seen:
    return Seen(
        dict(world.location),
        dict(world.states),
        dict(world.altered),
        dict(world.jointly),
        _known(world),
    )


def _changes(before: Seen, world: World) -> dict[str, dict[str, Any]]:
    """Fields that differ from before, flattened as in the recordings."""
    changes: dict[str, dict[str, Any]] = {}
    for node, place in world.location.items():
        fields: dict[str, Any] = {}
        if place != before.location[node]:
            fields["location_id"] = place.text
        fields |= _changed("states", before.states[node], world.states[node])
        old = before.altered.get(node, world.blueprint.things[node].attributes)
        fields |= _changed("properties", old, world.attributes(node))
        if world.jointly.get(node) != before.jointly.get(node):
            fields[JOINT_MARKS] = list(world.jointly.get(node, ()))
        if fields:
            changes[node] = fields
    return changes


def _changed(prefix: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    if old is new:
        return {}
    keys = dict.fromkeys((*old, *new))
    return {f"{prefix}.{key}": new.get(key) for key in keys if old.get(key) != new.get(key)}


def _sorted_marks(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The reference's lists of joint marks are unordered."""
    return {
        node: {
            key: sorted(value) if key == JOINT_MARKS and value else value
            for key, value in fields.items()
        }
        for node, fields in changes.items()
    }
