"""Every room is reached, and every key before its door."""

from tests.generators.scenes.rig import objects_of, room_of, walkable


def test_every_room_is_reached_through_doors(cases):
    for case in cases:
        scene = case.made.scene
        doors = {door.id for door in scene.doors}
        assert walkable(scene, scene.rooms[0].id, doors) == {room.id for room in scene.rooms}


def test_from_the_start_rooms_one_gets_every_key_without_its_door(cases):
    for case in cases:
        scene, objects = case.made.scene, objects_of(case)
        usable = {door.id for door in scene.doors if not door.states["is_locked"]}
        start = case.made.start_rooms[0]
        assert set(case.made.start_rooms) == walkable(scene, start, usable)
        locked = [door for door in scene.doors if door.states["is_locked"]]
        while locked:
            here = walkable(scene, start, usable)
            opened = [d for d in locked if room_of(scene, objects[d.key]) in here]
            assert opened, "no key of a locked door can be got at"
            usable |= {door.id for door in opened}
            locked = [door for door in locked if door not in opened]


def test_each_key_fits_one_door_and_says_which(cases):
    for case in cases:
        names = {room.id: room.name for room in case.made.scene.rooms}
        keys = [door.key for door in case.made.scene.doors if door.key is not None]
        assert len(set(keys)) == len(keys)
        for door in case.made.scene.doors:
            if door.key is not None:
                tag = objects_of(case)[door.key].attributes["tag"]
                assert tag in {names[room] for room in door.between}
