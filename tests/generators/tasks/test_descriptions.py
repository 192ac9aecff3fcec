"""Descriptions without a name: who hears one thinks of the thing that is meant."""

from random import Random

from earsim.schema.selector import Filter
from earsim_generators.tasks.builder import TaskBuilder
from earsim_generators.tasks.descriptions import conditions_of, is_misleading
from tests.generators.tasks.rig import indexes


def misleading(place, node):
    return [among for among in conditions_of(place, node) if is_misleading(place, node, among)]


def test_nobody_thinks_of_the_tape_when_something_to_unseal_with_is_wanted():
    found = {}
    for place in indexes():
        for node, thing in place.things.items():
            verbs = {among.provides for among in misleading(place, node)}
            assert verbs == {
                undone
                for undone, done in (("unseal", "seal"), ("unwrap", "wrap"))
                if {undone, done} <= {*thing.provides}
            }
            found.update(dict.fromkeys(verbs, node))
    assert found.keys() == {"unseal", "unwrap"}


def test_a_knife_is_what_one_unseals_with_and_a_spanner_loosens():
    for place in indexes():
        for node, thing in place.things.items():
            if "seal" not in thing.provides:
                assert not is_misleading(place, node, Filter(provides="unseal"))
            assert not is_misleading(place, node, Filter(provides="loosen"))


def test_tasks_are_told_by_no_such_description():
    told = 0
    for place in indexes():
        meant = {node for node in place.things if misleading(place, node)}
        for seed in range(40 if meant else 0):
            builder = TaskBuilder(place, Random(f"described {seed}"))
            if builder.described(meant.__contains__) is None:
                continue
            told += 1
            among = builder.select[min(builder.select)].only
            assert not is_misleading(place, builder.answer[min(builder.answer)], among)
    assert told > 40
