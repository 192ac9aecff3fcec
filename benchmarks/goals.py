"""The speed goals of the design, and what is reached of them, in one ruleset."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from gymnasium.vector import SyncVectorEnv, VectorEnv

from benchmarks.memory import live_episode_kb, live_world_kb
from benchmarks.scenes import scenario_dict
from benchmarks.stage import ENDLESS, Stage
from benchmarks.timing import cpu_s
from earsim import Engine, Episode, Scenario
from earsim.envs.vector import vector_env
from earsim.render.feedback import feedback

DECISIONS_PER_SHORT_EPISODE = 35
VECTOR_ENVS = (8, 64)
MAX_ACTIONS = 256


class Figure(NamedTuple):
    """One measured figure; `goal` is None where the design sets none."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    at_most: bool = False

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        if self.goal is None:
            return None
        return self.value <= self.goal if self.at_most else self.value >= self.goal


def figures(ruleset: str, *, decisions: int, runs: int) -> list[Figure]:
    """All figures of the goals table."""
    stage = Stage.of(ruleset, decisions)
    short = Stage.of(ruleset, decisions, length=DECISIONS_PER_SHORT_EPISODE)
    return [
        Figure("text and admissible commands", steps_per_s(stage, runs), "steps/s", 100_000),
        Figure("the same, 35 decisions per episode", _short_episodes(short, runs), "steps/s"),
        Figure("text only", steps_per_s(stage, runs, admissible=False), "steps/s"),
        Figure("commands with feedback only", commands_per_s(stage, runs), "commands/s", 150_000),
        Figure("text, Gymnasium's SyncVectorEnv of 8", _synced(stage, runs), "steps/s"),
        *(
            Figure(f"text, vector env of {n}", batched(stage, n, runs), "steps/s", 80_000)
            for n in VECTOR_ENVS
        ),
        Figure("text nobody looks at, of 8", batched(stage, 8, runs, copy=False), "steps/s"),
        *(
            Figure(f"masks and arrays, {n}", _batched_arrays(stage, n, runs), "steps/s", 30_000)
            for n in VECTOR_ENVS
        ),
        Figure("reset", _reset_ms(stage, runs), "ms", 0.05, at_most=True),
        Figure("dict to world", _construction_ms(ruleset, runs), "ms", 1.0, at_most=True),
        Figure("memory per live world", live_world_kb(short), "kB", 40, at_most=True),
        Figure("the same with all that is kept", live_episode_kb(short), "kB"),
    ]


def steps_per_s(stage: Stage, runs: int, *, admissible: bool = True) -> float:
    """Steps of the environment a second, with the text and, if wanted, admissible commands."""
    env = stage.env(admissible_commands=admissible)
    commands = stage.commands

    def play() -> None:
        for command in commands:
            env.step(command)

    return len(commands) / cpu_s(play, before=env.reset, runs=runs)


def _short_episodes(stage: Stage, runs: int) -> float:
    """Everything kept is forgotten at each reset, and resets are counted in."""
    env = stage.env()
    length = DECISIONS_PER_SHORT_EPISODE
    commands = stage.commands

    def play() -> None:
        for number, command in enumerate(commands):
            if number % length == 0:
                env.reset()
            env.step(command)

    return len(commands) / cpu_s(play, before=env.reset, runs=runs)


def commands_per_s(stage: Stage, runs: int) -> float:
    """Commands a second, with their feedback and nothing else."""
    engine, commands = stage.engine, stage.commands
    agent = next(iter(engine.blueprint.bodies))

    def play() -> None:
        world = engine.start()
        for command in commands:
            outcome = engine.execute(world, agent, command)
            feedback(outcome, engine.blueprint, engine.verbs)

    return len(commands) / cpu_s(play, before=lambda: None, runs=runs)


def _synced(stage: Stage, runs: int) -> float:
    make = partial(stage.env, admissible_commands=False)
    return _vector_steps_per_s(SyncVectorEnv([make] * 8), _a_part(stage.commands, 8), runs)


def batched(stage: Stage, num_envs: int, runs: int, *, copy: bool = True) -> float:
    """With `copy` all texts are built, without it those that are looked at: none here."""
    env = vector_env(num_envs, scenario=stage.engine.scenario, budget=ENDLESS, copy=copy)
    return _vector_steps_per_s(env, _a_part(stage.commands, num_envs), runs)


def _batched_arrays(stage: Stage, num_envs: int, runs: int) -> float:
    """Commands by number with their masks, and stacked graph arrays that outlive the next step."""
    env = vector_env(
        num_envs,
        scenario=stage.engine.scenario,
        budget=ENDLESS,
        observation="graph",
        max_nodes=len(stage.engine.blueprint.rank),
        max_actions=MAX_ACTIONS,
    )
    return _vector_steps_per_s(env, _a_part(_numbers(stage), num_envs), runs)


def _numbers(stage: Stage) -> list[int]:
    """The place of every command in the list of its moment; the last number for one refused."""
    episode = Episode(stage.engine, budget=ENDLESS)
    agent = episode.agents[0]
    numbers = []
    for command in stage.commands:
        listed = episode.admissible(agent)
        numbers.append(listed.index(command) if command in listed else MAX_ACTIONS - 1)
        episode.step({agent: command})
    return numbers


def _a_part(actions: list[Any], num_envs: int) -> list[Any]:
    """So many that vectors of all sizes take about the same number of steps."""
    return actions[: max(100, 2 * len(actions) // num_envs)]


def _vector_steps_per_s(env: VectorEnv[Any, Any, Any], actions: list[Any], runs: int) -> float:
    def play() -> None:
        for action in actions:
            env.step([action] * env.num_envs)

    return len(actions) * env.num_envs / cpu_s(play, before=env.reset, runs=runs)


def _reset_ms(stage: Stage, runs: int) -> float:
    env = stage.env(budget=ENDLESS)
    times = 1000

    def play() -> None:
        for _ in range(times):
            env.reset()

    return cpu_s(play, before=env.reset, runs=runs) / times * 1000


def _construction_ms(ruleset: str, runs: int) -> float:
    """From a parsed file to a live world."""
    raw = scenario_dict(ruleset=ruleset)
    times = 50

    def play() -> None:
        for _ in range(times):
            Engine(Scenario.model_validate(raw)).start()

    return cpu_s(play, before=lambda: None, runs=runs) / times * 1000
