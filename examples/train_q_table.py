"""Tabular Q-learning with nothing but NumPy: `python examples/train_q_table.py`, about a second.

An agent that knows nothing learns to fetch a cup from a cupboard behind a door. Its state is what
it can do now, the list of admissible commands; its action is the number of one of them.
"""

from collections import defaultdict
from pathlib import Path

import gymnasium as gym
import numpy as np

import earsim  # noqa: F401 - registers the environments
from earsim.envs import DiscreteActions

SCENARIO = str(Path(__file__).with_name("tea_kitchen.yaml"))
EPISODES, DISCOUNT, RATE, SEED = 500, 0.95, 0.5, 0

env = DiscreteActions(gym.make("OmniEAR-v0", scenario=SCENARIO, end_on="goal"))
rng = np.random.default_rng(SEED)
table = defaultdict(lambda: np.ones(env.max_actions))  # optimistic: what is untried looks good


def play(explore: float, *, learn: bool) -> tuple[bool, int]:
    """Whether one episode was won, and in how many decisions; `explore` is the share of guesses."""
    env.reset(seed=SEED)
    state, over = env.commands, False
    while not over:
        values = table[state][: len(state)]
        best = np.flatnonzero(values == values.max())
        action = int(rng.choice(len(state) if rng.random() < explore else best))
        _, reward, terminated, truncated, info = env.step(action)
        over, following = terminated or truncated, env.commands
        if learn:
            worth = 0.0 if terminated else table[following][: len(following)].max()
            table[state][action] += RATE * (reward + DISCOUNT * worth - values[action])
        state = following
    return info["won"], info["moves"]


if __name__ == "__main__":
    before = np.mean([play(1.0, learn=False) for _ in range(200)], axis=0)
    for _ in range(EPISODES):
        play(0.1, learn=True)
    after = np.mean([play(0.0, learn=False) for _ in range(200)], axis=0)
    print(f"guessing: solved {before[0]:.0%}")
    print(f"learned:  solved {after[0]:.0%} in {after[1]:.0f} decisions, {len(table)} states seen")
