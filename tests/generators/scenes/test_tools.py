"""States, the verbs that change them, and the tools that it takes."""

from collections import Counter

from earsim.schema import verb_table


def test_every_verb_of_a_scene_can_be_used(cases):
    for case in cases:
        scene = case.made.scene
        states = {state for thing in scene.objects for state in thing.states}
        states |= {"is_open" for _ in scene.doors}
        states |= {"is_locked" for door in scene.doors if door.states["is_locked"]}
        provided = {verb for thing in scene.objects for verb in thing.provides}
        for name in scene.abilities:
            verb = verb_table()[name]
            assert verb.attribute in states
            opened_by_key = verb.attribute == "is_locked"
            assert not verb.requires_tool or name in provided or opened_by_key


def test_every_state_can_be_changed_by_some_verb_of_the_scene(cases):
    for case in cases:
        changed = {verb_table()[name].attribute for name in case.made.scene.abilities}
        for thing in case.made.scene.objects:
            assert set(thing.states) <= changed


def test_there_is_something_to_do_with_a_tool_and_without(all_cases):
    lacking = Counter()
    for case in all_cases:
        found = set()
        for thing in case.made.scene.objects:
            for name in case.made.scene.abilities:
                verb = verb_table()[name]
                if thing.states.get(verb.attribute) is verb.value:
                    found.add(verb.requires_tool)
        lacking.update({True, False} - found)
    assert lacking[True] <= 0.06 * len(all_cases)
    assert lacking[False] <= 0.03 * len(all_cases)


def test_containers_are_open_and_closed(all_cases):
    shut = Counter(
        thing.states.get("is_open", True)
        for case in all_cases
        for thing in case.made.scene.objects
        if thing.container is not None
    )
    assert min(shut[True], shut[False]) > 0.1 * shut.total()
