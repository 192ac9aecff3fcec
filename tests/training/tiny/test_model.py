"""Models from scratch: what they can do before they have learned anything."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from earsim.errors import UsageError
from tests.training.sft.trained import stack
from tiny_model.model import Shape

pytestmark = pytest.mark.filterwarnings("ignore")


class Tokens(SimpleNamespace):
    """As much of a tokenizer as a new model asks for."""

    def __len__(self):
        return 2_000


def share_repeated(architecture):
    """Of a list that is begun a second time, how much a new model goes on with rightly."""
    import torch

    from tiny_model.model import Shape, new_model

    shape = Shape(architecture=architecture, heads=2)
    model = new_model(shape, Tokens(eos_token_id=0, pad_token_id=1), seed=3).eval()
    once = torch.randint(0, 2_000, (8, 60), generator=torch.Generator().manual_seed(0))
    ids = torch.cat([once, once[:, :30]], dim=1)
    with torch.no_grad():
        likeliest = model(ids).logits[:, 60:-1].argmax(-1)
    return (likeliest == ids[:, 61:]).float().mean().item()


def test_a_new_model_of_lfm2_repeats_what_it_has_read():
    stack()
    assert share_repeated("lfm2") > 0.5
    assert share_repeated("llama") < 0.05


def test_a_new_model_of_lfm2_tells_ids_apart_that_end_alike():
    """`cup _1 hall`, `saw _1 cellar`: after the ending, the word before it decides."""
    stack()
    import torch

    from tiny_model.model import Shape, new_model

    tokens = Tokens(eos_token_id=0, pad_token_id=1)
    model = new_model(Shape(architecture="lfm2", heads=2), tokens, seed=3).eval()
    draw = torch.Generator().manual_seed(0)
    right = []
    for _ in range(32):
        names, places = torch.randperm(1_900, generator=draw)[:16].view(2, 8) + 10
        endings = torch.full((8,), 5)
        told = torch.stack([names, endings, places], dim=1).flatten()
        asked = int(torch.randint(8, (), generator=draw))
        ids = torch.cat([told, names[asked : asked + 1], endings[:1]])
        with torch.no_grad():
            found = model(ids[None]).logits[0, -1].argmax()
        right.append(bool(found == places[asked]))
    assert sum(right) / len(right) > 0.5


def test_the_same_seed_makes_the_same_model():
    stack()
    import torch

    from tiny_model.model import Shape, new_model

    tokens = Tokens(eos_token_id=0, pad_token_id=1)
    shape = Shape(architecture="lfm2", heads=2)
    first, same, other = (new_model(shape, tokens, seed).state_dict() for seed in (5, 5, 6))
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert not torch.equal(first["model.embed_tokens.weight"], other["model.embed_tokens.weight"])


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [({"heads": 5}, "do not divide"), ({"architecture": "lfm2", "layers": 1}, "second layer")],
)
def test_sizes_that_do_not_fit_together_are_refused(sizes, expected):
    with pytest.raises(UsageError, match=expected):
        Shape(**sizes)
