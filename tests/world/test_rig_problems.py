"""Each thing that cannot be about an apparatus, or a task about one, with its place and remedy."""

from typing import Any

import pytest

from earsim.errors import UsageError
from earsim.schema import Scenario
from earsim.schema.apparatus import Apparatus
from earsim.schema.lookup import MOST_BARS
from earsim.world.lookups import lookup_problems
from earsim.world.rigs import rig, rig_problems, task_problems

Told = list[tuple[str, str, str]]


def listed(found: Any) -> Told:
    return [(".".join(map(str, p.loc)), p.reason, p.expected) for p in found]


def scenario(spec: dict[str, Any] | None, goal: Any = None, **task: Any) -> Scenario:
    thing = {"kind": "furniture", "in": "lab", "mass_kg": 9.0}
    objects: list[dict[str, Any]] = [
        {"id": "badge", "provides": ["unlock"], **thing},
        {"id": "rig", **thing, **({} if spec is None else {"apparatus": spec})},
    ]
    given = {"id": "t", "category": "direct_command", "instruction": "-", **task}
    scene = {"schema": "earsim.scene/1", "id": "s", "rooms": [{"id": "lab"}], "objects": objects}
    agents = [{"id": "ada", "max_mass_kg": 9}]
    given["goal"] = goal or {"any": []}
    return Scenario.model_validate({"id": "s", "scene": scene, "agents": agents, "task": given})


def of_rig(model: str = "maglev/1", **spec: Any) -> Told:
    found = listed(rig_problems(scenario({"model": model, **spec}).scene))
    start = "objects.1.apparatus."
    assert all(place.startswith(start) for place, *_ in found)
    return [(place.removeprefix(start), *rest) for place, *rest in found]


def of_task(spec: dict[str, Any] | None, goal: Any = None, **task: Any) -> Told:
    made = scenario(spec, goal, **task)
    return listed(task_problems(made.scene, made.task))


def test_an_ability_that_no_verb_asks_for_is_given_as_well():
    made = scenario({"model": "maglev/1", "needs": {"ability": "operate"}}).scene
    badge = made.objects[0].model_copy(update={"also_provides": ("operate",)})
    assert len(listed(rig_problems(made))) == 1
    with_badge = made.model_copy(update={"objects": (badge, made.objects[1])})
    assert listed(rig_problems(with_badge)) == []


def test_a_sound_apparatus_has_no_findings():
    needs = {"ability": "unlock", "loaded": "badge"}
    spec = {"settings": {"Kp": 5.0}, "bounds": {"Kp": [0, 50]}, "tunable": ["Kp", "topology"]}
    assert of_rig(**spec, levels={"Kp": [0, 50.0]}, needs=needs, show=["u", "e"]) == []
    assert of_rig(bounds={"Kp": [3, 3]}) == []


@pytest.mark.parametrize(
    ("spec", "place", "reason", "expected"),
    [
        ({"model": "magleb/1"}, "model", "unknown model 'magleb/1'", "did you mean 'maglev/1'"),
        ({"settings": {"kP": 1}}, "settings.kP", "unknown setting 'kP'", "did you mean 'Kp'"),
        ({"bounds": {"Kq": [0, 1]}}, "bounds.Kq", "unknown setting 'Kq'", "one of: Kp, Ki"),
        ({"levels": {"Kq": [0, 1]}}, "levels.Kq", "unknown setting 'Kq'", "one of: Kp, Ki"),
        ({"tunable": ["Kp", "zzz"]}, "tunable.1", "unknown setting 'zzz'", "one of: Kp, Ki, Kd, t"),
        ({"show": ["u", "zzz"]}, "show.1", "unknown channel 'zzz'", "one of: e, u, x1"),
        (
            {"bounds": {"topology": [0, 1]}},
            "bounds.topology",
            "'topology' takes words and has no bounds",
            "",
        ),
        ({"bounds": {"Kp": [2, 1.5]}}, "bounds.Kp", "no value lies in 2 to 1.5", "within 0 to 50"),
        ({"bounds": {"Kp": [60, 70]}}, "bounds.Kp", "no value lies in 60 to 70", "within 0 to 50"),
        ({"bounds": {"Kp": [-2, -1]}}, "bounds.Kp", "no value lies in -2 to -1", "within 0 to 50"),
        (
            {"bounds": {"Kp": [-0.5, 50]}},
            "bounds.Kp",
            "-0.5 to 50 are more than maglev/1 takes",
            "within 0 to 50",
        ),
        (
            {"bounds": {"Kp": [0, 50.5]}},
            "bounds.Kp",
            "0 to 50.5 are more than maglev/1 takes",
            "within 0 to 50",
        ),
        ({"settings": {"Kp": 51}}, "settings.Kp", "51 is out of bounds", "0 to 50"),
        ({"settings": {"Kp": "x"}}, "settings.Kp", "'x' is no value of it", "a number"),
        (
            {"settings": {"topology": "q"}},
            "settings.topology",
            "'q' is no value of it",
            "one of p, pi, pid",
        ),
        (
            {"levels": {"Kp": [1, 9]}, "bounds": {"Kp": [0, 5]}},
            "levels.Kp.1",
            "9 is out of bounds",
            "0 to 5",
        ),
        ({"needs": {"loaded": "bagde"}}, "needs.loaded", "unknown object 'bagde'", "did you mean"),
        ({"needs": {"loaded": "rig"}}, "needs.loaded", "it cannot be in or on itself", ""),
        (
            {"needs": {"ability": "unlok"}},
            "needs.ability",
            "no object provides 'unlok'",
            "did you mean 'unlock'?",
        ),
        ({"needs": {"ability": "zzz"}}, "needs.ability", "no object provides 'zzz'", ""),
        (
            {"price": {"eur_per": {"search": 1.0}}},
            "price.eur_per.search",
            "unknown operation 'search'",
            "'eur_per_run'",
        ),
    ],
)
def test_what_cannot_be_of_an_apparatus(spec: Any, place: str, reason: str, expected: str):
    ((there, told, fix),) = of_rig(**spec)
    assert (there, told) == (place, reason)
    assert fix.startswith(expected)
    assert bool(fix) is bool(expected)


def test_the_first_of_these_is_raised_where_nobody_looked_before():
    with pytest.raises(UsageError, match=r"^apparatus 'rig', show.0: unknown channel 'z'; one of"):
        rig("rig", Apparatus.model_validate({"model": "maglev/1", "show": ["z"]}))
    topology = Apparatus.model_validate({"model": "maglev/1", "bounds": {"topology": [0, 1]}})
    with pytest.raises(UsageError, match=r"has no bounds$"):
        rig("rig", topology)


def test_what_is_compiled_of_an_apparatus():
    spec = {"settings": {"Ki": 2.0}, "bounds": {"Kp": [1, 5]}, "tunable": ["Ki", "Kp"]}
    made = rig("rig", Apparatus.model_validate({"model": "maglev/1", **spec}))
    assert [(p.name, p.low, p.high) for p in made.parameters] == [("Kp", 1, 5), ("Ki", 0, 50)]
    assert made.settings == {"Kp": 1.0, "Ki": 2.0, "Kd": 0.0, "topology": "p", "blocks": "lumped"}
    assert (made.needs.people, made.price.eur_per_run, made.show) == (1, 0.0, ())
    everything = rig("rig", Apparatus.model_validate({"model": "maglev/1"}))
    assert [p.name for p in everything.parameters] == ["Kp", "Ki", "Kd", "topology", "blocks"]


# -- tasks -----------------------------------------------------------------------------------------

MAGLEV: dict[str, Any] = {"model": "maglev/1", "bounds": {"Kp": [0, 12]}}


@pytest.mark.parametrize(
    ("fact", "reason", "expected"),
    [
        ({"measured": {"apparatus": "rig", "result": "settling_s", "at_least": 0}}, "", ""),
        (
            {"measured": {"apparatus": "rig", "result": "setling_s", "at_least": 0}},
            "unknown result 'setling_s'",
            "did you mean 'settling_s'?",
        ),
        (
            {"measured": {"apparatus": "badge", "result": "settling_s", "at_least": 0}},
            "unknown apparatus 'badge'",
            "",
        ),
        ({"operation": {"apparatus": "rig", "settings": {"Kp": 12}, "warned": "nan"}}, "", ""),
        (
            {"operation": {"apparatus": "rig", "settings": {"Kq": 12}}},
            "unknown setting 'Kq'",
            "one of: Kp, Ki, Kd",
        ),
        (
            {"operation": {"apparatus": "rig", "settings": {"Kp": 13}}},
            "13 is out of bounds",
            "0 to 12",
        ),
        (
            {"operation": {"apparatus": "rig", "warned": "nana"}},
            "unknown event 'nana'",
            "did you mean 'nan'?",
        ),
    ],
)
def test_what_a_goal_wants_of_an_apparatus(fact: Any, reason: str, expected: str):
    told = of_task(MAGLEV, fact)
    assert [(place, said) for place, said, _ in told] == ([("task.goal", reason)] if reason else [])
    assert all(fix.startswith(expected) for *_, fix in told)


def test_a_goal_may_ask_for_what_any_action_of_a_bench_tells():
    actions = [
        {"name": "weigh", "gives": [{"name": "mass", "equals": 2.0}]},
        {"name": "look", "gives": [{"name": "colour", "equals": "red"}]},
    ]

    def told(result: str) -> Told:
        fact = {"measured": {"apparatus": "rig", "result": result, "at_least": 0}}
        return of_task({"model": "wet_bench/1", "pool": {"actions": actions}}, fact)

    assert told("mass") == told("colour") == []
    assert told("color") == [
        ("task.goal", "unknown result 'color'", "did you mean 'colour'?"),
    ]


def test_what_a_goal_wants_looked_up():
    pages = library(TEXT)

    def told(**settings: Any) -> Told:
        return of_task(pages, {"operation": {"apparatus": "rig", "settings": settings}})

    assert told(action="visit", text="tin", page=1) == []
    assert told(action="serch")[0][1] == "unknown operation 'serch'"
    assert told(action="visit", txet="tin")[0][1] == "unknown setting 'txet'"
    ((_, reason, expected),) = told(action="visit", text="tin", page=0)
    assert reason == "0 is out of bounds"
    assert expected.startswith("1 to")
    ((_, reason, expected),) = told(action="visit", text="lead", page=1)
    assert (reason, expected) == ("'lead' is no value of it", "what is there")


def test_an_answer_is_given_at_an_apparatus():
    fact = {"submitted": {"name": "who", "equals": "ada"}}
    told = of_task(None, fact)
    reason = "an answer to 'who', and there is no apparatus, so no SUBMIT"
    assert told == [("task.goal", reason, "an apparatus")]
    assert of_task(MAGLEV, fact) == []


@pytest.mark.parametrize(
    ("account", "spec"),
    [
        ("runs", {"model": "maglev/1"}),
        ("clock_s", {"model": "maglev/1"}),
        ("eur", {"model": "maglev/1", "price": {"eur_per_run": 1.0}}),
        ("eur", {"model": "maglev/1", "price": {"eur_per_h": 1.0}}),
        ("eur", {"model": "maglev/1", "price": {"eur_per_mflop": 1.0}}),
        ("eur", {"model": "maglev/1", "price": {"eur_per": {"search": 1.0}}}),
        ("kwh", {"model": "maglev/1", "price": {"kwh_per_h": 1.0}}),
        ("flop", {"model": "heat1d/1"}),
    ],
)
def test_a_limit_is_of_what_some_run_costs(account: str, spec: dict[str, Any]):
    told = f"a limit of {account}, and no apparatus costs any"
    none = [(f"task.limits.{account}", told, "a price, or no such limit")]
    assert of_task(None, limits={account: 5.0}) == none
    assert of_task(spec, limits={account: 5.0}) == []
    if account not in ("runs", "clock_s"):
        assert of_task({"model": "maglev/1"}, limits={account: 5.0}) == none
        other = {"eur": {"kwh_per_h": 1.0}}.get(account, {"eur_per_h": 1.0})
        assert of_task({"model": "maglev/1", "price": other}, limits={account: 5.0}) == none


# -- what is looked up -----------------------------------------------------------------------------

TEXT = {"id": "tin", "title": "Tin", "date": "1990", "text": "Tin melts at 232 degrees."}


def library(*texts: Any, **more: Any) -> dict[str, Any]:
    return {"model": "library/1", "library": {"texts": list(texts)}, **more}


def figures(*specs: Any) -> dict[str, Any]:
    return {"model": "figures/1", "figures": {"figures": list(specs)}}


def figure(*series: Any, **more: Any) -> dict[str, Any]:
    points = list(series) or [[[1, 2], [2, 3]]]
    named = [{"name": f"s{place}", "points": each} for place, each in enumerate(points)]
    axes = {"x": {"label": "x"}, "y": {"label": "y"}}
    return {"id": "fig", "title": "F", "series": named, **axes, **more}


def looked_up(spec: dict[str, Any]) -> Told:
    return listed(lookup_problems(Apparatus.model_validate(spec)))


def test_each_model_has_what_it_looks_up_and_no_other_has():
    for model, key in (("library/1", "library"), ("figures/1", "figures")):
        fix = f"'{key}' for {model}, and for no other model"
        assert looked_up({"model": model}) == [(key, f"{model} without '{key}'", fix)]
    (found,) = looked_up(library(TEXT) | {"model": "maglev/1"})
    assert found[:2] == ("library", "maglev/1 with 'library'")
    assert looked_up({"model": "maglev/1"}) == []


def test_texts_are_there_each_once():
    assert looked_up(library(TEXT)) == []
    assert looked_up(library()) == [("library.texts", "no texts", "'texts', or a 'file' with some")]
    found = looked_up(library(TEXT, TEXT | {"id": "lead"}, TEXT))
    assert found == [("library.texts.2.id", "the id 'tin' is there twice", "")]


def test_operations_with_a_price_are_there():
    assert looked_up(library(TEXT, price={"eur_per": {"search": 1.0, "visit": 2.0}})) == []
    assert looked_up(library(TEXT, price={"eur_per": {"serch": 1.0}})) == [
        ("price.eur_per.serch", "unknown operation 'serch'", "one of: search, visit")
    ]
    pool = {"actions": [{"name": "spin"}, {"name": "cool"}]}
    bench = {"model": "wet_bench/1", "pool": pool}
    assert looked_up(bench | {"price": {"eur_per": {"cool": 1.0}}}) == []
    ((_, _, fix),) = looked_up(bench | {"price": {"eur_per": {"heat": 1.0}}})
    assert fix == "one of: spin, cool"


def test_figures_are_there_each_once():
    assert looked_up(figures(figure(), figure(id="two"))) == []
    none = ("figures.figures", "no figures", "'figures', or a 'file' with some")
    assert looked_up(figures()) == [none]
    found = looked_up(figures(figure(), figure(id="two"), figure()))
    assert found == [("figures.figures.2.id", "the id 'fig' is there twice", "")]


LOG = {"label": "x", "log": True}
BARS = [[f"w{place}", 1] for place in range(MOST_BARS)]


@pytest.mark.parametrize(
    ("made", "place", "reason", "expected"),
    [
        (figure(BARS, kind="bar"), None, "", ""),
        (
            figure([*BARS, ["more", 1]], kind="bar"),
            "",
            f"bars over {MOST_BARS + 1} words",
            f"{MOST_BARS} words at most",
        ),
        (figure([[place, 1] for place in range(MOST_BARS + 1)]), None, "", ""),
        (figure([[1, 2], [1, 3]]), ".series.0.points", "an x is there twice", "one y for each x"),
        (
            figure([[1, 2]], [["a", 2]]),
            ".series.1.points",
            "a line figure over numbers alone",
            "",
        ),
        (
            figure([["a", 2], [1, 2]], kind="bar"),
            ".series.0.points",
            "a bar figure over words alone",
            "",
        ),
        (figure([[1e-100, 2]], x=LOG), None, "", ""),
        (figure([[0.9e-100, 2]], x=LOG), ".series.0.points", "an x on a log", "numbers of 1e-100"),
        (
            figure([["a", 2]], x=LOG, kind="bar"),
            ".series.0.points",
            "an x on a logarithmic axis",
            "numbers of 1e-100 or more",
        ),
        (figure([[1, 1e-100]], y=LOG), None, "", ""),
        (figure([[1, 0]], y=LOG), ".series.0.points", "a y on a logarithmic axis", "numbers of 1e"),
    ],
)
def test_points_of_figures(made: dict[str, Any], place: str | None, reason: str, expected: str):
    found = looked_up(figures(figure(id="other"), made))
    if place is None:
        assert found == []
        return
    ((there, told, fix),) = found
    assert there == f"figures.figures.1{place}"
    assert told.startswith(reason)
    assert fix.startswith(expected)


def test_series_have_names_of_their_own():
    twice = figure([[1, 2]], [[1, 2]])
    twice["series"][1]["name"] = "s0"
    place = "figures.figures.0.series.1.name"
    assert looked_up(figures(twice)) == [(place, "the series 's0' is there twice", "")]
