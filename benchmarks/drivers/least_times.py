"""Plays recorded commands with whatever `earsim` is on the path; prints the least times as JSON.

python least_times.py PLAYS.json REPEATS
"""

import json
import sys
from pathlib import Path
from time import perf_counter

from earsim import Engine, Episode, Scenario


def least_times(scenario: dict, given: list[dict[str, str]], repeats: int) -> list[float]:
    """Seconds of each command with everything that its agent is then told and offered."""
    episode = Episode(Engine(Scenario.model_validate(scenario)), budget=10**9)
    (agent,) = episode.agents
    least = [float("inf")] * len(given)
    for _ in range(repeats):
        episode.restart()
        for place, commands in enumerate(given):
            start = perf_counter()
            episode.step(commands)
            episode.full(agent)
            episode.help(agent)
            episode.feedback(agent)
            episode.admissible(agent)
            least[place] = min(least[place], perf_counter() - start)
    return least


if __name__ == "__main__":
    plays = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = {
        name: least_times(play["scenario"], play["given"], int(sys.argv[2]))
        for name, play in plays.items()
    }
    print(json.dumps(found))
