"""ScienceWorld: the task find-living-thing; its simulator is a Java process of its own."""

from importlib.metadata import version

from replay import Told, run
from scienceworld import ScienceWorldEnv

env = ScienceWorldEnv("", envStepLimit=10**9)
VARIATIONS = 5


def told(text: str, info: dict, over: bool) -> Told:
    """What one has to read: the reply, the room and what is in the hands."""
    return Told(f"{text}\n{info['look']}\n{info['inv']}", info["valid"], over)


def reset(seed: int) -> Told:
    """One variation of the task per seed."""
    env.load("find-living-thing", seed % VARIATIONS, "", generateGoldPath=False)
    text, info = env.reset()
    return told(text, info, over=False)


def step(command: str) -> Told:
    """Every step brings the room, the inventory and the valid commands."""
    text, _, over, info = env.step(command)
    return told(text, info, over)


run("ScienceWorld find-living-thing", version("scienceworld"), reset, step)
env.close()
