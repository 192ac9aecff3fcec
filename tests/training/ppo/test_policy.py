import math

import pytest

from tests.training.ppo.boxes import NAMES, box_scenario, box_scenarios

torch = pytest.importorskip("torch", reason="torch is not installed (extra `train`)")

from earsim_training.graphs.env_slots import EnvSlot, SlotSettings  # noqa: E402
from earsim_training.graphs.policy import GraphPolicy, collate, greedy  # noqa: E402
from earsim_training.ppo import draw, entropy_of  # noqa: E402


@pytest.fixture
def policy():
    torch.manual_seed(0)
    return GraphPolicy(16, 2)


def first(scenario, **terms):
    return EnvSlot(SlotSettings(**terms)).reset(scenario)


def walked(scenario, steps):
    """Observations along a walk that always takes the first command there is."""
    seat = EnvSlot()
    graphs = [seat.reset(scenario)]
    return [*graphs, *(seat.step(1).graph for _ in range(steps))]


def test_there_is_a_logit_for_every_command_and_none_where_it_is_masked(policy):
    graphs = walked(box_scenario(NAMES[0]), 4)
    logits, values = policy(collate(graphs))
    assert values.shape == (len(graphs),)
    assert logits.shape == (len(graphs), max(len(graph.commands) for graph in graphs))
    for row, graph in zip(logits, graphs, strict=True):
        allowed = torch.tensor(graph.mask)
        assert torch.isfinite(row[: len(allowed)]).equal(allowed)
        assert torch.isinf(row[len(allowed) :]).all()


def test_a_batch_says_what_each_alone_says(policy):
    graphs = walked(box_scenario(NAMES[1]), 5)
    logits, values = policy(collate(graphs))
    for row, value, graph in zip(logits, values, graphs, strict=True):
        alone, worth = policy(collate([graph]))
        torch.testing.assert_close(row[: alone.shape[1]], alone[0])
        torch.testing.assert_close(value, worth[0])


def test_ids_change_nothing(policy):
    one, two = box_scenario(NAMES[2]), box_scenario(NAMES[2], prefix="zz_")
    said, said_too = (policy(collate(walked(each, 3))) for each in (one, two))
    torch.testing.assert_close(said[0].sort()[0], said_too[0].sort()[0])
    torch.testing.assert_close(said[1], said_too[1])


def test_what_is_masked_is_never_drawn_and_never_best(policy):
    never = ("DONE", "EXPLORE", "WAIT", "LOOK")
    graphs = [first(scenario, never=never) for scenario in box_scenarios()]
    logits, _ = policy(collate(graphs))
    dice = torch.Generator().manual_seed(0)
    for _ in range(200):
        assert all(g.mask[at] for g, at in zip(graphs, draw(logits, dice).tolist(), strict=True))
    assert all(g.mask[at] for g, at in zip(graphs, greedy(policy)(graphs), strict=True))


def test_entropy_is_that_of_what_is_not_masked():
    logits = torch.tensor([[0.0, 0.0, -torch.inf, 0.0], [3.0, -torch.inf, -torch.inf, -torch.inf]])
    entropy = entropy_of(logits.log_softmax(-1))
    torch.testing.assert_close(entropy, torch.tensor([math.log(3), 0.0]))


def test_entropy_has_a_gradient_where_something_is_masked():
    logits = torch.tensor([[0.5, 0.0, -torch.inf]], requires_grad=True)
    entropy_of(logits.log_softmax(-1)).sum().backward()
    assert torch.isfinite(logits.grad).all()
