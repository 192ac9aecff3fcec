"""The verbs of `physical` where there are workstations: executing code, and saving files."""

from __future__ import annotations

from functools import cache

from earsim.actions import apparatus, execute, reach, run, save, team
from earsim.actions.checks import issuer_exists
from earsim.actions.verb import Reach, Verb, failure, invalid
from earsim.rulesets.physical_witness import witnessed

_START = (issuer_exists, reach.awake)


@cache
def verbs() -> list[Verb]:
    """Both of them."""
    return [_executing(), _saving()]


def _executing() -> Verb:
    return Verb(
        execute.GRAMMAR,
        (
            *invalid(*_START, reach.is_known),
            *failure(
                execute.is_workstation,
                reach.in_reach,
                apparatus.has_power,
                apparatus.is_allowed,
                apparatus.is_idle,
                apparatus.is_loaded,
                team.team_is_large_enough,
                team.enough_give_it,
                run.is_affordable,
                execute.is_installed,
                execute.is_confined,
            ),
        ),
        witnessed(execute.execute),
        says="have a workstation near execute the code that follows; variables live on, "
        "a line of output takes a second",
        tells=execute.begun,
        reach=Reach.ANEW,
        seconds=execute.EXEC_S,
    )


def _saving() -> Verb:
    return Verb(
        save.GRAMMAR,
        (
            *invalid(*_START, reach.is_known),
            *failure(
                execute.is_workstation,
                reach.in_reach,
                apparatus.has_power,
                apparatus.is_allowed,
                apparatus.is_idle,
                save.name_is_allowed,
                save.has_room,
            ),
        ),
        witnessed(save.save),
        says="save the text that follows as a file of a workstation near",
        tells=save.saved,
        reach=Reach.ANEW,
        seconds=3,
    )
