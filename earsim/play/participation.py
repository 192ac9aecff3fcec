"""Human baselines: who plays which tasks in which order, after what consent, in what time."""

from __future__ import annotations

import time
from collections import defaultdict
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Annotated, Literal

from pydantic import Field

from earsim.atomic import write_atomically
from earsim.errors import UsageError
from earsim.installed import version
from earsim.play.attempts import POLICY, AttemptRun
from earsim.schema.files.dump import to_json
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.leaderboard import Sha256, sha256_of
from earsim.schema.model import FileModel, Name
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites import Suite
from earsim.suites.finding import find_suite
from earsim.suites.suite import Selection

RECORD = "participant.json"


class PlayProtocol(FileModel):
    """How people play a suite, the same for all of them.

    Attributes:
        suite: Name or path.
        tasks: Of every participant.
        minutes: For every task; breaks are between tasks.
        seed: Of the assignment and the order of tasks.
        practice: Scenarios that everyone plays first, without time and record.
        consent: What participants are told and have to agree to.
    """

    schema_: Literal["earsim.play-protocol/1"] = Field(
        default="earsim.play-protocol/1", validation_alias="schema", serialization_alias="schema"
    )
    suite: Name
    tasks: int = Field(ge=1)
    minutes: float = Field(gt=0, allow_inf_nan=False)
    seed: int = 0
    practice: tuple[Name, ...] = ()
    consent: Annotated[str, Field(min_length=1, max_length=10_000)]

    @property
    def sha256(self) -> str:
        """Of everything in it."""
        return sha256_of(self.model_dump(mode="json", by_alias=True))


class ParticipantRecord(FileModel):
    """What is kept of a participant besides the run: no name, nothing about the person.

    Attributes:
        protocol: Its SHA-256.
        order: Ids of the scenarios to play.
        agreed_at: When the consent was given, in seconds since 1970.
        started: When each scenario was shown first, in the same seconds.
    """

    schema_: Literal["earsim.participant/1"] = Field(
        default="earsim.participant/1", validation_alias="schema", serialization_alias="schema"
    )
    participant: int = Field(ge=1)
    protocol: Sha256
    earsim: str
    order: tuple[str, ...]
    agreed_at: float
    started: dict[str, float] = Field(default_factory=dict)


def load_protocol(path: Path) -> PlayProtocol:
    """The protocol in a YAML file.

    Raises:
        FileError: With every finding.
    """
    return validated(parse_yaml(read_text(path), str(path)), PlayProtocol)


def assigned(protocol: PlayProtocol, suite: Suite, participant: int) -> tuple[str, ...]:
    """The scenarios of a participant, in the order in which they are played.

    Participants take turns at one shuffled list in which categories alternate, so that a whole
    round of them plays every scenario once; each has an order of their own.
    """
    by_category: dict[str, list[str]] = defaultdict(list)
    for id in suite.ids:
        by_category[suite.category(id).value].append(id)
    words = f"earsim play protocol/{protocol.seed}"
    rng = Random(words)
    columns = [rng.sample(ids, len(ids)) for _, ids in sorted(by_category.items())]
    dealt = [id for row in zip_longest(*columns) for id in row if id is not None]
    first = (participant - 1) * protocol.tasks
    mine = [dealt[(first + place) % len(dealt)] for place in range(min(protocol.tasks, len(dealt)))]
    return tuple(Random(f"{words}/{participant}").sample(mine, len(mine)))


def round_of(protocol: PlayProtocol, suite: Suite) -> int:
    """How many participants it takes until every scenario has been played."""
    return -(-len(suite) // min(protocol.tasks, len(suite)))


class Participation:
    """The sessions of one participant, which may be on several days.

    Attributes:
        suite: The scenarios that are theirs, in order.
        run: Where attempts are saved.
        record: None before the consent.
    """

    def __init__(self, protocol: PlayProtocol, participant: int, out: Path) -> None:
        """Read what there is; write nothing.

        Raises:
            UsageError: The folder holds sessions under another protocol.
            FileError: The suite or the record cannot be read.
        """
        found = find_suite(protocol.suite)
        self.protocol = protocol
        self.whole = found.suite
        self.order = assigned(protocol, found.suite, participant)
        self.suite: Suite = Selection(found.suite, self.order)
        self._participant = participant
        name = f"p{participant:03d}"
        self._path = out / name / RECORD
        self.run = AttemptRun(
            out / name, self.suite, found.source, EpisodeSettings(), player=f"{POLICY}-{name}"
        )
        self.record = self._read()

    def _read(self) -> ParticipantRecord | None:
        if not self._path.exists():
            return None
        document = parse_json(read_text(self._path), str(self._path))
        record = validated(document, ParticipantRecord)
        if (record.protocol, record.order) != (self.protocol.sha256, self.order):
            raise UsageError(f"{self._path} is of another protocol or suite; choose another folder")
        return record

    def agree(self) -> None:
        """Note that the participant has agreed."""
        self._write(
            ParticipantRecord(
                participant=self._participant,
                protocol=self.protocol.sha256,
                earsim=version("earsim"),
                order=self.order,
                agreed_at=time.time(),
            )
        )

    def deadline(self, scenario_id: str) -> float:
        """Seconds since 1970 at which a scenario ends, which has begun when it was first shown."""
        assert self.record is not None, "nobody plays without consent"
        started = self.record.started.get(scenario_id)
        if started is None:
            started = time.time()
            told = {**self.record.started, scenario_id: started}
            self._write(self.record.model_copy(update={"started": told}))
        return started + 60 * self.protocol.minutes

    def _write(self, record: ParticipantRecord) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._path, f"{to_json(record, indent=2)}\n")
        self.record = record
