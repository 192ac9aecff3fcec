"""From the flags of `earsim eval` to a sweep: they change a file, or they are all there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earsim.errors import UsageError
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.runs.sweep_file import read_sweep, sweep_of
from earsim.schema.files.yaml_text import parse_yaml


@dataclass(frozen=True, slots=True)
class FlagEntry:
    """Flags that say who plays; None and empty for those that were not given."""

    policy: str | None = None
    model: str | None = None
    base_urls: Sequence[str] = ()
    api_key_env: str | None = None
    options: Sequence[str] = ()

    @property
    def is_empty(self) -> bool:
        """Whether none was given."""
        return self == FlagEntry(options=self.options) and not self.options


def sweep_from(
    file: Path | None, entry: FlagEntry, changes: dict[str, Any], assignments: Sequence[str]
) -> Sweep:
    """The sweep that a command line asks for.

    Args:
        file: the sweep file, if there is one.
        entry: who plays, where no file says so.
        changes: fields of the sweep; those that are None or empty were not given.
        assignments: what `--set` says, applied last.

    Raises:
        FileError: The file, or what the flags make of it, is no sweep.
        UsageError: Flags contradict the file or make no sense.
    """
    if file is not None and not file.exists():
        raise UsageError(f"there is no sweep file {file}; a suite is given with --suite {file}")
    if file is not None and not entry.is_empty:
        raise UsageError(f"{file} says who plays; change it with --set models.0.options.KEY=VALUE")
    data = {"models": [{"options": {}}]} if file is None else read_sweep(file)
    data |= {key: value for key, value in changes.items() if value is not None and value != []}
    if file is None:
        assignments = [*_of_entry(data, entry), *assignments]
    return sweep_of(data, assignments)


def _of_entry(data: dict[str, Any], entry: FlagEntry) -> list[str]:
    """Puts the entrant into the data; what `--option` says is left to be assigned."""
    model = data["models"][0]
    model["policy"] = entry.policy or ("centralized" if entry.model else "random")
    named = {"model": entry.model, "api_key_env": entry.api_key_env}
    model["options"] |= {key: value for key, value in named.items() if value is not None}
    if entry.base_urls:
        model["options"]["base_url"] = list(entry.base_urls)
    return [f"models.0.options.{option}" for option in entry.options]


def option_values(assignments: Sequence[str]) -> dict[str, Any]:
    """What ``--option KEY=VALUE`` says, the values as YAML.

    Raises:
        UsageError: One is no assignment.
    """
    found = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--option {assignment}: expected KEY=VALUE, such as temperature=0.9")
        found[key.strip()] = parse_yaml(text, "--option").value
    return found
