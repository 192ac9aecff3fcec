"""TextWorld: a game made here, with 5 rooms and 40 objects. ALFWorld: a game of its own."""

import sys
from importlib.metadata import version
from pathlib import Path

import textworld
from replay import Told, run

INFOS = textworld.EnvInfos(description=True, inventory=True, admissible_commands=True)
SETTINGS = {"nb_rooms": 5, "nb_objects": 40, "quest_length": 5}
project, data = sys.argv[2], Path(sys.argv[3])


def made() -> textworld.Environment:
    """A generated game; it is compiled once and lies in the folder from then on."""
    path = data / "game.z8"
    if not path.exists():
        options = textworld.GameOptions()
        options.seeds, options.path = 1, str(path)
        for name, value in SETTINGS.items():
            setattr(options, name, value)
        textworld.generator.compile_game(textworld.generator.make_game(options), options)
    return textworld.start(str(path), INFOS)


def downloaded() -> textworld.Environment:
    """The first game, by path, of those that `alfworld-download` has brought."""
    from alfworld.agents.environment.alfred_tw_env import AlfredDemangler

    first = min(data.rglob("game.tw-pddl"))
    return textworld.start(str(first), INFOS, wrappers=[AlfredDemangler()])


env = made() if project == "textworld" else downloaded()


def told(state: textworld.GameState, over: bool) -> Told:
    """What one has to read: the reply, the room and what is in the hands."""
    text = "\n".join(filter(None, (state.feedback, state.description, state.inventory)))
    return Told(text, state.admissible_commands, over)


def reset(seed: int) -> Told:
    """There is one game."""
    return told(env.reset(), over=False)


def step(command: str) -> Told:
    """Every step brings the room, the inventory and the admissible commands."""
    state, _, over = env.step(command)
    return told(state, over)


NAMES = {"textworld": "TextWorld, 5 rooms, 40 objects", "alfworld": "ALFWorld, its first game"}
run(NAMES[project], version(project), reset, step)
