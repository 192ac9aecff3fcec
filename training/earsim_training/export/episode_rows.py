"""One episode on its way into an export: played or read, told, judged, and cut into rows."""

from __future__ import annotations

import hashlib
from typing import Literal, NamedTuple

from earsim.errors import EarSimError
from earsim.schema import Scenario
from earsim_training.export.demonstrations.demonstration import Demonstration, demonstrate
from earsim_training.export.demonstrations.teacher_labels import teacher_labelled
from earsim_training.export.relabelling import relabel
from earsim_training.export.rows import Row, Source, rows_of
from earsim_training.export.settings import ExportSettings, Form, SelectionSettings

Split = Literal["train", "validation"]


class Unplayed(NamedTuple):
    """An episode that is still to be played.

    Attributes:
        plan: decisions of the certified plan; None where none is known.
    """

    scenario: Scenario
    repeat: int
    plan: int | None


class ExportJob(NamedTuple):
    """What a process is told to do with one episode."""

    episode: Unplayed | Demonstration
    settings: ExportSettings


class EpisodeRows(NamedTuple):
    """What became of one episode.

    Attributes:
        rows: by form; none where it was left out.
        left: why it was left out; empty otherwise.
        problem: what went wrong with it; empty otherwise.
    """

    id: str
    scene: str = ""
    category: str = ""
    split: Split = "train"
    rows: dict[Form, list[Row]] = {}  # noqa: RUF012 - of a tuple, and never changed
    left: str = ""
    problem: str = ""


def take(order: ExportJob) -> EpisodeRows:
    """Make the rows of an episode; whatever goes wrong with it becomes part of the result."""
    episode, settings = order
    scenario = episode.scenario
    id = f"{scenario.id}/{episode.repeat}" if isinstance(episode, Unplayed) else episode.id
    try:
        source = _source(episode, settings)
    except EarSimError as error:
        return EpisodeRows(id, problem=str(error))
    except Exception as error:  # noqa: BLE001 - one broken episode must not end the export
        return EpisodeRows(id, problem=f"{type(error).__name__}: {error}")
    scene, category = scenario.scene.id, scenario.task.category.value
    left = reason_to_leave(source, settings.choosing)
    if left:
        return EpisodeRows(id, scene, category, left=left)
    rows = {form: list(rows_of(source, form)) for form in settings.forms}
    return EpisodeRows(id, scene, category, split_of(scene, settings.choosing.validation), rows)


def _source(episode: Unplayed | Demonstration, settings: ExportSettings) -> Source:
    telling = settings.telling
    if isinstance(episode, Unplayed):
        how = settings.demonstrating
        episode = demonstrate(
            episode.scenario, how, telling, repeat=episode.repeat, plan=episode.plan
        )
    else:  # what was known when it was recorded cannot be chosen any more
        full = episode.settings.observability == "full"
        telling = telling.model_copy(update={"knowledge": "global" if full else "explore"})
    if settings.demonstrating.teacher:
        episode = teacher_labelled(
            episode, settings.demonstrating.teacher, intents=settings.telling.rationale
        )
    retold = relabel(episode, telling, refused=settings.choosing.refused)
    return Source(episode, retold, telling)


def reason_to_leave(source: Source, choosing: SelectionSettings) -> str:
    """Why an episode is not taken; empty for one that is."""
    demonstration, retold = source.demonstration, source.retold
    category = demonstration.scenario.task.category
    if choosing.categories and category not in choosing.categories:
        return "category not asked for"
    if not retold.told:
        return "nothing recorded"
    # A teacher's word is worth most where it went wrong.
    if not retold.success and not choosing.failures and not demonstration.teacher:
        return "goal not reached"
    if choosing.optimality is not None:
        if demonstration.plan is None:
            return "no certificate to tell how good it is"
        if demonstration.plan < choosing.optimality * retold.decisions:
            return "longer than asked for"
    return "" if any(told.taught for told in retold.told) else "nothing worth learning"


def split_of(scene_id: str, validation: float) -> Split:
    """The split of a scene: the same for all of its tasks, on every machine."""
    draw = int.from_bytes(hashlib.sha256(f"split/{scene_id}".encode()).digest()[:8], "big")
    return "validation" if draw < validation * 2**64 else "train"
