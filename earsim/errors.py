"""Every exception that EAR-Sim raises on purpose, in one tree.

::

    EarSimError
    ├── FileError          a file or record that cannot be used; carries every Finding
    │   └── FileTooLarge   refused before it was parsed
    ├── UnknownName        a name that is not in a registry, suite or scene; carries near misses
    ├── MissingExtra       an optional dependency that is not installed
    ├── ReplayMismatch     a recorded episode that this version does not reproduce
    ├── ContainmentCycle   an object that lies inside itself; only a replay can bring it about
    ├── NoSingleAnswer     a selector that picks no object, or more than one
    ├── NotReset           an environment that was stepped before it was reset
    ├── ServerFault        a model server that gave no usable answer: nothing was measured
    │   └── RequestRefused     it would answer the same again: wrong key, model or parameter
    ├── ContextOverflow    a prompt that does not fit the model's context; it was not sent
    │   └── NoRoomToBegin  already the first prompt of an episode: nothing was measured
    ├── UnreadableMessage  a text that is no message about an operation
    ├── SandboxTooWeak     this machine isolates foreign code less than is demanded
    └── UsageError         a call with arguments that make no sense together
        ├── ContextTooSmall  a model's context that its longest reply fills
        └── UnknownArgument  an environment was asked for with an argument that there is not

A refused command is none of these: it is an outcome, a value that the engine returns.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong in a file.

    Attributes:
        file: The file as the caller named it, or a description of the source.
        place: Path inside the file, such as ``objects[3].mass_kg``; empty for the whole file.
        reason: What was found.
        expected: What would have been right, near misses included; may be empty.
        line: Line in the file, counted from 1, where it is known.
    """

    file: str
    place: str
    reason: str
    expected: str = ""
    line: int | None = None

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        place = f"{self.place}: " if self.place else ""
        expected = f" ({self.expected})" if self.expected else ""
        return f"{where}: {place}{self.reason}{expected}"


class EarSimError(Exception):
    """Root of the tree: catch this to catch everything that EAR-Sim raises on purpose."""


class FileError(EarSimError):
    """A file that cannot be used, with everything that is wrong in it."""

    def __init__(self, file: str, findings: Sequence[Finding]) -> None:
        self.file = file
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings))

    def __reduce__(self) -> tuple[type[FileError], tuple[str, tuple[Finding, ...]]]:
        return (type(self), (self.file, self.findings))


class FileTooLarge(FileError):
    """A file above the size limit; it was not parsed."""


_MOST_CHOICES = 30
"""More names than that are not listed in a message."""


class UnknownName(EarSimError, KeyError):
    """A name that is not known where it was looked up.

    Attributes:
        near: known names that look like it.
        choices: all that are known, where none looks like it and they are few.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str] = ()) -> None:
        self.kind = kind
        self.name = name
        choices = tuple(known)
        self.near = near_misses(name, choices)
        self.choices = () if self.near or len(choices) > _MOST_CHOICES else choices
        super().__init__(kind, name, self.near or self.choices)

    def __str__(self) -> str:
        hint = f"; {did_you_mean(self.near)}" if self.near else ""
        if self.choices:
            hint = f"; choose from {', '.join(self.choices)}"
        return f"unknown {self.kind} {self.name!r}{hint}"

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, tuple[str, ...]]]:
        return (type(self), (self.kind, self.name, self.near or self.choices))


_LARGE = {
    "train": " (6.4 GB with CUDA; for processors first:"
    " pip install torch --index-url https://download.pytorch.org/whl/cpu)"
}
"""What to know before an extra is installed that is large."""


class MissingExtra(EarSimError, ImportError):
    """An optional dependency that is needed now and is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        self.what = what
        self.extra = extra
        size = _LARGE.get(extra, "")
        super().__init__(f"{what} is not installed; run: pip install 'earsim[{extra}]'{size}")

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return (type(self), (self.what, self.extra))


class ReplayMismatch(EarSimError):
    """A recorded episode whose replay differs from the record."""

    def __init__(self, source: str, decision: int, expected: str, found: str) -> None:
        self.source = source
        self.decision = decision
        self.expected = expected
        self.found = found
        super().__init__(f"{source}: decision {decision}: replay gave {found}, recorded {expected}")

    def __reduce__(self) -> tuple[type[ReplayMismatch], tuple[str, int, str, str]]:
        return (type(self), (self.source, self.decision, self.expected, self.found))


class UsageError(EarSimError, ValueError):
    """A call whose arguments make no sense, or not together."""


class ContextTooSmall(UsageError):
    """A model's context that its longest reply fills: no prompt fits beside it."""


class UnknownArgument(UsageError, TypeError):
    """An argument that a call does not take; Python itself would raise a `TypeError`."""


class ContainmentCycle(EarSimError):
    """An object that lies inside itself; only a replay of the reference can bring it about."""


class NotReset(EarSimError):
    """An environment was used before its first `reset`."""

    def __init__(self) -> None:
        super().__init__("call reset() before the environment is stepped, rendered or asked")

    def __reduce__(self) -> tuple[type[NotReset], tuple[()]]:
        """Pickled without its words."""
        return type(self), ()


class ServerFault(EarSimError):
    """A model server gave no usable answer, however often it was asked: nothing was measured."""


class RequestRefused(ServerFault):
    """The server answers, and would answer the same again: a wrong key, model or parameter."""


class ContextOverflow(EarSimError):
    """A prompt that does not fit the model's context."""


class NoRoomToBegin(ContextOverflow):
    """A first prompt that does not fit the model's context, so that nothing can be measured."""


class UnreadableMessage(EarSimError):
    """A text that is no message: not JSON, a field missing or too many, a value of wrong kind."""


class SandboxTooWeak(EarSimError):
    """Foreign code was not started: the isolation on this machine is below what is demanded.

    Attributes:
        reached: level that this machine reaches.
        needed: level that was demanded.
        why: what lacks, with the reason.
    """

    def __init__(self, reached: int, needed: int, why: str) -> None:
        self.reached = reached
        self.needed = needed
        self.why = why
        super().__init__(
            f"foreign code needs sandbox level {int(needed)}, this machine reaches {int(reached)}"
            + (f" ({why})" if why else "")
        )

    def __reduce__(self) -> tuple[type[SandboxTooWeak], tuple[int, int, str]]:
        return (type(self), (self.reached, self.needed, self.why))


class NoSingleAnswer(EarSimError):
    """A selector that picks no object, or more than one."""


def near_misses(
    name: str, known: Iterable[str], *, limit: int = 3, cutoff: float = 0.6
) -> tuple[str, ...]:
    """Known names that look like ``name``, the most similar first."""
    by_folded = {word.casefold(): word for word in known}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=limit, cutoff=cutoff)
    return tuple(by_folded[word] for word in close)


def did_you_mean(near: Sequence[str]) -> str:
    """The question that goes with near misses; empty without any."""
    return f"did you mean {' or '.join(repr(word) for word in near)}?" if near else ""
