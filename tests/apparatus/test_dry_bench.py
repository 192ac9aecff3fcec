"""Dry benches: what passes, and what a solution that cheats gains."""

import json
import re
from pathlib import Path

import gymnasium as gym
import pytest

from earsim import Engine, Episode
from earsim.apparatus.bodies.transcript import OutputLine
from earsim.apparatus.dry_bench import trial
from earsim.apparatus.dry_bench.comparison import same, same_text
from earsim.apparatus.dry_bench.problem import DryProblem, DryTest
from earsim.envs import SINGLE_ID
from earsim.errors import EarSimError
from earsim.processes.messages import messages
from earsim.render.things import thing_facts
from earsim.sandbox import measured
from earsim.schema import parse
from earsim.world.desks import problem_of
from earsim.world.digest import digest

SCENE = """\
schema: earsim.scene/1
id: desk
rooms: [{id: lab, name: Lab, temperature_c: 21}]
objects:
  - id: bench
    name: Dry bench
    kind: furniture
    in: lab
    mass_kg: 20
    apparatus:
      model: dry_bench/1
      desk:
        problem: Fill in left.
        function: left
        files:
          main.py: |
            from data import BASE
            def left(hours, half_life):
                raise NotImplementedError
          data.py: |
            BASE = 0.5
        tests:
          - {args: [0, 2], equals: 1.0}
          - {args: [2, 2], equals: 0.5}
          - {args: [4, 2], equals: 0.25}
          - {args: [1, 3], equals: 0.7937}
          - {args: [9, 3], equals: 0.125}
tasks:
  - id: t
    category: direct_command
    agents: [{id: ada, name: Ada, in: lab, max_mass_kg: 20}]
    goal: {measured: {apparatus: bench, result: passed, equals: 5}}
    instruction: "Solve the problem on the {bench}."
    budget: 40
"""
RIGHT = "from data import BASE\ndef left(hours, half_life):\n    return BASE ** (hours / half_life)"

needs_sandbox = pytest.mark.skipif(measured().level < 2, reason="no sandbox of level 2 here")


@pytest.fixture
def episode() -> Episode:
    (scenario,) = parse(SCENE).scenarios()
    found = Episode(Engine(scenario))
    for command in ("EXPLORE", "GOTO bench"):
        found.step({"ada": command})
    return found


def tried(episode: Episode, solution: str) -> dict:
    """The results of the tests of a solution."""
    for command in (f"SAVE bench main.py\n{solution}", "RUN bench"):
        episode.step({"ada": command})
        assert episode.last.outcomes["ada"].accepted, episode.feedback("ada")
    while not episode.world.timeline.lab.last("bench").operation.status.ended:
        episode.step({"ada": "WAIT UNTIL bench done"})
    return dict(episode.world.timeline.lab.last("bench").results)


@pytest.mark.slow
@needs_sandbox
def test_the_solution_passes_and_the_stub_does_not(episode):
    episode.step({"ada": "RUN bench"})
    episode.step({"ada": "WAIT UNTIL bench done"})
    first = episode.world.timeline.lab.last("bench").results
    assert (first["passed"], first["tests"], first["failed_to_run"]) == (0, 5, True)
    assert not episode.success
    found = tried(episode, RIGHT)
    assert (found["passed"], found["seconds"], found["failed_to_run"]) == (5, 6.0, False)
    assert episode.success


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize(
    ("body", "passed"),
    [
        ("return 0.5", 1),
        ("return 0.5 ** (hours / half_life) * 1.019", 5),
        ("return 0.5 ** (hours / half_life) * 1.021", 0),
        ("return str(0.5 ** (hours / half_life))", 0),
        ("return [0.5 ** (hours / half_life)]", 0),
        ("return float('nan')", 0),
        ("return 10 ** 400", 0),
        ("return True", 0),
        ("if hours: raise ValueError\n    return 1", 1),
        ("import numpy\n    return numpy.float64(0.5) ** (hours / half_life)", 5),
    ],
)
def test_tests_pass_on_their_own_and_within_two_percent(episode, body, passed):
    assert tried(episode, f"def left(hours, half_life):\n    {body}")["passed"] == passed


CHEATS = {
    "equal to everything": """
class Lie(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __abs__(self): return 0.0
def left(hours, half_life): return Lie(7)
""",
    "the callers' frames": """
import sys, gc
def left(hours, half_life):
    frame = sys._getframe()
    while frame is not None:
        for value in (*frame.f_globals.values(), *frame.f_locals.values()):
            if isinstance(value, dict) and 'equals' in value: return value['equals']
        frame = frame.f_back
    return next((x['equals'] for x in gc.get_objects() if isinstance(x, dict) and 'equals' in x), 7)
""",
    "files": """
import os
def left(hours, half_life):
    for top in ('/', '/proc/1', '/home', '/root', '.', '..'):
        for folder, _, names in os.walk(top):
            for name in names[:200]:
                if name.endswith(('.yaml', '.jsonl')):
                    try: text = open(os.path.join(folder, name)).read()
                    except OSError: continue
                    if 'half_life' in text: return text
            if folder.count('/') > 6: break
    return 7
""",
    "another comparison": """
import builtins, json, math
builtins.abs = lambda x: 0.0
json.loads = lambda text: [0.5]
math.isclose = lambda *a, **k: True
def left(hours, half_life): return 7
""",
    "an end that nothing called for": "def left(hours, half_life): raise SystemExit(0)\n",
    "lines written to the parent": """
import json, os
for fd in range(3, 64):
    try:
        for i in range(1, 6):
            line = {'line': ['stdout', f'OUTPUT {i} 0.33']}
            os.write(fd, json.dumps(line).encode() + b'\\n')
        os.write(fd, b'{"end": null}\\n')
    except OSError: pass
def left(hours, half_life): return 7
""",
    "other numbers of tests": """
for text in ('0 1.0', '6 1.0', '01 1.0', '\u0661 1.0', '1' * 5000 + ' 1.0', '1 ' + '9' * 1900):
    print('OUTPUT', text)
def left(hours, half_life): raise ValueError
""",
    "a long answer": "def left(hours, half_life): return '0.5' * 10_000_000\n",
    "a deep answer": """
def left(hours, half_life):
    value = 0.5
    for _ in range(900): value = [value]
    return value
""",
    "memory": "def left(hours, half_life): return len(bytearray(8 << 30))\n",
    "many lines": """
def left(hours, half_life):
    for _ in range(20_000): print('OUTPUT 1 0.33')
""",
    "deaf to interrupts": """
def left(hours, half_life):
    while True:
        try: print('OUTPUT 1 0.33')
        except BaseException: pass
""",
    "a crash": "import ctypes\ndef left(hours, half_life): ctypes.string_at(0)\n",
    "a process that stays": """
import os, time
if os.fork() == 0:
    while True:
        try: open('main.py', 'w').write('def left(*_): return 1.0')
        except OSError: pass
        time.sleep(0.01)
def left(hours, half_life): return 7
""",
    "no tests": """
import atexit, os
atexit.register(lambda: os._exit(0))
print('passed 5 of 5')
print('result = 5')
def left(hours, half_life): raise SystemExit(0)
""",
    "a dead process": "import os\ndef left(hours, half_life): os._exit(0)\n",
    "a message to the parent": """
import os, json
for fd in range(3, 64):
    try: os.write(fd, json.dumps({'end': None, 'passed': 5}).encode() + b'\\n')
    except OSError: pass
def left(hours, half_life): return 7
""",
}


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_gains_nothing(episode, name):
    found = tried(episode, CHEATS[name])
    assert found["passed"] == 0
    assert found["tests"] == 5
    assert not episode.success
    assert tried(episode, RIGHT)["passed"] == 5  # and spoils nothing


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("where", ["top", "function"])
def test_a_test_that_goes_on_and_on_has_failed_and_the_episode_counts(episode, where, monkeypatch):
    monkeypatch.setattr(trial, "PROCESSOR_S", 1.0)
    loop = "while True: pass"
    body = "    if hours > 8:\n        " + loop + "\n    return 0.5 ** (hours / half_life)"
    code = f"def left(hours, half_life):\n{body}"
    found = tried(episode, f"{loop}\n{code}" if where == "top" else code)
    assert found["passed"] == (0 if where == "top" else 4)
    assert found["failed_to_run"]
    assert episode.world.timeline.lab.last("bench").state.end.is_measured


@pytest.mark.slow
@needs_sandbox
def test_saved_files_shadow_no_module_of_the_tests(episode):
    episode.step({"ada": "SAVE bench json.py\ndef dumps(*_, **__): return '1.0'"})
    episode.step({"ada": "SAVE bench traceback.py\nraise SystemExit"})
    assert tried(episode, "def left(hours, half_life): return 7")["passed"] == 0
    assert tried(episode, RIGHT)["passed"] == 5


@needs_sandbox
def test_what_the_interpreter_is_sent_has_no_answer_in_it(episode):
    tried(episode, RIGHT)
    run = episode.world.timeline.lab.last("bench")
    assert "0.7937" not in run.state.code
    assert not any("0.7937" in entry.text for entry in run.state.work)


@needs_sandbox
def test_what_is_tried_out_does_not_reach_the_tests(episode):
    trick = "EXEC bench\nimport json, main\nmain.left = lambda *a: 1.0\nprint('OUTPUT 1 1.0')"
    for command in (trick, "WAIT UNTIL bench done", "RUN bench", "WAIT UNTIL bench done"):
        episode.step({"ada": command})
    found = episode.world.timeline.lab.last("bench").results
    assert (found["passed"], found["failed_to_run"]) == (0, True)


@needs_sandbox
def test_reading_tells_the_problem_the_files_as_they_are_and_what_came_of_the_tests(episode):
    episode.step({"ada": "READ bench"})
    told = episode.feedback("ada")
    assert "Fill in left." in told
    assert "== data.py ==\nBASE = 0.5" in told
    assert "0.7937" not in told
    tried(episode, RIGHT)
    episode.step({"ada": "READ bench"})
    assert "passed 5, tests 5" in episode.feedback("ada")
    assert "OUTPUT 2 0.5" in episode.feedback("ada")
    episode.step({"ada": "READ bench 1"})
    assert "return BASE **" in episode.feedback("ada")
    episode.step({"ada": "READ bench 2"})
    assert not episode.last.outcomes["ada"].accepted


@pytest.mark.slow
@needs_sandbox
def test_the_transcript_of_the_docs_is_what_is_told():
    page = (Path(__file__).parents[2] / "docs" / "models" / "dry_bench.md").read_text("utf-8")
    (scene,) = re.findall(r"<!-- file: desk.yaml -->\n```yaml\n(.*?)```", page, re.DOTALL)
    (shown,) = re.findall(r"<!-- transcript -->\n```text\n(.*?)```", page, re.DOTALL)
    episode, told = Episode(_engine(scene)), ""
    commands = r"^> ((?:SAVE|EXEC) .*\n(?:.*\n)*?\.$|.*$)"
    for typed in re.findall(commands, shown, re.MULTILINE):
        episode.step({"ada": typed.removesuffix("\n.")})
        told += f"> {typed}\n{episode.feedback('ada')}\n"
    assert told == shown
    assert episode.success


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("observability", ["partial", "full"])
@pytest.mark.parametrize("form", ["full", "delta", "graph"])
def test_no_form_of_observation_tells_an_answer(form, observability):
    env = gym.make(
        SINGLE_ID,
        suite="laboratory",
        scenario="dry_desks/ellipse",
        observation=form,
        observability=observability,
    )
    commands = (
        "EXPLORE",
        "GOTO anomaly_desk",
        "READ anomaly_desk",
        "MEASURE anomaly_desk",
        "RUN anomaly_desk",
        "WAIT UNTIL anomaly_desk done",
        "READ anomaly_desk",
        "READ anomaly_desk 1",
        "EXEC anomaly_desk\nprint(open('main.py').read(), *globals())",
        "WAIT UNTIL anomaly_desk done",
        "READ anomaly_desk",
    )
    told = [env.reset(), *map(env.step, commands)]
    episode = env.unwrapped.episode
    told += [messages(episode.world, "s"), thing_facts(episode.world, "anomaly_desk")]
    for answer in ("111.758", "145.164", "237.456", "172.255"):
        assert answer not in repr(told)


def test_below_the_demanded_level_nothing_is_tested(episode, monkeypatch):
    monkeypatch.setattr("earsim.apparatus.bodies.confinement.DEMAND.level", 4)
    episode.step({"ada": "RUN bench"})
    assert episode.last.outcomes["ada"].reason == "no_sandbox"


@needs_sandbox
def test_a_fork_goes_on_alone(episode):
    episode.step({"ada": f"SAVE bench main.py\n{RIGHT}"})
    episode.step({"ada": "RUN bench"})
    episode.step({"ada": "WAIT 3"})
    other = episode.fork()
    for each in (episode, other):
        each.step({"ada": "WAIT UNTIL bench done"})
    assert episode.success
    assert other.success
    assert digest(episode.world) == digest(other.world)


def told(*lines: str, stream: str = "stdout") -> dict:
    five = DryProblem("", "f", {}, (DryTest((), 0),) * 5)
    return five.outputs([OutputLine(stream, text) for text in lines])


def test_output_lines_are_read_with_care():
    found = told(
        "OUTPUT 1 2", "OUTPUT 1 3", "OUTPUT 2 [", "OUTPUT x 1", "output 3 1", "OUTPUT 4 NaN"
    )
    assert found[1] == 3
    assert set(found) == {1, 4}
    assert told("OUTPUT 1 2", "OUTPUT 1") == {}
    assert told("OUTPUT 1 " + "[" * 100_000) == {}
    assert told("OUTPUT 1 " + "9" * 5_000) == {}
    assert told("OUTPUT 0 1", "OUTPUT 6 1", "OUTPUT 01 1", "OUTPUT \u0661 1") == {}
    assert told("OUTPUT 1 2", stream="stderr") == {}


PROGRAM = """\
schema: earsim.scene/1
id: desk
rooms: [{id: lab, name: Lab, temperature_c: 21}]
objects:
  - id: bench
    name: Dry bench
    kind: furniture
    in: lab
    mass_kg: 20
    apparatus:
      model: dry_bench/1
      desk:
        problem: Fill in area.
        files:
          main.py: |
            from data import SIDE, NAME
            def area(side):
                pass
            print(NAME, 'has', area(SIDE))
          data.py: |
            SIDE, NAME = 2.0, 'plate'
        programs:
          - {files: {data.py: "SIDE, NAME = 3.0, 'tile'\\n"}, prints: "tile has 9.0\\n"}
          - {files: {data.py: "SIDE, NAME = 2e-6, 'dot'\\n"}, prints: "dot has 4e-12"}
          - {files: {}, prints: "plate has 4.0"}
tasks:
  - id: t
    category: direct_command
    agents: [{id: ada, name: Ada, in: lab, max_mass_kg: 20}]
    goal: {measured: {apparatus: bench, result: passed, equals: 3}}
    instruction: "Solve the problem on the {bench}."
    budget: 40
"""


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize(
    ("text", "passed", "failed"),
    [
        ("from data import *\nprint(NAME, 'has', SIDE ** 2)", 3, False),
        ("from data import *\nprint(f'{NAME} has\\n   {SIDE * SIDE * 1.01}')", 3, False),
        ("from data import *\nprint(NAME, 'has', SIDE ** 2)\nraise SystemExit", 3, False),
        ("from data import *\nprint(NAME, 'has', 2 * SIDE)", 1, False),
        ("from data import *\nprint(NAME, 'HAS', SIDE ** 2)", 0, False),
        ("from data import *\nprint(NAME, 'has', SIDE ** 2)\nraise SystemExit(3)", 0, True),
        ("from data import *\nassert SIDE > 1\nprint(NAME, 'has', SIDE ** 2)", 2, True),
        ("pass", 0, False),
        ("for n in '123': print('OUTPUT', n, 'plate has 4.0')", 0, False),
        ("import os, sys\nos.chdir('/')\nsys.path.clear()\nprint('plate has 4.0')", 1, False),
        ("import data, sys\ndata.SIDE = 7\nsys.modules['runpy'] = 1\nprint('x')", 0, False),
    ],
)
def test_a_program_is_run_with_the_files_of_each_test_and_what_it_prints_is_compared(
    text, passed, failed
):
    episode = Episode(_engine(PROGRAM))
    for command in ("EXPLORE", "GOTO bench"):
        episode.step({"ada": command})
    found = tried(episode, text)
    assert (found["passed"], found["tests"], found["failed_to_run"]) == (passed, 3, failed)
    assert episode.success is (passed == 3)


@pytest.mark.parametrize(
    ("answer", "told", "equal"),
    [
        ("a 1.0 b", "a 1.01 b", True),
        ("a 1.0 b", "a 1.03 b", False),
        ("a=1.0,b", "a = 1.0 , b", True),
        ("x: -2", "x: 2", False),
        ("1e-3", "0.001", True),
        ("[1, 2]", "[1, 2, 3]", False),
        ("", "", True),
        ("", "a", False),
        ("nan", "nan", True),
        ("inf", "5", False),
        ("5", "inf", False),
        ("9" * 400, "9" * 400, True),
        ("Grüße", "Grüße", True),
    ],
)
def test_texts_are_the_same_with_numbers_within_two_percent(answer, told, equal):
    assert same_text(answer, told) is equal


@pytest.mark.parametrize(
    ("text", "other", "place"),
    [
        ("model: dry_bench/1", "model: python/1", "desk: python/1 with a desk"),
        ("main.py: |", "other.py: |", "there is no main.py"),
        ("function: left", "function: right", "main.py has no function 'right'"),
        ("def left(", "    # def left(", "main.py has no function 'left'"),
        ("data.py: |", "../data.py: |", "files"),
        ("data.py: |", "data.so: |", "files"),
        ("equals: 0.25", f"equals: {[0.1] * 90}", "tests.2.equals: as a line"),
        ("equals: 0.25", "equals: .nan", "number out of range"),
        ("equals: 0.25", "equal: 0.25", "unknown key"),
        ("function: left", "function: 'left(); x'", "function"),
        ("function: left", "", "function is None"),
        ("problem: Fill in left.", 'problem: "\\x1b[2J"', "problem"),
    ],
)
def test_what_cannot_be_about_a_desk_is_told_with_its_place(text, other, place):
    with pytest.raises(EarSimError) as error:
        _engine(SCENE.replace(text, other, 1))
    assert place in str(error.value)


def _engine(scene: str) -> Engine:
    (scenario,) = parse(scene).scenarios()
    return Engine(scenario)


def test_a_desk_is_compiled_as_it_stands():
    (scenario,) = parse(SCENE).scenarios()
    (bench,) = scenario.scene.objects
    found = problem_of(bench.apparatus.desk)
    assert found.tests[3] == DryTest((1, 3), 0.7937)
    assert found.function == "left"


@pytest.mark.parametrize(
    ("answer", "told", "equal"),
    [
        (1.0, 1.0199, True),
        (1.0, 1.0201, False),
        (-2.0, 2.0, False),
        (0.0, 1e-13, True),
        (0.0, 1e-11, False),
        (3, 3.0, True),
        (True, 1, False),
        (1, True, False),
        ("ab", "ab", True),
        ("1", 1, False),
        ([1, [2.0]], [1, [2.03]], True),
        ([1, 2], [1], False),
        ({"a": 1}, {"a": 1.01}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (None, None, True),
        (None, 0, False),
        (1.5, 10**400, False),
        (1.0, json.loads("NaN"), False),
        (1.0, json.loads("Infinity"), False),
    ],
)
def test_values_are_the_same_within_two_percent(answer, told, equal):
    assert same(answer, told) is equal
