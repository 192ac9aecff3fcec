"""The certificates of a suite on disk: JSON lines, one certificate each.

A finished certificate is appended at once and whole, so a process that is killed loses at most the
scenario it was at; a torn last line is what is left of that, and is forgotten. In the end the lines
are put in the order of the suite, so that one run gives the same bytes as several.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from earsim.atomic import replacing
from earsim.errors import FileError, Finding
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated


class Key(NamedTuple):
    """What a certificate is about; with another key it proves nothing."""

    scenario_hash: str
    ruleset: str
    planner: str


class _CertificateLine(NamedTuple):
    """A certificate as it stands in the file; it is parsed when it is asked for."""

    scenario_id: str
    key: Key
    text: str

    @property
    def place(self) -> tuple[str, str]:
        """A newer certificate of the same scenario under the same rules takes its place."""
        return self.scenario_id, self.key.ruleset.partition("/")[0]


class CertificateFile:
    """A file of certificates.

    Attributes:
        path: where it is, or will be once there is a certificate.
    """

    def __init__(self, path: str | Path) -> None:
        """Read what is there.

        Raises:
            FileError: A line that is not the last is no certificate.
        """
        self.path = Path(path)
        self._lines: dict[tuple[str, str], _CertificateLine] = {}
        self._by_key: dict[Key, _CertificateLine] = {}
        self._whole = 0  # bytes, without a torn last line
        for line in self._read():
            self._note(line)

    def __len__(self) -> int:
        return len(self._lines)

    def find(self, key: Key, scenario: Scenario) -> Certificate | None:
        """The certificate of a scenario, be it that it had another id when it was made."""
        line = self._by_key.get(key)
        if line is None:
            return None
        found = self._parsed(line)
        return found.model_copy(update={"scenario_id": scenario.id})

    def latest(self, scenario_id: str, ruleset: str) -> Certificate | None:
        """The certificate of an id under rules of this name, current or not."""
        line = self._lines.get((scenario_id, ruleset))
        return None if line is None else self._parsed(line)

    def holds(self, certificate: Certificate) -> bool:
        """Whether this very certificate is in the file, under the id that it names."""
        found = self.latest(certificate.scenario_id, certificate.ruleset.partition("/")[0])
        return found == certificate

    def add(self, certificate: Certificate) -> None:
        """Append a certificate; it is on disk when this returns."""
        text = _text(certificate)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab", buffering=0) as file:  # one write, so that lines never mix
            if file.tell() != self._whole:
                file.truncate(self._whole)
            file.write(f"{text}\n".encode("ascii"))
            self._whole = file.tell()
        self._note(_line(text))

    def arrange(self, ids: Iterable[str]) -> None:
        """Put the certificates in the order of the suite's ids, and drop those of no id in it."""
        rank = {scenario_id: index for index, scenario_id in enumerate(ids)}
        kept = [line for line in self._lines.values() if line.scenario_id in rank]
        kept.sort(key=lambda line: (rank[line.scenario_id], line.key.ruleset))
        data = "".join(f"{line.text}\n" for line in kept).encode("ascii")
        if not self.path.exists() or self.path.read_bytes() == data:
            return
        with replacing(self.path) as partial:
            partial.write_bytes(data)
        self._whole = len(data)

    def _read(self) -> Iterator[_CertificateLine]:
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if not raw.endswith(b"\n"):
                    return
                try:
                    yield _line(raw.decode("ascii").rstrip("\n"))
                except (ValueError, KeyError, TypeError):
                    reason = "the line is no certificate"
                    finding = Finding(str(self.path), "", reason, "remove it", number)
                    raise FileError(str(self.path), [finding]) from None
                self._whole += len(raw)

    def _note(self, line: _CertificateLine) -> None:
        self._lines[line.place] = line
        self._by_key[line.key] = line

    def _parsed(self, line: _CertificateLine) -> Certificate:
        return validated(parse_json(line.text, str(self.path)), Certificate)


def key_of(certificate: Certificate) -> Key:
    """The key under which a certificate is found."""
    return Key(certificate.scenario_hash, certificate.ruleset, certificate.planner)


def _text(certificate: Certificate) -> str:
    data = certificate.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    data = {"schema": certificate.schema_, **data}
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def _line(text: str) -> _CertificateLine:
    data: Mapping[str, Any] = json.loads(text)
    key = Key(*(str(data[field]) for field in Key._fields))
    return _CertificateLine(str(data["scenario_id"]), key, text)
