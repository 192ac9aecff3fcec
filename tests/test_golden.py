"""Golden transcripts: each is played again, and every word of it must come out the same.

A ruleset's version stands in the header of its transcripts. When rules change, raise the version
and run `pytest tests/test_golden.py --update-golden`; wording may be updated without.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from earsim.actions.outcome import Outcome, Reason
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.rulesets import RULESETS
from tests.golden.transcript import Transcript

FOLDER = Path(__file__).with_name("golden")
FILES = sorted(FOLDER.rglob("*.txt"))
FACTS = FOLDER / "facts.json"
"""The facts of every outcome, by transcript."""

ELSEWHERE = {
    "ear-bench": {
        Reason.NOWHERE,  # only where a recording is replayed that holds a cycle (Q7)
        Reason.TOO_LONG,  # too long for a transcript: tests/rulesets/test_ear_bench_episode.py
    },
    "physical": {  # what the machine decides, and a hundred commands: tests/physical/test_exec.py
        Reason.NO_SANDBOX,
        Reason.NO_INTERPRETER,
        Reason.FOLDER_FULL,
    },
}
"""Reasons that have no transcript, by ruleset."""

SHADOWED = {"ear-bench": {"SCAN"}, "physical": set()}  # EXPLORE's alias takes its place (Q28)
"""Verbs that a ruleset has and nobody can use."""


def read(path: Path) -> Transcript:
    return Transcript.read(path.read_text(encoding="utf-8"), path.name)


def of_ruleset(name: str) -> dict[str, Transcript]:
    found = [(path.stem, read(path)) for path in FILES]
    return {
        stem: transcript
        for stem, transcript in found
        if transcript.header.ruleset.startswith(f"{name}/")
    }


def reasons_of(transcripts: Iterable[Transcript]) -> frozenset[Reason]:
    """Every reason that the rules of these transcripts know."""
    engines = [transcript.header.episode().engine for transcript in transcripts]
    return frozenset().union(*(engine.reasons for engine in engines))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_transcript(path: Path, update_golden: bool):
    transcript = read(path)
    if transcript.header.scene == "workstations.yaml" and reached().level < DEMAND.level:
        pytest.skip("this machine has no sandbox for code")
    current = transcript.header.rules.id
    if update_golden:
        path.write_text(updated(transcript, current).text, encoding="utf-8")
        _write_facts(path, transcript.outcomes())
        return
    assert transcript.header.ruleset == current, "update the transcripts to the new version"
    played, outcomes = transcript.performed()
    assert transcript.text == played.text
    assert _facts_of(outcomes) == json.loads(FACTS.read_text(encoding="utf-8"))[_name(path)]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _facts_of(outcomes: list[Outcome]) -> list[str]:
    """The ids and numbers of each outcome, which agents in structured form and logs are given."""
    return [json.dumps(outcome.facts, sort_keys=True, default=str) for outcome in outcomes]


def _write_facts(path: Path, outcomes: list[Outcome]) -> None:
    known = json.loads(FACTS.read_text(encoding="utf-8")) if FACTS.exists() else {}
    known[_name(path)] = _facts_of(outcomes)
    text = json.dumps(dict(sorted(known.items())), indent=0, ensure_ascii=False)
    FACTS.write_text(f"{text}\n", encoding="utf-8")


def test_facts_are_kept_of_every_transcript_and_of_no_other():
    assert {*json.loads(FACTS.read_text(encoding="utf-8"))} == {_name(path) for path in FILES}


def updated(transcript: Transcript, current: str) -> Transcript:
    """The transcript for the current version; refuses to hide a change of the rules."""
    played = transcript.played()
    if transcript.header.ruleset == current and any(True for _ in transcript.replies()):
        message = "the rules changed: raise the ruleset's version, then update"
        assert transcript.behaviour() == played.behaviour(), message
    head = played.head.replace(f"ruleset: {transcript.header.ruleset}", f"ruleset: {current}")
    return played._replace(head=head)


@pytest.mark.parametrize("ruleset", ELSEWHERE)
def test_every_reason_of_a_ruleset_has_its_transcript(ruleset: str):
    transcripts = of_ruleset(ruleset)
    for reason in reasons_of(transcripts.values()) - ELSEWHERE[ruleset]:
        shown = {reply.reason for _, reply in transcripts[f"refused_{reason.value}"].replies()}
        assert reason.value in shown


@pytest.mark.parametrize("ruleset", ELSEWHERE)
def test_only_reasons_of_the_ruleset_occur(ruleset: str):
    transcripts = of_ruleset(ruleset)
    known = reasons_of(transcripts.values())
    for transcript in transcripts.values():
        assert {reply.reason for _, reply in transcript.replies()} <= {"", *known}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ELSEWHERE)
def test_every_verb_of_a_ruleset_succeeds_somewhere(ruleset: str):
    transcripts = of_ruleset(ruleset).values()
    outcomes = [outcome for transcript in transcripts for outcome in transcript.outcomes()]
    succeeded = {outcome.verb for outcome in outcomes if outcome.accepted}
    engines = [transcript.header.episode().engine for transcript in transcripts]
    assert succeeded == set().union(*(engine.verbs for engine in engines)) - SHADOWED[ruleset]


# -- the transcripts themselves: what is wrong in one must be seen -------------------------------

SAMPLE = """\
# A comment.
scene: kitchen.yaml
ruleset: ear-bench/1
agents: [{id: agent_1, max_mass_kg: 10}, {id: agent_2, max_mass_kg: 10}]
---
> agent_1: EXPLORE
SUCCESS: You search Kitchen and find 19 things.

> agent_1: GOTO cup | agent_2: GRAB cup
agent_1 SUCCESS: You are at Cup.
agent_2 FAILURE not_near_grab: Cup (cup) is out of reach; GOTO it first.
decision FAILURE
= near agent_1: cup, kitchen, rag, scanner, sponge, table
= digest: changed
= verdict: false now, never
"""


def test_the_sample_is_what_the_world_answers():
    assert Transcript.read(SAMPLE).played().text == SAMPLE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SUCCESS: You search", "INVALID wrong_room: You search"),
        ("19 things", "20 things"),
        ("not_near_grab", "undiscovered"),
        ("decision FAILURE\n", "decision INVALID\n"),
        ("decision FAILURE\n", "decision FAILURE, claimed\n"),
        ("decision FAILURE\n", ""),
        ("agent_1 SUCCESS: You are at Cup.\n", ""),
        ("scanner, sponge", "sponge"),
        ("digest: changed", "digest: unchanged"),
        ("false now", "true now"),
        ("> agent_1: EXPLORE", "> agent_1: LOOK"),
    ],
)
def test_a_wrong_line_is_seen(old: str, new: str):
    assert old in SAMPLE
    transcript = Transcript.read(SAMPLE.replace(old, new, 1))
    assert transcript.played().text != transcript.text


def test_wording_may_be_updated_but_not_behaviour():
    current = RULESETS["ear-bench"].id
    wording = Transcript.read(SAMPLE.replace("You search", "You ransack"))
    assert updated(wording, current).text == SAMPLE
    rules = Transcript.read(SAMPLE.replace("not_near_grab", "undiscovered"))
    with pytest.raises(AssertionError, match="raise the ruleset's version"):
        updated(rules, current)
    older = Transcript.read(rules.text.replace("ear-bench/1", "ear-bench/0"))
    assert updated(older, current).text == SAMPLE


def test_commands_without_answers_are_answered():
    answers = ("SUCCESS", "agent_", "decision")
    head, rule, body = SAMPLE.partition("---\n")
    said = [line for line in body.splitlines(keepends=True) if not line.startswith(answers)]
    unanswered = Transcript.read(head + rule + "".join(said))
    assert updated(unanswered, RULESETS["ear-bench"].id).text == SAMPLE
