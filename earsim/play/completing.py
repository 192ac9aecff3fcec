"""How a half-typed line can go on: verbs, prepositions, and what the player has perceived."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from earsim.actions.verb import Verb
from earsim.ids import printable
from earsim.play.clauses import has_clauses
from earsim.play.reading import PREPOSITIONS, VERB_ALIASES, Reader
from earsim.play.resolving import Doubt, resolve, without_article
from earsim.play.typed import BESIDE, Request, understand


def completions(
    line: str, admissible: Collection[str], reader: Reader, requests: Collection[str]
) -> list[str]:
    """What may stand where the last word of the line is being typed.

    A thing goes by its id, and by its name once a letter of it is typed. Of a name of several words
    only those are returned that are not complete yet: `key` after `take brass k`.

    Args:
        line: what stands before the cursor, without the agent's name.
        admissible: commands that would be accepted now.
        reader: knows verbs, and what may be named at all.
        requests: what can be asked of the game.
    """
    _, message = reader.apart(line.lstrip())
    if message is not None:
        return _beside(line.partition(BESIDE)[2], admissible, reader)
    typed = " ".join(line.split()) + (" " if line[-1:].isspace() else "")
    aliases = VERB_ALIASES if typed.strip() else ()
    verbs = (*_next_words((), admissible), *requests, *reader.verbs, *aliases)
    found = _continued(typed, verbs)
    if " " in typed.lstrip():
        found += _arguments(typed, admissible, reader)
    return list(dict.fromkeys(found))


def _beside(message: str, admissible: Collection[str], reader: Reader) -> list[str]:
    """What may stand beside a command, one blank behind its semicolon."""
    typed = " ".join(message.split()) + (" " if message[-1:].isspace() else "")
    verbs = [verb.name for verb in reader.message_verbs]
    if not message[:1].isspace() or not verbs:
        return []
    found = _continued(typed.lstrip(), verbs)
    first = typed.split()[:1]
    if " " in typed.strip() + typed[-1:] and first and first[0].upper() in verbs:
        found += _arguments(typed, admissible, reader)
    return found


def _arguments(typed: str, admissible: Collection[str], reader: Reader) -> list[str]:
    """What may follow the verb or the request that the line begins with."""
    asked = understand(typed, {})
    if isinstance(asked, Request):
        return _about(asked.what, typed.partition(" ")[2], reader)
    verb, rest = reader.split(typed)
    if isinstance(verb, Doubt) or "message" in (*verb.grammar.required, *verb.grammar.optional):
        return []
    if rest and typed.endswith(" "):
        rest += " "
    parses, names = list(_parses(verb, rest, reader)), reader.perceived()
    admitted = [(parse.phrase, _next_words(parse.head, admissible)) for parse in parses]
    known = [
        (parse.phrase, names if parse.otherwise is None else parse.otherwise) for parse in parses
    ]
    return _all_named(admitted, names) or _all_named(known, names)


def _about(request: str, rest: str, reader: Reader) -> list[str]:
    names = reader.perceived()
    if request == "look":
        return _named(rest.removeprefix("at "), ("all", *names), names)
    if request == "help":
        return _continued(rest, reader.verbs)
    if request == "as":
        return _named(rest, ("all", *reader.agents), reader.agents)
    return []


class _Parse(NamedTuple):
    """One way to understand a command that is not complete.

    Attributes:
        head: its canonical words so far.
        phrase: what is being typed after them.
        otherwise: what may be meant where no admissible command goes on like that; None: any
            thing.
    """

    head: tuple[str, ...]
    phrase: str
    otherwise: Collection[str] | None = None


def _parses(verb: Verb, rest: str, reader: Reader) -> Iterator[_Parse]:
    head: tuple[str, ...] = (verb.name,)
    slots = (*verb.grammar.required, *verb.grammar.optional)
    if "actors" in slots:
        yield _Parse(head, rest)
        actors, after = reader.split_actors(rest)
        if not actors or not (after or rest.endswith(" ")):
            return
        head = (*head, actors)
        rest = after + (" " if after and rest.endswith(" ") else "")
    yield _Parse(head, rest)
    if has_clauses(verb.name) or "seconds" in slots:
        yield from _clauses(head, rest.split(" "), reader)
    elif "destination" in slots:
        yield from _placing(head, rest.split(" "), reader)


def _placing(head: tuple[str, ...], words: Sequence[str], reader: Reader) -> Iterator[_Parse]:
    """`key o`, `key on d`: names may hold an "on" themselves, so every split is tried."""
    names = reader.perceived()
    for place in range(1, len(words)):
        found = resolve(" ".join(words[:place]), names)
        target = found if isinstance(found, str) else "?"
        relation = PREPOSITIONS.get(words[place].casefold())
        if place < len(words) - 1 and relation is not None:
            yield _Parse((*head, target, relation), " ".join(words[place + 1 :]))
        elif place == len(words) - 1 and isinstance(found, str):
            yield _Parse((*head, target), words[place], otherwise=PREPOSITIONS)


def _clauses(head: tuple[str, ...], words: Sequence[str], reader: Reader) -> Iterator[_Parse]:
    """`kettle into c`, `until kettle is_b`: the words before the last as they stand, or a name."""
    names = reader.perceived()
    if len(words) > 1:
        yield _Parse((*head, *words[:-1]), words[-1], otherwise=())
    for place in range(2, len(words)):
        found = resolve(" ".join(words[:place]), names)
        if isinstance(found, str):
            yield _Parse((*head, found, *words[place:-1]), words[-1], otherwise=())


def _next_words(head: tuple[str, ...], admissible: Iterable[str]) -> list[str]:
    """The words that follow `head` in admissible commands."""
    depth = len(head)
    wanted = [word.casefold() for word in head]
    split = (command.split() for command in admissible)
    return [
        words[depth]
        for words in split
        if len(words) > depth and [word.casefold() for word in words[:depth]] == wanted
    ]


def _all_named(phrases: Iterable[tuple[str, Iterable[str]]], names: Mapping[str, str]) -> list[str]:
    return [word for phrase, nodes in phrases for word in _named(phrase, nodes, names)]


def _named(phrase: str, nodes: Iterable[str], names: Mapping[str, str]) -> list[str]:
    """How a phrase goes on to one of the nodes: by its id, or by a name that says something else.

    `steel_shelf` goes by `Steel shelf` only where the phrase has the blank already.
    """
    phrase = without_article(phrase)
    found = []
    for node in nodes:
        by_id = _continued(phrase, (node,))
        name = " ".join(names.get(node, "").split())
        is_same = name.casefold() == node.replace("_", " ").casefold()
        found += by_id
        if phrase and printable(name) == name and not (by_id and is_same):
            found += _continued(phrase, (name,))
    return found


def _continued(typed: str, phrases: Iterable[str]) -> list[str]:
    """The rest, from the word that is being typed, of the phrases with this beginning."""
    beginning, complete = typed.casefold(), typed.count(" ")
    return [
        " ".join(phrase.split(" ")[complete:])
        for phrase in phrases
        if phrase.casefold().startswith(beginning)
    ]
