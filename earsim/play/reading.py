"""From what people type to the canonical command: `take the brass key`, `put key on desk`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from earsim.actions.grammar import Slots
from earsim.actions.verb import Verb
from earsim.episode import Episode
from earsim.errors import did_you_mean, near_misses
from earsim.joint import single
from earsim.play.clauses import has_clauses, joined, waiting
from earsim.play.resolving import Doubt, is_called, resolve
from earsim.play.tails import spelt, split_tail
from earsim.play.typed import BESIDE
from earsim.play.values import words_of_values
from earsim.prose import listing
from earsim.rulesets.physical_decision import MESSAGE_VERBS
from earsim.world.live import DONE
from earsim.world.scope import near_scope

_ALIASES: Mapping[str, tuple[str, ...]] = {
    "GOTO": ("go to", "go", "walk to", "walk"),
    "GRAB": ("pick up", "take", "get"),
    "RELEASE": ("drop", "put down", "let go of"),
    "PLACE": ("put", "lay", "set"),
    "GIVE": ("hand over", "hand"),
    "EXPLORE": ("search",),
    "SAY": ("tell",),
    "WAIT": ("rest",),
    "TURN_ON": ("switch on",),
    "TURN_OFF": ("switch off",),
}
"""Other words for verbs; longer ones first."""

VERB_ALIASES = tuple(alias for aliases in _ALIASES.values() for alias in aliases)
"""Words that people say for verbs."""

PREPOSITIONS: Mapping[str, str] = {
    "in": "in",
    "into": "in",
    "inside": "in",
    "on": "on",
    "onto": "on",
}
"""What may stand before a place, and the relation that it means."""

_PRONOUNS = ("it", "that", "them")
_LEAST_PREFIX = 2


class Reader:
    """Understands what is typed for the agents of one episode; changes nothing in it."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._last_named: dict[str, str] = {}

    def names(self) -> dict[str, str]:
        """What may be named: rooms, doors, and whatever somebody on the team has come across."""
        world = self._episode.world
        blueprint = self._episode.engine.blueprint
        known = frozenset[str]().union(*world.known.values())
        things = [node for node in blueprint.things if node in known]
        return {
            node: blueprint.name(node) for node in (*blueprint.rooms, *blueprint.doors, *things)
        }

    def perceived(self) -> dict[str, str]:
        """What may be named without doors that nobody has come across yet."""
        known = frozenset[str]().union(*self._episode.world.known.values())
        unseen = self._episode.engine.blueprint.doors.keys() - known
        return {node: name for node, name in self.names().items() if node not in unseen}

    @property
    def agents(self) -> dict[str, str]:
        """Names by id of the agents."""
        return {body.id: body.name for body in self._episode.engine.blueprint.bodies.values()}

    @property
    def verbs(self) -> Mapping[str, Verb]:
        """Every verb there is."""
        return self._episode.engine.verbs

    @property
    def message_verbs(self) -> list[Verb]:
        """What may be said beside a command, at no cost; nothing where one is alone."""
        engine = self._episode.engine
        return [
            verb for verb in self.verbs.values() if engine.messages and verb.name in MESSAGE_VERBS
        ]

    def read(self, text: str, agent: str) -> str | Doubt:
        """The canonical command that a text stands for, or why it stands for none.

        What is said beside it, behind a semicolon, becomes its second line.
        """
        command, message = self.apart(text)
        if message is None:
            return self._command(text, agent)
        if not command:
            return Doubt(f"Nothing stands before the {BESIDE} that it could be said beside.")
        whole = self._command(text, agent)  # a name may hold a semicolon
        if isinstance(whole, str):
            return whole
        read = self._command(command, agent)
        beside = read if isinstance(read, Doubt) else self._message(message, agent)
        return beside if isinstance(beside, Doubt) else f"{read}\n{beside}"

    def apart(self, text: str) -> tuple[str, str | None]:
        """A command and what is to be said beside it; what is said as a command goes to the end."""
        command, semicolon, message = text.partition(BESIDE)
        if not semicolon or (command.split() and _is_free(self.verb(command))):
            return text, None
        return command.strip(), message.strip()

    def _message(self, text: str, agent: str) -> str | Doubt:
        verbs = self.message_verbs
        if not verbs:
            return Doubt("Nothing can be said beside a command here.")
        if not text or self.verb(text) not in verbs:
            forms = " or ".join(map(form_of, verbs))
            return Doubt(f"Beside a command stands {forms}: GRAB cup{BESIDE} SAY it is heavy")
        return self._command(text, agent)

    def _command(self, text: str, agent: str) -> str | Doubt:
        verb, rest = self.split(text)
        if isinstance(verb, Doubt):
            return verb
        if verb.grammar.verbatim:
            return self._with_text(verb, text, agent)
        slots = (*verb.grammar.required, *verb.grammar.optional)
        if "message" in slots:
            return f"{verb.name} {rest}" if rest else Doubt(f"{verb.name} what?")
        actors, rest = self.split_actors(rest) if "actors" in slots else ("", rest)
        rest, tail = split_tail(
            verb, rest, lambda text: isinstance(resolve(text, self.names()), str)
        )
        if "settings" in verb.grammar.required and not tail:
            return Doubt(f"{verb.name} takes name=value. {_form(verb)}")
        if "operation" in slots and sum("=" not in word for word in tail.split()) > 1:
            return Doubt(f"Values are written name=value; help {verb.name} tells the names.")
        about = self._about(verb, rest, agent, slots)
        if "settings" in verb.grammar.required and isinstance(about, str):
            tail = spelt(tail, words_of_values(self._episode.world, about))
        if tail and isinstance(about, str):
            about = f"{about} {tail}".strip()
        if isinstance(about, Doubt):
            return about
        return " ".join(filter(None, (verb.name, actors, about)))

    def lacks_text(self, text: str) -> bool:
        """Whether a text is a command that brings another text along, and ends before that."""
        verb = self.verb(text) if text.split() else None
        if not isinstance(verb, Verb) or not verb.grammar.verbatim:
            return False
        before = len(verb.grammar.required) - 1 + self._words_of_thing(text)
        return "\n" not in text.strip() and len(text.split()) == before

    def _words_of_thing(self, text: str) -> int:
        """How many words of the first line, behind the verb, name a thing: its whole name, or one.

        A beginning of a name is one word, since what follows may be the text of a command.
        """
        words, names = text.strip().partition("\n")[0].split()[1:], self.names()
        lengths = range(len(words), 1, -1)
        return next((n for n in lengths if is_called(" ".join(words[:n]), names)), 1)

    def _with_text(self, verb: Verb, text: str, agent: str) -> str | Doubt:
        """`exec ws x = 1`: a name, or a word, for the workstation; the rest is taken as it is."""
        length = self._words_of_thing(text)
        before = length + len(verb.grammar.required) - 2
        words = text.split(maxsplit=1 + before)[1:]
        if len(words) <= before:
            return Doubt(_form(verb))
        thing, others = " ".join(words[:length]), words[length:-1]
        found = self._named(thing, self.names(), agent, self._fits(verb, agent))
        if isinstance(found, Doubt):
            return found
        return verb.grammar.text(Slots(found, destination="".join(others), details=words[-1]))

    def _is_thing(self, text: str) -> bool:
        return isinstance(resolve(text, self.names()), str)

    def tellings(self, agent: str) -> list[str]:
        """What the agent could tell the others of; such commands are not listed as admissible."""
        world = self._episode.world
        known = world.known[agent] if "TELL" in self.verbs else frozenset()
        return [f"TELL {node}" for node in world.states if node in known]

    # -- the verb ------------------------------------------------------------------------------

    def verb(self, text: str) -> Verb | Doubt:
        """The verb that a word or two stand for."""
        return self.split(text)[0]

    def split(self, text: str) -> tuple[Verb | Doubt, str]:
        """The verb at the beginning of a text, and what follows it."""
        verbs = self._episode.engine.verbs
        words = text.split()
        for count in (4, 3, 2, 1):
            found = verbs.get("_".join(words[:count]).upper())
            if found is not None:
                return found, " ".join(words[count:])
        for name, aliases in _ALIASES.items():
            for alias in aliases:
                match = re.match(rf"{alias}\b\s*", " ".join(words), re.IGNORECASE)
                if match is not None and name in verbs:
                    return verbs[name], " ".join(words)[match.end() :]
        return self._beginning(words[0]), " ".join(words[1:])

    def _beginning(self, word: str) -> Verb | Doubt:
        verbs = self._episode.engine.verbs
        typed = word.upper()
        found = [name for name in verbs if len(typed) >= _LEAST_PREFIX and name.startswith(typed)]
        if len(found) == 1:
            return verbs[found[0]]
        if found:
            return Doubt(f'"{word}" may be {", ".join(found[:6])}. Type more of it.')
        if word.endswith(":"):
            return Doubt(f'"{word[:-1]}" is no agent here. There are: {listing(self.agents)}.')
        hint = did_you_mean(near_misses(typed, [*verbs, *map(str.upper, VERB_ALIASES)]))
        return Doubt(f'There is no verb "{word}" here{f"; {hint}" if hint else ""}. Try: help')

    # -- who and what --------------------------------------------------------------------------

    def split_actors(self, rest: str) -> tuple[str, str]:
        """The partners at the beginning, as a list of ids, and what follows them.

        They may be set apart by commas, "and" or blanks; a command without any is a rendezvous.
        """
        names = self.agents
        words = re.sub(r",|\band\b", " , ", rest).split()
        found: list[str] = []
        while words:
            if words[0] == ",":
                del words[0]
                continue
            length, agent = _leading(words, names)
            if agent is None:
                break
            found.append(agent)
            del words[:length]
        return ",".join(found), " ".join(words)

    def _about(self, verb: Verb, rest: str, agent: str, slots: tuple[str, ...]) -> str | Doubt:
        names = self.names()
        if has_clauses(verb.name) or "seconds" in slots:
            return self._clause(verb, rest, agent, names)
        if "destination" in slots:
            return self._placing(verb, rest, agent, names)
        if "receiver" in slots:
            return self._handing(verb, rest, agent, names)
        if not rest:
            needed = "target" in verb.grammar.required
            return Doubt(f"{verb.name} what? {_form(verb)}") if needed else ""
        if "target" not in slots:
            return Doubt(f"{verb.name} stands alone: nothing follows it.")
        return self._named(rest, names, agent, self._fits(verb, agent))

    def _clause(self, verb: Verb, rest: str, agent: str, names: Mapping[str, str]) -> str | Doubt:
        """After a verb with words of its own."""

        def thing(phrase: str) -> str | Doubt:
            return self._named(phrase, names, agent, self._fits(verb, agent))

        def place(phrase: str) -> str | Doubt:
            return resolve(phrase, names)

        if has_clauses(verb.name):
            return joined(verb.name, rest, thing=thing, place=place, form=form_of(verb))
        return waiting(rest, thing=place, turns=self._turns, form=form_of(verb))

    def _turns(self, node: str) -> list[str]:
        """The states and marks of a thing."""
        live = self._episode.engine.blueprint.live
        marks = live.marks.get(node, ()) if live is not None else ()
        if live is not None and node in live.rigs:
            return [DONE]
        return [*self._episode.world.states.get(node, ()), *(mark.name for mark in marks)]

    def _placing(self, verb: Verb, rest: str, agent: str, names: Mapping[str, str]) -> str | Doubt:
        """`key on desk`: names may hold an "on" themselves, so every one of them is tried."""
        words = rest.split()
        splits = [i for i, word in enumerate(words) if i and word.casefold() in PREPOSITIONS]
        doubt = Doubt(f"Put what where? {_form(verb)}")
        last = self._last_named.get(agent)
        for i in splits:
            relation = PREPOSITIONS[words[i].casefold()]
            target = self._named(" ".join(words[:i]), names, agent, self._fits(verb, agent))
            there = " ".join(words[i + 1 :])
            meant = there.casefold() in _PRONOUNS and last in names
            place = last if meant and last else resolve(there, names)
            if isinstance(target, str) and isinstance(place, str):
                return f"{target} {relation} {place}"
            doubt = next(found for found in (target, place) if isinstance(found, Doubt))
        return doubt

    def _handing(self, verb: Verb, rest: str, agent: str, names: Mapping[str, str]) -> str | Doubt:
        """`key to bo` or `key bo`: the agent stands last, in as many words as name one."""
        words = rest.split()
        for start in range(1, len(words)):
            receiver = resolve(" ".join(words[start:]), self.agents)
            if isinstance(receiver, str):
                thing = words[: start - (start > 1 and words[start - 1].casefold() == "to")]
                target = self._named(" ".join(thing), names, agent, self._fits(verb, agent))
                return f"{target} {receiver}" if isinstance(target, str) else target
        return Doubt(f"Give what to whom? {_form(verb)}")

    def _named(
        self, phrase: str, names: Mapping[str, str], agent: str, fits: list[Callable[[str], bool]]
    ) -> str | Doubt:
        """What a phrase means; `it` is what the agent's player named last."""
        last = self._last_named.get(agent)
        if phrase.casefold() in _PRONOUNS and last is not None and last in names:
            return last
        found = resolve(phrase, names, fits)
        if isinstance(found, str) and found not in self._episode.engine.blueprint.rooms:
            self._last_named[agent] = found
        return found

    def _fits(self, verb: Verb, agent: str) -> list[Callable[[str], bool]]:
        """Tests of what a verb can be about: what has the state, what is in hand, what is near."""
        world = self._episode.world
        state = world.agents[agent]
        held = {*state.inventory, state.carrying}
        near = {*near_scope(world, agent), state.focus}
        if verb.attribute is not None:
            attribute = verb.attribute.attribute
            return [lambda node: attribute in world.states.get(node, ()), near.__contains__]
        bare = single(verb.name)
        if bare in ("PLACE", "RELEASE", "GIVE", "POUR", "EMPTY"):
            return [held.__contains__]
        if bare == "GRAB":
            return [lambda node: node in world.location and node not in held, near.__contains__]
        return []


def _leading(words: list[str], names: Mapping[str, str]) -> tuple[int, str | None]:
    """The agent that the first words name, and how many those are; whole names only."""
    whole = {name.casefold(): node for node, name in names.items()}
    whole |= {node.casefold(): node for node in names}
    for length in (3, 2, 1):
        agent = whole.get(" ".join(words[:length]).casefold())
        if agent is not None:
            return length, agent
    return 0, None


def _is_free(verb: Verb | Doubt) -> bool:
    """Whether any text may follow a verb."""
    if isinstance(verb, Doubt):
        return False
    return verb.grammar.verbatim or "message" in verb.grammar.required


def form_of(verb: Verb) -> str:
    """How a verb is written, for people: `PLACE <target> in|on <destination>`."""
    return re.sub(r"{(\w+)}", r"<\1>", verb.grammar.form.replace("{relation}", "in|on"))


def _form(verb: Verb) -> str:
    return f"It is written {form_of(verb)}."
