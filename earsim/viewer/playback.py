"""An episode carried out again by the rules, to show what its record only implies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from earsim.engine import Engine
from earsim.envs.observation import full_text
from earsim.episode import Episode
from earsim.errors import EarSimError
from earsim.evaluation.runs.recorder import begin, take
from earsim.evaluation.store.rows import EpisodeRow, StepRow
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.viewer.curves import Curves
from earsim.viewer.drawings import Drawings
from earsim.viewer.laboratory import lab_of, laboratory
from earsim.viewer.run import RecordedEpisode
from earsim.viewer.scenery import State, changed, scenery, state_of, told


class Playback(NamedTuple):
    """What a replay shows.

    Attributes:
        scene: what never changes of the scene; None if nothing could be replayed.
        start: how the world stood at first.
        moments: one per decision, as far as the replay agrees with the record.
        curves: the numbers that changed by themselves, over the clock.
        laboratory: the runs of apparatus and what was booked; None where there is none.
        drawings: the floor plan at first and after every moment; None if nothing was replayed.
        problem: why it shows less than the record has; empty if it shows all.
    """

    scene: dict[str, Any] | None
    start: State | None
    moments: tuple[dict[str, Any], ...]
    problem: str
    curves: tuple[dict[str, Any], ...] = ()
    laboratory: dict[str, Any] | None = None
    drawings: dict[str, Any] | None = None


def playback(recording: RecordedEpisode, scenario: Scenario | None) -> Playback:
    """Carry out the commands of an episode again, for as long as the digests agree."""
    row = recording.row
    problem = _objection(row, scenario)
    if problem or scenario is None:
        return Playback(None, None, (), problem)
    try:
        settings, drawn = settings_of(row), Curves()
        engine = Engine(scenario, settings.ruleset)
        engine.watch = drawn.beside(engine.watch)
        episode = begin(scenario, settings, engine)
    except EarSimError as error:
        return Playback(None, None, (), str(error))
    scene, start = scenery(episode.engine.blueprint), state_of(episode.world)
    moments: list[dict[str, Any]] = []
    agreed = lab_of(episode.world)
    drawings = Drawings(episode.world)
    drawings.look(episode.world)
    try:
        for moment in _moments(episode, start, recording.steps, drawn):
            moments.append(moment)
            drawings.look(episode.world)
            agreed = lab_of(episode.world)
    except EarSimError as error:
        problem = str(error)
    if len(moments) < len(recording.steps):
        problem = problem or f"the replay leaves the record at decision {len(moments)}"
    curves = tuple(drawn.told(episode.engine.blueprint))
    apparatus = laboratory(episode.engine.blueprint, agreed)
    plans = drawings.told()
    return Playback(scene, start, tuple(moments), problem, curves, apparatus, plans)


def settings_of(row: EpisodeRow) -> EpisodeSettings:
    """How an episode was played.

    Raises:
        FileError: The record of it makes no sense.
    """
    keys = ("budget", "end_on", "observability")
    noted = {key: row.extra[key] for key in keys if key in row.extra}
    if row.knowledge == "global":
        noted["observability"] = "full"
    noted["ruleset"] = row.ruleset.partition("/")[0]
    return validated(Document(row.episode, noted), EpisodeSettings)


def _objection(row: EpisodeRow, scenario: Scenario | None) -> str:
    """Why an episode cannot be carried out again; empty if it can."""
    if scenario is None:
        return "its scenario is not here, or has changed since"
    name = row.ruleset.partition("/")[0]
    if name not in RULESETS:
        return f"there is no ruleset {row.ruleset!r} here"
    if RULESETS[name].id != row.ruleset:
        return f"it was played under {row.ruleset}, and here is {RULESETS[name].id}"
    return ""


def _moments(
    episode: Episode, start: State, steps: tuple[StepRow, ...], drawn: Curves
) -> Iterator[dict[str, Any]]:
    before = start
    shared = len(episode.agents) > 1 and episode.engine.blueprint.knowledge == "shared"
    for step in steps:
        drawn.begin_decision()
        observations = {agent: full_text(episode, agent) for agent in episode.agents}
        replayed = take(episode, step.commands)
        if step.digest and replayed.digest != step.digest:
            return
        after = state_of(episode.world)
        yield {
            "observations": observations,
            "state": changed(before, after),
            "changes": [
                {**entry, "agent": entry["agent"] or _doer(episode, entry["id"])}
                for entry in told(episode.engine.blueprint, before, after, shared=shared)
            ],
            "together": _together(episode),
            "holds": episode.verdict.now,
            "score": episode.score,
        }
        before = after


def _doer(episode: Episode, id: str) -> str | None:
    """The agent whose accepted command names a thing: the one to show its change with."""
    assert episode.last is not None, "a decision was taken"
    for agent, outcome in episode.last.outcomes.items():
        if id and outcome.accepted and id in outcome.command.split():
            return agent
    return None


def _together(episode: Episode) -> dict[str, list[str]]:
    """With whom each agent acted, where it did not act alone, whoever gave the command."""
    assert episode.last is not None, "a decision was taken"
    return {
        actor: list(outcome.actors)
        for outcome in episode.last.outcomes.values()
        if outcome.accepted and len(outcome.actors) > 1
        for actor in outcome.actors
    }
