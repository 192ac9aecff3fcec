"""The verbs that the planner and its PDDL domains account for; any other is refused by name.

A search that left a verb out would call a plan the least, or say that there is none, where that
verb helps. Attribute verbs are read off the verb table, so every one of them is known.
"""

from __future__ import annotations

from earsim.actions.verb import Verb
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.joint import single

PLANNED = frozenset({"GOTO", "EXPLORE", "GIVE", "GRAB", "PLACE", "RELEASE"})
"""What plans are made of, with the joint forms of these."""

PLANNED_WITH_TIME = frozenset({"POUR", "FILL", "EMPTY", "CONNECT", "DISCONNECT"})
"""What plans are made of besides where numbers change by themselves, and WAIT."""

PLANNED_WITH_APPARATUS = frozenset({"CONFIGURE", "RUN", "STOP", "READ", "SUBMIT", "EXEC", "SAVE"})
"""What plans are made of besides where simulations stand behind things. That of EXEC and SAVE none
is ever made up: what code to execute is nothing that is searched."""

NEVER_NEEDED = frozenset({"LOOK", "MEASURE", "SAY", "TELL", "WAIT", "DONE", "REPORT"})
"""What brings no goal nearer: it changes no thing, and the planner knows the scene."""


def unknown_verbs(engine: Engine) -> list[str]:
    """The verbs of a scene that may change it in ways that the planner does not know."""
    return [verb.name for verb in engine.verbs.values() if not _is_known(verb)]


def _is_known(verb: Verb) -> bool:
    known = PLANNED | PLANNED_WITH_TIME | PLANNED_WITH_APPARATUS
    return verb.attribute is not None or single(verb.name) in known or verb.name in NEVER_NEEDED


def require_known_verbs(engine: Engine, asked: str = "the planner") -> None:
    """Refuse to plan where a plan may take a verb that the planner knows nothing of.

    Raises:
        UsageError: There is such a verb; names it.
    """
    unknown = unknown_verbs(engine)
    if unknown:
        verbs = f"the verb{'s' * (len(unknown) > 1)} {', '.join(unknown)}"
        raise UsageError(
            f"{asked} does not know {verbs} of {engine.ruleset.id}, so that nothing it says of "
            "plans would hold here"
        )
