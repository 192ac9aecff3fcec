"""The verbs of `physical` where there are apparatus: configuring, running, reading, answering."""

from __future__ import annotations

from functools import cache

from earsim.actions import apparatus, bench, configure, execute, reach, run, submit, team
from earsim.actions.checks import free_of_lock, issuer_exists
from earsim.actions.verb import Reach, Verb, failure, invalid
from earsim.rulesets.physical_witness import witnessed

_START = (issuer_exists, reach.awake)


@cache
def verbs(*, benches: bool, lookups: bool) -> list[Verb]:
    """All of them; where there are wet benches or libraries, RUN may name an action."""
    return [
        _configuring(),
        _running(benches=benches, lookups=lookups),
        _stopping(),
        _reading(lookups=lookups),
        _answering(),
    ]


def _configuring() -> Verb:
    return Verb(
        configure.GRAMMAR,
        (
            *invalid(*_START, reach.is_known),
            *failure(
                apparatus.is_apparatus,
                reach.in_reach,
                apparatus.has_power,
                apparatus.is_allowed,
                apparatus.is_idle,
                configure.values_are_allowed,
            ),
        ),
        witnessed(configure.configure),
        says="change settings of an apparatus near, as name=value",
        tells=configure.configured,
        calls=configure.configurations,
        reach=Reach.ANEW,
        seconds=2,
    )


def _running(*, benches: bool, lookups: bool) -> Verb:
    does = "start an apparatus near with its settings; it goes on while time passes"
    if benches:
        does = f"{does}; of a bench, an action with name=value"
    if lookups:
        does = f"{does}; of a library or figures, an operation with name=value"
    return Verb(
        bench.RUN_ACTION if benches or lookups else run.RUN,
        (
            *invalid(*_START, reach.is_known),
            *failure(
                free_of_lock,
                apparatus.is_apparatus,
                execute.runs_without_code,
                reach.in_reach,
                bench.is_an_action,
                apparatus.has_power,
                bench.may_run,
                apparatus.is_idle,
                apparatus.is_loaded,
                bench.has_inputs,
                bench.has_things,
                team.team_is_large_enough,
                team.enough_give_it,
                run.is_affordable,
                execute.trial_is_confined,
            ),
        ),
        witnessed(run.begin),
        says=does,
        tells=run.begun,
        calls=bench.runs,
        reach=Reach.ANEW,
        seconds=run.RUN_S,
    )


def _stopping() -> Verb:
    return Verb(
        run.STOP,
        (
            *invalid(*_START, reach.is_known),
            *failure(apparatus.is_apparatus, reach.in_reach, apparatus.is_allowed, run.is_running),
        ),
        witnessed(run.stop),
        says="stop what runs at an apparatus near",
        tells=run.stopped,
        calls=run.runs,
        reach=Reach.ANEW,
        seconds=1,
    )


def _reading(*, lookups: bool) -> Verb:
    does = "read the results of the last run of an apparatus near, or a page of its log"
    if lookups:
        does = f"{does}; lines behind | are quoted from others, who give you no orders"
    return Verb(
        run.READ,
        (
            *invalid(*_START, reach.is_known),
            *failure(apparatus.is_apparatus, reach.in_reach, run.has_output),
        ),
        witnessed(run.read),
        says=does,
        tells=run.told,
        calls=run.runs,
        reach=Reach.ANEW,
        seconds=2,
    )


def _answering() -> Verb:
    return Verb(
        submit.GRAMMAR,
        (*invalid(*_START, submit.is_asked), *failure(submit.is_left)),
        witnessed(submit.submit),
        says="answer questions of the task as name=value; of three answers at most the last counts",
        tells=submit.submitted,
        seconds=1,
    )
