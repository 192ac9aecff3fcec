"""Floor plans of an episode: those of `show`, told as changes."""

from hypothesis import given
from hypothesis import strategies as st

from earsim.engine import Engine
from earsim.render.picture.painter import Painter
from earsim.render.picture.theme import LIGHT, named_colours
from earsim.suites import open_suite
from earsim.viewer.drawings import spliced
from earsim.viewer.playback import playback
from earsim.viewer.run import Run


@given(st.lists(st.integers(0, 5)), st.lists(st.integers(0, 5)))
def test_a_change_leads_from_one_list_to_the_other(before, after):
    start, gone, come = spliced(before, after)
    assert [*before[:start], *come, *before[start + gone :]] == after
    assert start + gone <= len(before)


def frames(drawings, view):
    numbers: list[int] = []
    for start, gone, come in drawings["views"][view]["frames"]:
        numbers = [*numbers[:start], *come, *numbers[start + gone :]]
        yield [drawings["shapes"][number] for number in numbers]


def test_drawings_are_those_of_show_in_names_of_colours(won, hut):
    run = Run(won)
    (row,) = [row for row in run.rows() if row.scenario_id == "hut/carry"]
    scenario = open_suite(hut).load("hut/carry")
    shown = playback(run.recording(row.episode), scenario)
    drawn = list(frames(shown.drawings, 0))
    assert len(drawn) == len(shown.moments) + 1

    world = Engine(scenario, "physical").start()
    plain = Painter(world.blueprint).draw(world)
    colours = named_colours(LIGHT)
    for ours, theirs in zip(drawn[0], plain.shapes, strict=True):
        assert [colours.get(part, part) for part in ours[1:]] == list(theirs)


def test_every_agent_with_knowledge_of_its_own_has_a_view(won):
    run = Run(won)
    (row,) = [row for row in run.rows() if row.scenario_id == "hut/carry"]
    shown = playback(run.recording(row.episode), run.library(row).scenario(row))
    assert [view["viewer"] for view in shown.drawings["views"]] == [None, "eva"], "they share all"
    everything, known = (list(frames(shown.drawings, view)) for view in (0, 1))
    assert "Piano" in {shape[3] for shape in everything[0] if shape[0] == "t"}
    assert "Piano" not in {shape[3] for shape in known[0] if shape[0] == "t"}
    assert "Piano" in {shape[3] for shape in known[-1] if shape[0] == "t"}
