"""How far word statistics go with tasks that tell what things are needed for.

`python -m docs.figures.learned_reader SUITE ...` takes the tasks of each suite that ask for things
by what they are needed for. A log-linear reader learns from one half of them, by the hash of their
scenes, and reads the other half, and the other way round.

The reader is told which sets of rivals lie about and how many things are needed. It counts words
of the lists of the regex player by the sense of their clauses, and learns weights of words for each
thing and each set. It divides a text into passages, each about another set, and may leave sentences
out; where passages begin is learned as well. Errands about one of several things alike are not
read, and tables are those that the regex player reads for the passages.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from docs.figures.needed_texts import KINDS, SENSES, Array, Features, Text, features_of, text_of
from earsim import Scenario, open_suite
from earsim.errors import EarSimError, UsageError
from earsim.evaluation.summary import wilson
from earsim.tables.document import Cell, Table
from earsim.tables.markdown import table_text
from earsim_agents.baselines.needed_reading.passages import NeededPassage

Places = NDArray[np.int64]

LONGEST: Final = 8
"""Sentences of a passage."""

RARE: Final = 3
"""Sentences in which a word is that has no weight of its own for where passages begin."""

COMMON: Final = 0.04
"""Share of the sentences from which on a word tells nothing."""

ROUNDS: Final = 2
"""How often the passages of the texts that are learned from are found anew."""

OF_THING, OF_SET, OF_HITS, OF_SENTENCE = 0.6, 0.4, 0.15, 1.0
"""How much weights are held back: of words for a thing and a set, of hits, of sentences."""

BEGINS: Final = {"always": -1.0, "room": 1.0, "table": 0.7, "behind compared": 1.0}
SKIPPED: Final = {"always": -4.0, "first": 2.0, "short end": 3.0, "compared": 3.0, "degrees": 1.0}
"""Weights of features of sentences before anything is learned; others weigh nothing."""


class Weights(NamedTuple):
    """What has been learned.

    Attributes:
        hits: By feature of a passage and a thing.
        words: By stem, and by name of a thing or number of a set.
    """

    hits: Array
    words: Mapping[tuple[str, str | int], float]
    begins: Mapping[str, float]
    skips: Mapping[str, float]


class Read(NamedTuple):
    """Of one text: things that are needed, how many are read right, how many with their tables."""

    needed: int
    things: int
    pairs: int


def unlearned() -> Weights:
    """Weights before anything is learned."""
    hits = np.zeros(KINDS + 4 + 3 * KINDS * SENSES)
    hits[: KINDS + 3] = 1.0, -0.2, 0.0, -1.2, 0.25, 0.5
    return Weights(hits, {}, BEGINS, SKIPPED)


def fits_of(text: Text, weights: Weights, spans: Sequence[tuple[int, int]]) -> Array:
    """Logarithms of how likely each thing is what a part of a text asks for."""
    found: Array = features_of(text, spans) @ weights.hits
    stems = sorted(frozenset[str]().union(*text.stems))
    own = np.array([[stem in each for stem in stems] for each in text.stems]).cumsum(axis=0)
    own = np.concatenate([np.zeros((1, len(stems)), dtype=int), own])
    starts, ends = (np.array(each) for each in zip(*spans, strict=True))
    words = [
        [
            weights.words.get((stem, name), 0.0)
            + weights.words.get((stem, text.numbers[number]), 0.0)
            for name, number in zip(text.things, text.sets, strict=True)
        ]
        for stem in stems
    ]
    found += (own[ends] > own[starts]) @ np.array(words).reshape(len(stems), -1)
    found -= found.max(axis=1, keepdims=True)
    found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
    return found


def _weigh(features: Features, weights: Mapping[str, float]) -> float:
    """What features weigh together; rare words have a weight in common."""
    return sum(
        value * weights.get(key, weights.get(_in_common(key), 0.0))
        for key, value in features.items()
    )


def _in_common(key: str) -> str:
    """The feature of all rare words; of what is no word, itself."""
    kind, colon, _ = key.partition(":")
    return kind + colon


def passages_of(text: Text, weights: Weights, *, is_told: bool = False) -> list[NeededPassage]:
    """The best passages of a text, one for each thing that is needed.

    Args:
        text: What is read.
        weights: What has been learned.
        is_told: Whether it is told what is needed where, so that only the passages are looked for.
    """
    last = len(text.told)
    spans = [(a, b) for a in range(last) for b in range(a + 1, min(last, a + LONGEST) + 1)]
    fits = fits_of(text, weights, spans)
    if is_told:
        fits += np.array([[_told(text, span, name) for name in text.things] for span in spans])
    sets = np.array(text.sets)
    of_set = [np.flatnonzero(sets == number) for number in range(len(text.numbers))]
    best = [columns[fits[:, columns].argmax(axis=1)] for columns in of_set]
    begins = np.array([_weigh(each, weights.begins) for each in text.told])
    goes_on = np.concatenate([[0.0], np.cumsum(np.logaddexp(0, begins))])
    skips = [_weigh(each, weights.skips) for each in text.told]
    states = np.arange(1 << len(of_set))
    counts = np.array([state.bit_count() for state in states.tolist()])
    scores = np.full((len(skips) + 1, len(states)), -np.inf)
    scores[0, 0] = 0.0
    origin = np.zeros((*scores.shape, 2), dtype=int)
    free = [
        states[(states >> number & 1 == 0) & (counts < len(text.meant))]
        for number in range(len(of_set))
    ]
    for at, (start, end) in enumerate(spans):
        if end == start + 1:
            _improve(scores, origin, (start, end), states, states, skips[start], -1)
        cost = np.logaddexp(0, -begins[start]) + goes_on[end] - goes_on[start + 1]
        for number, own in enumerate(free):
            fit = fits[at, best[number][at]] - cost
            _improve(scores, origin, (start, end), own, own | 1 << number, fit, best[number][at])
    return _traced(text, scores, origin, counts)


def _improve(
    scores: Array,
    origin: Places,
    span: tuple[int, int],
    old: Places,
    new: Places,
    gain: float,
    column: int,
) -> None:
    """Go from states before a part of a text to those behind it, where that is better."""
    start, end = span
    found = scores[start, old] + gain
    better = found > scores[end, new]
    scores[end, new[better]] = found[better]
    origin[end, new[better], 0] = start
    origin[end, new[better], 1] = column


def _traced(text: Text, scores: Array, origin: Places, counts: Places) -> list[NeededPassage]:
    """The passages that lead to the best state behind the whole text."""
    last = np.where(counts == len(text.meant), scores[-1], -np.inf)
    end, state = len(scores) - 1, int(last.argmax())
    found = list[NeededPassage]()
    while end and np.isfinite(last.max()):
        start, column = origin[end, state].tolist()
        if column >= 0:
            found.append(NeededPassage(start, end, text.things[column]))
            state ^= 1 << text.sets[column]
        end = start
    return found[::-1]


def _told(text: Text, span: tuple[int, int], name: str) -> float:
    """How well a part of a text agrees with where a thing is needed."""
    if name not in text.meant:
        return -np.inf
    named = frozenset[str]().union(*text.named[slice(*span)])
    return 2.0 * (text.meant[name] in named) - bool(named - {text.meant[name]})


def learned(texts: Sequence[Text]) -> Weights:
    """Learn from texts of which it is known what is needed where."""
    weights = unlearned()
    for _ in range(ROUNDS):
        told = [(text, passages_of(text, weights, is_told=True)) for text in texts]
        weights = _fitted([(text, passages) for text, passages in told if passages])
    return weights


def _fitted(told: Sequence[tuple[Text, Sequence[NeededPassage]]]) -> Weights:
    """The weights by which texts have these passages, as likely as may be."""
    hits, words = _fitted_things(told)
    begins, skips = list[tuple[Features, bool]](), list[tuple[Features, bool]]()
    for text, passages in told:
        first = {passage.start for passage in passages}
        inside = {at for passage in passages for at in range(passage.start, passage.end)}
        skips += [(each, at not in inside) for at, each in enumerate(text.told)]
        begins += [(text.told[at], at in first) for at in sorted(inside)]
    return Weights(
        hits, words, _fitted_sentences(begins, BEGINS), _fitted_sentences(skips, SKIPPED)
    )


def _fitted_things(
    told: Sequence[tuple[Text, Sequence[NeededPassage]]],
) -> tuple[Array, dict[tuple[str, str | int], float]]:
    """Weights by which things are what passages ask for."""
    common = _common(text for text, _ in told)
    columns: dict[tuple[str, str | int], int] = {}
    rows, places, dense, right = list[int](), list[int](), list[Array](), list[int]()
    starts = list[int]()
    row = 0
    for text, passages in told:
        spans = [(passage.start, passage.end) for passage in passages]
        dense += list(features_of(text, spans))
        for start, end, name in passages:
            starts.append(row)
            right.append(row + text.things.index(name))
            stems = frozenset[str]().union(*text.stems[start:end]) - common
            for thing, number in zip(text.things, text.sets, strict=True):
                for about in (thing, text.numbers[number]):
                    keys = [(stem, about) for stem in sorted(stems)]
                    places += [columns.setdefault(key, len(columns)) for key in keys]
                    rows += [row] * len(keys)
                row += 1
    sparse = csr_matrix((np.ones(len(rows)), (rows, places)), shape=(row, len(columns)))
    matrix = hstack([csr_matrix(np.concatenate(dense)), sparse]).tocsr()
    first = np.concatenate([unlearned().hits, np.zeros(len(columns))])
    held = [OF_HITS] * len(unlearned().hits)
    held += [OF_THING if isinstance(about, str) else OF_SET for _, about in columns]
    sizes = np.diff([*starts, row])

    def loss(weights: Array) -> tuple[float, Array]:
        scores = matrix @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        likely = np.exp(scores)
        sums = np.add.reduceat(likely, starts)
        likely /= np.repeat(sums, sizes)
        likely[right] -= 1
        return float(np.log(sums).sum() - scores[right].sum()), matrix.T @ likely

    found = _least(loss, first, np.array(held), 60)
    size = len(unlearned().hits)
    return found[:size], dict(zip(columns, found[size:].tolist(), strict=True))


def _common(texts: Iterable[Text]) -> frozenset[str]:
    """Stems that are in so many sentences that they tell nothing."""
    sentences = [stems for text in texts for stems in text.stems]
    count = Counter(stem for stems in sentences for stem in stems)
    return frozenset(stem for stem, own in count.items() if own > COMMON * len(sentences))


def _fitted_sentences(
    told: Sequence[tuple[Features, bool]], first: Mapping[str, float]
) -> dict[str, float]:
    """Weights by which it shows whether something is so of a sentence."""
    count = Counter(key for features, _ in told for key in features)
    columns: dict[str, int] = {}
    matrix = np.zeros((len(told), len(count) + 2))
    for row, (features, _) in enumerate(told):
        for key, value in features.items():
            known = key if count[key] >= RARE else _in_common(key)
            matrix[row, columns.setdefault(known, len(columns))] += value
    matrix = matrix[:, : len(columns)]
    is_so = np.array([each for _, each in told], dtype=float)

    def loss(weights: Array) -> tuple[float, Array]:
        scores = matrix @ weights
        likely = 1 / (1 + np.exp(-scores))
        return float((np.logaddexp(0, scores) - is_so * scores).sum()), (likely - is_so) @ matrix

    start = np.array([first.get(key, 0.0) for key in columns])
    held = np.full(len(columns), OF_SENTENCE)
    return dict(zip(columns, _least(loss, start, held, 100).tolist(), strict=True))


def _least(
    loss: Callable[[Array], tuple[float, Array]], first: Array, held: Array, steps: int
) -> Array:
    """The weights of the least loss, held back to the first ones."""

    def whole(weights: Array) -> tuple[float, Array]:
        lost, slope = loss(weights)
        moved = weights - first
        return lost + 0.5 * float(held @ moved**2), slope + held * moved

    options = {"maxiter": steps}
    found: Array = minimize(whole, first, jac=True, method="L-BFGS-B", options=options).x
    return found


def readings(scenarios: Iterable[Scenario]) -> Iterator[Read]:
    """Read each half of some tasks with what was learned from the other."""
    texts = [text for text in map(text_of, scenarios) if text is not None]
    halves = [[text for text in texts if _half(text) == number] for number in (0, 1)]
    for half, other in (halves, halves[::-1]):
        weights = learned(other)
        yield from (_read(text, weights) for text in half)


def _half(text: Text) -> int:
    return int(hashlib.sha256(text.scene.encode()).hexdigest(), 16) % 2


def _read(text: Text, weights: Weights) -> Read:
    found = {each.thing: text.tables.of(each) for each in passages_of(text, weights)}
    right = found.keys() & text.meant.keys()
    return Read(len(text.meant), len(right), sum(found[name] == text.meant[name] for name in right))


def row(name: str, read: Sequence[Read]) -> tuple[Cell, ...]:
    """What the table tells of a suite."""
    needed, things, pairs = (sum(column) for column in zip(*read, strict=True))
    whole = sum(each.pairs == each.needed for each in read)
    low, high = wilson(whole, len(read))
    return (
        name,
        len(read),
        _percent(things / needed),
        _percent(pairs / needed),
        whole,
        _percent(whole / len(read)),
        f"{100 * low:.0f} to {100 * high:.0f}",
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def table(suites: Mapping[str, Iterable[Scenario]]) -> Table:
    """A row for each suite.

    Raises:
        UsageError: In a suite, no task asks for things by what they are needed for.
    """
    rows = list[tuple[Cell, ...]]()
    for name, scenarios in suites.items():
        read = list(readings(scenarios))
        if not read:
            raise UsageError(f"no task of {name} asks for things by what they are needed for")
        rows.append(row(name, read))
    head = ("suite", "texts", "things", "pairs", "whole", "share", "95 %")
    return Table("Needs read by word statistics", head, name="needs", spaced=True).with_rows(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.figures.learned_reader", description=__doc__
    )
    parser.add_argument("suites", metavar="SUITE", nargs="+")
    options = parser.parse_args()
    try:
        told = {name: open_suite(name) for name in options.suites}
        sys.stdout.write(table_text(table(told)) + "\n")
    except EarSimError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
