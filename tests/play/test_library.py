"""A library in a game: what people type at it, and what they get for it."""

import pytest

from earsim.play.game import Game
from earsim.play.session import Session
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites.finding import find_scenario
from tests.play.conftest import said


@pytest.fixture
def game() -> Game:
    found = Game(Session(find_scenario("reading_room/length_of_a_genome"), EpisodeSettings()))
    for line in ("explore", "go catalogue", "turn on catalogue"):
        found.hear(line)
    return found


def last(game: Game) -> str:
    return game.session.steps[-1].commands["ada"]


def test_help_tells_the_operations_as_they_are_typed(game: Game):
    told = said(game.hear("help run"))
    assert "  search query=words_joined_by_underscores; texts by their words" in told
    assert "  visit text=id_that_a_search_shows page=1; a page of a text" in told


def test_words_of_a_query_need_no_underscores(game: Game):
    game.hear("run library terminal search query = length of the coli chromosome")
    assert last(game) == "RUN catalogue search query=length_of_the_coli_chromosome"
    game.hear("wait until catalogue done")
    assert "| 1. coli_genome: " in said(game.hear("read catalogue"))


def test_a_value_without_its_name_costs_nothing(game: Game):
    before = len(game.session.steps)
    assert "name=value" in said(game.hear("run catalogue visit coli_genome"))
    assert len(game.session.steps) == before


def test_a_text_that_is_not_there_is_told_in_words(game: Game):
    told = said(game.hear("run catalogue visit text=coli"))
    assert "text takes a text id that a search shows, not 'coli'" in told
