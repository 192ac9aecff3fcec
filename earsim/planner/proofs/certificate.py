"""Certificates of one scenario: making, rechecking and proving them again."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.engine import Engine
from earsim.errors import Finding
from earsim.planner.proofs.claims import AS_IT_IS, ask, at_most_as_long, reached_after, timing_of
from earsim.planner.proofs.declining import ask_about_reading, prove_claim, recheck_claim
from earsim.planner.proofs.informed import informed, is_informed
from earsim.planner.proofs.necessity import label_proof, prove, prove_selector
from earsim.planner.proofs.numbers import wrong_numbers
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.planner.timed.waits import MARGIN_MS
from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate, Exploit, Means, Question, Search

PUBLISHED = "ear-bench"
"""The ruleset that accepts more than its prompts speak of."""


def certify(
    scenario: Scenario, *, ruleset: str | None = None, nodes: int = DEFAULT_NODE_LIMIT
) -> Certificate:
    """Everything that can be proved about a scenario.

    Args:
        scenario: what to prove it about.
        ruleset: instead of the scenario's own.
        nodes: states that each search may reach.

    Raises:
        NoSingleAnswer: A selector of its goal has no answer, or several.
    """
    return certify_posed(Engine(scenario, ruleset), nodes=nodes)


def certify_posed(engine: Engine, *, nodes: int = DEFAULT_NODE_LIMIT) -> Certificate:
    """The certificate of a scenario whose engine is there already; arguments as in `certify`."""
    scenario = engine.scenario
    is_unclear = scenario.task.right_claim == "unclear"
    solution = (
        ask_about_reading(engine, nodes=nodes) if is_unclear else ask(engine, AS_IT_IS, nodes=nodes)
    )
    if engine.ruleset.name != PUBLISHED:  # whose walkthroughs need not be plain
        solution = at_most_as_long(engine, solution)
    proofs = prove(engine, solution, nodes=nodes)
    return Certificate(
        scenario_id=scenario.id,
        scenario_hash=scenario.hash,
        category=scenario.task.category,
        ruleset=engine.ruleset.id,
        planner=PLANNER_VERSION,
        node_limit=nodes,
        budget=engine.budget,
        goal_at_start=engine.task.goal.holds(engine.start()),
        solution=solution,
        informed=informed(engine),
        label=label_proof(scenario.task.category, proofs),
        necessity=proofs,
        claim=prove_claim(engine, solution, nodes=nodes),
        exploit=_exploit(engine, nodes) if engine.ruleset.name == PUBLISHED else None,
    )


def _exploit(engine: Engine, nodes: int) -> Exploit:
    together = ask(engine, Question(command_class="any"), nodes=nodes)
    alone: list[Search] = []
    agents = tuple(engine.blueprint.bodies)
    for agent in agents if len(agents) > 1 else ():
        alone.append(ask(engine, Question(agents=(agent,), command_class="any"), nodes=nodes))
        if alone[-1].found == "plan":
            break
    return Exploit(together=together, alone=tuple(alone))


def staleness(certificate: Certificate, scenario: Scenario) -> str:
    """Why what a certificate claims may not be asked again as it is; empty if it may.

    Plans made by another planner are plans nevertheless: see `is_about`.
    """
    in_force = _in_force(certificate)
    if certificate.scenario_hash != scenario.hash:
        return "the scenario has changed since"
    if certificate.ruleset != in_force:
        return f"it is about {certificate.ruleset}, and {in_force} is in force"
    if certificate.planner != PLANNER_VERSION:
        return f"it was made by planner {certificate.planner}, and this is {PLANNER_VERSION}"
    return ""


def is_about(certificate: Certificate, scenario: Scenario) -> bool:
    """Whether a certificate speaks of a scenario as it is now, under the rules in force."""
    same = certificate.scenario_hash == scenario.hash
    return same and certificate.ruleset == _in_force(certificate)


def _in_force(certificate: Certificate) -> str:
    return RULESETS[certificate.ruleset.partition("/")[0]].id


def recheck(certificate: Certificate, scenario: Scenario) -> Iterator[Finding]:
    """What playing shows to be wrong in a certificate; takes milliseconds, and searches nothing.

    Every plan in it is played, selectors are asked again, and the label is read off the proofs.
    """
    engine = Engine(scenario, certificate.ruleset.partition("/")[0])
    at_start = engine.task.goal.holds(engine.start())
    if at_start is not certificate.goal_at_start:
        said = "true" if certificate.goal_at_start else "false"
        yield Finding(scenario.id, "certificate.goal_at_start", f"says {said}, and it is not so")
    for place, search in _plans(certificate):
        yield from _replayed(engine, search, Finding(scenario.id, f"certificate.{place}", ""))
    if certificate.informed is not None and not is_informed(engine, certificate.informed.plan):
        reason = "its plan does not perceive all numbers that decide, or does not reach the goal"
        yield Finding(scenario.id, "certificate.informed", reason, "earsim certify")
    for index, proof in enumerate(certificate.necessity):
        if proof.of is Means.SELECTOR and proof != prove_selector(engine):
            place = f"certificate.necessity[{index}]"
            yield Finding(scenario.id, place, "the selectors of the task show something else")
    yield from recheck_claim(engine, certificate.solution, certificate.claim)
    if certificate.label is not label_proof(certificate.category, certificate.necessity):
        yield Finding(scenario.id, "certificate.label", "does not follow from its proofs")


def _plans(certificate: Certificate) -> Iterator[tuple[str, Search]]:
    """Every claim that there is a plan, and its place."""
    places = [("solution", certificate.solution)]
    for index, proof in enumerate(certificate.necessity):
        places += [(f"necessity[{index}]", search) for search in proof.searches]
    if certificate.exploit is not None:
        places.append(("exploit.together", certificate.exploit.together))
        places += [("exploit.alone", search) for search in certificate.exploit.alone]
    return ((place, search) for place, search in places if search.found == "plan")


def _replayed(engine: Engine, search: Search, at: Finding) -> Iterator[Finding]:
    reached = reached_after(engine, search)
    if reached is None:
        yield Finding(at.file, at.place, "its plan does not reach the goal", "earsim certify")
    elif reached < len(search.plan):
        reason = f"its plan of {len(search.plan)} decisions reaches the goal after {reached}"
        yield Finding(at.file, at.place, reason, "earsim certify")
    elif search.seconds is not None:
        shown = timing_of(engine, search)
        told = None if shown is None else shown.seconds
        if told != search.seconds:
            reason = f"its plan takes {told} s, not {search.seconds}"
            yield Finding(at.file, at.place, reason, "earsim certify")
        elif search.margin_ms is not None and shown is not None:
            yield from _close_call(shown.margin_ms, at)
        if search.numeric and shown is not None:
            yield from wrong_numbers(engine, shown.world, search.numeric, at)


def _close_call(margin_ms: int, at: Finding) -> Iterator[Finding]:
    if margin_ms < MARGIN_MS:
        reason = f"its plan has a margin of {margin_ms} ms"
        yield Finding(at.file, at.place, reason, f"at least {MARGIN_MS} ms")


def reprove(certificate: Certificate, scenario: Scenario) -> tuple[str, ...]:
    """Ask the planner everything again, under the same node limit; names what comes out otherwise.

    A certificate of another planner may differ in plans and node counts and be as right: see
    `staleness`.
    """
    ruleset = certificate.ruleset.partition("/")[0]
    again = certify(scenario, ruleset=ruleset, nodes=certificate.node_limit)
    return tuple(
        field
        for field in Certificate.model_fields
        if getattr(again, field) != getattr(certificate, field)
    )
