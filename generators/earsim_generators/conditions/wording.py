"""Words for conditions: each has several ways to be said, drawn by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from earsim.prose import listing
from earsim.schema.selector import Filter, Only
from earsim_generators.language.modifiers import described
from earsim_generators.language.nouns import Noun, noun_of
from earsim_generators.language.object_names import SceneNaming
from earsim_generators.language.predicates import told
from earsim_generators.language.referring_expressions import choice
from earsim_generators.tasks.subgoals import Destination

_ORDINALS = ("first", "second", "third")
_BY_A_LANDMARK = 0.4
"""How often a room goes by what stands in it, where something does that stands nowhere else."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")

_SOMETHING = "things"

# Templates; a word with a capital stands for the same words with a capital.

_FOR_A_USE = (
    "what one would {verb} with",
    "the thing you need to {verb}",
    "whatever there is to {verb} with",
)
_BRINGING = {
    "room": ("bring {} to {}", "take {} to {}", "carry {} to {}", "get {} to {}"),
    "on": ("put {} onto {}", "move {} onto {}", "place {} upon {}"),
    "in": ("put {} into {}", "move {} into {}", "stow {} away in {}"),
}
_EXACTLY = (
    "{All}. The other {others} stay exactly as they are.",
    "Only the {many} belong {there}; leave every other {other} untouched.",
    (
        "In the end all the {many} should be {there}, but none of the other {others}. Do not even "
        "move those."
    ),
    "{Bring}, every one of them. Whatever other {others} you come across, hands off.",
    (
        "We want to have the {many} {there}, without exception, and all the remaining {others} "
        "just as you found them."
    ),
)
_COUNT = (
    "{Exactly}, no matter which.",
    "We need {number} of the {many} {there}: no more than that, and no fewer.",
    "{Number} of the {many} will do {there}. See to it that it is not one fewer and not one more.",
    "Pick any {number} of the {many} and {those}; it must not be {more} in the end.",
)
_NO_OTHERS = " No other {others} may be there in the end."
_UNTIL = (
    "{Do}, but not until {so}.",
    "{Do}; that has to wait until {so}.",
    "{Do}, though only once {so}.",
)
_ORDER_BY_ORDINALS = (
    (
        "Three errands: {one}; {two}; {three}. The {first} of them comes first and the {last} "
        "comes last."
    ),
    "{One}; {two}; {three}. Begin with the {first} of these three and end with the {last}.",
)
_ORDER_BY_THINGS = (
    "{One}, {two} and {three}, but mind the order: first {a}, next {b}, and {c} at the very end.",
    "{One}, {two} and {three}. {C} must come last and {a} before everything else.",
)
_ORDER_BACKWARDS = (
    "In the end, {three}. Before you do so, {two}, and before either of the two, {one}.",
    "{Three}. That is the last step: {two} before it, and {one} before anything else.",
)
_APART = (
    "{One} and {two}. The two must not be in the same room at any moment.",
    "{One}, and {two}, but never let them share a room on the way.",
    (
        "{One}, {two}: only see to it that the one is never where the other is, not even for a "
        "short time."
    ),
)
_TRIP = (
    "{Bring}, all on a single trip.",
    "{Bring}. You may walk into {room} with them just once.",
    "{Bring}, and do not go twice for it.",
    "Going back for the rest is not allowed: {bring} in one go.",
)
_DEADLINE = (
    "{Others}. Besides, {last}; {it_has} to be there within {time} from now.",
    "{Others}, and {last}. For the latter you have {time}; for the rest there is no hurry.",
    "{Others}, then {last}. The last of these is urgent: it must be done before {time} are over.",
    "{Others} when you find the time. {What}, however, must be {there} in {time} at the latest.",
)


class ThingPhrases(NamedTuple):
    """How a thing is spoken of.

    Attributes:
        full: The first time.
        short: Later.
        is_many: In the plural, like pliers.
    """

    full: str
    short: str
    is_many: bool = False

    @property
    def verb(self) -> str:
        """`is`, or `are`."""
        return "are" if self.is_many else "is"

    @property
    def it_has(self) -> str:
        """`it has`, or `they have`."""
        return "they have" if self.is_many else "it has"


class Delivery(NamedTuple):
    """Something to be brought somewhere.

    Attributes:
        reference: An id, or a `$name`.
        node: What that is.
    """

    reference: str
    node: str
    place: Destination


class Wording:
    """Phrases for the things of one task."""

    def __init__(
        self,
        naming: SceneNaming,
        select: Mapping[str, Any],
        rng: Random,
        ambiguous: Mapping[str, Filter],
    ) -> None:
        self._ambiguous = ambiguous
        self._naming = naming
        self._select = {f"${name}": selector for name, selector in select.items()}
        self._rng = rng
        self._mentions: dict[str, ThingPhrases] = {}
        self._landmarks: dict[str, str | None] = {}

    # -- things ------------------------------------------------------------------------------------

    def mention(self, reference: str) -> ThingPhrases:
        """The phrases for a thing, the same ones whenever they are asked for."""
        if reference not in self._mentions:
            self._mentions[reference] = self._mentioned(reference)
        return self._mentions[reference]

    def _mentioned(self, reference: str) -> ThingPhrases:
        if reference in self._ambiguous:
            return self._one_of_several(self._ambiguous[reference])
        if reference in self._select:
            return self._chosen(self._select[reference])
        called = self._naming.called(reference)
        assert called is not None, "tasks speak only of what has a name"
        return ThingPhrases(called.before_a_place, called.name, called.is_many)

    def _chosen(self, selector: Any) -> ThingPhrases:
        among = selector.only if isinstance(selector, Only) else None
        if among is not None and among.name is None:
            words = self._described(among)
            return ThingPhrases(words, words)
        phrase = choice(selector, self, self._rng, before_a_place=True)
        short = f"{'those' if phrase.noun.is_many else 'that'} {phrase.noun.one}"
        return ThingPhrases(phrase.text, short, phrase.noun.is_many)

    def _one_of_several(self, among: Filter) -> ThingPhrases:
        """Words for one thing that fit several."""
        if among.name is None:
            words = self._described(among)
            return ThingPhrases(words, words)
        noun = noun_of(among.name)
        return ThingPhrases(f"the {noun.one}", f"the {noun.one}", noun.is_many)

    def _described(self, among: Filter) -> str:
        if among.provides is not None:
            form = self._rng.choice(_FOR_A_USE)
            return form.format(verb=told(among.provides, _SOMETHING))
        if not among.attribute:
            relation, holder = ("on", among.on) if among.on else ("in", among.in_)
            words = f"{relation} {self.the(str(holder))}"
            return self._rng.choice((f"what is {words}", f"the only thing that is {words}"))
        return f"the {described(among, self, before_a_place=True).one()}"

    def the(self, reference: str) -> str:
        """The phrase for something that is mentioned by the way."""
        if reference in self._select:
            return self.mention(reference).full
        called = self._naming.called(reference)
        assert called is not None, "tasks speak only of what has a name"
        return called.text

    def inside(self, room: str) -> str:
        """`in the yard`."""
        return self._naming.inside(room)

    def _where(self, room: str) -> str | None:
        """`the place where the piano is`; None where a room goes by its name. Drawn once."""
        if room not in self._landmarks:
            found = self._naming.landmarks(room)
            drawn = self._rng.random() < _BY_A_LANDMARK
            thing = self._rng.choice(found) if found and drawn else None
            verb = "are" if thing is not None and thing.is_many else "is"
            phrase = None if thing is None else f"the place where {thing.text} {verb}"
            self._landmarks[room] = phrase
        return self._landmarks[room]

    def _to(self, place: Destination) -> str:
        """Where a thing is brought: `the yard`, `the table`."""
        where = self._where(place.node) if place.relation == "room" else None
        return where or self.the(place.node)

    # -- errands -----------------------------------------------------------------------------------

    def at(self, place: Destination) -> str:
        """Where a thing is then: `in the yard`, `on the table`."""
        if place.relation == "room":
            where = self._where(place.node)
            return self.inside(place.node) if where is None else f"in {where}"
        return f"{place.relation} {self.the(place.node)}"

    def bring(self, what: str, place: Destination) -> str:
        """`bring the lamp to the yard`."""
        return self._rng.choice(_BRINGING[place.relation]).format(what, self._to(place))

    def _do(self, errand: Delivery) -> str:
        return self.bring(self.mention(errand.reference).full, errand.place)

    # -- conditions --------------------------------------------------------------------------------

    def exactly(self, these: Filter, noun: Noun, place: Destination) -> str:
        """All of some things somewhere, and no others of their name."""
        many = described(these, self, before_a_place=True).many()
        return self._said(
            _EXACTLY,
            all=self.bring(f"all the {many}", place),
            bring=self.bring(f"the {many}", place),
            many=many,
            there=self.at(place),
            other=noun.one,
            others=noun.many,
        )

    def count(self, these: Filter, noun: Noun, count: int, place: Destination) -> str:
        """So many of some things somewhere, and no more."""
        many, number = described(these, self, before_a_place=True).many(), _NUMBERS[count]
        said = self._said(
            _COUNT,
            exactly=self.bring(f"exactly {number} of the {many}", place),
            those=self.bring("those", place),
            many=many,
            number=number,
            more=_NUMBERS[count + 1],
            there=self.at(place),
        )
        is_of_all = these.model_fields_set == {"name"}
        return said if is_of_all else said + _NO_OTHERS.format(others=noun.many)

    def order(self, told_in: Sequence[Delivery], wanted: Sequence[Delivery]) -> str:
        """Three errands, told in one order and to be done in another."""
        ways = (self._until, self._by_ordinals, self._by_things, self._backwards)
        return self._rng.choice(ways)(told_in, wanted)

    def _until(self, told_in: Sequence[Delivery], wanted: Sequence[Delivery]) -> str:
        """Each with what has to be so before: `..., but not until the lamp is in the yard`."""
        said: set[str] = set()
        before = dict(zip(wanted[1:], wanted, strict=False))
        sentences = []
        for errand in told_in:
            do = self.bring(self._again(errand, said), errand.place)
            if errand in before:
                other = before[errand]
                verb = self.mention(other.reference).verb
                so = f"{self._again(other, said)} {verb} {self.at(other.place)}"
                sentences.append(self._said(_UNTIL, do=do, so=so))
            else:
                sentences.append(f"{_opened(do)}.")
        return " ".join(sentences)

    def _by_ordinals(self, told_in: Sequence[Delivery], wanted: Sequence[Delivery]) -> str:
        first, last = (_ORDINALS[told_in.index(wanted[place])] for place in (0, -1))
        return self._said(_ORDER_BY_ORDINALS, *told_in, first=first, last=last)

    def _by_things(self, told_in: Sequence[Delivery], wanted: Sequence[Delivery]) -> str:
        a, b, c = (self.mention(each.reference).short for each in wanted)
        return self._said(_ORDER_BY_THINGS, *told_in, a=a, b=b, c=c)

    def _backwards(self, told_in: Sequence[Delivery], wanted: Sequence[Delivery]) -> str:
        return self._said(_ORDER_BACKWARDS, *wanted)

    def apart(self, one: Delivery, other: Delivery) -> str:
        """Two things that are never to be in one room."""
        return self._said(_APART, one, other)

    def trip(self, errands: Sequence[Delivery], place: Destination) -> str:
        """Things that go to one room on one trip."""
        things = listing([self.mention(each.reference).full for each in errands])
        return self._said(_TRIP, bring=self.bring(things, place), room=self._to(place))

    def deadline(self, others: Sequence[Delivery], urgent: Delivery, time: str) -> str:
        """Errands, the last of which has to be done within a time."""
        what = self.mention(urgent.reference)
        return self._said(
            _DEADLINE,
            others=", ".join(map(self._do, others)),
            last=self._do(urgent),
            what=what.full,
            it_has=what.it_has,
            there=self.at(urgent.place),
            time=time,
        )

    def _said(self, templates: Sequence[str], *errands: Delivery, **words: str) -> str:
        """One of the templates with its words; errands are `one`, `two` and `three`."""
        named = zip(("one", "two", "three"), map(self._do, errands), strict=False)
        words = {**words, **dict(named)}
        opened = {_opened(name): _opened(text) for name, text in words.items()}
        return self._rng.choice(templates).format(**words, **opened)

    def _again(self, errand: Delivery, said: set[str]) -> str:
        """In full when it is first spoken of, in short after that."""
        mention = self.mention(errand.reference)
        if errand.reference in said:
            return mention.short
        said.add(errand.reference)
        return mention.full


def _opened(words: str) -> str:
    return words[:1].upper() + words[1:]
