"""References: what the phrases of one instruction stand for in its goal, an id or a `$name`."""

from __future__ import annotations

from typing import Any

from earsim.schema.selector import Filter
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import NounPhrases, ReadPhrase, Unreadable


class References:
    """What was spoken of in one instruction.

    Attributes:
        lexicon: what has been perceived.
        phrases: the reader of noun phrases.
        select: what picks the things that have no name.
        nouns: of these, by the name of the selector.
        named: ids of what was spoken of by a name alone.
        is_complete: whether all that there is has been perceived; unknown words are guessed then.
        urgent: the goal that comes before all else; None where nothing does.
    """

    def __init__(self, lexicon: Lexicon, *, is_complete: bool) -> None:
        self.lexicon = lexicon
        self.is_complete = is_complete
        self.phrases = NounPhrases(lexicon)
        self.select: dict[str, Any] = {}
        self.nouns: dict[str, str] = {}
        self.named: list[str] = []
        self.urgent: dict[str, Any] | None = None
        self._names: dict[str, str] = {}

    def forget(self) -> None:
        """Forget what was spoken of, as nothing came of it."""
        self.select.clear()
        self.nouns.clear()
        self.named.clear()
        self._names.clear()
        self.phrases.said.clear()
        self.urgent = None

    def object(self, said: str) -> str:
        """The reference of a phrase, which is remembered.

        Raises:
            Unreadable: It means nothing that has been perceived.
        """
        what = self.phrases.read(said)
        self.phrases.said.append(what)
        return self.told(what)

    def told(self, what: ReadPhrase) -> str:
        """An id, or the name of a selector of the task."""
        if what.node:
            self.named.append(what.node)
            return what.node
        key = what.selector.model_dump_json()
        if key not in self._names:
            name = f"picked_{len(self._names) + 1}"
            self._names[key], self.select[name], self.nouns[name] = name, what.selector, what.noun
        return f"${self._names[key]}"

    def node(self, said: str) -> str:
        """The id of what a phrase names.

        Raises:
            Unreadable: It names nothing that has been perceived, or not by its name.
        """
        node = self.phrases.read(said).node
        if not node:
            raise Unreadable(said)
        return node

    def room(self, said: str) -> str | None:
        """The room that words mean; None where they mean none.

        Raises:
            Unreadable: It is told by something that has not been perceived.
        """
        said = said.strip(" ,.")
        known = self.lexicon.room(said) or self.lexicon.room(said.removeprefix("the "))
        if known is not None:
            return known
        words = said.removeprefix("the place where ")
        if words == said:
            return None
        for verb in (" is", " are"):
            if words.endswith(verb):
                return self.lexicon.room_of(self.node(words.removesuffix(verb)))
        return None

    def group(self, said: str) -> tuple[Filter, Filter]:
        """What things in the plural are, and all those of their name.

        Raises:
            Unreadable: No such thing has been perceived.
        """
        these = self.phrases.things(said)
        if these is None or these.name is None:
            raise Unreadable(said)
        return these, Filter(name=these.name)
