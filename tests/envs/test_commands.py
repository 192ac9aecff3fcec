"""Commands as text, whatever it is, and as JSON."""

import json
from functools import cache
from random import Random

import gymnasium as gym
import jsonschema
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import earsim
from earsim import Episode
from earsim.actions.outcome import Refusal
from earsim.envs import SINGLE_ID, TEAM_ID
from tests.playing import SINGLE, STILL_SINGLE, STILL_TEAM, TEAM, any_commands, engine_of

ANY_CHARACTER = st.characters(exclude_categories=())
"""Surrogates and control characters included."""

WORDS = st.sampled_from(
    ["GRAB", "grab", "CORP_GRAB", "PLACE", "SAY", "DONE", "EXPLORE", "henk", "in", "on", "a,b", ","]
)
TEXTS = st.one_of(
    st.text(ANY_CHARACTER, max_size=60),
    st.lists(st.one_of(WORDS, st.text(ANY_CHARACTER, max_size=6)), max_size=6).map(" ".join),
)


@pytest.fixture(
    scope="module", params=[(i, r) for i in (SINGLE_ID, TEAM_ID) for r in earsim.RULESETS]
)
def env(request):
    env_id, ruleset = request.param
    return gym.make(env_id, ruleset=ruleset, observability="full", budget=10**9).unwrapped


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS, seed=st.integers(0, 50))
@example(text="\ud800", seed=0)
@example(text="GRAB \udfff\x00\x1b[31m", seed=0)
@example(text="SAY " + "x" * 5000, seed=0)
@example(text="GRAB " + "9" * 4000, seed=0)
@example(text="\u0661\u0662", seed=0)
def test_step_accepts_any_string(env, text, seed):
    env.reset(seed=seed)
    team = env.spec.id == TEAM_ID
    observation, _, terminated, truncated, _ = env.step(
        dict.fromkeys(env.agents, text) if team else text
    )
    assert env.observation_space.contains(observation)
    assert not (terminated and truncated)
    shown = json.dumps(observation, ensure_ascii=False)
    shown.encode("utf-8")  # what was typed never comes back as something that cannot be encoded


def test_a_megabyte_is_refused_unread(env):
    env.reset(seed=1)
    text = "GRAB " + "x" * (1 << 20)
    team = env.spec.id == TEAM_ID
    observation, *_, info = env.step(dict.fromkeys(env.agents, text) if team else text)
    outcomes = (
        [info["agents"][a]["last_outcome"] for a in env.agents] if team else [info["last_outcome"]]
    )
    assert {outcome.reason for outcome in outcomes} == {earsim.Reason.TOO_LONG}
    assert len(json.dumps(observation)) < 100_000


def as_json(call) -> dict:
    """The structured form of a call."""
    place = "receiver" if "receiver" in call.verb.grammar.required else "destination"
    slots = {"target": call.target, "relation": call.relation, place: call.destination}
    found = {slot: value for slot, value in slots.items() if value}
    return {
        "verb": call.verb.name,
        **found,
        **({"actors": list(call.actors)} if call.actors else {}),
    }


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("scenario", [*STILL_SINGLE, *STILL_TEAM])
def test_every_admissible_command_has_an_equal_structured_form(scenario, ruleset):
    engine = engine_of(scenario, ruleset)
    episode = Episode(engine, budget=10**6)
    validators = {
        name: jsonschema.Draft202012Validator(schema) for name, schema in engine.schemas().items()
    }
    seen = set()
    rng = Random(1)
    for _ in range(60):
        for agent in episode.agents:
            for command in set(episode.admissible(agent)) - seen:
                seen.add(command)
                call = engine.parse(command)
                assert not isinstance(call, Refusal)
                structured = as_json(call)
                validators[call.verb.name].validate(structured)
                assert engine.text_of(structured) == command
        episode.step(any_commands(rng, episode))
    assert len(seen) > 20


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
def test_every_verb_has_a_valid_schema_that_names_its_slots(ruleset):
    engine = engine_of(TEAM[0], ruleset)
    assert list(engine.schemas()) == list(engine.verbs)
    for name, schema in engine.schemas().items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["properties"]["verb"] == {"const": name}
        assert set(schema["required"]) <= set(schema["properties"])
        assert json.loads(json.dumps(schema)) == schema


BROKEN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@cache
def engine_and_schemas(ruleset):
    engine = engine_of(TEAM[0], ruleset)
    return engine, engine.schemas()


SLOTS = st.sampled_from(["verb", "target", "relation", "destination", "actors", "message", "x"])


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    command=st.dictionaries(SLOTS, BROKEN | st.sampled_from(["henk", "in"]), max_size=4),
    verb=st.sampled_from(["GRAB", "PLACE", "CORP_GRAB", "CORP_PLACE", "SAY", "LOOK", "NOPE"]),
)
@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
def test_what_fits_no_schema_is_answered_like_any_other_text(ruleset, command, verb):
    engine, schemas = engine_and_schemas(ruleset)
    structured = {**command, "verb": verb}
    text = engine.text_of(structured)
    schema = schemas.get(verb)
    fits = schema is not None and jsonschema.Draft202012Validator(schema).is_valid(structured)
    assert fits == (not isinstance(engine.parse(text.partition("\n")[0]), Refusal))


def test_a_structured_command_may_say_something_beside_what_it_does():
    engine, schemas = engine_and_schemas("physical")
    command = {"verb": "GRAB", "target": "lamp", "message": " I have\nthe lamp "}
    assert jsonschema.Draft202012Validator(schemas["GRAB"]).is_valid(command)
    assert engine.text_of(command) == "GRAB lamp\nSAY I have the lamp"
    assert engine.text_of({"verb": "SAY", "message": "hello"}) == "SAY hello"
    old, _ = engine_and_schemas("ear-bench")
    assert old.text_of(command).startswith("{")


def test_the_environment_offers_the_structured_form():
    env = gym.make(SINGLE_ID, scenario=SINGLE[0]).unwrapped
    env.reset()
    assert env.schemas() == env.episode.engine.schemas()
    assert env.text_of({"verb": "GRAB", "target": "headset"}) == "GRAB headset"
    assert env.text_of({"verb": "GRAB"}) == '{"verb": "GRAB"}'


@pytest.mark.parametrize(("ruleset", "status"), [("ear-bench", "FAILURE"), ("physical", "SUCCESS")])
def test_whether_an_agent_of_a_team_may_be_left_out_is_the_rulesets_affair(ruleset, status):
    env = gym.make(TEAM_ID, scenario=TEAM[0], ruleset=ruleset).unwrapped
    env.reset()
    first = env.agents[0]
    env.step({first: "EXPLORE"})
    assert env.episode.last.status == status
    assert bool(env.episode.world.known[first]) == (status == "SUCCESS")
