"""What a ruleset is: verbs for a scene, a front step for raw text, and how a decision is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from earsim.actions.decision import Decide
from earsim.actions.outcome import Reason
from earsim.actions.verb import Verb
from earsim.errors import UsageError
from earsim.pickled import Frozen
from earsim.world import Blueprint, Physics


@dataclass(frozen=True, slots=True)
class Ruleset(Frozen):
    """A complete set of rules. `id` names it in results; it changes when behaviour does.

    Attributes:
        name: how people choose it.
        version: grows when a golden transcript changes.
        physics: what it decides about the world itself.
        verbs: the verbs of a scene by canonical name.
        front: maps raw text to the text that is parsed.
        decide: carries out one decision of all agents.
        reasons: for which a decision itself can refuse commands, before any verb.
        everybody_speaks: a decision of a team that leaves an agent out could not be read (EAR-Bench
            5.3); otherwise that agent does nothing.
        latched: whether the published verdict is "ever true" rather than "true at the end".
        any_length: commands are read however long they are, as recordings need it; otherwise very
            long ones are refused unread.
        messages: in a team something can be said beside a command, on a second line.
        budget: decisions allowed where the task does not say.
    """

    name: str
    version: int
    physics: Physics
    verbs: Callable[[Blueprint], Mapping[str, Verb]]
    front: Callable[[str, Mapping[str, Verb]], str]
    decide: Decide
    reasons: frozenset[Reason]
    everybody_speaks: bool
    latched: bool
    any_length: bool = False
    messages: bool = False
    budget: int = 35

    @property
    def id(self) -> str:
        """Name and version, such as `physical/2`."""
        return f"{self.name}/{self.version}"


def by_name(verbs: Iterable[Verb]) -> Mapping[str, Verb]:
    """The verbs of a scene by their names.

    Raises:
        UsageError: Two have one name, so that one would silently take the other's place.
    """
    found: dict[str, Verb] = {}
    for verb in verbs:
        if found.setdefault(verb.name, verb) is not verb:
            raise UsageError(f"two verbs are called {verb.name}; a verb needs a name of its own")
    return found
