"""What an instruction asks for, clause by clause, as far as its grammar is simple.

Only verbs in the place of a verb count (at the beginning, after `and`, `then`, `to` ...), for `the
label on the door` asks nobody to label. What is not understood is left open, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import dropwhile, pairwise
from typing import Any, NamedTuple

from docs.studies.ear_bench_audit.phrases import Item, NameMention, plain_words
from earsim.schema.verb_table import AttributeVerb, verb_table

PLACING = {"on": "on", "onto": "on", "in": "in", "into": "in", "inside": "in", "to": ""}
"""Words before a destination, and the relation that they ask for; `to` leaves it open."""

ENDS = frozenset((*".,;:?!", "and", "then", "using", "before", "after", "while", "so"))
"""What may follow a destination without saying more about it."""

_BEFORE_VERB = frozenset(
    (",", ";", "and", "then", "to", "cooperatively", "jointly", "together", "please")
)
_ARTICLES = frozenset(("the", "a", "an", "all", "both", "this", "that", "each", "any"))
_PRONOUNS = frozenset(("it", "them"))
_AFTER_VERB = _ARTICLES | _PRONOUNS | {"its", "their"}
_PARTICLES = frozenset(("on", "off", "in", "up", "down"))
_CHANGING_PARTICLES = ("up", "down", "off", "out")
"""Behind a verb of one word they make another of it: to pump up is not to pump."""

_FROM = "from"
_PHRASE_ENDS = ENDS | PLACING.keys() | frozenset(
    ("with", "that", "which", "whose", "from", "by", "for", "at", "near", "until", "where",
     "under", "behind", "beside", "next", "labeled", "located", "without", "containing", "(")
)  # fmt: skip

_MOVING = frozenset(
    ("move", "place", "put", "bring", "relocate", "transport", "carry", "transfer", "return")
)
_SEEKING = frozenset(("find", "locate", "take", "grab", "get", "pick", "identify"))
_LEADING = frozenset(("use", "have", "cooperate", "work"))
"""Verbs that ask for nothing that a goal could check, and lead to others that do."""


class ClauseKind(StrEnum):
    """What a clause is about."""

    MOVE = "move"
    CHANGE = "change"
    SEEK = "seek"
    LEAD = "lead"
    OTHER = "other"


class Effect(NamedTuple):
    """A state, and the value that a verb gives it."""

    state: str
    value: Any


class InstructionClause(NamedTuple):
    """One verb of an instruction, with what it is about.

    Attributes:
        effects: what the verb brings about, by the table of attribute verbs; two verbs of the table
            may begin alike.
        object: the name that the object phrase ends with.
        whole: nothing but the name stands in that phrase, and nothing after it says which is meant.
        pronoun: `it` or `them` stands instead.
        place: where it is to be done, or for a move where it ends.
        relation: `on`, `in`, or empty where either will do.
    """

    verb: str
    kind: ClauseKind
    effects: frozenset[Effect] = frozenset()
    object: NameMention | None = None
    whole: bool = False
    pronoun: bool = False
    place: NameMention | None = None
    relation: str = ""


def clauses(items: Sequence[Item]) -> list[InstructionClause]:
    """The clauses of an instruction, in their order."""
    starts = [at for at in range(len(items)) if _is_verb(items, at)]
    return [_clause(items[start:end]) for start, end in pairwise((*starts, len(items)))]


def _is_verb(items: Sequence[Item], at: int) -> bool:
    """Whether a word is in the place of a verb, with something after it for it to be about."""
    word = _word(items[at])
    if word is None or word in _BEFORE_VERB or word in _AFTER_VERB:
        return False
    if at == 0:
        return True
    if items[at - 1] not in _BEFORE_VERB:
        return False
    rest = [item for item in items[at + 1 : at + 3] if item not in _PARTICLES]
    return bool(rest) and (isinstance(rest[0], NameMention) or rest[0] in _AFTER_VERB)


def _word(item: Item) -> str | None:
    """A word, be it that something is called by a verb: `use the drill to drill the sheet`."""
    if not isinstance(item, NameMention):
        return item
    is_verb = not item.exact and len(item.words) == 1 and item.words[0] in _table()
    return item.words[0] if is_verb else None


def _clause(items: Sequence[Item]) -> InstructionClause:
    verb = _word(items[0])
    assert verb is not None
    kind, effects, rest = _understood(verb, list(items[1:]))
    phrase, after = _phrase(rest)
    objects = [item for item in phrase if isinstance(item, NameMention)]
    place, relation, restricted = _destination(verb, after)
    if kind is not ClauseKind.MOVE:
        restricted = bool(after) and after[0] not in ENDS
    # Of several things only a person can tell what is to become of each.
    listed = len(after) > 1 and after[0] in ("and", ",") and after[1] not in ENDS
    head = phrase[-1] if phrase and not listed else None
    named = head if isinstance(head, NameMention) else None
    bare = [item for item in phrase if item not in _ARTICLES]
    return InstructionClause(
        verb,
        kind,
        effects,
        object=named,
        whole=named is not None and len(bare) == 1 and not restricted,
        pronoun=not objects and bool(phrase) and phrase[0] in _PRONOUNS,
        place=place,
        relation=relation,
    )


def _understood(verb: str, rest: list[Item]) -> tuple[ClauseKind, frozenset[Effect], list[Item]]:
    """What a verb asks for, and what stands behind it, without its particle."""
    if verb in _MOVING:
        return ClauseKind.MOVE, frozenset(), rest
    if verb in _SEEKING:
        return ClauseKind.SEEK, frozenset(), rest
    if verb in _LEADING:
        return ClauseKind.LEAD, frozenset(), rest
    rows = _table().get(verb, ())
    for row in rows:
        second = row.name.partition("_")[2]
        if not second:
            continue
        at = _particle(rest, second) if second in _PARTICLES else None
        if at is not None:
            return ClauseKind.CHANGE, _effects(row), rest[:at] + rest[at + 1 :]
        if second not in _PARTICLES and second in plain_words(rest):
            return ClauseKind.CHANGE, _effects(row), rest
    simple = [row for row in rows if "_" not in row.name]
    if simple and not any(_particle(rest, other) is not None for other in _CHANGING_PARTICLES):
        return ClauseKind.CHANGE, _effects(*simple), rest
    return ClauseKind.OTHER, frozenset(), rest


def _particle(rest: Sequence[Item], particle: str) -> int | None:
    """Where the second word of `turn on` stands: behind the verb, a pronoun or a name."""
    for at, item in enumerate(rest):
        if item == particle:
            return at
        if not (isinstance(item, NameMention) or item in _AFTER_VERB):
            return None
    return None


@cache
def _table() -> Mapping[str, tuple[AttributeVerb, ...]]:
    """The rows of the verb table by the first word of their names."""
    found: dict[str, tuple[AttributeVerb, ...]] = {}
    for row in verb_table().values():
        first = row.name.partition("_")[0]
        found[first] = (*found.get(first, ()), row)
    return found


def words_for(effect: Effect) -> frozenset[str]:
    """Words that may speak of an effect wherever they stand: its verbs, and the state itself."""
    rows = [row for row in verb_table().values() if effect in _effects(row)]
    state = effect.state.removeprefix("is_").partition("_")[0]
    return frozenset((state, *(row.name.partition("_")[0] for row in rows)))


def _effects(*rows: AttributeVerb) -> frozenset[Effect]:
    return frozenset(Effect(row.attribute, not row.value) for row in rows)


def _phrase(items: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """The object phrase, and what comes after it."""
    for at, item in enumerate(items):
        if isinstance(item, str) and item in _PHRASE_ENDS:
            return list(items[:at]), list(items[at:])
    return list(items), []


def _destination(verb: str, items: Sequence[Item]) -> tuple[NameMention | None, str, bool]:
    """Where a move goes, how, and whether something else is said that may tell objects apart.

    Of `on the desk in the study` nobody can tell whether the study is where the desk is, so only
    one such phrase is understood, or one with `to` among others of a verb of motion.
    """
    found: list[tuple[str, NameMention]] = []
    rest = list(items)
    while rest and (rest[0] in PLACING or rest[0] == _FROM):
        word, behind = str(rest[0]), list(dropwhile(_ARTICLES.__contains__, rest[1:]))
        if not behind or not isinstance(behind[0], NameMention):
            return None, "", True
        found.append((word, behind[0]))
        rest = behind[1:]
    if rest and rest[0] not in ENDS:
        return None, "", True
    to = [each for each in found if each[0] == "to"]
    if len(found) == 1 and found[0][0] != _FROM:
        chosen = found[0]
    elif len(to) == 1 and verb not in ("place", "put"):
        chosen = to[0]
    else:
        return None, "", len(found) > 1
    return chosen[1], PLACING[chosen[0]], len(found) > 1
