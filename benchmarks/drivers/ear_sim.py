"""EAR-Sim: 44 objects in four rooms; `text` tells the whole picture, `list` the commands too."""

import sys

from replay import Told, run

from benchmarks.scenes import scenario
from earsim import __version__
from earsim.envs import OmniEAREnv

ruleset, form = sys.argv[2:4]
env = OmniEAREnv(scenario(ruleset=ruleset), budget=10**9, admissible_commands=form == "list")


class Offered:
    """The commands an agent may choose from, asked for only by whoever draws one."""

    def __len__(self) -> int:
        return len(self._commands)

    def __getitem__(self, index: int) -> str:
        return self._commands[index]

    @property
    def _commands(self) -> list[str]:
        """DONE is not drawn: it would end the episode."""
        listed = env.episode.admissible(env.episode.agents[0])
        return [command for command in listed if command != "DONE"]


OFFERED = Offered()


def reset(seed: int) -> Told:
    """There is one scenario."""
    text, _ = env.reset()
    return Told(text, OFFERED, over=False)


def step(command: str) -> Told:
    """Text, and the list in the info if it was asked for."""
    text, _, _, _, _ = env.step(command)
    return Told(text, OFFERED, over=False)


run(f"EAR-Sim {ruleset}, {form}", __version__, reset, step)
