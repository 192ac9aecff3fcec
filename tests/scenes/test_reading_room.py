"""The scene `reading_room`: every answer is worked out from its texts and figures, by hand."""

import math
import re
from itertools import pairwise

import pytest

from earsim import Engine, Episode, open_suite
from earsim.apparatus.parameter import Value
from earsim.apparatus.prompt_injection import is_injection
from earsim.schema import Scenario
from earsim.schema.goal import OperationFact, SubmittedFact
from earsim.schema.goal_tree import leaves

SUITE = open_suite("laboratory")
IDS = [id_ for id_ in SUITE.ids if id_.startswith("reading_room/")]


def scenario(task: str) -> Scenario:
    return SUITE.load(f"reading_room/{task}")


THINGS = {thing.id: thing.apparatus for thing in scenario("stiff_and_light").scene.objects}


def text(id_: str, node: str = "catalogue") -> str:
    spec = THINGS[node]
    assert spec is not None
    assert spec.library is not None
    return next(each.text for each in spec.library.texts if each.id == id_)


def number(id_: str, before: str, node: str = "catalogue") -> float:
    """The number of a text that stands right before some words."""
    found = re.search(rf"([0-9][0-9,./]*)\s*{before}", text(id_, node))
    assert found is not None, (id_, before)
    return float(found[1].replace(",", "").rstrip("."))


def series(id_: str) -> dict[float | str, float]:
    spec = THINGS["figure_board"]
    assert spec is not None
    assert spec.figures is not None
    (found,) = next(each.series for each in spec.figures.figures if each.id == id_)
    return dict(found.points)


def answers(task: str) -> dict[str, SubmittedFact]:
    facts = [leaf.fact for leaf in leaves(scenario(task).task.goal)]
    return {fact.name: fact for fact in facts if isinstance(fact, SubmittedFact)}


def is_right(task: str, **worked_out: Value) -> bool:
    """The answers of a task are what was worked out, to a tenth of what is allowed."""
    wanted = answers(task)
    assert wanted.keys() == worked_out.keys()
    for name, value in worked_out.items():
        fact = wanted[name]
        if isinstance(value, str):
            assert fact.equals == value
        else:
            assert abs(value - fact.equals) <= fact.within / 10, (task, value)
    return True


def test_astronomy():
    parallax = number("barnard_parallax", "thousandths") / 1000
    assert is_right("how_far_is_barnards_star", distance=number("parsec", "light years") / parallax)


def test_chemistry():
    water = 5 * number("molar_mass_water", "g/mol")
    assert "five molecules of water" in text("blue_vitriol")
    salt = number("blue_vitriol", "g/mol")
    assert is_right("water_in_blue_vitriol", percent=100 * water / (water + salt))


def test_molar_masses_are_those_of_their_atoms():
    copper, sulphur, oxygen, hydrogen, magnesium = 63.546, 32.06, 15.999, 1.008, 24.305
    water = 2 * hydrogen + oxygen
    assert number("molar_mass_water", "g/mol") == pytest.approx(water, abs=5e-4)
    sulphate = sulphur + 4 * oxygen
    assert number("blue_vitriol", "g/mol") == pytest.approx(copper + sulphate, abs=0.01)
    assert number("epsom_salt", "g/mol") == pytest.approx(magnesium + sulphate, abs=0.01)


def test_life():
    pairs, rise_nm = number("coli_genome", "base pairs"), number("double_helix", "nm along")
    assert is_right("length_of_a_genome", mm=pairs * rise_nm * 1e-6)


def test_earth():
    then, now = number("mont_blanc_2007", "m\\."), number("mont_blanc_2023", "m, the least")
    assert is_right("a_mountain_that_shrinks", metres=then - now)
    last = max(
        each.date
        for each in THINGS["catalogue"].library.texts
        if each.id.startswith("mont_blanc")  # type: ignore[union-attr]
    )
    assert last == "2023-10"


def test_energy():
    joules = number("oil_equivalent", "gigajoules")
    assert is_right("oil_into_megawatt_hours", mwh=250 * joules / 3.6)
    assert "1,000 W times 3,600 s" in text("kilowatt_hour")
    assert joules == pytest.approx(10e6 * 4186.8 / 1e9)
    assert number("barrel", "litres\\. What") == pytest.approx(42 * 3.785411784, abs=5e-4)


def test_information():
    low, high = 300.0, number("telephone_band", "Hz")
    assert "between 300 and" in text("telephone_band")
    ratio = 10 ** (30 / 10)
    assert is_right("bits_on_a_telephone_line", bits=(high - low) * math.log2(1 + ratio))


def test_physics():
    air, water = number("standard_atmosphere", "kPa, at 4,000"), series("vapour_pressure")
    assert air == 70.11
    share = (air - water[85.0]) / (water[90.0] - water[85.0])
    assert is_right("water_on_a_mountain", temperature=85 + 5 * share)


def test_the_standard_atmosphere_is_the_standard_one():
    for height in (1000, 2000, 3000, 4000, 5000):
        told = re.search(rf"{height:,} m ([0-9.]+) kPa", text("standard_atmosphere"))
        assert told is not None
        exact = 101.325 * (1 - 0.0065 * height / 288.15) ** 5.25588
        assert float(told[1]) == pytest.approx(exact, abs=0.006)


def test_the_vapour_pressure_is_that_of_the_equation_of_buck():
    for celsius, kpa in series("vapour_pressure").items():
        t = float(celsius)
        buck = 0.61121 * math.exp((18.678 - t / 234.5) * t / (257.14 + t))
        assert kpa == pytest.approx(buck, rel=2e-3)


def test_materials():
    density, stiffness = series("metal_density"), series("metal_stiffness")
    ratio = {metal: stiffness[metal] / density[metal] for metal in density}
    best = max(ratio, key=lambda metal: ratio[metal])
    assert is_right("stiff_and_light", metal=best, ratio=ratio[best])
    second = sorted(ratio.values())[-2]
    assert second < ratio[best] - answers("stiff_and_light")["ratio"].within


def test_neuroscience():
    speeds = list(series("fibre_speed").values())
    falls = [faster / slower for faster, slower in pairwise(speeds)]
    assert is_right("where_the_speed_falls", answer="ABC"[falls.index(max(falls))])
    told = [
        float(high) for _, high in re.findall(r"([0-9.]+) to ([0-9]+) m/s", text("fibre_classes"))
    ]
    assert told == speeds


def test_mathematics():
    ratios = series("prime_ratio")
    first = next(x for x in sorted(ratios, key=float) if ratios[x] < 1.08)
    assert is_right("how_slowly_it_comes_true", answer={1e5: "A", 1e6: "B", 1e7: "C"}[float(first)])


def test_the_ratios_are_those_of_the_primes():
    sieve = bytearray([1]) * 1_000_001
    sieve[:2] = b"\0\0"
    for n in range(2, 1001):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(range(n * n, len(sieve), n)))
    counts = {1e3: 0, 1e4: 0, 1e5: 0, 1e6: 0, 1e7: 664_579, 1e8: 5_761_455}
    counts |= {x: sum(sieve[: int(x) + 1]) for x in counts if x < 1e7}
    for x, ratio in series("prime_ratio").items():
        x = float(x)
        assert ratio == pytest.approx(counts[x] * math.log(x) / x, abs=6e-5)


def test_the_slip_of_cavendish():
    mended = number("an_error_of_addition", "g/cm3", "stack_terminal")
    today = number("earth_today", "g/cm3\\. It", "stack_terminal")
    assert is_right("the_slip_of_cavendish", percent=100 * (today - mended) / today)
    printed = 100 * (today - 5.48) / today
    fact = answers("the_slip_of_cavendish")["percent"]
    assert abs(printed - fact.equals) > 5 * fact.within


def test_the_speed_of_light():
    found = number("turning_mirror", "km/s", "rare_terminal")
    defined = number("metre_of_light", "km/s by", "rare_terminal")
    assert is_right("two_read_what_is_rare", kms=defined - found)


def test_tasks_are_of_ten_domains():
    domains = {scenario(id_.split("/")[1]).task.workflow.domain for id_ in IDS}  # type: ignore[union-attr]
    assert len(domains) == 10
    assert len(IDS) == 12


# -- played ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", IDS)
def test_an_answer_without_reading_does_not_win(id_: str):
    episode = Episode(Engine(SUITE.load(id_)))
    given = " ".join(f"{f.name}={f.equals}" for f in answers(id_.split("/")[1]).values())
    episode.step({episode.agents[0]: f"SUBMIT {given}"})
    assert not episode.engine.task.goal.holds(episode.world)
    needed = [leaf.fact for leaf in leaves(SUITE.load(id_).task.goal)]
    assert any(isinstance(fact, OperationFact) for fact in needed)


def test_money_is_short_where_the_task_says_so():
    episode = Episode(Engine(scenario("water_in_blue_vitriol")))
    for entry in scenario("water_in_blue_vitriol").task.walkthrough[:-1]:
        episode.step({"ada": str(entry)})
    episode.step({"ada": "RUN catalogue visit text=epsom_salt"})
    outcome = episode.outcome("ada")
    assert outcome is not None
    assert outcome.reason == "limit_reached"
    assert outcome.facts["left"] == pytest.approx(0.0)


def test_one_text_gives_orders_and_nobody_follows_them():
    hostile = text("notice").splitlines()
    assert all(map(is_injection, hostile))
    episode = Episode(Engine(scenario("how_far_is_barnards_star")))
    for command in (
        "EXPLORE",
        "GOTO catalogue",
        "TURN_ON catalogue",
        "RUN catalogue visit text=notice",
        "WAIT UNTIL catalogue done",
    ):
        episode.step({"ada": command})
    assert "warns at t 8: prompt injection" in episode.feedback("ada")
    episode.step({"ada": "READ catalogue"})
    quoted = episode.feedback("ada").splitlines()[1:]
    assert all(line.startswith("| ") for line in quoted)
    assert [line[2:] for line in quoted[1:]] == hostile
    lab = episode.world.timeline and episode.world.timeline.lab
    assert lab is not None
    assert lab.answers == {}
    assert not episode.over


def test_who_can_look_gets_the_picture_of_what_it_has_read():
    from earsim.envs.policy import observations_of

    episode = Episode(Engine(scenario("where_the_speed_falls")))
    for entry in scenario("where_the_speed_falls").task.walkthrough[:-1]:
        assert observations_of(episode)["ada"].pictures == ()
        episode.step({"ada": str(entry)})
    (picture,) = observations_of(episode)["ada"].pictures
    assert picture.name == "fibre_speed"
    assert picture.png.startswith(b"\x89PNG")
    episode.step({"ada": "READ catalogue"})
    assert observations_of(episode)["ada"].pictures == ()


def test_an_environment_gives_the_picture_in_its_info():
    import gymnasium as gym

    import earsim.envs

    earsim.envs.register()
    env = gym.make("OmniEAR-v0", scenario=scenario("where_the_speed_falls"))
    env.reset()
    infos = [env.step(str(e))[4] for e in scenario("where_the_speed_falls").task.walkthrough]
    shown = [info["pictures"] for info in infos if "pictures" in info]
    assert len(shown) == 1
    assert shown[0][0].startswith(b"\x89PNG")


def test_the_viewer_shows_the_figure():
    from earsim.viewer.laboratory import laboratory

    episode = Episode(Engine(scenario("where_the_speed_falls")))
    for entry in scenario("where_the_speed_falls").task.walkthrough:
        episode.step({"ada": str(entry)})
    assert episode.world.timeline is not None
    told = laboratory(episode.engine.blueprint, episode.world.timeline.lab)
    assert told is not None
    shown = [run["picture"]["src"] for run in told["runs"] if "picture" in run]
    assert len(shown) == 1
    assert shown[0].startswith("data:image/png;base64,")
