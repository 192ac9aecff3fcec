"""References: what stands in a goal for a thing that a free text tells."""

from __future__ import annotations

from typing import Any

from earsim.schema.selector import Filter, Only
from earsim_agents.baselines.free_reading.assignment import FreeErrand
from earsim_agents.baselines.free_reading.mentions import TextMentions, ThingMention
from earsim_agents.baselines.free_reading.picks import ToldPicks
from earsim_agents.baselines.noun_phrases import ReadPhrase
from earsim_agents.baselines.references import References


class ThingReferences:
    """Ids and selectors for the things of one text."""

    def __init__(self, mentions: TextMentions, picks: ToldPicks, references: References) -> None:
        self._mentions, self._picks, self._references = mentions, picks, references
        self._scene = mentions.scene

    def of(self, errand: FreeErrand) -> str:
        """What stands for a thing in the goal."""
        anchor, scene = errand.anchor, self._scene
        noun = anchor.key or "thing"
        if anchor.kind == "use":
            only: Any = Only(only=Filter(provides=anchor.key))
            return self._references.told(ReadPhrase(noun, "", only))
        place = self._place(errand)
        if anchor.kind == "name":
            if len(anchor.nodes) == 1:
                return self._references.told(ReadPhrase(noun, anchor.nodes[0]))
            pick = self._picks.of(anchor)
            if len(errand.nodes) == 1 and place is not None:
                return self._references.told(ReadPhrase(noun, errand.nodes[0]))
            if pick is not None:
                return self._references.told(ReadPhrase(noun, "", pick.selector))
            fields: dict[str, Any] = {"name": self._references.lexicon.shown(anchor.nodes[0])}
            for look in anchor.looks:
                found = next((v for n in anchor.nodes if (v := scene.look(n, look))), None)
                if found is not None:
                    fields["attribute"] = dict([found])
            fields |= {} if place is None else scene.where(place, errand.nodes)
            only = Only(only=Filter.model_validate(fields))
            return self._references.told(ReadPhrase(noun, "", only))
        fields = {} if place is None else dict(scene.where(place, errand.nodes))
        if anchor.kind == "look":
            fields["attribute"] = dict([self._look(anchor, errand)])
        rank = self._picks.among(anchor, errand.nodes, fields)
        only = rank or Only(only=Filter.model_validate(fields))
        return self._references.told(ReadPhrase(noun, "", only))

    def _look(self, anchor: ThingMention, errand: FreeErrand) -> tuple[str, Any]:
        nodes = errand.nodes or anchor.nodes
        found = next((v for n in nodes if (v := self._scene.look(n, anchor.key))), None)
        return found or ("material", anchor.key)

    def _place(self, errand: FreeErrand) -> str | None:
        if errand.source < 0:
            return None
        nodes = self._mentions.places[errand.source].nodes
        held = [p for p in nodes if any(self._scene.is_at(n, p) for n in errand.nodes)]
        return (held or nodes)[0]
