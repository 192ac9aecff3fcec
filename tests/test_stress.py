"""Many commands, many environments at once, many resets."""

import ctypes
import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from random import Random

import gymnasium as gym
import pytest

from earsim import RULESETS, Engine, Episode, digest
from earsim.envs import SINGLE_ID, TEAM_ID
from tests.invariants import check_invariants
from tests.physical.generated import generated_scenario
from tests.playing import SINGLE, TEAM, any_commands, engine_of

JUNK = "abcXYZ019_ ,;:\t\n\r\x00\x1b\u0661é\u202e日\ud800\U0001f600"


def malformed(rng: Random, engine: Engine) -> Iterator[str]:
    """Commands of all sorts without end: well formed, nearly so, and not at all."""
    verbs, ids = list(engine.verbs), [*engine.blueprint.rank, "ghost"]
    agents = list(engine.blueprint.bodies)
    while True:
        verb = rng.choice(verbs)
        words = [verb]
        if "{actors}" in engine.verbs[verb].grammar.form:
            words.append(",".join(rng.choices(agents, k=rng.randint(1, 3))))
        words.append(rng.choice(ids))
        if "PLACE" in verb:
            words += [rng.choice(["in", "on"]), rng.choice(ids)]
        if verb == "GIVE":
            words.append(rng.choice([*agents, "ghost"]))
        kind = rng.randrange(8)
        if kind == 0:
            rng.shuffle(words)
        elif kind == 1:
            del words[rng.randrange(len(words))]
        elif kind == 2:
            words.insert(rng.randrange(len(words) + 1), "".join(rng.choices(JUNK, k=5)))
        elif kind == 3:
            words = ["".join(rng.choices(JUNK, k=rng.randrange(40)))]
        elif kind == 4:
            words = [rng.choice(["EXPLORE", "LOOK", "WAIT"])]
        yield rng.choice(["", " "]) + " ".join(words)


def storm(engine: Engine, count: int, seed: int) -> int:
    """Give that many commands; returns how many took effect."""
    rng = Random(seed)
    texts = list(islice(malformed(rng, engine), 5000))
    agents = list(engine.blueprint.bodies)
    accepted = 0
    world = engine.start()
    for number in range(count):
        if number % 500 == 0:
            world = engine.start()
        before = digest(world) if number % 100 == 0 else None
        stamp = world.stamp
        commands = {agent: rng.choice(texts) for agent in agents}
        if rng.random() < 0.3:
            commands = dict.fromkeys(agents, rng.choice(texts))
        decision = engine.step(world, commands)
        done = (*decision.outcomes.values(), *decision.messages.values())
        took_effect = any(outcome.accepted for outcome in done)
        accepted += took_effect
        if not took_effect:
            assert world.stamp == stamp
            assert before is None or digest(world) == before
        if number % 250 == 249:
            check_invariants(world)
    return accepted


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", list(RULESETS))
@pytest.mark.parametrize("scenario", [*SINGLE, *TEAM])
def test_a_million_decisions_of_all_sorts(scenario, ruleset):
    assert storm(engine_of(scenario, ruleset), 125_000, seed=2) > 2500  # eight times


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_a_million_decisions_in_worlds_with_everything(part):
    engines = [Engine(generated_scenario(seed)) for seed in range(10 * part, 10 * part + 10)]
    assert sum(storm(engine, 25_000, seed=3) for engine in engines) > 2500  # four times


def fingerprint(seed: int) -> str:
    """A hash over all that an environment of its own tells over a few random episodes."""
    total = sha256()
    rng = Random(seed)
    ruleset = list(RULESETS)[seed % len(RULESETS)]
    env_id = (SINGLE_ID, TEAM_ID)[seed // 2 % 2]
    form = ("full", "delta", "graph")[seed // 4 % 3]
    env = gym.make(env_id, ruleset=ruleset, observation=form, admissible_commands=True).unwrapped
    for episode in range(3):
        total.update(repr(env.reset(seed=seed + episode)).encode())
        for _ in range(15):
            commands = any_commands(rng, env.episode)
            told = env.step(commands if env_id == TEAM_ID else next(iter(commands.values())))
            total.update(repr(told).encode("utf-8", "backslashreplace"))
            total.update(digest(env.episode.world).encode())
    return total.hexdigest()


@pytest.mark.slow
def test_64_threads_do_not_disturb_each_other():
    alone = [fingerprint(seed) for seed in range(64)]
    with ThreadPoolExecutor(64) as pool:
        assert list(pool.map(fingerprint, range(64))) == alone


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_16_processes_do_not_disturb_each_other(method):
    alone = [fingerprint(seed) for seed in range(16)]
    with ProcessPoolExecutor(16, mp_context=get_context(method)) as pool:
        assert list(pool.map(fingerprint, range(16))) == alone


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_four_threads_share_one_engine(ruleset):
    engine = engine_of(TEAM[0], ruleset)

    def digests(seed: int) -> list[str]:
        episode = Episode(engine, budget=10**6)
        rng = Random(seed)
        found = []
        for _ in range(60):
            episode.step(any_commands(rng, episode))
            found.append(digest(episode.world))
        return found

    alone = [digests(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(digests, range(4))) == alone


def play(env: gym.Env, resets: int) -> None:
    """That many resets, each followed by a step."""
    commands = ("EXPLORE", "GOTO switch_room", "LOOK", "GRAB headset")
    for number in range(resets):
        env.reset(seed=number % 50)
        env.step(commands[number % len(commands)])


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [None, SINGLE[0]])
def test_resets_leave_memory_flat(scenario):
    env = gym.make(SINGLE_ID, scenario=scenario).unwrapped

    def in_use() -> int:
        gc.collect()  # what lies in cycles is not lost, only not yet swept up
        return tracemalloc.get_traced_memory()[0]

    play(env, 300)  # every scenario compiled, every cache filled
    tracemalloc.start()
    try:
        play(env, 300)
        before = in_use()
        play(env, 1500)
        assert in_use() - before < 20_000
    finally:
        tracemalloc.stop()


class MallInfo(ctypes.Structure):
    """What mallinfo2 of glibc tells."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def bytes_grown(ruleset: str, resets: int) -> int:
    """Bytes by which all that is allocated grows; to be called where PYTHONMALLOC is malloc."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallInfo
    env = gym.make(SINGLE_ID, ruleset=ruleset, admissible_commands=True).unwrapped

    def in_use() -> int:
        gc.collect()
        told = mallinfo2()
        return told.uordblks + told.hblkhd  # given out of its arena, and mapped by itself

    play(env, 600)
    before = in_use()
    play(env, resets)
    return in_use() - before


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="only glibc counts bytes")
@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_100_000_resets_leave_memory_flat(ruleset):
    """All is allocated by the C library, which counts: tracing takes four times as long.

    It keeps nothing freed for its threads, which it would count as in use.
    """
    code = f"from tests.test_stress import bytes_grown; print(bytes_grown({ruleset!r}, 100_000))"
    path = os.pathsep.join(filter(None, sys.path))
    allocator = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
    environment = {**os.environ, **allocator, "PYTHONPATH": path}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert int(done.stdout) < 2_000
