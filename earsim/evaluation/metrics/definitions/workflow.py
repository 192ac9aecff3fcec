"""Scientific workflow tasks, after SGI: numbers of each family, votes on ideas, the joint score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import (
    Metric,
    MetricEstimate,
    MetricUnit,
    mean,
    share,
)
from earsim.evaluation.metrics.statistics import by_scenario, joint_interval
from earsim.evaluation.scorers.ideas import dimension
from earsim.evaluation.scorers.joint_score import joint_score
from earsim.evaluation.scorers.programs import ProgramRun
from earsim.evaluation.scorers.votes import Vote, agreeing_on, agreement, of_all_judges, win_share
from earsim.evaluation.workflow.outcome import WorkflowOutcome
from earsim.schema.workflow import IdeaDimension, WorkflowFamily

TESTS = 5
"""Unit tests of a dry problem."""

_IDEA = WorkflowFamily.IDEA
_DIMENSIONS = [each.value for each in IdeaDimension]


def em(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often every question of a deep-research task was answered right, by its last answer."""
    return (_rate(episodes, "em"),)


def sla(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean share of the steps said aloud that match a step of the reference derivation.

    By words and numbers: a step and its negation look alike.
    """
    return (mean(_numbers(episodes, "sla")),)


def pass_all(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often the last test run of a dry experiment passed at least k of its tests."""
    return tuple(_rate(episodes, "passed", at_least=k, part=f"k={k}") for k in range(1, TESTS + 1))


def ser(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Share of test runs that ran to their end without an error, right or wrong."""
    return (mean(_of_programs(episodes, lambda run: float(not run.failed_to_run))),)


def aet(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean time of the test runs that ended."""
    return (mean(_of_programs(episodes, lambda run: run.seconds)),)


def ss(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean similarity of the order of what was performed to that of the reference protocol."""
    return (mean(_numbers(episodes, "ss")),)


def pa(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean share of the reference protocol's parameters that were right."""
    return (mean(_numbers(episodes, "pa")),)


def mca(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often the right option was chosen for a figure, by the last answer."""
    return (_rate(episodes, "mca"),)


def rv(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean of ten times the share of the reference's facts that the rationale said aloud states."""
    return (mean(_numbers(episodes, "rv")),)


def idea(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Each dimension of ideas, and the two numbers that it is the mean of.

    The objective number compares words and shapes with the reference; votes are those of judges
    that could be read. Without votes a dimension has no value; an idea that was not told has 0.
    """
    found = []
    for name in _DIMENSIONS:
        found.append(mean(_of_ideas(episodes, partial(_share, name)), part=name))
        objective = ((s, value / 10) for s, value in _numbers(episodes, name))
        found.append(mean(objective, part=f"{name}, objective"))
        found.append(mean(_of_ideas(episodes, partial(_won, name)), part=f"{name}, votes"))
    return tuple(found)


def kappa(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Agreement of judges beyond that of chance on who wins, over all dimensions and each.

    No value with one judge, or where every verdict is the same. Ideas and dimensions that a judge
    of the others has not voted on are left out.
    """
    groups = {"all": [v for each in episodes for v in each.votes.values()]}
    groups |= {n: [e.votes[n] for e in episodes if n in e.votes] for n in _DIMENSIONS}
    return tuple(_agreement(items, part) for part, items in groups.items())


def unreadable(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Share of votes that do not count since a judge's answer could not be read, by judge too."""
    cast = [
        (each.scenario_id, vote) for each in episodes for votes in each.votes.values()
        for vote in votes
    ]  # fmt: skip
    judges = sorted({vote.judge for _, vote in cast})
    whole = mean(((s, float(not vote.is_readable)) for s, vote in cast), part="all")
    return (whole, *(
        mean(((s, float(not v.is_readable)) for s, v in cast if v.judge == judge), part=judge)
        for judge in judges
    ))  # fmt: skip


def sgi(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The mean over the five families, and the number of each; never over fewer than five.

    Deep research counts by EM, ideas by the mean of their dimensions, dry experiments by PassAll@5,
    wet ones by the mean of SS and PA, figures by MCA. A family without a number has no value, and
    then the score has none.
    """
    values = {family: list(_family_values(family, episodes)) for family in WorkflowFamily}
    parts = [mean(found, part=family.value) for family, found in values.items()]
    score = joint_score([part.value for part in parts])
    if score is None:
        return (MetricEstimate(None, 0, part="score"), *parts)
    sums = [by_scenario((s, value, 1.0) for s, value in found) for found in values.values()]
    low, high = joint_interval(sums) or (None, None)
    count = sum(part.n for part in parts)
    return (MetricEstimate(score, count, low, high, "score"), *parts)


# -- values by scenario ----------------------------------------------------------------------------

Value = tuple[str, float]


def _outcomes(episodes: Sequence[CountedEpisode]) -> Iterator[tuple[str, WorkflowOutcome]]:
    for each in episodes:
        if each.measured and each.workflow is not None:
            yield each.scenario_id, each.workflow


def _numbers(episodes: Sequence[CountedEpisode], name: str) -> Iterator[Value]:
    for scenario, outcome in _outcomes(episodes):
        if name in outcome.numbers:
            yield scenario, outcome.numbers[name]


def _rate(
    episodes: Sequence[CountedEpisode], name: str, *, at_least: float = 1, part: str = ""
) -> MetricEstimate:
    having = [e for e in episodes if e.measured and e.workflow and name in e.workflow.numbers]
    return share(
        having, lambda e: e.workflow is not None and e.workflow.numbers[name] >= at_least, part=part
    )


def _of_programs(
    episodes: Sequence[CountedEpisode], value: Callable[[ProgramRun], float | None]
) -> Iterator[Value]:
    for scenario, outcome in _outcomes(episodes):
        for run in outcome.programs:
            found = value(run)
            if found is not None:
                yield scenario, found


def _of_ideas(
    episodes: Sequence[CountedEpisode], value: Callable[[CountedEpisode], float | None]
) -> Iterator[Value]:
    """A value of every idea that has one, and 0 for those that were not told.

    Those count as soon as another idea has a value, or where none was told: they need no judge.
    """
    ideas = [e for e in episodes if e.measured and e.workflow and e.workflow.family == _IDEA]
    told = [e for e in ideas if e.workflow and e.workflow.idea]
    untold = [e for e in ideas if e.workflow and not e.workflow.idea]
    found = [(each.scenario_id, value(each)) for each in told]
    known = [(scenario, number) for scenario, number in found if number is not None]
    yield from known
    if known or not told:
        yield from ((each.scenario_id, 0.0) for each in untold)


def dimension_of(episode: CountedEpisode, name: str) -> float | None:
    """One dimension of an episode's idea, 0 to 100; None without an idea or a vote that counts."""
    if not episode.measured or episode.workflow is None or name not in episode.votes:
        return None
    objective = episode.workflow.numbers.get(name)
    return None if objective is None else dimension(objective, episode.votes[name])


def _share(name: str, episode: CountedEpisode) -> float | None:
    found = dimension_of(episode, name)
    return None if found is None else found / 100


def _won(name: str, episode: CountedEpisode) -> float | None:
    won = win_share(episode.votes.get(name, ()))
    return None if won is None else won / 100


def _agreement(items: Sequence[Sequence[Vote]], part: str) -> MetricEstimate:
    whole = of_all_judges(items)
    return MetricEstimate(agreement(whole), len(agreeing_on(whole)), part=part)


def _family_values(family: WorkflowFamily, episodes: Sequence[CountedEpisode]) -> Iterator[Value]:
    if family is _IDEA:
        yield from _of_ideas(episodes, family_value)
        return
    of_it = [e for e in episodes if e.workflow is not None and e.workflow.family == family]
    for each in of_it:
        found = family_value(each) if each.measured else None
        if found is not None:
            yield each.scenario_id, found


def family_value(episode: CountedEpisode) -> float | None:
    """What an episode counts for in its family, 0 to 1; None where it has no such number."""
    if episode.workflow is None:
        return None
    numbers = episode.workflow.numbers
    match episode.workflow.family:
        case WorkflowFamily.DEEP_RESEARCH:
            return numbers.get("em")
        case WorkflowFamily.FIGURE:
            return numbers.get("mca")
        case WorkflowFamily.DRY_EXPERIMENT:
            return None if "passed" not in numbers else float(numbers["passed"] >= TESTS)
        case WorkflowFamily.WET_EXPERIMENT:
            return fmean((numbers["ss"], numbers["pa"])) if "ss" in numbers else None
        case WorkflowFamily.IDEA:
            found = [dimension_of(episode, name) for name in _DIMENSIONS]
            known = [each for each in found if each is not None]
            return fmean(known) / 100 if len(known) == len(found) else None
    return None


_OF = "measured episodes of the family"

METRICS = (
    Metric("science.em", "EM", "episodes with every answer right / episodes",
           f"{_OF} deep_research", MetricUnit.SHARE, em),
    Metric("science.sla", "SLA", "mean of right steps / steps said",
           f"{_OF} deep_research whose task has reference steps", MetricUnit.SHARE, sla),
    Metric("science.pass_all", "PassAll@k", "episodes with at least k tests passed / episodes",
           f"{_OF} dry_experiment", MetricUnit.SHARE, pass_all),
    Metric("science.ser", "SER", "test runs without an error / test runs",
           f"test runs in {_OF} dry_experiment", MetricUnit.SHARE, ser),
    Metric("science.aet", "AET", "mean time of a test run",
           f"test runs that ended, in {_OF} dry_experiment", MetricUnit.SECONDS, aet),
    Metric("science.ss", "SS", "mean of 1 - discordant pairs of steps / pairs of steps",
           f"{_OF} wet_experiment", MetricUnit.SHARE, ss),
    Metric("science.pa", "PA", "mean of right parameters / parameters of the reference",
           f"{_OF} wet_experiment", MetricUnit.SHARE, pa),
    Metric("science.mca", "MCA", "episodes with the right option / episodes",
           f"{_OF} figure", MetricUnit.SHARE, mca),
    Metric("science.rv", "RV", "mean of 10 x stated facts / facts of the reference",
           f"{_OF} figure whose task has facts", MetricUnit.RATIO, rv),
    Metric("science.idea", "ideas", "(objective + share of votes) / 2",
           f"{_OF} idea, with votes", MetricUnit.SHARE, idea),
    Metric("science.kappa", "agreement of judges", "Fleiss' kappa of wins, losses and ties",
           "ideas and dimensions that every judge has voted on", MetricUnit.RATIO, kappa),
    Metric("science.unreadable", "votes that cannot be read", "unreadable votes / votes",
           "votes, both orders together", MetricUnit.SHARE, unreadable),
    Metric("science.sgi", "SGI-Score", "mean of the five families",
           f"{_OF}; none while a family has no number", MetricUnit.SHARE, sgi),
)  # fmt: skip
