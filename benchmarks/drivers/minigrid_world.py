"""MiniGrid: DoorKey-8x8, as it comes from Gymnasium without wrappers."""

from importlib.metadata import version

import gymnasium
import minigrid  # noqa: F401 - registers its environments
from replay import Told, run

env = gymnasium.make("MiniGrid-DoorKey-8x8-v0", max_steps=10**9).unwrapped
ACTIONS = range(env.action_space.n)


def reset(seed: int) -> Told:
    """A grid per seed."""
    env.reset(seed=seed)
    return Told("", ACTIONS, over=False)


def step(action: int) -> Told:
    """An array of 7 x 7 x 3 and a sentence."""
    observation, _, over, _, _ = env.step(action)
    return Told(observation["mission"], ACTIONS, over)


run("MiniGrid DoorKey-8x8", version("minigrid"), reset, step)
