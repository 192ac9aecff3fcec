"""Two sets of episodes compared scenario by scenario, with a test for pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from earsim.evaluation.metrics.episode import CountedEpisode, team_of
from earsim.evaluation.metrics.statistics import Trials, mcnemar, paired_difference, sign_flip
from earsim.evaluation.summary import Interval


class ScenarioPair(NamedTuple):
    """One scenario that both have measured.

    Attributes:
        first: what became of its repeats, of the first.
        second: what became of them, of the second.
    """

    scenario_id: str
    category: str
    first: Trials
    second: Trials

    @property
    def single(self) -> bool:
        """Both have one episode of it."""
        return self.first.trials == self.second.trials == 1

    @property
    def difference(self) -> float:
        """Share of the second minus that of the first."""
        return self.second.share - self.first.share


class PairedComparison(NamedTuple):
    """What two sets of episodes amount to, on the scenarios that both have measured.

    Attributes:
        pairs: scenarios compared.
        first: mean success of the first.
        second: mean success of the second.
        difference: second minus first.
        interval: 95 % hybrid score interval of the difference; None without pairs.
        better: scenarios where the second has the higher share.
        worse: scenarios where the first has it.
        p: two-sided, of `test`.
        test: `exact McNemar` for one episode each, or else `sign-flip permutation`.
        changed: scenarios left out because their content differs.
        unmatched: scenarios left out because only one of the two has measured them.
    """

    pairs: int
    first: float | None
    second: float | None
    difference: float | None
    interval: Interval | None
    better: int
    worse: int
    p: float | None
    test: str
    changed: int
    unmatched: int


MCNEMAR = "exact McNemar"
SIGN_FLIP = "sign-flip permutation"


def compare(first: Sequence[CountedEpisode], second: Sequence[CountedEpisode]) -> PairedComparison:
    """Compare by success, the verdict that the ruleset publishes."""
    ours, theirs = _by_scenario(first), _by_scenario(second)
    common = [id for id in ours if id in theirs]
    pairs = _pairs(ours, theirs)
    unmatched = len(ours) + len(theirs) - 2 * len(common)
    return _tested(pairs, changed=len(common) - len(pairs), unmatched=unmatched)


def unequal(
    first: Sequence[CountedEpisode], second: Sequence[CountedEpisode]
) -> tuple[list[str], list[str]]:
    """Ids of the scenarios in which the second has the higher share, and where the first has it."""
    pairs = _pairs(_by_scenario(first), _by_scenario(second))
    better = [pair.scenario_id for pair in pairs if pair.difference > 0]
    return better, [pair.scenario_id for pair in pairs if pair.difference < 0]


def _pairs(
    ours: dict[str, list[CountedEpisode]], theirs: dict[str, list[CountedEpisode]]
) -> list[ScenarioPair]:
    """The scenarios of both whose content is the same."""
    return [
        _pair(ours[id], theirs[id])
        for id in ours
        if id in theirs and ours[id][0].scenario_hash == theirs[id][0].scenario_hash
    ]


def compare_by_category(
    first: Sequence[CountedEpisode], second: Sequence[CountedEpisode]
) -> Iterator[tuple[str, PairedComparison]]:
    """The same for each category that either has, in order of first appearance."""
    return _compare_by(attrgetter("category"), first, second)


def compare_by_team(
    first: Sequence[CountedEpisode], second: Sequence[CountedEpisode]
) -> Iterator[tuple[str, PairedComparison]]:
    """The same for the tasks of one agent and of several."""
    return _compare_by(lambda each: team_of(each.category), first, second)


def _compare_by(
    key: Callable[[CountedEpisode], str],
    first: Sequence[CountedEpisode],
    second: Sequence[CountedEpisode],
) -> Iterator[tuple[str, PairedComparison]]:
    for name in dict.fromkeys(map(key, (*first, *second))):
        one, other = ([each for each in side if key(each) == name] for side in (first, second))
        yield name, compare(one, other)


def warnings(
    first: Sequence[CountedEpisode], second: Sequence[CountedEpisode], versions: tuple[str, str]
) -> list[str]:
    """Why the two may not mean the same; empty if nothing is known against it.

    Args:
        first: the one.
        second: the other.
        versions: of earsim, which recorded them.
    """
    found = []
    rulesets = [sorted({each.ruleset for each in side if each.ruleset}) for side in (first, second)]
    if rulesets[0] != rulesets[1]:
        shown = " and ".join(", ".join(names) or "none" for names in rulesets)
        found.append(f"the rules differ: {shown}")
    if versions[0] != versions[1]:
        found.append(f"the environment differs: earsim {versions[0]} and {versions[1]}")
    compared = compare(first, second)
    if compared.changed:
        found.append(f"{compared.changed} scenarios have changed in between and are left out")
    if compared.unmatched:
        found.append(f"{compared.unmatched} scenarios were measured by one only and are left out")
    return found


def _by_scenario(episodes: Sequence[CountedEpisode]) -> dict[str, list[CountedEpisode]]:
    found: dict[str, list[CountedEpisode]] = {}
    for each in episodes:
        if each.measured:
            found.setdefault(each.scenario_id, []).append(each)
    return found


def _pair(first: list[CountedEpisode], second: list[CountedEpisode]) -> ScenarioPair:
    return ScenarioPair(
        first[0].scenario_id,
        first[0].category,
        Trials(sum(each.succeeded for each in first), len(first)),
        Trials(sum(each.succeeded for each in second), len(second)),
    )


def _tested(pairs: Sequence[ScenarioPair], *, changed: int, unmatched: int) -> PairedComparison:
    single = all(pair.single for pair in pairs)
    test = MCNEMAR if single else SIGN_FLIP
    if not pairs:
        return PairedComparison(
            0, None, None, None, None, 0, 0, None, test, changed=changed, unmatched=unmatched
        )
    differences = [pair.difference for pair in pairs]
    better = sum(difference > 0 for difference in differences)
    worse = sum(difference < 0 for difference in differences)
    return PairedComparison(
        pairs=len(pairs),
        first=sum(pair.first.share for pair in pairs) / len(pairs),
        second=sum(pair.second.share for pair in pairs) / len(pairs),
        difference=sum(differences) / len(pairs),
        interval=paired_difference([(pair.first, pair.second) for pair in pairs]),
        better=better,
        worse=worse,
        p=mcnemar(worse, better) if single else sign_flip(differences),
        test=test,
        changed=changed,
        unmatched=unmatched,
    )
