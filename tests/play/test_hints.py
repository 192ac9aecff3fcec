"""Hints: what is told of the planner's plan, and what the record says of it."""

from dataclasses import replace

import pytest

from earsim.planner import Unknown
from earsim.play import hints
from earsim.play.game import Game
from earsim.play.hints import Hints
from tests.play.conftest import said


def hinted(game: Game) -> str:
    """The line that a hint tells to type."""
    return next(piece.text for piece in game.hear("hint") if piece.kind == "story")


@pytest.mark.parametrize(
    ("task", "told", "first"),
    [
        ("alone", "4 decisions, least: proved", "EXPLORE"),
        # What a colleague finds in the same decision is not known yet: it goes on as it is.
        pytest.param(
            *("pair", "12 decisions, least: not", "eva: EXPLORE | tom: !GOTO desk"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_who_follows_the_hints_wins_in_as_few_decisions_as_was_told(play, task, told, first):
    game = play(task, hints=True)
    assert f"From the start: {told}" in said(game.hear("least"))
    hinted_at = [hinted(game)]
    for _ in range(int(told.split()[0])):
        game.hear(hinted_at[-1])
        hinted_at.append(hinted(game))
    assert hinted_at[0] == first
    assert game.session.episode.success
    for _ in range(2):  # what is carried together is set down before DONE
        game.hear(hinted(game))
        if game.over:
            break
    assert game.over
    assert game.session.episode.success
    decisions = game.session.episode.decisions
    assert game.session.trajectory().memory == {"hints": decisions + 1, "least_asked": 1}


def test_from_here_is_told_apart_from_the_start(play):
    game = play("alone", "explore", "go stove", hints=True)
    told = said(game.hear("least"))
    assert "From the start: 4 decisions, least: proved." in told
    assert "From here: 3 decisions, least: proved." in told
    assert "You have taken 2, and 18 are left." in told


def test_a_hint_costs_no_decision_and_no_second_search_on_the_way(play, monkeypatch):
    game = play("alone", hints=True)
    assert "20,000 states" in said(game.hear("hint"))
    monkeypatch.setattr(hints, "plan", None)
    game.hear("explore")
    assert hinted(game) == "GOTO desk"
    assert hinted(game) == "GOTO desk"
    assert game.session.episode.decisions == 1


def test_the_last_hint_is_to_say_that_it_is_done(play):
    game = play("alone", "explore", "go desk", "take rag", "clean desk", hints=True)
    assert hinted(game) == "DONE"


def test_no_plan_within_the_limit_is_told_as_that(play):
    session = play("pair", "explore").session
    told = said(Hints(session, nodes=1).next_decision())
    assert "No plan was found within the limit of 1 states" in told
    assert session.notes["hints"] == 1


def test_a_plan_that_may_not_be_the_least_is_told_as_that(play, monkeypatch):
    least = hints.plan
    monkeypatch.setattr(
        hints, "plan", lambda *a, **kw: replace(least(*a, **kw), least=False, bound=2)
    )
    game = play("alone", hints=True)
    assert "4 decisions, least: not proved, at least 2 decisions" in said(game.hear("least"))
    game.hear("explore")
    assert "3 decisions, least: not proved, at least 1 decision." in said(game.hear("hint"))


def test_where_nothing_leads_to_the_goal_any_more_the_reason_is_told(play):
    game = play("pair", "tom: done", hints=True)
    told = said(game.hear("hint"))
    assert "There is no plan. Stove (stove) weighs 60 kg" in told
    assert "undo takes decisions back." in told


def test_a_plan_over_the_budget_is_told_as_that(play):
    game = play("alone", *["wait"] * 17, hints=True)
    assert "more than the 3 that are left" in said(game.hear("hint"))


def test_an_interrupt_stops_the_search_and_not_the_game(play, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(hints, "plan", interrupted)
    game = play("alone", hints=True)
    assert "The search was stopped." in said(game.hear("hint"))
    assert not game.over


def test_a_game_without_hints_has_none(play):
    game = play("alone")
    for word in ("hint", "least"):
        assert "no hints in this game" in said(game.hear(word))
        assert word not in game.completions(word[:2])
        assert f"\n{word}  " not in said(game.hear("help"))
    assert game.session.trajectory().memory == {"asked_for_help": 2}


def test_help_says_whose_knowledge_a_hint_is(play):
    game = play("alone", hints=True)
    told = said(game.hear("help")).splitlines()
    for word in ("hint", "least"):
        (line,) = (line for line in told if line.startswith(f"{word}  "))
        assert "evaluators' knowledge" in line
        assert "recorded" in line


def test_the_unknown_may_have_no_bound():
    assert "if there is one" not in hints._not_found(Unknown(limit=5, nodes=5, bound=0))
