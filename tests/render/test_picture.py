import os
import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from earsim.errors import UnknownName, UsageError
from earsim.render.picture import Drawing, Painter, draw, to_array, to_png, to_svg
from earsim.render.picture.frame import scene_title
from earsim.render.picture.routes import route
from earsim.render.picture.shapes import Box, Circle, Line, Rect, Text
from earsim.render.picture.theme import THEMES
from earsim.schema import AgentSpec, Scene
from earsim.schema.files.load import load_scenarios
from earsim.world import HELD, Blueprint, Location, Physics, World, digest
from earsim.world.belief import form_beliefs

ROOT = Path(__file__).resolve().parents[2]
STARTERS = sorted((ROOT / "scenes" / "starter").glob("*.yaml"))
SIZES = [(960, 640), (320, 240), (480, 900)]
DOORS = {"front": (True, False), "back": (False, False), "vault": (False, True)}


def world_of(scene, *agents, discovered=True, knowledge="shared"):
    specs = tuple(AgentSpec.model_validate({"max_mass_kg": 40, "hands": 2} | a) for a in agents)
    blueprint = Blueprint.compile(Scene.model_validate(scene), specs, knowledge=knowledge)
    world = World(blueprint, Physics())
    if discovered:
        for agent in world.agents:
            world.discover(agent, (*world.blueprint.things, *world.blueprint.doors))
    return world


def item(thing_id, *, name=None, mass_kg=1, **place):
    return {"id": thing_id, "name": name or thing_id, "kind": "item", "mass_kg": mass_kg} | place


def furniture(thing_id, **fields):
    return item(thing_id, **fields) | {"kind": "furniture"}


def house(rooms=3, objects=(), *, areas=True, connects=(), doors=(), names=None):
    names = names or {}
    specs = [{"id": f"room_{i}", "name": names.get(i, f"Room {i}")} for i in range(rooms)]
    for place, spec in enumerate(specs):
        if areas:
            spec["area_m2"] = 6 + 7 * place
        spec["connects"] = [f"room_{other}" for one, other in connects if one == place]
    return {
        "schema": "earsim.scene/1",
        "id": "test_house",
        "rooms": specs,
        "doors": list(doors),
        "objects": list(objects),
    }


def crowd(count, rooms):
    """Things of every kind, spread over the rooms, with nests of three."""
    things = []
    for i in range(0, count, 3):
        cupboard = furniture(f"cupboard_{i}", **{"in": f"room_{i % rooms}"})
        things.append(cupboard | {"container": {}, "states": {"is_open": i % 2 == 0}})
        things.append(item(f"tray_{i}", on=f"cupboard_{i}"))
        things.append(item(f"a_rather_long_name_of_a_thing_{i}", **{"in": f"cupboard_{i}"}))
    return things[:count]


def star(rooms):
    return [(0, other) for other in range(1, rooms)]


def ring(rooms):
    return [(place, (place + 1) % rooms) for place in range(rooms)]


def everybody(rooms):
    return list(combinations(range(rooms), 2))


AGENTS = [{"id": f"agent_{i}", "name": f"Agent {i}"} for i in range(4)]
HOUSES = {
    "one_room": lambda: world_of(house(1, crowd(12, 1)), *AGENTS[:1]),
    "empty": lambda: world_of(house(2), AGENTS[0]),
    "nothing_joined": lambda: world_of(house(5, crowd(20, 5)), *AGENTS[:2]),
    "no_areas": lambda: world_of(house(5, crowd(40, 5), areas=False, connects=ring(5)), AGENTS[0]),
    "all_joined": lambda: world_of(house(6, crowd(40, 6), connects=everybody(6)), *AGENTS),
    "star": lambda: world_of(house(8, crowd(60, 8), connects=star(8)), *AGENTS),
    "largest": lambda: world_of(house(12, crowd(90, 12), connects=ring(12)), *AGENTS),
    "crowded": lambda: world_of(house(3, crowd(90, 1), connects=ring(3)), *AGENTS),
}


def starter(path):
    scenario = max(load_scenarios(path), key=lambda one: len(one.agents))
    world = World(Blueprint.compile(scenario.scene, scenario.agents), Physics())
    first = next(iter(world.agents))
    world.discover(first, tuple(world.blueprint.things)[::2])
    return world


@pytest.fixture(scope="module", params=[*HOUSES, *STARTERS], ids=lambda p: getattr(p, "stem", p))
def world(request):
    return HOUSES[request.param]() if request.param in HOUSES else starter(request.param)


# To lay out twelve rooms takes a second, and three of its drawings are in the fast set already.
MANY_ROOMS = ("largest", "all_joined", "star")
each_world = pytest.mark.parametrize(
    "world",
    [
        pytest.param(p, id=getattr(p, "stem", p), marks=pytest.mark.slow if p in MANY_ROOMS else ())
        for p in (*HOUSES, *STARTERS)
    ],
    indirect=True,
    scope="module",
)


@pytest.fixture(scope="module")
def drawings(world):
    """The world on every canvas."""
    return [
        draw(world, width=width, height=height, caption="GRAB it " * 60) for width, height in SIZES
    ]


def boxes(drawing, ids):
    """Rectangles by the id they stand for."""
    return {
        shape.about: Box(*shape[:4])
        for shape in drawing.shapes
        if isinstance(shape, Rect) and shape.about in ids
    }


def drawn(drawing):
    return [shape.about for shape in drawing.shapes if getattr(shape, "about", "")]


def texts(drawing):
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def counted(drawing):
    matches = [re.fullmatch(r"\+(\d+) more", text) for text in texts(drawing)]
    return sum(int(match[1]) for match in matches if match)


def extent(shape):
    if isinstance(shape, Rect):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Circle):
        x, y, radius = shape.x, shape.y, shape.radius
        return x - radius, y - radius, x + radius, y + radius
    if isinstance(shape, Line):
        return (
            min(shape.x1, shape.x2),
            min(shape.y1, shape.y2),
            max(shape.x1, shape.x2),
            max(shape.y1, shape.y2),
        )
    left = shape.x - shape.width * {"start": 0, "middle": 0.5, "end": 1}[shape.anchor]
    return left, shape.y - shape.size, left + shape.width, shape.y + shape.size * 0.3


def holds(outer, shape, slack=0.0):
    left, top, right, bottom = extent(shape)
    return (
        left >= outer.x - slack
        and top >= outer.y - slack
        and right <= outer.right + slack
        and bottom <= outer.bottom + slack
    )


def overlap(one, other):
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return across > 0 and down > 0


# -- where things are ------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_shape_lies_on_the_canvas_and_has_a_size(drawings):
    for drawing in drawings:
        canvas = Box(0, 0, drawing.width, drawing.height)
        assert [shape for shape in drawing.shapes if not holds(canvas, shape, 0.5)] == []
        assert all(s.width > 0 and s.height > 0 for s in drawing.shapes if isinstance(s, Rect))


@pytest.mark.slow
def test_every_room_is_drawn_once_and_rooms_do_not_overlap(world, drawings):
    for drawing in drawings:
        rooms = boxes(drawing, world.blueprint.rooms)
        assert rooms.keys() == world.blueprint.rooms.keys()
        assert [pair for pair in combinations(rooms.values(), 2) if overlap(*pair)] == []


def test_every_thing_is_drawn_once_or_counted(world, drawings):
    things = world.blueprint.things
    for drawing in drawings:
        found = [about for about in drawn(drawing) if about in things]
        assert len(found) == len(set(found))
        assert len(found) + counted(drawing) == len(things)


def test_at_the_usual_size_a_starter_scene_needs_no_counting():
    assert [counted(draw(starter(path))) for path in STARTERS] == [0] * len(STARTERS)


def test_things_lie_in_what_holds_them(world, drawings):
    found = boxes(drawings[0], {*world.blueprint.things, *world.blueprint.rooms})
    assert found
    for thing, box in found.items():
        place = world.location.get(thing)
        if place is not None and place.holder in found:
            assert holds(found[place.holder], Rect(*box, ""), 0.5)


def test_things_side_by_side_do_not_overlap(world, drawings):
    found = boxes(drawings[0], world.blueprint.things)
    assert found or not world.blueprint.things
    for one, other in combinations(found, 2):
        if world.location[one].holder == world.location[other].holder:
            assert not overlap(found[one], found[other])


@pytest.mark.slow
@each_world
def test_agents_are_in_their_rooms_and_follow_when_they_walk(world):
    moved = world.copy()
    painter = Painter(world.blueprint)
    for room in world.blueprint.rooms:
        for agent in moved.agents:
            moved.walk(agent, room)
        drawing = painter.draw(moved)
        floor = boxes(drawing, {room})[room]
        discs = [s for s in drawing.shapes if isinstance(s, Circle) and s.about in moved.agents]
        assert len(discs) == len(moved.agents)
        assert all(holds(floor, disc) for disc in discs)


def test_every_passage_has_a_doorway_between_its_rooms():
    doors = [
        {"id": door, "name": door, "between": ["room_0", f"room_{place + 1}"]}
        | {"states": {"is_open": is_open, "is_locked": is_locked}}
        for place, (door, (is_open, is_locked)) in enumerate(DOORS.items())
    ]
    drawing = draw(world_of(house(4, doors=doors), AGENTS[0]))
    rooms = boxes(drawing, {f"room_{i}" for i in range(4)})
    drawn = boxes(drawing, DOORS)
    assert len(drawn) == len(DOORS)
    for place, (door, box) in enumerate(drawn.items()):
        for room in ("room_0", f"room_{place + 1}"):
            floor = rooms[room]
            wide = Box(floor.x - 14, floor.y - 14, floor.width + 28, floor.height + 28)
            assert overlap(wide, box), door


def test_rooms_that_cannot_touch_are_joined_by_a_line():
    world = HOUSES["all_joined"]()
    painter = Painter(world.blueprint)
    joined = {doorway.rooms for doorway in painter.plan.doorways}
    assert len(joined) == 15
    assert painter.plan.routes
    assert any(isinstance(shape, Line) for shape in painter.draw(world).shapes)


def test_of_equally_long_routes_the_first_by_its_points_is_drawn():
    """Nine rooms in a square: from corner to corner there are six ways along the inner walls."""
    cells = [Box(x * 100, y * 100, 100, 100) for y in range(3) for x in range(3)]
    corners = ((0, 75), (0, 100), (100, 100), (100, 200), (200, 200), (200, 225))
    assert route(cells, cells[0], cells[8], [(100, 50), (50, 100)], 30) == corners
    assert route(cells, cells[1], cells[7], [], 30) == ((100, 75), (100, 225))


def test_larger_rooms_are_drawn_larger():
    sizes = {"room_0": 4, "room_1": 40, "room_2": 400}
    scene = house(3, connects=ring(3))
    for room in scene["rooms"]:
        room["area_m2"] = sizes[room["id"]]
    rooms = boxes(draw(world_of(scene, AGENTS[0])), sizes)
    areas = [rooms[room].width * rooms[room].height for room in sizes]
    assert areas == sorted(areas)
    assert areas[2] > 2 * areas[0]


# -- what is shown ---------------------------------------------------------------------------------


def two_carriers():
    objects = [
        furniture("table", **{"in": "room_0"}),
        item("beam", name="Steel beam", mass_kg=60, on="table"),
        item("cup", on="table"),
        item("bag", **{"in": "room_1"}) | {"container": {}, "states": {"is_open": False}},
        item("coin", **{"in": "bag"}),
    ]
    scene = house(2, objects, connects=[(0, 1)])
    return world_of(scene, *AGENTS[:2], discovered=False, knowledge="own")


def test_what_an_agent_holds_is_drawn_beside_it():
    world = two_carriers()
    world.move_object("cup", Location(HELD, "agent_1"))
    world.walk("agent_1", "room_1")
    found = boxes(draw(world), {"cup", "room_1"})
    assert holds(found["room_1"], Rect(*found["cup"], ""))


def test_what_two_carry_is_drawn_between_them():
    world = two_carriers()
    for agent in world.agents.values():
        agent.carrying = "beam"
    drawing = draw(world)
    first, second = (s for s in drawing.shapes if isinstance(s, Circle) and s.about)
    beam = boxes(drawing, {"beam"})["beam"]
    assert first.x < beam.x < second.x
    assert drawn(drawing).count("beam") == 1


def test_what_two_carry_is_drawn_once_when_they_stand_apart():
    world = two_carriers()
    for agent in world.agents.values():
        agent.carrying = "beam"
    world.walk("agent_1", "room_1")
    assert drawn(draw(world)).count("beam") == 1


def test_a_viewer_sees_only_what_it_knows():
    world = two_carriers()
    world.discover("agent_0", ("table", "cup"))
    world.discover("agent_1", ("coin",))
    things = world.blueprint.things.keys()
    assert things & set(drawn(draw(world, viewer="agent_0"))) == {"table", "cup"}
    # The bag around it stays unknown.
    assert things & set(drawn(draw(world, viewer="agent_1"))) == {"coin"}
    assert things & set(drawn(draw(world))) == things


def test_what_nobody_discovered_is_faint():
    world = two_carriers()
    world.discover("agent_0", ("table", "cup"))
    fills = {s.text: s.fill for s in draw(world).shapes if isinstance(s, Text)}
    assert fills["table"] == fills["cup"] != fills["bag"] == fills["coin"]


def test_doors_and_containers_look_different_in_each_state():
    doors = [{"id": "gate", "name": "Gate", "between": ["room_0", "room_1"], "states": {}}]
    world = world_of(house(2, crowd(3, 2), doors=doors), AGENTS[0])
    pictures = set()
    for node in ("gate", "cupboard_0"):
        for is_open in (True, False):
            world.set_state(node, "is_open", is_open)
            pictures.add(to_svg(draw(world)))
    world.set_state("gate", "is_locked", True)
    pictures.add(to_svg(draw(world)))
    assert len(pictures) == 4


def test_header_has_title_caption_and_clock():
    world = two_carriers()
    world.advance(3725)
    assert texts(draw(world, caption="GRAB cup\n\x00succeeded"))[:3] == [
        "Test house",
        "1:02:05",
        "GRAB cup  succeeded",
    ]


@pytest.mark.parametrize(
    ("scene_id", "title"),
    [
        ("crystal_lab", "Crystal lab"),
        ("00499", "Scene 00499"),
        ("school_test_beside_2027_00045", "Scene"),
        ("school_2027_00045", "Scene"),
        ("told_test_talk_sealedd678838ba874_00003", "Scene"),
        ("room_101_2027", "Room 101 2027"),
    ],
)
def test_the_title_does_not_tell_what_a_scene_was_made_for(scene_id, title):
    assert scene_title(scene_id) == title


def test_the_world_is_left_alone():
    world = HOUSES["crowded"]()
    before = (world.stamp, digest(world))
    draw(world)
    assert (world.stamp, digest(world)) == before


def test_a_thing_inside_itself_does_not_stop_the_picture():
    world = two_carriers()
    world.move_object("bag", Location("in", "coin"))
    assert "bag" not in drawn(draw(world))


def test_a_scene_without_agents_is_not_faint():
    world = world_of(house(1, [item("cup", **{"in": "room_0"})]))
    fills = {s.text: s.fill for s in draw(world).shapes if isinstance(s, Text)}
    assert fills["cup"] == fills["Room 0"]
    assert "not yet discovered" not in fills


# -- legible ---------------------------------------------------------------------------------------


def luminance(colour):
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return sum(weight * s for weight, s in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    """WCAG 2.2, the definition of contrast ratio."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def covers(shape, x, y):
    if isinstance(shape, Circle):
        return (shape.x - x) ** 2 + (shape.y - y) ** 2 <= shape.radius**2
    return isinstance(shape, Rect) and holds(Box(*shape[:4]), Rect(x, y, 0, 0, ""))


def written(drawing):
    """Pairs of colours: of each text, and of what lies on top beneath its ends and its middle."""
    for text in drawing.shapes:
        if isinstance(text, Text):
            left, top, right, bottom = extent(text)
            for x in (left + 1, (left + right) / 2, right - 1):
                under = [s.fill for s in drawing.shapes if covers(s, x, (top + bottom) / 2)]
                yield text.fill, under[-1] if under else drawing.background


def legible_worlds():
    carried = two_carriers()
    for agent in carried.agents.values():
        agent.carrying = "beam"
    carried.discover("agent_0", ("table",))
    half = HOUSES["crowded"]()
    half.known = {agent: frozenset(list(known)[::2]) for agent, known in half.known.items()}
    return [carried, half, HOUSES["all_joined"](), *map(starter, STARTERS[:4])]


def test_contrast_is_measured_as_wcag_does():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("name", THEMES)
def test_every_text_stands_out_from_what_it_is_written_on(name):
    pairs = set()
    for world in legible_worlds():
        painters = [
            Painter(world.blueprint, theme=name, width=w, height=h)
            for w, h in ((960, 640), (320, 240))
        ]
        for painter in painters:
            for viewer in (None, next(iter(world.agents))):
                pairs |= set(written(painter.draw(world, viewer=viewer, caption="GOTO somewhere")))
    faint = {pair: contrast(*pair) for pair in pairs if contrast(*pair) < 4.5}
    assert faint == {}
    theme = THEMES[name]
    letters = {theme.ink, theme.muted, theme.unseen_ink, theme.on_colour}
    assert {fill for fill, _ in pairs} == letters, "a colour of letters was not tried"
    assert {under for _, under in pairs} >= {*theme.agents, theme.canvas, theme.floor, theme.item}
    assert {under for _, under in pairs} >= {theme.furniture, theme.inside, theme.unseen_inside}


def test_things_have_one_size_in_all_rooms(world, drawings):
    labels = {thing.name for thing in world.blueprint.things.values()}
    labels -= {room.name for room in world.blueprint.rooms.values()}
    for drawing in drawings:
        texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
        sizes = {shape.size for shape in texts if shape.text in labels}
        sizes |= {shape.size for shape in texts if re.fullmatch(r"\+\d+ more", shape.text)}
        assert len(sizes) <= 1


def test_one_full_room_makes_the_letters_small_in_all():
    lone = item("lone", **{"in": "room_2"})
    sizes = []
    for things in ([lone], [*crowd(90, 1), lone]):
        drawing = draw(world_of(house(3, things), AGENTS[0]))
        sizes += [s.size for s in drawing.shapes if isinstance(s, Text) and s.text == "lone"]
    assert sizes[0] > sizes[1]


# -- in words --------------------------------------------------------------------------------------


def test_the_description_says_what_is_where():
    world = two_carriers()
    world.discover("agent_0", ("table", "cup", "beam"))
    world.move_object("cup", Location(HELD, "agent_0"))
    drawing = draw(world, caption="GRAB cup")
    assert drawing.title == "Test house: GRAB cup"
    assert drawing.description == (
        "Floor plan of 2 rooms. Room 0: table (on it: Steel beam). Agent 0 is here and holds cup. "
        "Agent 1 is here. "
        "Room 1: bag (closed; not yet discovered; in it: coin (not yet discovered))."
    )


def test_the_description_tells_who_carries_what_together():
    world = two_carriers()
    for agent in world.agents.values():
        agent.carrying = "beam"
    world.discover("agent_0", ("table", "beam"))
    assert "Agent 0 is here and carries Steel beam with Agent 1." in draw(world).description


def test_the_description_of_a_viewer_tells_nothing_that_it_does_not_know():
    doors = [
        {"id": "gate", "name": "Gate", "between": ["room_0", "room_1"]}
        | {"states": {"is_open": False, "is_locked": True}}
    ]
    things = [item("cup", **{"in": "room_0"}), item("pin", **{"in": "room_0"})]
    world = world_of(house(2, things, doors=doors), *AGENTS[:2], discovered=False, knowledge="own")
    world.discover("agent_0", ("cup",))
    drawing = draw(world, viewer="agent_0")
    assert "Room 0: cup." in drawing.description
    assert "Gate, between Room 0 and Room 1: not yet discovered." in drawing.description
    assert "locked" not in drawing.description
    svg = to_svg(drawing)
    assert "pin" not in svg
    assert "Gate (gate): not yet discovered" in svg


def test_an_svg_has_a_role_a_title_and_a_description():
    drawing = draw(HOUSES["one_room"](), caption="Bring the <cup>")
    root = ET.fromstring(to_svg(drawing))
    space = "{http://www.w3.org/2000/svg}"
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root][:2] == [f"{space}title", f"{space}desc"]
    assert [child.text for child in root][:2] == [drawing.title, drawing.description]
    assert root.attrib["aria-labelledby"] == root[0].attrib["id"]
    assert root.attrib["aria-describedby"] == root[1].attrib["id"]


def test_a_png_has_the_same_words_in_it(tmp_path):
    from PIL import Image

    scene = house(1, [item("cup", name="Küche 漢字", **{"in": "room_0"})])
    drawing = draw(world_of(scene, AGENTS[0]), caption="漢字")
    to_png(drawing, tmp_path / "house.png")
    with Image.open(tmp_path / "house.png") as image:
        assert image.text["Title"] == drawing.title == "Test house: 漢字"
        assert image.text["Description"] == drawing.description
        assert "Küche 漢字" in drawing.description


# -- whose knowledge -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agents", "knowledge", "told"),
    [
        (2, "own", "as Agent 1 knows it"),
        (2, "shared", "as the team knows it"),
        (1, "shared", None),
    ],
)
def test_a_frame_of_a_team_says_whose_knowledge_it_shows(agents, knowledge, told):
    world = world_of(house(1), *AGENTS[:agents], knowledge=knowledge)
    viewer = f"agent_{agents - 1}"
    drawing = draw(world, viewer=viewer, caption="a caption " * 30)
    said = [text for text in texts(drawing) if text.endswith("knows it")]
    assert said == ([told] if told else [])
    assert drawing.description.startswith(f"Floor plan of 1 room{f', {told}' if told else ''}.")
    assert not any(text.endswith("knows it") for text in texts(draw(world)))


def test_a_viewer_sees_what_it_saw_last():
    world = two_carriers()
    world.discover("agent_0", ("table", "cup"))
    form_beliefs(world)
    world.move_object("cup", Location("in", "room_1"))
    world.advance(60)
    seen, actual = draw(world, viewer="agent_0"), draw(world)
    for drawing, room in ((seen, "room_0"), (actual, "room_1")):
        found = boxes(drawing, {"cup", room})
        assert holds(found[room], Rect(*found["cup"], ""))
        assert "0:01:00" in texts(drawing)


# -- painters --------------------------------------------------------------------------------------


@pytest.mark.slow
@each_world
def test_a_painter_that_has_drawn_before_draws_as_a_new_one_does(world):
    painter = Painter(world.blueprint)
    first = painter.draw(world)
    changed = world.copy()
    rooms = list(world.blueprint.rooms)
    for place, thing in enumerate(world.blueprint.things):
        if world.location[thing].holder in rooms:
            changed.move_object(thing, Location("in", rooms[place % len(rooms)]))
    assert painter.draw(changed) == Painter(world.blueprint).draw(changed)
    assert painter.draw(world) == first


def test_a_drawing_survives_pickling():
    drawing = draw(HOUSES["one_room"]())
    twin = pickle.loads(pickle.dumps(drawing))
    assert twin == drawing
    assert np.array_equal(to_array(twin), to_array(drawing))


@pytest.mark.parametrize("size", [(100, 640), (960, 20)])
def test_a_canvas_without_space_is_refused(size):
    with pytest.raises(UsageError, match="too small"):
        draw(HOUSES["empty"](), width=size[0], height=size[1])


def test_an_unknown_theme_or_viewer_is_refused():
    with pytest.raises(UsageError, match="light"):
        draw(HOUSES["empty"](), theme="sepia")
    with pytest.raises(UnknownName, match="agent_0"):
        draw(HOUSES["empty"](), viewer="agent_O")


# -- back ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "theme"), [(1, "light"), (2, "dark")])
def test_pixels_have_the_shape_and_type_of_gymnasium(scale, theme):
    pixels = to_array(draw(HOUSES["one_room"](), width=640, height=400, theme=theme), scale=scale)
    assert pixels.shape == (400 * scale, 640 * scale, 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.writeable
    assert (pixels.mean() > 128) == (theme == "light")


def test_a_png_file_has_the_pixels_of_the_array(tmp_path):
    from PIL import Image

    drawing = draw(HOUSES["one_room"]())
    to_png(drawing, tmp_path / "house.png")
    with Image.open(tmp_path / "house.png") as image:
        assert np.array_equal(np.array(image), to_array(drawing))


def test_svg_is_well_formed_and_says_what_the_drawing_says(drawings):
    drawing = drawings[0]
    root = ET.fromstring(to_svg(drawing))
    assert root.attrib["viewBox"] == "0 0 960 640"
    assert sorted(
        element.text for element in root.iter("{http://www.w3.org/2000/svg}text")
    ) == sorted(texts(drawing))


NASTY = ["<script>alert(1)</script>", "Salt & <b>", "\"'><x y='", "]]>&amp;", "naïve 漢字 🔑"]


def test_svg_escapes_names_and_caption():
    objects = [item(f"thing_{i}", name=name, **{"in": "room_0"}) for i, name in enumerate(NASTY)]
    scene = house(1, objects, names={0: NASTY[0]})
    svg = to_svg(draw(world_of(scene, {"id": "a", "name": NASTY[1]}), caption="<script> & \ud800"))
    root = ET.fromstring(svg)
    assert "<script" not in svg
    assert "<b>" not in svg
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg", "rect", "circle", "line", "text", "title", "desc", "g",
    }  # fmt: skip
    titles = {element.text for element in root.iter("{http://www.w3.org/2000/svg}title")}
    assert f"{NASTY[0]} (thing_0)" in titles
    svg.encode("utf-8")


def test_letters_that_the_font_lacks_get_their_nearest_spelling():
    typeface = draw(HOUSES["empty"]()).typeface
    assert typeface.spelled("Küche \N{EN DASH} 20 m²…") == "Kuche - 20 m2…"


@pytest.mark.parametrize("width", range(0, 90, 7))
def test_a_shortened_text_fits(width):
    typeface = draw(HOUSES["empty"]()).typeface
    shortened = typeface.fit("Potassium alum jar", 12.0, width)
    assert typeface.width(shortened, 12.0) <= width or shortened == ""


# -- sameness --------------------------------------------------------------------------------------

HASHES = """
import hashlib, sys
from pathlib import Path
from earsim.render.picture import draw, to_array, to_svg
from earsim.schema.files.load import load_scenarios
from earsim.world import Blueprint, Physics, World
digest = hashlib.sha256()
for path in sys.argv[1:]:
    scenario = load_scenarios(Path(path))[0]
    world = World(Blueprint.compile(scenario.scene, scenario.agents), Physics())
    for agent in world.agents:
        world.discover(agent, tuple(world.blueprint.things)[::2])
    drawing = draw(world, caption="a caption")
    digest.update(to_svg(drawing).encode() + to_array(drawing).tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_the_same_world_gives_the_same_bytes_under_any_hash_seed():
    paths = [str(path) for path in STARTERS[:3]]
    seen = set()
    for seed in ("0", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", HASHES, *paths],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        )
        seen.add(done.stdout)
    assert len(seen) == 1


@pytest.mark.slow
def test_the_import_loads_no_pillow():
    program = "import sys, earsim.render.picture; sys.exit('PIL' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)


@pytest.mark.slow
def test_a_drawing_is_a_value():
    first, second = (draw(HOUSES["crowded"]()) for _ in range(2))
    assert isinstance(first, Drawing)
    assert first == second
    assert np.array_equal(to_array(first), to_array(second))
