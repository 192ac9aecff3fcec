"""What a picture of the world remembers of hoses, settings and runs, and when that is news."""

from earsim import Engine
from earsim.episode import Episode
from earsim.schema import SceneFile
from earsim.world.belief import perceive
from earsim.world.channels import channels_shown
from earsim.world.remembered import remember
from tests.world.small import content, done, thing


def lab() -> Episode:
    """Two agents with a picture each, of whom one works and the other is in the yard."""
    file = content(
        thing(
            "rig",
            kind="furniture",
            apparatus={"model": "maglev/1", "settings": {"Kp": 5.0}, "show": ["e", "u"]},
        ),
        thing("hose", fittings={"hose": 2}),
        thing("tap", source="water", fittings={"hose": 1}),
        thing("cup"),
        agents=[{"id": name, "max_mass_kg": 20.0} for name in ("ada", "bo")],
        rooms=[{"id": "hall", "connects": ["yard"]}, {"id": "yard"}],
    )
    file["tasks"][0]["knowledge"] = "own"
    (scenario,) = SceneFile.model_validate(file).scenarios()
    played = done(Episode(Engine(scenario), budget=10**6), "EXPLORE")
    return done(done(played, "EXPLORE", agent="bo"), "GOTO yard", agent="bo")


def test_what_is_seen_again_as_it_was_is_no_news():
    world = lab().world
    belief = world.beliefs["bo"]
    for node in ("rig", "hose", "cup"):
        assert not remember(belief, world, node)


def test_a_joint_a_setting_and_a_run_are_news_once():
    played = lab()
    world, belief = played.world, played.world.beliefs["bo"]
    for node, commands in (
        ("hose", ["GOTO hose", "GRAB hose", "GOTO tap", "CONNECT hose tap"]),
        ("rig", ["GOTO rig", "CONFIGURE rig Kp=7"]),
    ):
        done(played, *commands)
        assert remember(belief, world, node)
        assert not remember(belief, world, node)
    assert belief.remembered.links == (("hose", "tap", "hose"),)
    assert belief.remembered.settings["rig"]["Kp"] == 7.0
    done(played, "RUN rig")
    assert remember(belief, world, "rig")
    assert not remember(belief, world, "rig")
    assert belief.remembered.runs["rig"].status == "in_progress"


def test_what_was_seen_before_is_not_told_to_who_has_seen_it_later():
    played = lab()
    world, bo = played.world, played.world.beliefs["bo"]
    done(played, "GOTO rig", "CONFIGURE rig Kp=7")
    told = world.beliefs["ada"].remembered
    done(played, "CONFIGURE rig Kp=8")
    assert remember(bo, world, "rig")
    world.beliefs["ada"].remembered = told
    assert not remember(bo, world.beliefs["ada"], "rig")
    assert bo.remembered.settings["rig"]["Kp"] == 8.0


def test_a_display_shows_the_newest_reading_in_the_live_world_alone():
    played = lab()
    world = played.world
    assert channels_shown(world, "rig") == {}
    done(played, "GOTO rig", "RUN rig", "WAIT 10")
    run = world.timeline.lab.last("rig")
    model = world.blueprint.live.rigs["rig"].model
    names = [channel.name for channel in model.channels_of(run.settings)]
    newest = dict(zip(names, run.samples[-1].values, strict=True))
    assert channels_shown(world, "rig") == {name: newest[name] for name in ("e", "u")}
    assert channels_shown(world.beliefs["ada"], "rig") == {}


def test_what_was_changed_together_is_believed_to_be_once_it_is_seen():
    world = lab().world
    belief = world.beliefs["ada"]
    perceive(world, "hall")
    before = belief.stamp
    perceive(world, "hall")
    assert belief.stamp == before, "nothing is new"
    world.jointly["cup"] = ("is_dirty",)
    perceive(world, "hall")
    assert belief.jointly["cup"] == ("is_dirty",)
    assert belief.revision["cup"] > before
    assert world.beliefs["bo"].jointly.get("cup", ()) == ()
    before = belief.stamp
    perceive(world, "hall")
    assert belief.stamp == before
