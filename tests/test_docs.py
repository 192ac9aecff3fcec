"""The documentation is true: examples run, links lead somewhere, what is generated is current."""

import os
import pkgutil
import re
import shutil
from pathlib import Path

import pytest

import earsim
from docs.figures import ear_bench_under_physical
from docs.figures.blockers import Blocker, blockers
from docs.generate import FOLDER, pages
from earsim import Scenario, open_suite
from earsim.cli.app import GROUPS
from earsim.schema import parse
from tests.docs_examples import Page, assert_like

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
IN_A_COPY = {"extending.md", "writing-a-model.md"}
"""Pages whose examples change the source: they work on a copy of it."""

_TASK = "cellar_task.yaml/empty_the_barrel"
_OF_VERB = "cellar_task.yaml/apple_on_the_floor"
_UNPLANNED = "the planner cannot plan for the goal 'empty'"
_UNKNOWN_VERB = "the planner does not know the verb TIP of physical/2"
EXTENDED = [
    (f"plan {_TASK}", 2, _UNPLANNED),
    (f"run {_TASK} --policy oracle", 1, _UNPLANNED),
    (f"run {_TASK} --policy expert", 1, _UNKNOWN_VERB),
    (f"run {_TASK} --policy expert --ruleset ear-bench", 1, _UNPLANNED),
    (f"run {_TASK} --policy walkthrough", 0, "100.0 %"),
    (f"certify {_TASK}", 1, _UNPLANNED),
    ("audit cellar_task.yaml", 1, _UNPLANNED),
    (f"export-pddl {_TASK}", 2, "the goal 'empty' cannot be said in PDDL"),
    ("stats cellar_task.yaml", 0, "checks: empty"),
    (f"plan {_OF_VERB}", 2, _UNKNOWN_VERB),
    (f"run {_OF_VERB} --policy oracle", 1, _UNKNOWN_VERB),
    (f"run {_OF_VERB} --policy expert", 1, _UNKNOWN_VERB),
    (f"run {_OF_VERB} --policy walkthrough", 0, "100.0 %"),
    (f"certify {_OF_VERB}", 1, _UNKNOWN_VERB),
    ("audit cellar_task.yaml", 1, _UNKNOWN_VERB),
    (f"export-pddl {_OF_VERB}", 2, "PDDL does not know the verb TIP of physical/2"),
    ("list cellar_task.yaml", 0, "apple_on_the_floor"),
    (f"play {_OF_VERB}", 0, _UNKNOWN_VERB),
    (f"play {_TASK}", 0, "Barrel (barrel) is out of reach; GOTO it first."),
]
"""What commands make of the verb and the goal that `extending.md` adds, with exit codes: each does
what it is for, or says which goal or verb it does not know."""

TYPED = "hint\nEXPLORE\nTIP barrel\nwhy\nGOTO barrel\nTIP barrel\nDONE\n"

_COMMAND = re.compile(r"(?:^\$ |`)earsim ([\w-]+)", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)#\s]+\.md)(#[^)]*)?\)")


def name(path: Path) -> str:
    return str(path.relative_to(DOCS))


_LONG = ("certificates.md", "generate.md", "wet_bench.md")
"""Pages whose examples take seconds."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, marks=pytest.mark.slow) if p.name in _LONG else p
        for p in PAGES
        if p.name not in IN_A_COPY
    ],
    ids=name,
)
def test_examples(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    Page(path).run()


@pytest.mark.parametrize("path", [p for p in PAGES if p.name in IN_A_COPY], ids=name)
@pytest.mark.source
@pytest.mark.slow
def test_examples_that_change_the_source(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for part in ("earsim", "agents", "scenes", "tests/golden"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file in ("conftest", "sweeps", "test_golden"):
        shutil.copy(ROOT / "tests" / f"{file}.py", tmp_path / "tests" / f"{file}.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    page = Page(path, in_copy=True)
    page.run()
    for command, code, told in EXTENDED if path.name == "extending.md" else ():
        printed = page.command(f"earsim {command}", code, typed=TYPED)
        assert told in printed, f"{command}: {printed}"
        assert "Traceback" not in printed


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(path: Path):
    for target, anchor in _LINK.findall(path.read_text(encoding="utf-8")):
        if "://" not in target:
            page = path.parent / target
            assert page.is_file(), f"{path.name} links to {target}"
            assert not anchor or anchor[1:] in anchors(page), f"{path.name}: {target}{anchor}"


def anchors(page: Path) -> set[str]:
    """What a link may name in a page: its headings, as they are slugged, and what has an id."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings)
    named = re.findall(r"\{#([\w-]+)\}|<a id=\"([\w-]+)\">", text)
    return {re.sub(r"[-\s]+", "-", slug) for slug in slugs} | {a or b for a, b in named}


_CODE = ("agents", "benchmarks", "earsim", "examples", "generators", "tests", "training")
_RULE = re.compile(r"EAR-Bench ((?:Q?\d[\d.]*(?:, | and )?)+)")


@pytest.mark.source
def test_every_rule_of_ear_bench_that_is_cited_is_on_its_page():
    page = (DOCS / "ear-bench-rules.md").read_text(encoding="utf-8")
    anchors = set(re.findall(r"\{#(s[\d-]+)\}|<a id=\"(q\d+)\">", page))
    known = {one or other for one, other in anchors}
    cited = {
        rule.rstrip(".")
        for path in [*(each for home in _CODE for each in (ROOT / home).rglob("*.py")), *PAGES]
        for rules in _RULE.findall(path.read_text(encoding="utf-8"))
        for rule in re.findall(r"Q?\d[\d.]*", rules)
    }
    assert len(cited) > 40
    assert {
        f"s{rule.replace('.', '-')}" if rule[0] != "Q" else rule.lower() for rule in cited
    } <= known


def test_every_command_that_is_named_exists():
    known = {name for names in GROUPS.values() for name in names} | {"--help"}
    named = {word for path in PAGES for word in _COMMAND.findall(path.read_text(encoding="utf-8"))}
    assert named - known == set()


def test_every_page_is_in_the_navigation():
    shown = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [name(path) for path in PAGES if name(path) not in shown] == []


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_page_has_a_title_and_something_below_it(path: Path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    assert any(line.startswith("# ") for line in lines[:2])
    assert len(lines) > 2


def test_the_first_page_links_to_every_page():
    first = DOCS / "index.md"
    linked = {target for target, _ in _LINK.findall(first.read_text(encoding="utf-8"))}
    assert {name(path) for path in PAGES if path != first} - linked == set()


@pytest.mark.slow
@pytest.mark.source  # compiled functions have no docstrings
@pytest.mark.parametrize("page", pages())
def test_generated_pages_are_current(page: str):
    written = (FOLDER / page).read_text(encoding="utf-8")
    assert written == pages()[page], "run: python -m docs.generate"


def test_nothing_else_lies_among_the_generated_pages():
    assert {path.name for path in FOLDER.iterdir()} == set(pages())


# -- the names that are promised -----------------------------------------------------------------


def promised_names() -> set[str]:
    """Every import name in the section "Public names" of the page of stability."""
    page = (DOCS / "stability.md").read_text(encoding="utf-8")
    section = page.split("\n## Public names\n")[1].split("\n## ")[0]
    return set(re.findall(r"`(earsim\.[\w.]+)`", section))


@pytest.mark.parametrize("promised", sorted(promised_names()))
def test_a_promised_name_can_be_imported(promised: str):
    assert pkgutil.resolve_name(promised) is not None


def test_every_documented_name_is_promised():
    documented = re.findall(r"^::: (\S+)$", (DOCS / "api.md").read_text("utf-8"), re.MULTILINE)
    exported = {f"earsim.{each}" for each in earsim.__all__}
    assert len(documented) > 20
    assert {*documented, *exported} - promised_names() == set()


# -- EAR-Bench under `physical` ------------------------------------------------------------------


def test_nothing_keeps_a_team_from_a_task_that_a_walkthrough_wins():
    found = {scenario.id: blockers(scenario) for scenario in open_suite("starter")}
    assert {scenario_id: reasons for scenario_id, reasons in found.items() if reasons} == {}


def scenario(goal: str, **changes: str) -> Scenario:
    """A room with a chest in it and one more room, and something to be done there."""
    text = CELLAR.replace("GOAL", goal)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    found = parse(text)
    assert not isinstance(found, Scenario)
    return found.scenarios()[0]


CELLAR = """\
schema: earsim.scene/1
id: cellar
rooms: [{id: cellar, connects: [stairs]}, {id: stairs}]
objects:
  - {id: shelf, kind: furniture, in: cellar, mass_kg: 20}
  - {id: chest, kind: furniture, in: stairs, mass_kg: 9, container: {}, states: {is_open: false}}
  - {id: barrel, kind: item, in: cellar, mass_kg: 40, size_m: [1, 1, 1], states: {is_dirty: true}}
  - {id: brush, kind: item, in: cellar, mass_kg: 1, provides: [clean]}
abilities: [open, close, clean]
tasks:
  - {id: do, category: direct_command, instruction: Do it., goal: {all: [GOAL]},
     agents: [{id: ada, max_mass_kg: 50, hands: 2, max_size_m: [1, 1, 1]}]}
"""

IN_CHEST = "{at: {object: barrel, in: chest}}"
ON_SHELF = "{at: {object: barrel, on: shelf}}"
CLEANED = "{has_state: {object: barrel, state: is_dirty, equals: false}}"


@pytest.mark.parametrize(
    ("goal", "changes", "expected"),
    [
        (IN_CHEST, {}, set()),
        (ON_SHELF, {}, set()),
        (CLEANED, {}, set()),
        (ON_SHELF, {"mass_kg: 40": "mass_kg: 51"}, {Blocker.TOO_HEAVY}),
        (ON_SHELF, {"hands: 2": "hands: 0"}, {Blocker.NO_HANDS}),
        (ON_SHELF, {"size_m: [1, 1, 1], states": "size_m: [1, 1, 2], states"}, {Blocker.TOO_LARGE}),
        ("{at: {object: barrel, in: shelf}}", {}, {Blocker.NO_CONTAINER}),
        ("{at: {object: barrel, on: stairs}}", {}, {Blocker.ON_ROOM}),
        ("{at: {object: barrel, place: ':nowhere'}}", {}, {Blocker.IMPOSSIBLE}),
        (IN_CHEST, {"[open, ": "["}, {Blocker.SHUT_IN}),
        (IN_CHEST, {"false}}": "false, is_locked: true}}"}, {Blocker.SHUT_IN}),
        (IN_CHEST, {", connects: [stairs]": ""}, {Blocker.NO_WAY, Blocker.SHUT_IN}),
        (CLEANED, {"mass_kg: 1,": "mass_kg: 60,"}, {Blocker.TOOL_TOO_HEAVY}),
        (CLEANED, {"hands: 2": "hands: 0"}, {Blocker.TOOL_NO_HANDS}),
        (CLEANED, {"mass_kg: 1,": "mass_kg: 1, size_m: [2, 1, 1],"}, {Blocker.TOOL_TOO_LARGE}),
        (CLEANED, {"brush, kind: item, in: cellar": "brush, kind: item, in: chest"}, set()),
        (
            CLEANED,
            {"brush, kind: item, in: cellar": "brush, kind: item, in: chest", "[open, ": "["},
            {Blocker.TOOL_AWAY},
        ),
        (CLEANED, {", provides: [clean]": ""}, {Blocker.NO_TOOL}),
        (CLEANED, {", clean]\n": "]\n"}, {Blocker.NO_VERB}),
        (CLEANED, {"states: {is_dirty: true}": "states: {}"}, {Blocker.NO_STATE}),
        ("{done_jointly: {object: barrel, state: is_dirty}}", {}, {Blocker.ALONE}),
    ],
)
def test_a_reason_is_found_and_no_other(goal: str, changes: dict[str, str], expected: set[Blocker]):
    assert blockers(scenario(goal, **changes)) == expected


@pytest.mark.slow
@pytest.mark.bench_data
@pytest.mark.parametrize("split", ear_bench_under_physical.SPLITS)
def test_the_figures_of_ear_bench_are_current(
    split: str, ear_bench_dir: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(os.environ, "EAR_BENCH_DIR", str(ear_bench_dir))
    page = ear_bench_under_physical.PAGE.read_text(encoding="utf-8")
    if f"| **all** | {len(open_suite(split)):,} |" not in page:
        pytest.skip("the page was counted over another part of EAR-Bench")
    assert ear_bench_under_physical.updated(page, [split]) == page


# -- the runner of examples ----------------------------------------------------------------------


def test_output_may_leave_lines_out():
    assert_like("a\nb\nc\n", "a\n...\nc\n")
    assert_like("a\n", "a\n...\n")
    with pytest.raises(AssertionError):
        assert_like("a\nb\nc\n", "a\nc\n")


@pytest.mark.slow
def test_a_wrong_example_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    for wrong in (
        "```python\n1 / 0\n```\n",
        "```python\nprint(1)\n```\n\n<!-- output -->\n```text\n2\n```\n",
        "```console\n$ earsim list nothing_of_the_kind\n```\n",
        "```console\n$ earsim schema agent\nnothing\n```\n",
        "```yaml\nschema: earsim.scene/1\n```\n",
        "```json\n{]\n```\n",
    ):
        page.write_text(wrong, encoding="utf-8")
        with pytest.raises(Exception, match=r".*"):
            Page(page).run()
