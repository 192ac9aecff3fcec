"""The two networks of a TIP-GAN in torch (Sleeman et al., 2023), from first weights by a seed."""

from __future__ import annotations

from typing import Any

from earsim.apparatus.tipgan.inputs import INPUTS
from earsim.apparatus.tipgan.networks import Layer, TipGanNetworks
from earsim_training.tipgan.settings import TipGanSettings


def _trunk(inputs: int, width: int) -> Any:
    from torch import nn

    return nn.Sequential(nn.Linear(inputs, width), nn.ELU(), nn.Linear(width, width), nn.ELU())


def generator(settings: TipGanSettings) -> Any:
    """A trunk that all generators share, and a head with tanh for each."""
    from torch import nn

    width = settings.generator_width
    heads = [
        nn.Sequential(nn.Linear(width, len(INPUTS)), nn.Tanh()) for _ in range(settings.generators)
    ]
    return nn.ModuleDict({"trunk": _trunk(settings.latent, width), "heads": nn.ModuleList(heads)})


def discriminator(settings: TipGanSettings) -> Any:
    """A trunk, kernels that compare a batch, and two heads: of the source, of the class."""
    from torch import nn

    width, kernels = settings.discriminator_width, settings.kernels
    parts = {
        "trunk": _trunk(len(INPUTS), width),
        "source": nn.Linear(width + kernels, settings.generators + 1),
        "classes": nn.Linear(width, settings.classes),
    }
    if kernels:
        parts["kernels"] = nn.Linear(width, kernels * settings.kernel_size, bias=False)
    return nn.ModuleDict(parts)


def proposed(network: Any, latent: Any) -> Any:
    """What the generators propose, one after the other, each for its part of the batch."""
    import torch

    heads = network["heads"]
    features = network["trunk"](latent)
    parts = torch.tensor_split(features, len(heads))
    return torch.cat([head(part) for head, part in zip(heads, parts, strict=True)])


def judged(network: Any, rows: Any) -> tuple[Any, Any]:
    """Logits of the source (the data last) and of the class, for a batch from one side."""
    import torch

    features = network["trunk"](rows)
    classes = network["classes"](features)
    if "kernels" not in network:
        return network["source"](features), classes
    kernels = network["source"].in_features - features.shape[1]
    flat = network["kernels"](features).reshape(len(rows), kernels, -1)
    apart = (flat[None] - flat[:, None]).abs().sum(dim=3)
    near = torch.exp(-apart).sum(dim=1) - 1.0
    return network["source"](torch.cat([features, near], dim=1)), classes


def kept(making: Any, judging: Any) -> TipGanNetworks:
    """What is kept of trained networks: all but what compares a batch and tells the source."""

    def layers(modules: Any) -> tuple[Layer, ...]:
        found = [each for each in modules if hasattr(each, "weight")]
        return tuple(
            Layer(*(t.detach().numpy().astype(float) for t in (each.weight, each.bias)))
            for each in found
        )

    return TipGanNetworks(
        generator_trunk=layers(making["trunk"]),
        heads=layers(head[0] for head in making["heads"]),
        discriminator_trunk=layers(judging["trunk"]),
        classes=layers([judging["classes"]])[0],
    )
