"""How far regular expressions come on the prompt of `examples/tiny`: a baseline for small models.

    python examples/prompt_rules.py direct/test.jsonl.gz --limit 300

Stateless: a command follows from the last user message alone. The prompts are those of `earsim eval
--style compact --prompt tiny-prompt.md`, byte for byte, and the command is read as a reply is.
"""

import argparse
import re
from itertools import islice
from pathlib import Path

from earsim.evaluation.runner import AS_THE_SCENARIO_SAYS
from earsim.evaluation.summary import wilson
from earsim.schema import Scenario
from earsim.suites import open_suite
from earsim_training.external_model import Dialogue
from earsim_training.recipes import recipe_file
from earsim_training.rewarded_episode import RewardedEpisode

PROMPT = recipe_file(Path("tiny-prompt.md"))

TASK = re.compile(
    r"\b(?:put|place|move|take|bring|carry) the (?P<thing>.+?)"
    r"(?: (?:from|that is on|that is in) (?:the )?(?P<source>.+?))?"
    r" (?P<how>into|onto|in|on|to) (?:the )?(?P<goal>(?:(?! to | into | onto ).)+?)"
    r"(?P<close>,? (?:and )?(?:then )?close (?:it|the [^,]+?)(?: again)?)?[.?!]?$",
    re.IGNORECASE,
)
ENTRY = re.compile(
    r"^- (?P<id>\w+)(?: \((?P<name>[^)]*)\))?"
    r"(?::? (?:(?P<how>in|on|held by) (?P<holder>\w+))?(?P<rest>.*))?$",
    re.MULTILINE,
)


def slug(name: str) -> str:
    """A name as ids have it."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")


def stem(node: str) -> str:
    """An id without its number."""
    return re.sub(r"_\d+$", "", node)


def line(prompt: str, head: str) -> str:
    """What stands after a head; empty where there is no such line."""
    found = re.search(rf"^{head}: (.*)$", prompt, re.MULTILINE)
    return found[1] if found else ""


class Page:
    """A prompt, read."""

    def __init__(self, prompt: str) -> None:
        self.here = line(prompt, "Here")
        self.entries = {each["id"]: each for each in ENTRY.finditer(prompt)}
        self.closed = re.findall(r"(\w+) (?:here|in \w+|on \w+[^,]*)", line(prompt, "Closed"))
        self.unsearched = line(prompt, "Not searched").split(", ")
        own = re.search(r"^Agent \w+(?: at (\w+))?:", prompt, re.MULTILINE)
        self.at = own[1] if own else None
        held = re.search(r"^Agent .*holding ([\w, ]+)$", prompt, re.MULTILINE)
        self.held = held[1].split(", ") if held else []
        self.task = TASK.search(line(prompt, "Task"))
        self.rooms = {self.here, *(word for w in self.unsearched for word in w.split()[:1])}
        self.rooms |= {*line(prompt, "Searched").split(", ")} - {""}
        self.prompt = prompt

    def room_of(self, node: str) -> str:
        """Where it is, as far as its line tells."""
        entry = self.entries.get(node)
        if entry is None:
            return self.here
        text = entry[0].partition(": ")[0]
        if " here" in text or node in self.held:
            return self.here
        found = re.search(r" in (\w+)$", text.partition(" behind ")[0])
        return found[1] if found else self.here

    def named(self, name: str, *, among: str = "") -> list[str]:
        """The things that a name may mean; `among` is where they are, or were at first."""
        found = [node for node in self.entries if stem(node) == slug(name)]
        for part in filter(None, re.split(r" (?:in|on) (?:the )?", among)):
            place = re.compile(rf"\b{self.room(part) or slug(part)}(_\d+)?\b")
            found = [node for node in found if place.search(self.first_line(node))]
        return found

    def first_line(self, node: str) -> str:
        """Where it was at first, or else is, with `here` spelled out."""
        text = self.entries[node][0]
        first = re.search(r"at first (.*)$", text)
        return first[1] if first else re.sub(r"\bhere\b", f"in {self.here}", text)

    def room(self, name: str) -> str | None:
        """The room of a name."""
        names = {slug(entry["name"]): node for node, entry in self.entries.items() if entry["name"]}
        node = names.get(slug(name), slug(name))
        return node if node in self.rooms else None


def command(prompt: str) -> str:
    """What to do next."""
    page = Page(prompt)
    if page.task is None:
        return look_around(page)
    return pursue(page, page.task) or look_around(page)


def pursue(page: Page, task: re.Match[str]) -> str | None:
    """The next command towards the goal; None where what it speaks of is not known yet."""
    things = page.named(task["thing"], among=task["source"] or "")
    thing = next((each for each in things if each in page.held), next(iter(things), None))
    if thing is None:
        return None
    room = page.room(task["goal"])
    if room is not None:
        return bring(page, thing, room)
    name, where = [*re.split(r" (?:in|on) (?:the )?", task["goal"], maxsplit=1), ""][:2]
    how = {"into": "in", "onto": "on"}.get(task["how"], task["how"])
    for dest in page.named(name, among=where)[:1]:
        for each in things:
            if re.match(rf"- {each} {how} {dest}\b", page.entries[each][0]):  # it is there
                must_close = task["close"] and dest not in page.closed
                return (approach(page, dest) or f"CLOSE {dest}") if must_close else "DONE"
        return put(page, thing, how, dest)
    return None


def bring(page: Page, thing: str, room: str) -> str:
    """Towards having it in a room."""
    if thing not in page.held:
        return "DONE" if page.room_of(thing) == room else fetch(page, thing)
    return "DONE" if page.here == room else walk(page, room)


def put(page: Page, thing: str, how: str, dest: str) -> str:
    """Towards having it in or on something."""
    if thing not in page.held:
        return fetch(page, thing)
    shut = how == "in" and dest in page.closed
    place = f"OPEN {dest}" if shut else f"PLACE {thing} {how} {dest}"
    return approach(page, dest) or place


def fetch(page: Page, thing: str) -> str:
    """Towards having it in hand."""
    entry = page.entries[thing]
    around = entry["holder"] if entry["how"] in ("in", "on") else None
    place = around if around and around not in page.rooms else thing
    shut = place in page.closed and entry["how"] == "in"
    take = f"OPEN {place}" if shut else f"GRAB {thing}"
    return approach(page, place, page.room_of(thing)) or take


def approach(page: Page, node: str, room: str | None = None) -> str | None:
    """Towards standing at it; None where one does."""
    room = room or page.room_of(node)
    if room != page.here:
        return walk(page, room)
    return None if page.at == node else f"GOTO {node}"


def walk(page: Page, room: str) -> str:
    """Towards a room: to a door that is in the way, and through it."""
    shut = re.search(rf"\b{room}\b[^,\n]*? behind (\w+) (here|in (\w+))", page.prompt)
    if shut is None:
        return f"GOTO {room}"
    door, side = shut[1], shut[3]
    if side and side != page.here:
        return f"GOTO {side}"
    return f"OPEN {door}" if page.at == door else f"GOTO {door}"


def look_around(page: Page) -> str:
    """Search the rooms, then what is closed."""
    rooms = [each.split()[0] for each in page.unsearched if each]
    if page.here in rooms:
        return "EXPLORE"
    if rooms:
        free = [each.split()[0] for each in page.unsearched if " behind " not in each]
        return walk(page, (free or rooms)[0])
    for shut in page.closed:
        where = re.search(rf"\b{shut} (?:here|(?:on \w+ )?in (\w+))", line(page.prompt, "Closed"))
        room = (where and where[1]) or page.here
        return approach(page, shut, room) or f"OPEN {shut}"
    return "DONE"


def won(scenario: Scenario) -> bool:
    """Whether the rules solve it within its budget."""
    play = RewardedEpisode(scenario, AS_THE_SCENARIO_SAYS, turns=None)
    dialogue = Dialogue(play, style="compact", prompt=str(PROMPT))
    while dialogue.messages:
        dialogue.answer(f"Action: {command(dialogue.messages[-1]['content'])}")
    return play.episode.engine.task.goal.holds(play.episode.world)


def main() -> None:
    """Play suites, and say how often it wins."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suites", nargs="+", help="a name, a folder or a packed file")
    parser.add_argument("--limit", type=int, help="only the first so many scenarios of each")
    parser.add_argument("--show", action="store_true", help="tell which are lost")
    flags = parser.parse_args()
    for name in flags.suites:
        suite = open_suite(name)
        results = {id: won(suite.load(id)) for id in islice(suite.ids, flags.limit)}
        wins, trials = sum(results.values()), len(results)
        low, high = wilson(wins, trials)
        print(f"{name}: {wins} of {trials}, {wins / trials:.0%} ({low:.0%}-{high:.0%})")
        if flags.show:
            print(*(f"  lost: {id}" for id, win in results.items() if not win), sep="\n")


if __name__ == "__main__":
    main()
