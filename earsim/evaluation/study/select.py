"""Stage 1 of a study: the scenarios whose words fit a question, with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earsim.errors import FileError, UnknownName, UsageError, near_misses
from earsim.evaluation.study.files import Choice, StudySelection
from earsim.ranking import BM25
from earsim.schema import Scenario
from earsim.suites import open_suite
from earsim.suites.finding import find_suite


class _Candidate(NamedTuple):
    suite: str
    id: str
    domain: str
    text: str


def select(
    question: str, suites: Sequence[str], *, domain: str = "", most: int = 10
) -> StudySelection:
    """The scenarios that fit a question best, by BM25 over titles, tags and instructions.

    Args:
        question: of the user, in plain words.
        suites: names or paths; what cannot be loaded is passed over.
        domain: only scenes of this domain; empty for any.
        most: how many at most.

    Raises:
        UnknownName: There is no such suite.
        UsageError: Nothing fits; says what there is.
    """
    found = [candidate for suite in suites for candidate in _candidates(suite)]
    domains = sorted({candidate.domain for candidate in found if candidate.domain})
    if domain and domain not in domains:
        near = near_misses(domain, domains)
        raise UsageError(f"no scene has the domain {domain!r}; there are {near or domains}")
    searched = [c for c in found if not domain or c.domain == domain]
    ranked = BM25([candidate.text for candidate in searched]).search(question, most=most)
    if not ranked:
        raise UsageError(
            f"no scenario of {', '.join(suites)} has a word of {question!r}; "
            "name what the tasks are about, or choose by hand with --scenario"
        )
    chosen = [
        Choice(
            scenario=_played_as(searched[each.at].suite, searched[each.at].id),
            score=round(each.score, 3),
            why=f"it speaks of {', '.join(each.words)}",
        )
        for each in ranked
    ]
    return StudySelection(
        question=question,
        domain=domain,
        suites=tuple(suites),
        searched=len(searched),
        chosen=tuple(chosen),
    )


def by_hand(question: str, scenarios: Sequence[str]) -> StudySelection:
    """A selection of scenarios that somebody names."""
    chosen = tuple(Choice(scenario=id, why="chosen by hand") for id in scenarios)
    return StudySelection(question=question, suites=(), searched=len(chosen), chosen=chosen)


def _candidates(suite_name: str) -> Iterator[_Candidate]:
    suite = open_suite(suite_name)
    for id in suite.ids:
        try:
            scenario = suite.load(id)
        except FileError:
            continue
        yield _Candidate(suite_name, id, scenario.scene.domain or "", _words(scenario))


def _played_as(suite: str, id: str) -> str:
    """What a sweep calls a scenario of a suite.

    Raises:
        UsageError: It has no name of its own there.
    """
    scene, _, task = id.rpartition("/")
    for text in (id, f"{suite}/{task}", f"{suite}/{scene}.yaml/{task}"):
        try:
            if find_suite(text).suite.ids == (id,):
                return text
        except (FileError, UnknownName):
            continue
    raise UsageError(f"{suite}: its scenarios cannot be named one by one; give a folder of scenes")


def _words(scenario: Scenario) -> str:
    """What a scenario is found by: title twice, for it says most in fewest words."""
    scene, task = scenario.scene, scenario.task
    models = [o.apparatus.model for o in scene.objects if o.apparatus is not None]
    title = scene.title or scene.id
    parts = [title, title, scene.domain or "", task.category.value, task.instruction, *models]
    return " ".join(parts).replace("_", " ").replace("{", " ").replace("}", " ")
