"""Texts that tell what things are needed for, as `learned_reader` sees them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim import Scenario
from earsim.engine import Engine
from earsim_agents.baselines.errand_reading import ComparedErrandReading
from earsim_agents.baselines.errand_reading.scene import tables_of
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.needed_reading.clauses import ClauseSense, clauses_of, sentences_of
from earsim_agents.baselines.needed_reading.rival_sets import RivalSets, known_things, words_of
from earsim_agents.baselines.needed_reading.tables import ToldTables
from earsim_agents.baselines.references import References

Array = NDArray[np.float64]
Features = dict[str, float]

SENSES: Final = 4
"""Of clauses: any, denied, settled, about what would not do."""

KINDS: Final = 3
NEEDED, OTHERWISE, NAMED = range(KINDS)
"""Words of who needs a thing, words of it where another one is needed, and words of its name."""

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
