"""Whole games typed line by line: turns, requests, undo, and what is recorded."""

import pytest

from earsim.evaluation.replay import verify
from earsim.play.game import Game
from earsim.play.said import TextKind
from earsim.play.session import Session
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites.finding import find_scenario
from tests.play.conftest import said


def commands(game: Game) -> list[dict[str, str]]:
    return [dict(step.commands) for step in game.session.steps]


def fresh(scenario: str, **options) -> Game:
    return Game(Session(find_scenario(scenario), EpisodeSettings()), **options)


def verified(game: Game):
    trajectory = game.session.trajectory()
    verify(trajectory, game.session.episode.engine.scenario, source="game")
    return trajectory


WIN = ("explore", "go desk", "take rag", "clean desk")


def test_alone_to_the_end(play):
    game = play("alone", *WIN)
    told = game.hear("done")
    assert told[-1].kind is TextKind.WON
    assert game.over
    trajectory = verified(game)
    assert trajectory.policy == "human"
    assert trajectory.result is not None
    assert (trajectory.result.success_final, trajectory.result.termination) == (True, "done")
    assert trajectory.memory == {}


def test_giving_up_and_running_out(play):
    assert play("alone").hear("DONE")[-1].kind is TextKind.LOST
    game = play("alone", *["wait"] * 19)
    told = game.hear("wait")
    assert game.over
    assert "The budget is used up." in said(told)


def test_the_understood_command_is_shown_where_it_differs(play):
    game = play("alone")
    assert "= " not in said(game.hear("explore"))
    assert "= GOTO desk" in said(game.hear("go to desk"))


def test_a_refusal_costs_a_decision_and_why_advises(play):
    game = play("alone", "explore")
    told = game.hear("take stove")
    assert told[-2].kind is TextKind.REFUSED
    why = said(game.hear("why"))
    assert "GOTO stove" in why
    assert len(commands(game)) == 2
    assert "Nothing was refused" in said([*game.hear("wait"), *game.hear("why")])


def test_undo_leaves_only_what_led_here(play):
    game = play("alone", "explore", "wait", "go stove")
    told = game.hear("undo 2")
    assert "Taken back: WAIT; GOTO stove" in said(told)
    for line in WIN[1:]:
        game.hear(line)
    assert commands(game) == [
        {"eva": text} for text in ("EXPLORE", "GOTO desk", "GRAB rag", "CLEAN desk")
    ]
    trajectory = verified(game)
    assert trajectory.memory == {"undone": 2}


@pytest.mark.parametrize(
    ("line", "told"),
    [("undo", "nothing to take back"), ("undo x", "takes a number"), ("undo 0", "nothing")],
)
def test_undo_with_nothing_to_take_back(play, line, told):
    assert told in said(play("alone").hear(line))


def test_it_is_what_was_named_last(play):
    game = play("alone", "explore", "go desk", "take rag", "release it")
    assert commands(game)[-1] == {"eva": "RELEASE rag"}


def test_it_may_be_the_place(play):
    game = play("alone", "explore", "go desk", "take rag", "open drawer", "put rag in it")
    assert commands(game)[-1] == {"eva": "PLACE rag in drawer"}
    game.hear("take it")
    assert commands(game)[-1] == {"eva": "GRAB rag"}


def test_it_is_nothing_before_anything_was_named(play):
    game = play("alone", "explore")
    assert game.hear("take it")[-1].kind is TextKind.DOUBT
    assert len(commands(game)) == 1


def test_redo_takes_again_what_was_taken_back(play):
    game = play("alone", "explore", "wait", "go stove", "undo 2")
    assert "Taken again: WAIT" in said(game.hear("redo"))
    assert "Taken again: GOTO stove" in said(game.hear("redo 9"))
    assert [list(step.values()) for step in commands(game)] == [
        ["EXPLORE"],
        ["WAIT"],
        ["GOTO stove"],
    ]
    assert "nothing to take again" in said(game.hear("redo"))
    assert "takes a number" in said(game.hear("redo x"))
    verified(game)


def test_a_new_decision_makes_an_end_of_what_was_taken_back(play):
    game = play("alone", "explore", "wait", "undo", "go desk")
    assert "nothing to take again" in said(game.hear("redo"))


def test_redo_ends_an_episode_as_the_decision_did(play):
    game = play("alone", *WIN, "undo", "redo")
    assert [step["eva"] for step in commands(game)][-1] == "CLEAN desk"
    assert game.hear("done")[-1].kind is TextKind.WON


@pytest.mark.parametrize("word", ["i", "inventory", "inv"])
def test_inventory(play, word):
    game = play("alone", *WIN[:3])
    told = game.hear(word)
    assert "rag" in said(told).casefold()
    assert len(commands(game)) == 3


def test_undo_takes_back_at_most_all(play):
    game = play("alone", "explore", "wait")
    game.hear("undo 99999999999999999999")
    assert commands(game) == []


def test_requests_change_nothing(play):
    game = play("alone", "explore")
    for line in (
        "look",
        "look desk",
        "look hall",
        "look all",
        "help",
        "help grab",
        "help undo",
        "help zzz",
    ):
        assert game.hear(line)
    for line in ("map", "why", "history", "goal", "x hatch", "look zebra", "?", "as eva", ""):
        game.hear(line)
    assert commands(game) == [{"eva": "EXPLORE"}]
    assert game.session.trajectory().memory == {"asked_for_help": 5}


def test_history_tells_refusals(play):
    told = said(play("alone", "explore", "take rag").hear("history"))
    assert "1  EXPLORE" in told
    assert "2  GRAB rag   refused: not_near" in told


def test_the_goal_is_told_only_to_who_asked_for_it(play):
    hidden, shown = play("alone", *WIN[:3]), play("alone", *WIN[:3], show_goal=True)
    assert "--show-goal" in said(hidden.hear("goal"))
    assert "[ ] Desk (desk)" in said(shown.hear("goal"))
    assert "Goal met" not in said(hidden.hear("clean desk"))
    assert "Goal met" in said(shown.hear("clean desk"))


def test_a_command_as_it_is(play):
    game = play("alone", "!GRAB zebra")
    assert commands(game) == [{"eva": "GRAB zebra"}]


# -- a team ------------------------------------------------------------------------------------


def test_everybody_is_asked_in_turn(play):
    game = play("pair")
    assert "Eva" in game.prompt()
    game.hear("explore")
    assert "Tom Bo" in game.prompt()
    assert commands(game) == []
    game.hear("")
    assert commands(game) == [{"eva": "EXPLORE"}]
    assert "Eva" in game.prompt()


def test_nobody_doing_anything_is_no_decision(play):
    game = play("pair", "")
    assert game.hear("")[-1].kind is TextKind.DOUBT
    assert commands(game) == []


def test_one_line_for_all(play):
    game = play("pair", "tom: explore | eva: wait", "all: go desk", "eva: take rag")
    assert commands(game) == [
        {"tom": "EXPLORE", "eva": "WAIT"},
        {"eva": "GOTO desk", "tom": "GOTO desk"},
        {"eva": "GRAB rag"},
    ]


def test_a_doubt_about_one_stops_all(play):
    game = play("pair")
    assert "Tom Bo: " in said(game.hear("eva: explore | tom: fly"))
    assert commands(game) == []


def test_a_given_command_is_kept_or_taken_back(play):
    game = play("pair", "explore", "tom: wait")
    assert commands(game) == [{"eva": "EXPLORE", "tom": "WAIT"}]
    game.hear("wait")
    game.hear("undo")
    assert "Eva" in game.prompt()
    assert len(commands(game)) == 1


def test_one_line_gives_a_command_to_several(play):
    game = play("pair", "all: explore", "all: go stove", "tom bo, eva: corp grab stove")
    assert commands(game)[-1] == {"eva": "CORP_GRAB stove", "tom": "CORP_GRAB stove"}
    assert "carried together" in said(game.hear("look"))


def test_as_one_agent(play):
    game = play("pair")
    game.hear("as tom bo")
    game.hear("explore")
    assert commands(game) == [{"tom": "EXPLORE"}]
    assert "no agent" in said(game.hear("as zoe"))
    game.hear("as all")
    game.hear("explore")
    assert len(commands(game)) == 1


def test_who_is_done_is_not_asked_any_more(play):
    game = play("pair", "eva: done")
    assert "Tom Bo" in game.prompt()
    assert "DONE" in said(game.hear("as eva"))
    game.hear("explore")
    assert commands(game)[-1] == {"tom": "EXPLORE"}
    assert game.hear("done")[-1].kind is TextKind.LOST


def test_history_of_a_team_tells_who_acted(play):
    game = play("pair", "eva: wait", "all: explore", "eva: take stove | tom: wait")
    told = said(game.hear("history"))
    assert "1  eva: WAIT" in told
    assert "3  eva: GRAB stove | tom: WAIT   refused: not_near (eva)" in told


def test_a_team_wins(play):
    lines = (
        "all: explore", "eva: go drawer", "eva: open drawer", "eva: take brass key",
        "eva: go hatch",
        "eva: unlock hatch", "eva: open hatch", "eva: drop brass key | tom: go desk",
        "tom: take rag",
        "tom: clean desk", "tom: drop rag", "all: go stove", "eva,tom: corp grab stove",
        "all: corp goto cellar", "all: corp place stove in cellar",
    )  # fmt: skip
    game = play("pair", *lines)
    assert game.hear("all: done")[-1].kind is TextKind.WON
    assert verified(game).result.success_final


# -- what is told ------------------------------------------------------------------------------


def test_the_opening_tells_task_limits_and_place(play):
    told = said(play("pair").opening())
    for part in (
        "Carry the stove down and clean the desk.",
        "40 kg",
        "Hall",
        "40 decisions",
        "all: EXPLORE",
    ):
        assert part in told


def test_what_a_colleague_knows_is_told_of(play):
    told = said(play("pair", "tom: explore").hear("look"))
    assert "Stove (stove)" in told


def test_look_marks_what_is_in_reach(play):
    told = said(play("alone", "explore", "go desk").hear("look"))
    assert "* on it: Rag (rag): good to clean, color blue" in told
    assert "- Stove (stove): 60 kg" in told
    assert "[red]Hatch[/red] (hatch), locked" in told


def test_the_map_shows_rooms_people_and_doors(play):
    told = said(play("alone", "explore").hear("map"))
    for part in ("Hall", "Cellar", "(Eva)", "6 things", "#"):
        assert part in told
    assert "#" in said(play("alone").hear("map")).partition("Ways:")[0], "its door is seen at once"


def test_leaving_is_recorded(play):
    game = play("alone", "explore")
    game.hear("quit")
    assert game.over
    assert verified(game).result.termination == "quit"


# -- completion --------------------------------------------------------------------------------


def test_completion_offers_what_makes_sense_here(play):
    game = play("alone", "explore", "go desk")
    assert "GRAB" in game.completions("g")
    assert set(game.completions("GRAB ")) == {*("desk", "drawer", "toy_key", "rag", "key_on_card")}
    assert game.completions("grab r") == ["rag"]
    assert game.completions("look dra") == ["drawer"]
    assert game.completions("unlock hat") == ["hatch"]
    assert "UNLOCK" in game.completions("help un")


def test_completion_in_a_team(play):
    game = play("pair", "all: explore", "tom: go desk")
    assert game.completions("to") == ["tom:"]
    assert "rag" in game.completions("eva: WAIT | tom: GRAB ")
    assert "hatch" not in game.completions("tom: GRAB ")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("take t", ["toy_key", "Tin key"]),
        ("take tin", ["Tin key"]),
        ("take tin k", ["key"]),
        ("take the tin k", ["key"]),
        ("look at key", ["key_on_card", "Key on a card"]),
        ("look key o", ["on a card"]),
        ("pick u", ["up"]),
        ("pick up tin ", ["key"]),
        ("TAKE   TIN   K", ["key"]),
    ],
)
def test_completion_by_name(play, line, offered):
    game = play("alone", "explore", "go desk")
    assert game.completions(line) == offered


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("put rag ", ["in", "on"]),
        ("put rag o", ["on"]),
        ("put the rag in ", ["drawer", "hall"]),
        ("PLACE rag in dr", ["drawer"]),
        ("put rag in the dr", ["drawer"]),
        ("put rag onto d", ["desk", "drawer"]),
        ("put toy_key ", ["in", "into", "inside", "on", "onto"]),
        ("put key on c", ["cellar"]),
    ],
)
def test_completion_of_prepositions_and_places(play, line, offered):
    game = play("alone", "explore", "go desk", "open drawer", "take rag")
    assert game.completions(line) == offered


def test_what_is_completed_by_name_is_understood(play):
    game = play("alone", "explore", "go desk")
    (rest,) = game.completions("take tin k")
    game.hear(f"take tin {rest}")
    assert commands(game)[-1] == {"eva": "GRAB toy_key"}


@pytest.mark.slow
@pytest.mark.parametrize("task", ["alone", "pair"])
def test_completion_offers_nothing_that_nobody_has_perceived(play, task):
    game = play(task)
    for heard in ("", "explore", "explore", "go desk", "go desk", "open drawer", "wait"):
        if heard:
            game.hear(heard)
        world = game.session.episode.world
        blueprint = game.session.episode.engine.blueprint
        known = frozenset().union(*world.known.values())
        hidden = {*blueprint.things, *blueprint.doors} - known
        unseen = {label.casefold() for node in hidden for label in (node, blueprint.name(node))}
        for line in ("", "take ", "look ", "put rag in ", "put rag on ", "unlock ", "corp_grab "):
            for letter in ("", *"abcdefghijklmnopqrstuvwxyz["):
                offered = {word.casefold() for word in game.completions(line + letter)}
                assert not offered & unseen, (line + letter, offered & unseen)


def test_a_door_is_completed_once_somebody_has_come_across_it():
    game = fresh("crystal_lab/purest_sulphate")
    assert "gas_door" in game.session.episode.engine.blueprint.doors
    assert game.completions("look ga") == ["gas_store"]
    assert game.completions("look gas s") == ["store"]


def test_code_of_many_lines_is_typed_up_to_a_full_stop():
    game = fresh("numerics_room/the_first_twelve")
    for line in ("go numerics", "explore", "turn on workstation"):
        game.hear(line)
    assert "a line with only . ends it" in said(game.hear("exec workstation"))
    assert game.prompt() == "... "
    assert game.completions("") == []
    for line in ("for i in range(2):", "    print(i)", "", "result = 7", "."):
        game.hear(line)
    assert commands(game)[-1] == {
        "ada": "EXEC workstation\nfor i in range(2):\n    print(i)\n\nresult = 7"
    }
    assert game.prompt() != "... "
    assert "EXEC workstation (4 lines)" in said(game.hear("history"))


def test_what_a_text_is_for_may_be_named_in_several_words():
    game = fresh("dry_desks/one_wrong_bit")
    for line in ("explore", "go to the signal desk"):
        game.hear(line)
    assert "a line with only . ends it" in said(game.hear("save signal desk main.py"))
    for line in ("def decode(bits):", "    return ''", "."):
        game.hear(line)
    assert commands(game)[-1] == {"ada": "SAVE code_desk main.py\ndef decode(bits):\n    return ''"}
    game.hear("exec Signal Desk print(1)")
    assert commands(game)[-1] == {"ada": "EXEC code_desk\nprint(1)"}
    game.hear("exec signal x = 1")
    assert commands(game)[-1] == {"ada": "EXEC code_desk\nx = 1"}


def test_code_can_be_thrown_away_before_it_is_complete():
    game = fresh("numerics_room/the_first_twelve")
    assert not game.forget_text()
    assert "You know of nothing" in said(game.hear("exec workstation"))
    for line in ("go numerics", "explore", "exec workstation"):
        game.hear(line)
    game.hear("x = 1")
    assert game.forget_text()
    assert game.prompt() != "... "
    assert len(commands(game)) == 2
