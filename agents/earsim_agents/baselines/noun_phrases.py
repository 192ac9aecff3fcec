"""Noun phrases: from `the second heaviest of the red cans in the yard` to what it picks.

Regular expressions and the words of what has been perceived, no grammar of any generator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from earsim.schema.selector import Comparison, Filter, Largest, Only, Rank, RankBy, Smallest
from earsim_agents.baselines.descriptions import look, lying, thing, unseen, use
from earsim_agents.baselines.lexicon import Lexicon, degree_of
from earsim_agents.baselines.traits import PhraseTrait, Traits, price_of_plain

_ORDINALS = {
    word: k
    for k, word in enumerate(
        ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"), 2
    )
}
_WHICHEVER = re.compile(
    r"whichever of (?:all )?the (?P<what>.+?) (?P<said>(?:has|have|holds?|is) .+)"
)
_ONE_OF = re.compile(r"the one (?P<said>(?:with|that|whose) .+?) of (?:all )?the (?P<what>.+)")
_OF_THE = re.compile(r"the (?P<before>[\w' -]+?) of (?:all )?the (?P<what>.+)")
_WITH = re.compile(
    r"(?P<what>.+?) (?P<said>(?:with|that has|that have|that holds?) the (?P<rest>.+))"
)
_WHOSE_IS = re.compile(r"(?P<what>.+) whose (?P<number>[\w' -]+?) (?:is|are) the (?P<said>.+)")
_DETERMINER = re.compile(r"^(?:the only|the one|the|that|those|an?) ")
_NEXT = re.compile(r" (?=that |whose |and |in the |on the |at the |from |outside |not in |with )")
"""Where another modifier begins."""


class ReadPhrase(NamedTuple):
    """What a phrase means.

    Attributes:
        noun: for later mentions.
        node: the id, where the phrase is a name.
        selector: what picks it otherwise.
    """

    noun: str
    node: str = ""
    selector: Any = None


class Unreadable(Exception):
    """A phrase has no reading among what has been perceived."""


class NounPhrases:
    """Reads the phrases of one instruction, in its order.

    Attributes:
        said: what was spoken of, newest last.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._traits = Traits(lexicon)
        self.said: list[ReadPhrase] = []

    def read(self, phrase: str, *, is_fit: Callable[[str], bool] = lambda node: True) -> ReadPhrase:
        """What a phrase means.

        Args:
            phrase: in lower case.
            is_fit: what the thing must be, such as a container.

        Raises:
            Unreadable: It means nothing that has been perceived.
        """
        phrase = phrase.strip(" ,.")
        if phrase in ("it", "them") and self.said:
            return self.said[-1]
        again = self._mentioned(phrase)
        if again is not None:
            return again
        if use(phrase, self.lexicon) is not None or lying(phrase) is not None:
            return self._described(phrase)
        for way in (self._ranked, self._only, self._named):
            found = way(phrase)
            if found is not None and (not found.node or is_fit(found.node)):
                return found
        raise Unreadable(phrase)

    def _mentioned(self, phrase: str) -> ReadPhrase | None:
        """Of `that can`: what was spoken of before."""
        noun = _DETERMINER.sub("", phrase)
        if phrase == noun or phrase.startswith(("the only", "the one", "a ", "an ")):
            return None
        return next((each for each in reversed(self.said) if each.noun == noun), None)

    def things(self, said: str) -> Filter | None:
        """What things in the plural have in common; None where none has been perceived."""
        found = self._filter(said)
        return None if found is None else found[1]

    def ranked(self, said: str, what: str) -> ReadPhrase:
        """What `smallest diameter` picks of things.

        Raises:
            Unreadable: No such thing has been perceived.
        """
        found = self._rank(said, what)
        if found is None:
            raise Unreadable(what)
        return found

    def _described(self, phrase: str) -> ReadPhrase:
        """A thing by what it is for, or by what it alone lies on."""
        ability, where = use(phrase, self.lexicon), lying(phrase)
        if ability is not None:
            return ReadPhrase(phrase, "", Only(only=Filter(provides=ability)))
        spot = None if where is None else self._where(where, [])
        if spot is None or "inside_room" in spot.fields:
            raise Unreadable(phrase)
        return ReadPhrase(phrase, "", Only(only=Filter.model_validate(spot.fields)))

    # -- names -------------------------------------------------------------------------------------

    def _named(self, phrase: str) -> ReadPhrase | None:
        body = _DETERMINER.sub("", phrase)
        noun, nodes, modifiers = self._parts(body)
        if body == noun and len(nodes) == 1:
            return ReadPhrase(noun, nodes[0])
        if body.startswith(noun):
            places = [self._place(each) for each in self._split(modifiers)]
            kept = [n for n in nodes if all(place is not None and place(n) for place in places)]
            if len(kept) == 1:
                return ReadPhrase(noun, kept[0])
        among = self._filter(body)
        return None if among is None else ReadPhrase(noun, "", Only(only=among[1]))

    # -- choices -----------------------------------------------------------------------------------

    def _only(self, phrase: str) -> ReadPhrase | None:
        if not phrase.startswith(("the only ", "the one ")):
            return None
        found = self._filter(_DETERMINER.sub("", phrase))
        return None if found is None else ReadPhrase(found[0], "", Only(only=found[1]))

    def _ranked(self, phrase: str) -> ReadPhrase | None:
        for pattern in (_WHICHEVER, _ONE_OF, _OF_THE):
            match = pattern.fullmatch(phrase)
            if match is not None:
                said = match.groupdict().get("said") or match["before"]
                found = self._rank(said, match["what"])
                if found is not None:
                    return found
        body = _DETERMINER.sub("", phrase)
        match = _WHOSE_IS.fullmatch(body)
        if match is not None:
            return self._rank(f"{match['said']} {match['number']}", match["what"])
        words = body.split()
        for cut in range(1, min(4, len(words))):  # the second most expensive can
            if degree_of(words[cut - 1]) is not None or words[cut - 1] in ("expensive", "valuable"):
                if words[cut : cut + 1] in (["expensive"], ["valuable"]):
                    continue
                found = self._rank(" ".join(words[:cut]), " ".join(words[cut:]))
                if found is not None:
                    return found
        match = _WITH.fullmatch(body)
        return None if match is None else self._rank(match["said"], match["what"])

    def _rank(self, said: str, what: str) -> ReadPhrase | None:
        """What `with the second lowest charge` picks of the things."""
        found = self._filter(what)
        if found is None:
            return None
        noun, among, nodes = found
        words = re.sub(r"^(?:with|that|whose|has|have|holds?|is|are)\b", "", said).split()
        words = [word for word in words if word not in ("the", "number", "of", "has", "have")]
        k = 1
        if words and words[0] in _ORDINALS:
            k = _ORDINALS[words.pop(0)]
        if not words:
            return None
        degree = degree_of(words[0])
        if degree is None and said.startswith(("holds", "that hold", "hold")):
            degree = degree_of(words[-1])
        if degree is None:
            return None
        rest, numbers = words[1:], degree.numbers
        if rest[:1] in (["expensive"], ["valuable"]):
            numbers = (price_of_plain(rest.pop(0)),)
        of = self._traits.of(" ".join(rest), nodes, numbers, said)
        if of is None:
            return None
        selector: Any
        if k > 1:
            rank = RankBy(of=of, k=k, order="largest" if degree.more else "smallest")
            selector = Rank(rank=rank, among=among)
        elif degree.more:
            selector = Largest(largest=of, among=among)
        else:
            selector = Smallest(smallest=of, among=among)
        return ReadPhrase(noun, "", selector)

    # -- filters -----------------------------------------------------------------------------------

    def _filter(self, body: str) -> tuple[str, Filter, list[str]] | None:
        """Noun, filter and perceived candidates of `red cans in the yard that are not sealed`."""
        noun, nodes, modifiers = self._parts(body)
        if not nodes:
            return None
        before = body[: body.find(noun)].split() if noun in body else []
        names = {self.lexicon.names[node] for node in nodes}
        fields: dict[str, Any] = {}
        bare = thing(body)
        if bare is not None:
            before = []
            if bare[0]:
                fields["attribute"] = dict([look(bare[0], nodes, self.lexicon)])
        elif len(names) == 1:
            fields["name"] = self.lexicon.shown(nodes[0])
        traits: list[PhraseTrait | None] = [self._traits.adjective(word, nodes) for word in before]
        for each in self._split(modifiers):
            trait = self._modifier(each, nodes)
            if trait is None and bare is not None and (told := unseen(each)):
                trait = PhraseTrait({"attribute": told})
            traits.append(trait)
        for trait in traits:
            if trait is None:
                return None
            own = {"not": trait.fields} if trait.is_denied else trait.fields
            for key, value in own.items():
                old = fields.get(key)
                fields[key] = {**old, **value} if isinstance(old, dict) else value
        return noun, Filter.model_validate(fields), nodes

    def _parts(self, body: str) -> tuple[str, list[str], str]:
        """The noun of a phrase, what it may name, and what stands behind it."""
        bare = thing(body)
        if bare is not None and not self.lexicon.called(bare[1]):
            return bare[1], self.lexicon.loose, bare[2]
        words = body.split()
        best: tuple[int, int, list[str]] | None = None
        for first in range(min(4, len(words))):
            for last in range(min(len(words), first + 7), first, -1):
                nodes = self.lexicon.called(" ".join(words[first:last]))
                if nodes and (best is None or last - first > best[1] - best[0]):
                    best = first, last, nodes
                    break
            if best is not None:
                break
        if best is None:
            return "", [], ""
        first, last, nodes = best
        rest = " ".join(words[last:])
        return " ".join(words[first:last]), nodes, f" {rest}" if rest else ""

    def _split(self, modifiers: str) -> Iterator[str]:
        """The modifiers behind a noun, one by one."""
        if not modifiers.strip():
            return
        found = [match.start() for match in _NEXT.finditer(modifiers)]
        starts = [0, *(at for at in found if at > 0 and not _is_within(modifiers, at))]
        ends = [*starts[1:], len(modifiers)]
        parts = [modifiers[a:b].strip() for a, b in zip(starts, ends, strict=True)]
        while parts:
            part = parts.pop(0)
            if parts and self._is_name(f"{part} {parts[0]}"):  # on the table in the hall
                part = f"{part} {parts.pop(0)}"
            yield part

    def _is_name(self, said: str) -> bool:
        """Whether a place is a thing at a place, by its name."""
        match = re.match(r"(?:that (?:is|are) )?(?:on|in|from) (the .+ (?:in|on|at) .+)", said)
        if match is None:
            return False
        _, nodes, modifiers = self._parts(_DETERMINER.sub("", match[1]))
        place = self._place(modifiers.strip())
        return place is not None and len([n for n in nodes if place(n)]) == 1

    def _modifier(self, said: str, nodes: list[str]) -> PhraseTrait | None:
        said = re.sub(r"^and ", "", said)
        is_whose = said.startswith("whose ")
        said = re.sub(r"^(?:that|whose) ", "", said)
        if is_whose or re.match(r"[\w' -]+ (?:is|has been|has not been) ", said):
            trait = self._traits.whose(said, nodes)
            if trait is not None:
                return trait
        denied = re.match(r"(?:is|are|has|can|have)?\s*(?:not|no|cannot)\b\s*", said)
        is_denied = bool(denied) and not said.startswith("cannot")
        said = re.sub(r"^(?:is|are) ", "", said[denied.end() :] if denied and is_denied else said)
        for way in (
            self._where,
            self._compared,
            self._traits.bounded,
            self._traits.able,
            self._traits.state,
        ):
            trait = way(said, nodes)
            if trait is not None:
                return trait._replace(is_denied=trait.is_denied != is_denied)
        return None

    def _where(self, said: str, nodes: list[str]) -> PhraseTrait | None:
        match = re.match(r"(in|on|at|from|inside|outside) (.+)", said)
        if match is None:
            return None
        way, name = match[1], re.sub(r"^the ", "", match[2])
        room = self.lexicon.room(name)
        if room is not None:
            return PhraseTrait({"inside_room": room}, is_denied=way == "outside")
        try:
            holder = self.read(match[2])
        except Unreadable:
            return None
        key = "on" if way == "on" else "in"
        return PhraseTrait({key: holder.node}) if holder.node else None

    def _compared(self, said: str, nodes: list[str]) -> PhraseTrait | None:
        match = re.match(r"(?:(?:has|have|holds?) )?(?:an? )?(.+?) than (?:that of )?(.+)", said)
        if match is None:
            return None
        words = match[1].split()
        degree = degree_of(words[0])
        if degree is None:
            return None
        try:
            other = self.read(match[2])
        except Unreadable:
            return None
        rest, numbers = words[1:], degree.numbers
        if rest[:1] in (["expensive"], ["valuable"]):
            numbers = (price_of_plain(rest.pop(0)),)
        of = self._traits.of(" ".join(rest), nodes, numbers, said)
        if of is None or not other.node:
            return None
        key = "more_than" if degree.more else "less_than"
        return PhraseTrait({key: Comparison(of=of, object=other.node).model_dump()})

    def _place(self, said: str) -> Callable[[str], bool] | None:
        """Whether a thing is where a modifier says; None for another modifier."""
        said = re.sub(r"^that (?:is|are) ", "", said)
        trait = self._where(said, [])
        if trait is None:
            return None
        room = trait.fields.get("inside_room")
        holder = trait.fields.get("in") or trait.fields.get("on")
        lexicon = self.lexicon

        def is_there(node: str) -> bool:
            found = lexicon.room_of(node) == room if room else lexicon.holder_of(node) == holder
            return found != trait.is_denied

        return is_there


def _is_within(text: str, place: int) -> bool:
    """Whether a blank stands inside a modifier: `between 2 and 3`, `that is in the yard`."""
    before = text[:place]
    if re.search(r"(?:that|whose [\w' -]+) (?:is|are)(?: not)?$", before):
        return True
    if re.search(r"between [\d.,]+(?: \S+)?$", before):
        return True
    return re.search(r"(?: and| or)$", before) is not None or before.endswith((" than", " of"))
