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
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from earsim import Scenario, open_suite
from earsim.engine import Engine
from earsim.errors import EarSimError, UsageError
from earsim.evaluation.summary import wilson
from earsim.tables.document import Cell, Table
from earsim.tables.markdown import table_text
from earsim_agents.baselines.errand_reading import ComparedErrandReading
from earsim_agents.baselines.errand_reading.scene import tables_of
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.needed_reading.clauses import ClauseSense, clauses_of, sentences_of
from earsim_agents.baselines.needed_reading.passages import NeededPassage
from earsim_agents.baselines.needed_reading.rival_sets import RivalSets, known_things, words_of
from earsim_agents.baselines.needed_reading.tables import ToldTables
from earsim_agents.baselines.references import References

Array = NDArray[np.float64]
Places = NDArray[np.int64]
Features = dict[str, float]

LONGEST: Final = 8
"""Sentences of a passage."""

SENSES: Final = 4
"""Of clauses: any, denied, settled, about what would not do."""

KINDS: Final = 3
NEEDED, OTHERWISE, NAMED = range(KINDS)
"""Words of who needs a thing, words of it where another one is needed, and words of its name."""

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

_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_ENDING = re.compile(r"(?:ing|ed|er|est|ly|ness)$")
_DEGREE = re.compile(r"\b(?:more|less|fewer|most|least|fewest|\w+er than|\w{2,}est)\b")


class Text(NamedTuple):
    """A task and what its text is made of.

    Attributes:
        scene: Id of the scene.
        meant: Tables of the needed things, by their names.
        things: Names of the things that may be meant, by set.
        sets: For each of them, which of the sets that lie about it is in.
        numbers: For each of those sets, its number in the word lists.
        hits: Weights of the words of each kind by sentence, thing, kind and sense of the clause.
        stems: Of each sentence.
        told: Features of each sentence, which tell where passages begin and what is of none.
        named: Tables whose rooms are spoken of, by sentence.
        tables: What reads the table of a passage.
    """

    scene: str
    meant: Mapping[str, str]
    things: Sequence[str]
    sets: Sequence[int]
    numbers: Sequence[int]
    hits: Array
    stems: Sequence[frozenset[str]]
    told: Sequence[Features]
    named: Sequence[frozenset[str]]
    tables: ToldTables


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


@cache
def stem_of(word: str) -> str:
    """A word without its endings, roughly."""
    word = word.removesuffix("'s")
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")):
        word = word.removesuffix("s")
    bare = _ENDING.sub("", word)
    if len(bare) > 2 and re.search("[aeiouy]", bare):
        word = bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def stems_of(text: str) -> list[str]:
    """The stems of the words of a text in lower case."""
    return [stem_of(word) for word in _WORD.findall(text)]


def text_of(scenario: Scenario) -> Text | None:
    """What is known of a task; None if it asks for nothing by what it is needed for."""
    engine = Engine(scenario)
    things = [*engine.blueprint.things, *engine.blueprint.doors]
    lexicon = Lexicon(engine.start(), things)
    sets = RivalSets(lexicon)
    names = {node: name for name, node in sets.nodes.items()}
    goal = json.loads(scenario.task.goal.model_dump_json(by_alias=True, exclude_none=True))
    placed = [part["at"] for part in goal.get("all", ()) if "at" in part]
    meant = {
        names[at["object"]]: at["on"] for at in placed if at.get("on") and at["object"] in names
    }
    rivals = [(name, number) for number, each in enumerate(sets.each) for name in each]
    if not meant or not meant.keys() <= dict(rivals).keys() or len(meant) > len(sets.each):
        return None
    told = " ".join(
        (scenario.task.instruction or "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()
    )
    written = sentences_of(told)
    sentences = [sentence.casefold() for sentence in written]
    references = References(lexicon, is_complete=True)
    rest = ComparedErrandReading(told.casefold(), references, is_beside_needed=True).rest
    compared = [sentence not in rest for sentence in sentences]
    degrees = [len(_DEGREE.findall(sentence)) for sentence in sentences]
    silent = [is_so and count > 0 for is_so, count in zip(compared, degrees, strict=True)]
    places = [tables_of(sentence, lexicon) for sentence in sentences]
    rooms = [frozenset(p.node for p in each if p.room_hits) for each in places]
    tables = [any(p.hits for p in each) for each in places]
    hits = _hits([name for name, _ in rivals], sentences)
    hits[silent] = 0
    stems = [frozenset(() if s else stems_of(t)) for s, t in zip(silent, sentences, strict=True)]
    around = list(map(Sentence, written, compared, degrees, rooms, tables))
    return Text(
        scenario.scene.id,
        meant,
        [name for name, _ in rivals],
        [number for _, number in rivals],
        [
            min(frozenset.intersection(*(known_things()[n].sets for n in each)))
            for each in sets.each
        ],
        hits,
        stems,
        [_features(around, at) for at in range(len(around))],
        rooms,
        ToldTables(sentences, lexicon),
    )


class Sentence(NamedTuple):
    """A sentence as it is written, and what is told in it."""

    written: str
    is_compared: bool
    degrees: int
    rooms: frozenset[str]
    has_table: bool


def _features(sentences: Sequence[Sentence], at: int) -> Features:
    """Features that tell whether a sentence begins a passage, or is of none."""
    own, is_end = sentences[at], at in (0, len(sentences) - 1)
    words = own.written.casefold().split()
    found = {"always": 1.0, f"begins:{words[0].strip(',')}": 1.0, "degrees": min(3.0, own.degrees)}
    found |= {f"word:{word}": 1.0 for word in stems_of(own.written.casefold())}
    so = {
        "compared": own.is_compared,
        "both": own.is_compared and own.degrees > 0,
        "room": own.rooms,
        "table": own.has_table,
        "first": at == 0,
        "last": at and is_end,
        "short": len(words) < 8,
        "short end": len(words) < 8 and is_end,
        "before compared": at + 1 < len(sentences) and sentences[at + 1].is_compared,
    }
    if at:
        before = sentences[at - 1]
        so |= {
            f"behind {before.written[-1]}": True,
            "behind short": len(before.written.split()) < 8,
            "behind compared": before.is_compared and before.degrees > 0,
            "new room": own.rooms and before.rooms and not own.rooms & before.rooms,
            "room before": before.rooms and not own.rooms,
        }
    return found | {key: 1.0 for key, is_so in so.items() if is_so}


def _hits(things: Sequence[str], sentences: Sequence[str]) -> Array:
    """Weights of the words of the lists, by sentence, thing, kind and sense."""
    found = np.zeros((len(sentences), len(things), KINDS, SENSES))
    clauses = [[(clause, _sense(clause)) for clause in clauses_of(each)] for each in sentences]
    named = [[(set(stems_of(c)), sense) for c, sense in each] for each in clauses]
    whole = " ".join(sentences)
    for column, name in enumerate(things):
        words = words_of(name)
        own = {stem_of(word) for word in _WORD.findall(name) if len(word) > 3}
        for row, each in enumerate(named):
            for stems, sense in each:
                found[row, column, NAMED, sense] += len(stems & own)
        for kind, terms in ((NEEDED, words.needed), (OTHERWISE, words.otherwise)):
            for term in terms:
                if term.stem not in whole:
                    continue
                for row, sentence in enumerate(sentences):
                    if term.stem in sentence and term.pattern.search(sentence) is not None:
                        senses = [s for c, s in clauses[row] if term.pattern.search(c) is not None]
                        for sense in senses or [0]:
                            found[row, column, kind, sense] += term.weight
    return found


@cache
def _sense(clause: str) -> int:
    sense = ClauseSense(clause)
    if sense.is_other:
        return 3
    return 2 if sense.is_settled else int(sense.is_denied)


def features_of(text: Text, spans: Sequence[tuple[int, int]]) -> Array:
    """Features by part of a text, thing and number."""
    columns = text.hits.shape[1]
    sums = np.concatenate([np.zeros((1, columns, KINDS, SENSES)), np.cumsum(text.hits, axis=0)])
    starts, ends = (np.array(each) for each in zip(*spans, strict=True))
    inside = sums[ends] - sums[starts]
    by_kind = inside.sum(axis=3)
    is_long = (ends - starts > 1)[:, None, None]
    about = np.log1p(by_kind.sum(axis=2))
    is_named = np.minimum(1, by_kind[:, :, NAMED])
    same = np.equal.outer(text.sets, text.sets) & ~np.eye(columns, dtype=bool)
    beside = is_named @ same
    shape = (len(spans), columns, -1)
    return np.concatenate(
        [
            np.log1p(by_kind),
            is_named[:, :, None],
            (about @ same)[:, :, None],
            beside[:, :, None],
            (beside > 1)[:, :, None],
            np.log1p(inside).reshape(shape),
            np.log1p(text.hits[ends - 1]).reshape(shape) * is_long,
            np.log1p(text.hits[starts]).reshape(shape) * is_long,
        ],
        axis=2,
    )


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
