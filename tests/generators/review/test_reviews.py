"""Decisions on disk, exports, and what is proved of corrections."""

import pytest
from pydantic import ValidationError

from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import places_to_read
from earsim.certificates.validation import check_suite
from earsim.errors import FileError, UnknownName, UsageError
from earsim_generators.review import ReviewFile, find_reviewed_suite
from earsim_generators.review.export import check_target, chosen, write
from tests.generators.review.rig import review, scenarios, suite

SAND, PANE, FROST = scenarios()


def test_decisions_are_added_and_the_last_one_counts(tmp_path):
    file = ReviewFile(tmp_path / "reviews.jsonl")
    file.add(review(SAND, "ada", "reject", note="dull"))
    file.add(review(SAND, "bo"))
    first = file.path.read_bytes()
    file.add(review(SAND, "ada"))
    assert file.path.read_bytes().startswith(first)
    again = ReviewFile(file.path)
    assert again.reviews == file.reviews
    assert [each.decision.value for each in again.of(SAND).values()] == ["accept", "accept"]
    assert again.reviewers == ("ada", "bo")


def test_a_decision_is_about_the_scenario_as_it_was(tmp_path):
    file = ReviewFile(tmp_path / "reviews.jsonl")
    file.add(review(SAND, "ada"))
    task = SAND.task.model_copy(update={"budget": 99})
    assert file.of(SAND.model_copy(update={"task": task})) == {}


def test_a_line_that_was_cut_off_is_forgotten(tmp_path):
    file = ReviewFile(tmp_path / "reviews.jsonl")
    file.add(review(SAND, "ada"))
    whole = file.path.read_bytes()
    file.path.write_bytes(whole + whole[:40])
    again = ReviewFile(file.path)
    assert len(again.reviews) == 1
    again.add(review(SAND, "bo"))
    assert file.path.read_bytes().startswith(whole)
    assert len(ReviewFile(file.path).reviews) == 2


def test_two_who_review_at_once_lose_nothing(tmp_path):
    one, other = (ReviewFile(tmp_path / "reviews.jsonl") for _ in range(2))
    for number in range(5):
        one.add(review(SAND, f"a{number}"))
        other.add(review(SAND, f"b{number}"))
    assert len(ReviewFile(one.path).reviewers) == 10


def test_a_file_of_something_else_is_told(tmp_path):
    path = tmp_path / "reviews.jsonl"
    path.write_text('{"schema": "earsim.review/1", "reviewer": "../up"}\n{}\n')
    with pytest.raises(FileError, match=r"reviews\.jsonl:1.*reviewer"):
        ReviewFile(path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"decision": "correct"},
        {"decision": "accept", "instruction": "Do it."},
        {"decision": "perhaps"},
        {"name": "../up"},
        {"note": "\x1b[2J"},
    ],
)
def test_what_is_no_decision(wrong):
    name = wrong.pop("name", "ada")
    with pytest.raises((ValidationError, ValueError)):
        review(SAND, name, **wrong)


def test_what_is_reviewed_is_found(tmp_path):
    folder = suite(tmp_path / "mine")
    reviewed = find_reviewed_suite(str(folder))
    assert reviewed.folder == folder / "reviews"
    assert reviewed.suite.ids == tuple(each.id for each in scenarios())
    assert all(reviewed.certificate(scenario) for scenario in reviewed.suite)
    assert find_reviewed_suite(str(folder / "suite.jsonl.gz")).folder == folder / "reviews"
    with pytest.raises(UsageError, match="not yours to review"):
        find_reviewed_suite("starter")
    with pytest.raises(UnknownName):
        find_reviewed_suite("nothing")


def exported(reviewed, path):
    found = list(chosen(reviewed))
    assert write(found, path) == sum(each.scenario is not None for each in found)
    made = open_suite(path)
    files = [CertificateFile(place) for place in places_to_read(made, str(path))]
    checked = list(check_suite(made, files))
    assert [each.findings for each in checked] == [()] * len(made)
    assert all(each.certified and not each.stale for each in checked)
    return found, list(made)


def test_what_was_accepted_is_a_suite_of_its_own(tmp_path):
    reviewed = find_reviewed_suite(str(suite(tmp_path / "mine")))
    before = (tmp_path / "mine" / "suite.jsonl.gz").read_bytes()
    for each in (review(SAND, "ada"), review(PANE, "ada", "reject", note="no"), review(SAND, "bo")):
        reviewed.reviews.add(each)
    found, made = exported(reviewed, tmp_path / "accepted.jsonl.gz")
    assert [each.consensus.value for each in found] == ["accepted", "rejected", "open"]
    (scenario,) = made
    assert scenario.hash == SAND.hash
    assert scenario.provenance["review"] == {"decided": {"ada": "accept", "bo": "accept"}}
    assert (tmp_path / "mine" / "suite.jsonl.gz").read_bytes() == before


def test_a_correction_is_proved_anew(tmp_path):
    reviewed = find_reviewed_suite(str(suite(tmp_path / "mine")))
    words = "Carry the {target} over to the {shed}, please."
    reviewed.reviews.add(review(SAND, "ada", "correct", instruction=words))
    _, (scenario,) = exported(reviewed, tmp_path / "accepted.jsonl")
    assert scenario.hash != SAND.hash
    assert scenario.task.instruction == words
    noted = scenario.provenance["review"]["corrected"]
    assert noted["by"] == ["ada"]
    assert noted["was"] == {"instruction": SAND.task.instruction, "hash": SAND.hash}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Bring the {target}, that is sack_b, into the {shed}.", "not proved"),
        ("Bring the heaviest sack.", "does not speak of it"),
        ("Bring the {target} to {mars}.", "mars"),
    ],
)
def test_a_correction_that_proves_nothing_stays_behind(tmp_path, words, told):
    reviewed = find_reviewed_suite(str(suite(tmp_path / "mine")))
    reviewed.reviews.add(review(SAND, "ada", "correct", instruction=words))
    found, made = exported(reviewed, tmp_path / "accepted.jsonl.gz")
    assert made == []
    assert told in found[0].problem


def test_where_an_export_may_go(tmp_path):
    reviewed = find_reviewed_suite(str(suite(tmp_path / "mine")))
    with pytest.raises(UsageError, match="ends in"):
        check_target(reviewed, tmp_path / "accepted.yaml")
    with pytest.raises(UsageError, match="under review"):
        check_target(reviewed, tmp_path / "mine" / "suite.jsonl.gz")
