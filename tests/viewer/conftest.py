"""Runs to look at, honest and hostile ones."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.evaluation.runs.recorder import begin, result_of, take
from earsim.evaluation.store.records import EpisodeRecord, Writing
from earsim.schema import Scenario
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites import open_suite
from tests.cli.conftest import SCENE
from tests.evaluation.runs import call, row, run
from tests.viewer.browser import CHROMIUM, Browser, chromium

HOSTILE = """\
schema: earsim.scene/1
id: trap
rooms:
  - {id: hall, name: "<script>alert('room')</script>"}
objects:
  - {id: __proto__, name: "<img src=x onerror=alert(1)>", kind: furniture, in: hall, mass_kg: 30}
  - {id: constructor, name: "</script><script>alert(2)</script>", kind: item, on: __proto__,
     mass_kg: 1, states: {is_on: false}}
tasks:
  - id: light
    category: direct_command
    agents: [{id: toString, name: "<b onmouseover=alert(3)>Eva</b>", max_mass_kg: 20}]
    goal: {all: [{has_state: {object: constructor, state: is_on}}]}
    instruction: "Light it. <svg onload=alert(4)></svg> &lt;i&gt;"
    budget: 6
"""
BENCH = """\
schema: earsim.scene/1
id: bench
rooms: [{id: lab, name: Lab}]
objects:
  - id: __proto__
    name: "<img src=x onerror=alert(1)>Rig"
    kind: furniture
    in: lab
    mass_kg: 41
    apparatus:
      model: maglev/1
      settings: {Kp: 12, Ki: 8, topology: pid}
      price: {eur_per_run: 2}
      show: [y]
tasks:
  - id: tune
    category: tool_use
    agents: [{id: ada, name: "<b>Ada</b>", max_mass_kg: 20}]
    limits: {eur: 8}
    goal: {all: [{measured: {apparatus: __proto__, result: settling_s, at_most: 3}}]}
    instruction: "Tune it."
"""
SAID = (
    "</script><script>alert('reply')</script> \x1b[31mred\x1b]0;title\x07 \u2028 \u202egnp.exe <!--"
    " zero\u200bwidth\u00a0"
)


def played(
    scenario: Scenario, commands: list[dict[str, str] | None], **changes: Any
) -> EpisodeRecord:
    """An episode of these commands, as the runner would have recorded it."""
    episode = begin(scenario, EpisodeSettings())
    writing = Writing("")
    for each in commands:
        writing.step(take(episode, each), unreadable=each is None)
    for each in changes.pop("calls", ()):
        writing.call(each)
    result = result_of(episode)
    facts = {
        "scenario_hash": scenario.hash,
        "category": scenario.task.category.value,
        "ruleset": episode.engine.ruleset.id,
        "agents": len(scenario.agents),
        "outcome": "success" if result.success_final else "failure",
        "termination": result.termination,
        "success_latched": result.success_latched,
        "success_final": result.success_final,
        "decisions": result.decisions,
        "extra": {"instruction": episode.engine.instruction, "budget": episode.budget},
        **changes,
    }
    return writing.finish(row(scenario.id, **facts))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def earsim(here: Path) -> Callable[..., Any]:
    """Run `earsim` with arguments, which must succeed."""
    runner = CliRunner()

    def command(*args: object) -> Any:
        done = runner.invoke(app, [str(arg) for arg in args])
        assert done.exit_code == 0, done.output
        return done

    return command


@pytest.fixture
def hut(here: Path) -> Path:
    """A scene file with a task for one and a task for two."""
    path = here / "hut.yaml"
    path.write_text(SCENE, encoding="utf-8")
    return path


@pytest.fixture
def won(hut: Path, earsim: Callable[..., Any], here: Path) -> Path:
    """The walkthroughs of the hut, with certificates beside the scene."""
    earsim("certify", hut)
    earsim("eval", "--policy", "walkthrough", "--suite", hut, "--out", "won")
    return here / "won"


@pytest.fixture
def lost(hut: Path, here: Path) -> Path:
    """The hut's tasks by a model that gets lost: a refusal, an unreadable reply, and calls."""
    suite = open_suite(hut)
    calls = [
        call(0, reasoning="It is dark.", finish_reason="stop", parsed={"eva": "GOTO lamp"}),
        call(1, reply="I would rather sing.", parsed=None),
    ]
    light = [{"eva": "GOTO lamp"}, None, {"eva": "EXPLORE"}, {"eva": "GOTO lamp"}, {"eva": "DONE"}]
    records = [
        played(suite.load("hut/light"), light, calls=calls),
        played(suite.load("hut/carry"), [{"eva": "GOTO loft", "tom": "EXPLORE"}]),
    ]
    return run(here / "lost", records, suites=[str(hut)])


@pytest.fixture
def hostile(here: Path) -> Path:
    """A run in which every text tries to be something else."""
    path = here / "trap.yaml"
    path.write_text(HOSTILE, encoding="utf-8")
    scenario = open_suite(path).load("trap/light")
    request = {"messages": [{"role": "<i>user</i>", "content": SAID}], "top": float("inf")}
    calls = [call(0, request=request, reply=SAID, reasoning=SAID, parsed=[SAID], error=SAID)]
    said = (SAID, "EXPLORE", "GOTO constructor", "TURN_ON constructor")
    commands: list[dict[str, str] | None] = [{"toString": each} for each in said]
    record = played(scenario, commands, calls=calls, error=SAID, model=SAID)
    return run(here / "hostile", [record], suites=[str(path)])


@pytest.fixture
def benched(here: Path) -> Path:
    """Three runs of a rig with a hostile name: one stopped, one completed, one still going on."""
    path = here / "bench.yaml"
    path.write_text(BENCH, encoding="utf-8")
    rig = "__proto__"
    commands = [
        "EXPLORE", f"GOTO {rig}", f"RUN {rig}", f"WAIT UNTIL {rig} done", f"STOP {rig}",
        f"CONFIGURE {rig} Kp=2.818 Ki=0.8 Kd=1.886", f"RUN {rig}", f"WAIT UNTIL {rig} done",
        f"RUN {rig}", "WAIT 10",
    ]  # fmt: skip
    record = played(open_suite(path).load("bench/tune"), [{"ada": each} for each in commands])
    return run(here / "benched", [record], suites=[str(path)])


_OWN = ("file:", "data:", "about:", "http://127.0.0.1:")


@pytest.fixture(scope="session")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    pytest.importorskip("aiohttp", reason="the browser is driven with aiohttp")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """The browser; whatever goes wrong in the page fails the test."""
    one_browser.send("Page.navigate", url="about:blank")  # else the last page asks its server on
    one_browser.problems.clear()
    one_browser.asked.clear()
    yield one_browser
    one_browser.send("Emulation.setEmulatedMedia", media="", features=[])
    one_browser.send("Emulation.clearDeviceMetricsOverride")
    assert one_browser.problems == []
    assert [url for url in one_browser.asked if not url.startswith(_OWN)] == []
    one_browser.run("location.protocol === 'file:' && localStorage.clear()")
